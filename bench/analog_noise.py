#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What noise does to a ranking: a search for a formula on a machine whose results are not exact.

Usage: bench/analog_noise.py build/release/bin/komuz [--seeds 5] [--generations 15] [--population 300] [--cases 128]

An analog machine computes with noise. Here `komuz eval` is exact as ever, and the programs bring the noise themselves: behind each
operation, or behind the result alone, they multiply by 1 + e * n. Here e is the noise, and n a column of the cases that holds numbers of a
normal distribution. So the virtual machine is the ordinary one, and the option is one of this benchmark alone.

For each noise it prints
  rank     Spearman's rank correlation of noisy scores with exact ones, over all candidates of the exact search
  best     the same over the best tenth of its last generation: what a search has to tell apart at its end
  top      how many of the ten best by noisy scores are among the ten best by exact ones, in that generation
  bits     the share of candidates whose score has the same bits
  found    the exact error (the square root of the mean square) of what a search by noisy scores finds, as a median over the seeds

The search is a plain genetic one. Scores are sums of squared errors on rows of (x + y) * z - w / a. Deterministic: the same arguments
give the same table.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ["a", "b", "c", "x", "y", "z", "w"]
NOISE_COLUMNS = 48
NOISES = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6]
MOST_NODES = 31
TOP = 10


class Machine:
    """Scores formulas, exactly or not."""

    def __init__(self, komuz, cases, folder):
        self.komuz, self.folder, self.count = komuz, Path(folder), cases
        draw = random.Random(7)
        with open(self.folder / "cases.csv", "w") as file:
            file.write(",".join(NAMES + [f"n{i}" for i in range(NOISE_COLUMNS)] + ["expected"]) + "\n")
            for _ in range(cases):
                row = [1 + draw.randrange(2000) / 1000 for _ in NAMES]
                a, _, _, x, y, z, w = row
                noise = [draw.gauss(0, 1) for _ in range(NOISE_COLUMNS)]
                file.write(",".join(repr(value) for value in row + noise + [(x + y) * z - w / a]) + "\n")

    def scores(self, trees, noise, place, seed):
        draw = random.Random(seed)
        path, report = self.folder / "candidates.jsonl", self.folder / "report.json"
        with open(path, "w") as file:
            for number, tree in enumerate(trees):
                file.write(json.dumps({"id": number, "source": program(tree, noise, place, draw)}) + "\n")
        command = [self.komuz, "eval", path, "--cases", self.folder / "cases.csv", "--score", "squared", "--threads", "1", "--top", "1",
                   "--tier", "traditional", "--json", report]
        subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        out = [math.inf] * len(trees)
        for row in json.load(open(report))["results"]:
            score = row["score"]
            if score is not None and row["status"] == "ok":
                out[int(row["id"])] = score
        return out


def program(tree, noise, place, draw):
    used = set()

    def noisy(text):
        column = f"n{draw.randrange(NOISE_COLUMNS)}"
        used.add(column)
        return f"({text} * (1.0 + {noise!r} * {column}))"

    def text_of(node):
        if isinstance(node, str):
            used.add(node)
            return node
        if isinstance(node, float):
            return f"({node!r})" if node < 0 else repr(node)
        text = f"({text_of(node[1])} {node[0]} {text_of(node[2])})"
        return noisy(text) if noise and place == "operations" else text

    body = text_of(tree)
    if noise and place == "result":
        body = noisy(body)
    return f"pub fn f({', '.join(name + ': f64' for name in sorted(used))}) -> f64 {{ {body} }}"


def random_tree(draw, depth):
    if depth == 0 or draw.random() < 0.25:
        return draw.choice(NAMES) if draw.random() < 0.85 else round(draw.uniform(-3, 3), 2)
    return (draw.choice("+-*/"), random_tree(draw, depth - 1), random_tree(draw, depth - 1))


def nodes(tree):
    return 1 if not isinstance(tree, tuple) else 1 + nodes(tree[1]) + nodes(tree[2])


