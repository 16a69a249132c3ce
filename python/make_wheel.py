# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of a built package: make_wheel.py build/release/python dist. The same bytes from the same files.

A wheel is a zip file with the package, and a folder that says what it is (PEP 427).
"""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Libraries of the system that the wheel brings, since they are no part of every Linux.
BROUGHT = ("libsimdjson",)


def brought_libraries(module: pathlib.Path) -> "list[pathlib.Path]":
    said = subprocess.run(["ldd", str(module)], capture_output=True, text=True, check=True).stdout
    paths = [line.split("=>")[1].split()[0] for line in said.splitlines() if "=>" in line and "/" in line]
    return [pathlib.Path(path) for path in paths if pathlib.Path(path).name.startswith(BROUGHT)]


def main(built: pathlib.Path, out: pathlib.Path) -> None:
    said = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    package = built / "komuz"
    scope: "dict[str, str]" = {}
    exec((package / "_version.py").read_text(), scope)
    version = scope["VERSION"]
    [module] = package.glob("_komuz*.so")
    files = {f"komuz/{path.name}": path.read_bytes() for path in package.iterdir() if path.is_file()}
    files.update({f"komuz/{path.name}": path.read_bytes() for path in brought_libraries(module)})

    tag = "cp{0}{1}-cp{0}{1}-{2}".format(*sys.version_info[:2], sysconfig.get_platform().replace("-", "_"))
    about = f"komuz-{version}.dist-info"
    lines = ["Metadata-Version: 2.1", "Name: komuz", f"Version: {version}", f"Summary: {said['description']}"]
    lines += [f"License: {said['license']['text']}", f"Requires-Python: {said['requires-python']}"]
    lines += [f"Classifier: {one}" for one in said["classifiers"]]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / said["readme"]).read_text()]
    files[f"{about}/METADATA"] = "\n".join(lines).encode()
    files[f"{about}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: komuz\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    files[f"{about}/LICENSE"] = (HERE.parent / "LICENSE").read_bytes()

    def row(name: str, content: bytes) -> str:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        return f"{name},sha256={digest},{len(content)}"

    record = [row(name, files[name]) for name in sorted(files)] + [f"{about}/RECORD,,"]
    files[f"{about}/RECORD"] = ("\n".join(record) + "\n").encode()

    out.mkdir(exist_ok=True)
    wheel = out / f"komuz-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.external_attr = (0o755 if ".so" in name else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, files[name])
    print(f"{wheel}: {os.path.getsize(wheel) / 1e6:.1f} MB")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
