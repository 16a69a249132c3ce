#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the scripts that train and measure models say where torch or a file is missing, or a number makes no sense: a sentence each, and no trace.
Needs no torch.

    tests/neural/check_arguments.py
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
TRAIN, ROUNDS, PROPOSALS = (ROOT / "neural/train" / name for name in ("train.py", "rounds.py", "train_proposals.py"))
PEERS = ROOT / "bench/model_peers.py"


def run(folder, script, *words):
    """In a Python without torch, which stands before any that there is."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "without"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, str(script), *map(str, words)], capture_output=True, text=True, check=False, env=environment)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "without").mkdir()
        for module in ("torch", "numpy"):
            (folder / "without" / f"{module}.py").write_text(f"raise ModuleNotFoundError('none', name='{module}')\n")
        here, model = folder / "a.safetensors", folder / "model"
        for file in (model, folder / "komuz", folder / "p_success"):
            file.write_text("")
        for script in (TRAIN, ROUNDS, PROPOSALS, PEERS):
            done = run(folder, script, "--help")
            if done.returncode != 0 or "usage:" not in done.stdout:
                sys.exit(f"{script} --help gave {done.returncode}: {done.stdout}{done.stderr}")
        train, rounds, proposals = [TRAIN, "corpus"], [ROUNDS, model, "--build", folder, "--rounds", "draws"], [PROPOSALS]
        expected = [
            ([*train, "--steps", "1", "-o", here], "install python3-torch"),
            ([*rounds, "-o", here], "install python3-torch"),
            ([*proposals, "-o", here], "install python3-torch"),
            ([PEERS, model], "install python3-torch"),
            ([*train, "--steps", "0", "-o", here], "argument --steps: it takes a whole number above 0, not `0`"),
            ([*train, "--steps", "1", "--batch", "0", "-o", here], "argument --batch: it takes a whole number above 0, not `0`"),
            ([*train, "--minutes", "0", "-o", here], "argument --minutes: it takes a number above 0, not `0`"),
            ([*train, "--minutes", "nan", "-o", here], "argument --minutes: it takes a number above 0, not `nan`"),
            ([*rounds, "--pairs", "0", "-o", here], "argument --pairs: it takes a whole number above 0, not `0`"),
            ([*proposals, "--seconds", "0", "-o", here], "argument --seconds: it takes a number above 0, not `0`"),
            ([PEERS, model, "0"], "it takes a whole number above 0, not `0`"),
            ([*train, "--steps", "1", "--resume", "-o", here], "there is no checkpoint"),
            ([*proposals, "--resume", "-o", here], "there is no checkpoint"),
            ([*proposals], "say -o FILE to train"),
            ([*train, "--steps", "1", "-o", folder / "none/a"], f"there is no folder {folder}/none"),
            ([*rounds, "-o", folder / "none/a"], f"there is no folder {folder}/none"),
            ([*proposals, "-o", folder / "none/a"], f"there is no folder {folder}/none"),
            ([ROUNDS, folder / "no_model", "--build", folder, "--rounds", "draws", "-o", here], "there is no such file"),
            ([PEERS, folder / "no_bench"], "there is no such file"),
        ]
        for command, sentence in expected:
            done = run(folder, *command)
            if done.returncode == 0 or sentence not in done.stderr or "Traceback" in done.stderr:
                sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}, without `{sentence}`:\n{done.stdout}{done.stderr}")
        left = sorted(path.name for path in folder.iterdir())
        if left != ["komuz", "model", "p_success", "without"]:
            sys.exit(f"what was refused left files: {left}")


if __name__ == "__main__":
    main()