def replaced(tree, at, new):
    """The tree with another one in the place of the node with that number, in pre-order."""
    if at == 0:
        return new
    left = nodes(tree[1])
    if at <= left:
        return (tree[0], replaced(tree[1], at - 1, new), tree[2])
    return (tree[0], tree[1], replaced(tree[2], at - 1 - left, new))


def part(tree, at):
    while at != 0:
        left = nodes(tree[1])
        tree, at = (tree[1], at - 1) if at <= left else (tree[2], at - 1 - left)
    return tree


def child(draw, population, scores):
    def parent():
        few = [draw.randrange(len(population)) for _ in range(4)]
        return population[min(few, key=lambda i: (scores[i], i))]

    tree = parent()
    at = draw.randrange(nodes(tree))
    if draw.random() < 0.6:
        other = parent()
        new = part(other, draw.randrange(nodes(other)))
    else:
        new = random_tree(draw, 2)
    made = replaced(tree, at, new)
    return made if nodes(made) <= MOST_NODES else tree


def search(machine, options, seed, noise, place):
    """The generations, with the scores by which they were bred."""
    draw = random.Random(seed)
    population = [random_tree(draw, 3) for _ in range(options.population)]
    out = []
    for generation in range(options.generations):
        scores = machine.scores(population, noise, place, f"{seed} {generation}")
        out.append((population, scores))
        best = min(range(len(population)), key=lambda i: (scores[i], i))
        population = [population[best]] + [child(draw, population, scores) for _ in range(options.population - 1)]
    return out


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    out = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for i in range(at, end + 1):
            out[order[i]] = (at + end) / 2
        at = end + 1
    return out


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    mean = (len(a) - 1) / 2
    above = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    below = math.sqrt(sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b))
    return above / below if below else 1.0


def median(values):
    return sorted(values)[len(values) // 2]


def distinct(trees, scores):
    """One tree for each score: copies say nothing of a ranking."""
    seen = {}
    for tree, score in zip(trees, scores):
        if math.isfinite(score):
            seen.setdefault(score, tree)
    return list(seen.values()), list(seen.keys())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("komuz")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--generations", type=int, default=15)
    parser.add_argument("--population", type=int, default=300)
    parser.add_argument("--cases", type=int, default=128)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(options.komuz, options.cases, folder)
        exact = [search(machine, options, seed, 0, "result") for seed in range(options.seeds)]

        def error(generations):
            """The exact error of the best by the scores of the last generation."""
            population, scores = generations[-1]
            best = min(range(len(population)), key=lambda i: (scores[i], i))
            return math.sqrt(machine.scores([population[best]], 0, "result", 0)[0] / options.cases)

        print(f"exact search: error {median([error(run) for run in exact]):.3g}, {options.seeds} seeds, {options.generations} generations of "
              f"{options.population}, {options.cases} cases")
        for place in ("result", "operations"):
            print(f"\nnoise of each {place}" if place == "result" else "\nnoise of all operations")
            print("| noise | rank | best | top | bits | found |")
            print("| --- | --- | --- | --- | --- | --- |")
            for noise in NOISES:
                rank, best, top, bits, found = [], [], [], [], []
                for seed, run in enumerate(exact):
                    trees, scores = distinct([t for g in run for t in g[0]], [s for g in run for s in g[1]])
                    noisy = machine.scores(trees, noise, place, f"all {seed}")
                    rank.append(spearman(scores, noisy))
                    bits.append(sum(a == b for a, b in zip(scores, noisy)) / len(scores))
                    trees, scores = distinct(*run[-1])
                    order = sorted(range(len(trees)), key=lambda i: scores[i])
                    noisy = machine.scores(trees, noise, place, f"last {seed}")
                    few = order[: max(TOP, len(order) // 10)]
                    best.append(spearman([scores[i] for i in few], [noisy[i] for i in few]))
                    by_noise = sorted(range(len(trees)), key=lambda i: noisy[i])[:TOP]
                    top.append(len(set(order[:TOP]) & set(by_noise)))
                    found.append(error(search(machine, options, seed, noise, place)))
                print(f"| {noise:.0e} | {median(rank):.4f} | {median(best):.3f} | {median(top)} | {median(bits):.3f} | {median(found):.3g} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
