#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets a model learn from its own proposals, in rounds (docs/neural.md, "Rounds"):

    neural/train/rounds.py small.safetensors --build build/release/bin --rounds proved proved draws -o better.safetensors

A round has programs that no earlier one had.
  proved   the model and the rules look for cheaper code (`komuz corpus --by model`), and it learns the cheapest that is proved
  draws    the model draws code (`komuz corpus --draws`), and learns by policy gradient what is right and cheap

Then it is judged (`p_success`) on programs that no training has. What a round gave is kept only if the mean cost of its classes falls, and no fewer
programs have a candidate that is right than the intervals of both allow; else the next round begins with what was kept before. A line of a table
says what each round gave. As the best of several rounds is chosen, it may only seem better: in the end it is judged on other programs, and the
model of the beginning is what is written, if it is not better there. A run that was ended goes on behind the last round that is whole.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

from arguments import amount, check_file, check_folder, count, need_torch

HERE = pathlib.Path(__file__).parent
CLASSES = ("simple", "medium", "complex")
SEED = 500_000_000  # of programs of rounds: far from those of trainings and of p_success
CHOOSES, CONFIRMS = 9_000_000, 8_000_000  # of those that it is judged on


def given_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the model to begin with")
    parser.add_argument("--build", required=True, help="the folder with komuz and p_success")
    parser.add_argument("--rounds", nargs="+", choices=("proved", "draws"), required=True)
    parser.add_argument("--pairs", type=count, default=20_000, help="of a round of `proved` (20000)")
    parser.add_argument("--passes", type=count, default=2, help="that a round of `proved` makes over its pairs (2)")
    parser.add_argument("--draws", type=count, default=16, help="for each source of a round of `draws` (16)")
    parser.add_argument("--drawn", type=count, default=100_000, help="pairs of a round of `draws` (100000)")
    parser.add_argument("--rate", type=amount, default=2e-4, help="of learning in `proved` (0.0002)")
    parser.add_argument("--draws-rate", type=amount, default=2e-5, help="of learning in `draws` (0.00002)")
    parser.add_argument("--judged", type=count, default=200, help="programs of each class that it is judged on (200)")
    parser.add_argument("--processes", type=count, default=1, help="that learn")
    parser.add_argument("-o", "--out", required=True, help="the model that is kept in the end")
    given = parser.parse_args()
    check_file(parser, "the model", given.model)
    for name in ("komuz", "p_success"):
        check_file(parser, "--build", pathlib.Path(given.build) / name)
    check_folder(parser, "-o", given.out)
    return given


def run(command, **others):
    done = subprocess.run([str(word) for word in command], check=False, **others)
    if done.returncode != 0:
        sys.exit(f"{command[0]} gave {done.returncode}")
    return done


class Rounds:
    def __init__(self, given):
        self.given, self.build = given, pathlib.Path(given.build)
        self.folder = pathlib.Path(f"{given.out}.work")
        self.folder.mkdir(parents=True, exist_ok=True)
        # What lies there is taken as it is, so it has to be of the same run.
        own = json.dumps({**{name: value for name, value in vars(given).items() if name not in ("out", "build", "processes")},
                          "model_hash": hashlib.sha256(pathlib.Path(given.model).read_bytes()).hexdigest()})
        known = self.folder / "run.json"
        if known.exists() and known.read_text() != own:
            sys.exit(f"{self.folder}: this is the work of another run ({known.read_text()}); name another -o, or remove it")
        known.write_text(own)

    def figures(self, model, name, seed=CHOOSES):
        """Of the held-out programs of each class: any of 16 right, with its interval, and the cost over the compiler's."""
        path = self.folder / f"{name}.json"
        if not path.exists():
            shown = run([self.build / "p_success", self.given.judged, seed, model, "--json"], stdout=subprocess.PIPE, text=True).stdout
            path.write_text(shown)
        return {row["class"]: row for row in map(json.loads, path.read_text().splitlines()) if row["split"] == "skeletons"}

    def learn(self, number, kind, model):
        """The model behind the round."""
        out, pairs = self.folder / f"round{number}.safetensors", self.folder / f"round{number}-corpus.safetensors"
        if out.exists():
            return out
        given = self.given
        if not pairs.exists():
            pairs_of_it, how = (given.pairs, ["--by", "model"]) if kind == "proved" else (given.drawn, ["--draws", given.draws])
            run([self.build / "komuz", "corpus", "--count", pairs_of_it, "--seed", SEED + number, *how, "-o", f"{pairs}.part"],
                stdout=sys.stderr, env={**os.environ, "KOMUZ_MODEL": str(model)})
            pathlib.Path(f"{pairs}.part").rename(pairs)
        batch = 128
        steps = (given.pairs * given.passes if kind == "proved" else given.drawn) * 9 // 10 // batch  # a part is held out
        run([sys.executable, HERE / "train.py", pairs, "--from", model, "--steps", max(steps, 1), "--batch", batch,
             "--warm-up", max(steps // 10, 1), "--rate", given.rate if kind == "proved" else given.draws_rate,
             "--seed", 100 + number, "--processes", given.processes, "-o", out], stdout=sys.stderr)
        return out

    def work(self):
        kept = pathlib.Path(self.given.model)
        best = self.figures(kept, "start")
        print("| round | any of 16 right, simple / medium / complex | cost, simple / medium / complex | mean cost | |\n| --- | --- | --- | --- | --- |")
        print(line("the model before", best, ""), flush=True)
        for number, kind in enumerate(self.given.rounds, 1):
            made = self.learn(number, kind, kept)
            figures = self.figures(made, f"round{number}")
            is_better = cost(figures) < cost(best) and all(figures[name]["any"][2] >= best[name]["any"][1] for name in CLASSES)
            print(line(f"{number}: {kind}", figures, "kept" if is_better else "not kept"), flush=True)
            if is_better:
                kept, best = made, figures
        start = pathlib.Path(self.given.model)
        if kept != start:
            before, behind = self.figures(start, "start-other", CONFIRMS), self.figures(kept, "kept-other", CONFIRMS)
            is_better = cost(behind) < cost(before)
            print(line("the model before, other programs", before, ""))
            print(line("what was kept, other programs", behind, "better" if is_better else "no better: the model before is written"))
            if not is_better:
                kept = start
        shutil.copyfile(kept, self.given.out)


def cost(figures):
    return sum(figures[name]["cost"] for name in CLASSES) / len(CLASSES)


def line(name, figures, verdict):
    rights = " / ".join(f"{figures[each]['any'][0]:.3f}" for each in CLASSES)
    costs = " / ".join(f"{figures[each]['cost']:.3f}" for each in CLASSES)
    return f"| {name} | {rights} | {costs} | {cost(figures):.4f} | {verdict} |"


if __name__ == "__main__":
    arguments = given_arguments()
    need_torch()  # before a round that takes long
    Rounds(arguments).work()
