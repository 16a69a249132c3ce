# SPDX-License-Identifier: Apache-2.0
"""Installs a wheel in fresh virtual environments, bare and with the system's packages, and runs it there.

    check_wheel.py WHEEL             a wheel that is there
    check_wheel.py PACKAGE_FOLDER    one that is made of a built package, `build/…/python`, for this alone

77: there is no way to make virtual environments."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def run(*command, **options):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([str(word) for word in command], check=True, env=environment, **options)


def main():
    if importlib.util.find_spec("ensurepip") is None:
        print("ensurepip is not installed (python3-venv, scripts/setup --test)")
        return 77
    given = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wheel = given
        if given.is_dir():
            run(sys.executable, ROOT / "python/make_wheel.py", given, folder / "dist")
            (wheel,) = (folder / "dist").glob("komuz-*.whl")
        for words in ([], ["--system-site-packages"]):
            place = folder / "-".join(["venv", *words])
            run(sys.executable, "-m", "venv", *words, place)
            run(place / "bin/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel)
            # In a folder where no file of the repository is found by chance.
            run(place / "bin/python", HERE / "check_installed.py", cwd=folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
