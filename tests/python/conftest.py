# SPDX-License-Identifier: Apache-2.0
"""What the tests share: the executable beside the package, and files of cases."""
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXECUTABLE = pathlib.Path(os.environ.get("KOMUZ_EXECUTABLE", ROOT / "build/release/bin/komuz"))


@pytest.fixture
def report(tmp_path):
    """The report that `komuz eval` or another command writes for these words."""

    def run(command, *words):
        out = tmp_path / "report.json"
        subprocess.run(
            [EXECUTABLE, command, *map(str, words), "--json", str(out)], cwd=ROOT, check=False, capture_output=True
        )
        return out.read_bytes()

    return run


@pytest.fixture
def at_root(monkeypatch):
    monkeypatch.chdir(ROOT)
