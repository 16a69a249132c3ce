# SPDX-License-Identifier: Apache-2.0
"""Examples of docstrings and of pages give what stands there."""
import doctest
import importlib
import os
import pathlib
import pkgutil
import subprocess
import sys

import pytest

import komuz

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [info.name for info in pkgutil.iter_modules(komuz.__path__) if "komuz" not in info.name]
FLAGS = doctest.ELLIPSIS


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    found = doctest.testmod(importlib.import_module(f"komuz.{name}"), optionflags=FLAGS)
    assert found.failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "docs/cluster.md", "README.md"])
def test_pages(page, at_root):
    if page == "docs/cluster.md":
        pytest.importorskip("distributed", reason="python3-distributed is not installed (scripts/setup --test)")
    lines = (ROOT / page).read_text(encoding="utf-8").split("\n")
    text = "\n".join("" if line.startswith("```") else line for line in lines)  # a fence is no output
    found = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(found)
    assert found.examples and runner.failures == 0


def test_every_public_name_has_a_docstring():
    for name in komuz.__all__:
        if name != "__version__":
            assert getattr(komuz, name).__doc__, name
    assert komuz.__version__.count(".") == 2


def test_types(tmp_path):
    if subprocess.run([sys.executable, "-c", "import mypy"], capture_output=True, check=False).returncode != 0:
        pytest.skip("mypy is not installed (scripts/setup --test)")
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", ROOT / "python/pyproject.toml", "-p", "komuz", "--cache-dir", os.devnull],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "MYPYPATH": os.path.dirname(os.path.dirname(komuz.__file__))},
    )
    assert said.returncode == 0, said.stdout
