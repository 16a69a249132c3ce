#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains models from scratch, less than a minute in all: the loss falls, a run that was ended goes on to the same bytes, and the executable's reader
gives the logits that PyTorch gave.

    tests/neural/check_training.py KOMUZ NEURAL_TEST

It is skipped (77) where no Python here has torch (python3-torch).
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]
TRAIN = ROOT / "neural/train/train.py"


def python_with_torch():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import torch, numpy"], capture_output=True, check=False).returncode == 0:
            return python
    print("skipped: no Python here has torch (apt-get install python3-torch libopenblas-dev)")
    sys.exit(77)


def run(*command, **others):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **others)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} gave {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def metadata(path):
    raw = path.read_bytes()
    return json.loads(raw[8:8 + int.from_bytes(raw[:8], "little")])["__metadata__"]


def check_going_on(python, komuz, folder, model):
    """From a model that there is: its own draws lower the probability of what is wrong and raise that of what is right."""
    draws, better = folder / "draws.safetensors", folder / "better.safetensors"
    run(komuz, "corpus", "--count", "600", "--seed", "5", "--sizes", "3..6", "--draws", "8", "-o", draws, env={**os.environ, "KOMUZ_MODEL": str(model)})
    run(python, TRAIN, draws, "--from", model, "--steps", "100", "--batch", "16", "--warm-up", "5", "--rate", "0.0005", "-o", better)
    about = metadata(better)
    course = json.loads(about["loss"])
    print(f"draws: loss {course[0][1]} → {course[-1][1]} a word")
    if about["learnt"] != "draws" or json.loads(about["from"])["steps"] != 200:
        sys.exit(f"the model does not say what it was made from: {about}")
    # The loss is the mean of -advantage × log p: it falls as what is right gets more probable, and what is wrong less.
    if not course[-1][1] < course[0][1]:
        sys.exit(f"the model learnt nothing from its draws: {course}")


def children_of(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def check_that_none_goes_on(python, corpus, folder):
    """A run of two processes that is killed leaves none behind."""
    learning = subprocess.Popen([python, str(TRAIN), str(corpus), "--steps", "1000000", "--batch", "16", "--processes", "2", "-o", str(folder / "killed")],
                                stderr=subprocess.PIPE, text=True)
    for line in learning.stderr:
        if line.startswith("step "):
            break
    else:
        sys.exit("two processes did not learn")
    processes = children_of(learning.pid)
    learning.kill()
    learning.wait()
    end = time.monotonic() + 30
    while any(pathlib.Path(f"/proc/{pid}").exists() and "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
              for pid in processes):
        if time.monotonic() > end:
            sys.exit(f"processes go on behind the run: {processes}")
        time.sleep(0.1)
    if len(processes) < 2:
        sys.exit(f"there were no two processes: {processes}")


def main():
    komuz, neural_test = sys.argv[1:3]
    python = python_with_torch()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        corpus = folder / "corpus.safetensors"
        run(komuz, "corpus", "--count", "6000", "--seed", "1", "-o", corpus)

        model, logits = folder / "model.safetensors", folder / "logits.safetensors"
        run(python, TRAIN, corpus, "--steps", "200", "--batch", "16", "--warm-up", "50", "-o", model,
            "--dump", logits, "--dump-rows", "200", "--held-out-rows", "200")
        about = metadata(model)
        course = json.loads(about["loss"])
        print(f"{about['steps']} steps: loss {course[0][1]} → {course[-1][1]} a word")
        if len(course) < 2 or not course[-1][1] < 0.85 * course[0][1]:
            sys.exit(f"the loss did not fall: {course}")
        if model.stat().st_size > 8_000_000:
            sys.exit(f"the model has {model.stat().st_size} bytes")
        done = run(neural_test, "--gtest_filter=Model.GivesTheLogitsOfPyTorch",
                   env={**os.environ, "KOMUZ_TEST_MODEL": str(model), "KOMUZ_TEST_LOGITS": str(logits)})
        if "1 test ran" not in done.stdout and "[  PASSED  ] 1 test" not in done.stdout:
            sys.exit(f"no logits were compared:\n{done.stdout}")

        short = [python, TRAIN, corpus, "--steps", "30", "--batch", "16", "--warm-up", "10", "--held-out-rows", "50", "-o"]
        whole, parts = folder / "whole.safetensors", folder / "parts.safetensors"
        run(*short, whole)
        run(*short, parts, "--end-at", "17")
        if parts.exists():
            sys.exit("a run that was ended wrote a model")
        run(*short, parts, "--resume")
        if whole.read_bytes() != parts.read_bytes():
            sys.exit("a run that was ended and went on gave other bytes")
        other = subprocess.run([*map(str, short), str(parts), "--resume", "--seed", "2"], capture_output=True, text=True, check=False)
        if other.returncode == 0 or "a checkpoint of another run" not in other.stderr:
            sys.exit(f"a checkpoint of another run was taken: {other.stderr}")
        check_that_none_goes_on(python, corpus, folder)
        check_going_on(python, komuz, folder, model)
        (folder / "bad.safetensors").write_bytes(corpus.read_bytes()[:1000])
        bad = subprocess.run([python, str(TRAIN), str(folder / "bad.safetensors"), "--steps", "1", "-o", str(parts)],
                             capture_output=True, text=True, check=False)
        if bad.returncode != 1 or "Traceback" in bad.stderr:
            sys.exit(f"a damaged corpus was not refused with a sentence: {bad.stderr}")
        # One without pairs: each tensor of the corpus, without rows.
        empty = folder / "empty.safetensors"
        run(python, "-c", "import sys; sys.path.insert(0, sys.argv[1]); import tensors; arrays, about = tensors.read(sys.argv[2]); "
            "tensors.write(sys.argv[3], {name: array[:0] for name, array in arrays.items()}, about)", TRAIN.parent, corpus, empty)
        for what in (["--steps", "1", "-o", parts], ["--judge", model]):
            none = subprocess.run([python, str(TRAIN), str(empty), *map(str, what)], capture_output=True, text=True, check=False)
            if none.returncode != 1 or f"{empty}: this corpus has no pairs" not in none.stderr:
                sys.exit(f"an empty corpus was not named: {none.stderr}")


if __name__ == "__main__":
    main()
