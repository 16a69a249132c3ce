# SPDX-License-Identifier: Apache-2.0
"""Runs a notebook by nbconvert, and compares what its cells give with what is stored in it. 77: a package is missing.

    check_notebook.py FILE.ipynb    KOMUZ_UPDATE=1 stores what they give now
"""
import importlib.util
import os
import pathlib
import sys

needed = ["nbconvert", "ipykernel", "pandas", "sklearn"]
missing = [name for name in needed if importlib.util.find_spec(name) is None]
if missing:
    print(f"{', '.join(missing)} not installed (scripts/setup --test)")
    sys.exit(77)

import nbformat  # noqa: E402
from nbconvert.preprocessors import ExecutePreprocessor  # noqa: E402


def outputs(notebook):
    """What each cell gives, without what depends on the clock or on the kernel."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "execution_count" in output:
                output.execution_count = None
        cell.get("metadata", {}).clear()
        if cell.cell_type == "code":
            cell.execution_count = None
    return notebook


def main():
    path = pathlib.Path(sys.argv[1])
    stored = nbformat.read(path, as_version=4)
    made = nbformat.read(path, as_version=4)
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # a debugger's warning of its own
    # The Python that runs this runs the notebook, too, whatever kernels are installed.
    os.environ["PYTHONPATH"] = os.pathsep.join(p for p in sys.path[1:] if p)
    ExecutePreprocessor(timeout=240, kernel_name="python3").preprocess(made, {"metadata": {"path": str(path.parent)}})
    outputs(made)
    made.metadata = stored.metadata
    nbformat.validate(stored)
    if os.environ.get("KOMUZ_UPDATE"):
        nbformat.write(made, path)
        return 0
    wrong = 0
    for at, (was, now) in enumerate(zip(stored.cells, made.cells), 1):
        if was.get("outputs") != now.get("outputs"):
            wrong += 1
            print(f"cell {at} gives {now.get('outputs')}\nand had {was.get('outputs')}")
    print(f"{len(made.cells)} cells, {wrong} with other outputs than are stored (KOMUZ_UPDATE=1 stores these)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
