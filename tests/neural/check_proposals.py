#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains a proposal network for some seconds, in two pieces: it learns more than the shares without the cases say, and `komuz search` takes it.

    tests/neural/check_proposals.py KOMUZ

It is skipped (77) where no Python here has torch (python3-torch).
"""
import os
import pathlib
import re
import sys
import tempfile

from check_training import ROOT, metadata, python_with_torch, run

TRAIN = ROOT / "neural/train/train_proposals.py"
SEARCH = ["search", ROOT / "examples/sketches/formula.komuz", "--cases", ROOT / "examples/sketches/periods.csv", "--score", "squared",
          "--population", "40", "--generations", "5"]


def main():
    komuz = sys.argv[1]
    python = python_with_torch()
    with tempfile.TemporaryDirectory() as name:
        network = pathlib.Path(name) / "proposals.safetensors"
        options = [python, TRAIN, "--examples", "1500", "--seconds", "8", "--piece", "4", "-o", network]
        run(*options)
        if network.exists():
            sys.exit("there is a network before it has learned to its end")
        print(run(*options, "--resume", "--seed", "2").stdout)
        about = metadata(network)
        if not float(about["held_out"]) < float(about["without_cases"]):
            sys.exit(f"the cases taught it nothing: {about}")
        # Another network gives other proposals.
        logs = [pathlib.Path(name) / "own.jsonl", pathlib.Path(name) / "shipped.jsonl"]
        run(komuz, *SEARCH, "--propose", "neural", "--log", logs[0], env={**os.environ, "KOMUZ_PROPOSALS": str(network)})
        run(komuz, *SEARCH, "--propose", "neural", "--log", logs[1])
        methods = [re.search(r'with proposals ([0-9a-f]{16})', log.read_text())[1] for log in logs]
        if methods[0] == methods[1]:
            sys.exit("both networks gave the same proposals")


if __name__ == "__main__":
    main()
