#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the network behind `komuz search --propose neural` (docs/neural.md), with Debian's python3-torch:

    neural/train/train_proposals.py --seconds 240 -o proposals.safetensors
    neural/train/train_proposals.py --seconds 240 --piece 35 --seed 2 --resume -o proposals.safetensors    goes on for 35 s, with other formulas
    neural/train/train_proposals.py --shares proposals.safetensors rows.csv                                what it says of cases

It reads cases and says how probable each operation and each variable is in each place of the formula behind them. It learns from random formulas,
which are made here, with their values on random arguments. No formula of examples/feynman, and nothing made from these, is among them. The loss is
the negative logarithm of the probability to draw the formula, one decision after the other.
"""
import argparse
import contextlib
import csv
import math
import os
import pathlib
import sys
import time

from arguments import amount, check_checkpoint, check_folder, count, need_torch


def given_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", help="cases, CSV, for --shares")
    parser.add_argument("--shares", metavar="FILE", help="print what this network says of the cases")
    parser.add_argument("--seconds", type=amount, default=300, help="of processor time, for learning")
    parser.add_argument("--piece", type=amount, help="end after these seconds of them; --resume goes on")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--examples", type=count, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", dest="output")
    options = parser.parse_args()
    if bool(options.shares) == bool(options.output):
        parser.error("say -o FILE to train, or --shares FILE CASES to see what a network says")
    if options.shares and not options.rows:
        parser.error("--shares needs cases: name a CSV file with a column `expected`")
    if options.output:
        check_folder(parser, "-o", options.output)
    if options.resume:
        check_checkpoint(parser, checkpoint_of(options))
    return options


def checkpoint_of(options):
    return f"{options.output}.checkpoint"


GIVEN = given_arguments() if __name__ == "__main__" else None

# Before torch is there: one thread, and wide registers, which torch 1.13 leaves alone by itself.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
with contextlib.suppress(OSError):
    if "avx512bw" in pathlib.Path("/proc/cpuinfo").read_text():
        os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx512")
        os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")

need_torch()
import numpy as np  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

import tensors  # noqa: E402

BINARY = ["mul", "div", "add", "sub"]
UNARY = ["square", "sqrt", "exp", "exp_neg", "log", "sin", "cos", "tanh", "asin"]
# What may stand somewhere, besides a variable.
OPERATIONS = ["const", *BINARY, *UNARY]
# Where it may stand.
PLACES = ["root", "mul", "numerator", "denominator", "add", "sub", *UNARY]
BELOW = {"mul": ("mul", "mul"), "div": ("numerator", "denominator"), "add": ("add", "add"), "sub": ("sub", "sub")}
CONSTANTS = [1.0, 2.0, 0.5, math.pi, 3.0]
CASES = 64
MOST_VARIABLES = 9

# How often the formulas of the training have each.
BINARY_SHARES = [0.45, 0.25, 0.15, 0.15]
UNARY_SHARES = [0.27, 0.2, 0.1, 0.1, 0.07, 0.08, 0.1, 0.04, 0.04]


def random_formula(rng, variables):
    """A tree: ("var", i), ("const", c), (operation, below…). Every variable is in it."""
    leaves = [("var", i) for i in range(variables)]
    for _ in range(rng.choice(4, p=[0.35, 0.3, 0.2, 0.15])):
        if rng.random() < 0.35:
            leaves.append(("const", CONSTANTS[rng.integers(len(CONSTANTS))]))
        else:
            leaves.append(("var", int(rng.integers(variables))))
    parts = [leaves[i] for i in rng.permutation(len(leaves))]
    unary = rng.choice([0.1, 0.2, 0.35])

    def wrapped(part):
        if part[0] != "const" and rng.random() < unary:
            return (UNARY[rng.choice(len(UNARY), p=UNARY_SHARES)], part)
        return part

    parts = [wrapped(part) for part in parts]
    while len(parts) > 1:
        i, j = rng.choice(len(parts), 2, replace=False)
        made = wrapped((BINARY[rng.choice(len(BINARY), p=BINARY_SHARES)], parts[i], parts[j]))
        parts = [part for k, part in enumerate(parts) if k not in (i, j)] + [made]
    return parts[0]


def value(tree, x):
    kind = tree[0]
    if kind == "var":
        return x[:, tree[1]]
    if kind == "const":
        return np.full(len(x), tree[1])
    a = value(tree[1], x)
    if kind in BELOW:
        b = value(tree[2], x)
        return {"mul": np.multiply, "div": np.divide, "add": np.add, "sub": np.subtract}[kind](a, b)
    return {"square": np.square, "sqrt": np.sqrt, "exp": np.exp, "exp_neg": lambda v: np.exp(-v), "log": np.log, "sin": np.sin,
            "cos": np.cos, "tanh": np.tanh, "asin": np.arcsin}[kind](a)


def decisions(tree, place="root"):
    """(place, what stands there) of each node."""
    yield PLACES.index(place), (len(OPERATIONS) + tree[1] if tree[0] == "var" else OPERATIONS.index(tree[0]))
    if tree[0] in BELOW:
        for part, below in zip(tree[1:], BELOW[tree[0]]):
            yield from decisions(part, below)
    elif tree[0] in UNARY:
        yield from decisions(tree[1], tree[0])


def random_arguments(rng, variables, cases):
    low = rng.uniform(0.1, 3, variables)
    width = rng.uniform(0.8, 6, variables)
    x = low + width * rng.random((cases, variables))
    centred = rng.random(variables) < 0.1
    return np.where(centred, x - low - width / 2, x)


def example(rng):
    """Arguments, values, and how often each thing stands in each place."""
    variables = int(rng.choice(np.arange(1, 8), p=[0.06, 0.2, 0.24, 0.2, 0.14, 0.1, 0.06]))
    while True:
        tree = random_formula(rng, variables)
        x = random_arguments(rng, variables, CASES)
        with np.errstate(all="ignore"):
            y = value(tree, x)
        largest = np.abs(y).max() if np.isfinite(y).all() else math.inf
        if not 1e-9 < largest < 1e9 or y.std() < 1e-3 * largest:
            continue
        y = y * math.exp(rng.normal(0, 1))
        if rng.random() < 0.1:
            y = y + y.std() * rng.normal()
        counts = np.zeros((len(PLACES), len(OPERATIONS) + variables), np.float32)
        for place, what in decisions(tree):
            counts[place, what] += 1
        return x.astype(np.float32), y.astype(np.float32), counts


def logarithm(v):
    """log2 |v|, but linear between powers of two: exact steps alone, so the same everywhere."""
    mantissa, exponent = torch.frexp(v.abs().clamp(min=1e-30))
    return exponent.float() + 2 * mantissa - 2


def spread(v, dim):
    """The standard deviation, or 1 if it is zero. That of equal numbers is, however their mean is rounded."""
    deviation = (v - v.mean(dim, keepdim=True)).square().mean(dim, keepdim=True).sqrt()
    varies = v.amax(dim, keepdim=True) > v.amin(dim, keepdim=True)
    return torch.where(varies & (deviation > 0), deviation, torch.ones(()))


def standard(v, dim):
    return ((v - v.mean(dim, keepdim=True)) / spread(v, dim)).clamp(-4, 4)


def scalars(v):
    """[B, K, n] to [B, K, n, features], by column over the cases."""
    z, logs = standard(v, 1), logarithm(v)
    zlog = standard(logs, 1)
    rank = v.argsort(1).argsort(1).float() / (v.shape[1] - 1) - 0.5
    return torch.stack([z, zlog, rank, rank.abs(), z * z / 2, (v / 4).clamp(-3, 3), (logs / 8).clamp(-3, 3), v.sign()], -1)


def fits(x, y):
    """What least squares say, which no mean over cases by itself does: lines through y and log y over x and log x, of all variables at once. For each
    variable the slopes, in units of the spreads and as they are; for each fit what is left of the variance, and its logarithm."""
    per, whole = [], []
    for inputs, outputs in ((x, y), (logarithm(x), logarithm(y)), (logarithm(x), y), (x, logarithm(y))):
        wide = spread(inputs, 1)
        a = (inputs - inputs.mean(1, keepdim=True)) / wide
        b = standard(outputs, 1).unsqueeze(-1)
        gram = a.transpose(1, 2) @ a / a.shape[1] + 1e-4 * torch.eye(a.shape[2])
        slope = torch.linalg.solve(gram, a.transpose(1, 2) @ b / a.shape[1])
        rest = (b - a @ slope).square().mean((1, 2))
        per += [slope[..., 0].clamp(-4, 4), (slope[..., 0] * spread(outputs, 1) / wide[:, 0]).clamp(-4, 4)]
        whole += [rest, logarithm(rest.clamp(min=1e-6)) / 8]
    return torch.stack(per, -1), torch.stack(whole, -1)


def features(x, y):
    """What the network sees of [B, K, n] and [B, K]."""
    return [scalars(x), scalars(y.unsqueeze(-1)), *fits(x, y)]


class Network(nn.Module):
    def __init__(self, d=48):
        super().__init__()
        f = 8
        self.first = nn.Linear(2 * f, d)
        self.second = nn.Linear(d, d)
        self.third = nn.Linear(2 * d, d)
        self.variable = nn.Linear(d + 8, d)
        self.trunk = nn.Linear(2 * d + 8 + MOST_VARIABLES + 1, 2 * d)
        self.operations = nn.Linear(2 * d, len(PLACES) * len(OPERATIONS))
        self.mixed = nn.Linear(3 * d, d)
        self.places = nn.Linear(d, len(PLACES))

    def forward(self, xs, ys, per, whole):
        """What features() gives, to logits [B, places, operations + n]."""
        n = xs.shape[2]
        wide = F.linear(xs, self.first.weight[:, :8]) + F.linear(ys, self.first.weight[:, 8:], self.first.bias)
        h = F.relu(self.second(F.relu(wide)))
        mixed = F.linear(h, self.third.weight[:, :h.shape[-1]])
        mixed = mixed + F.linear(h.mean(2, keepdim=True), self.third.weight[:, h.shape[-1]:], self.third.bias)
        h = F.relu(mixed).mean(1)
        v = F.relu(self.variable(torch.cat([h, per], -1)))
        count = F.one_hot(torch.full((len(xs),), n), MOST_VARIABLES + 1).float()
        g = F.relu(self.trunk(torch.cat([v.mean(1), v.amax(1), whole, count], -1)))
        logits = self.operations(g).view(-1, len(PLACES), len(OPERATIONS))
        own = self.places(F.relu(self.mixed(torch.cat([v, g.unsqueeze(1).expand(-1, n, -1)], -1))))
        return torch.cat([logits, own.transpose(1, 2)], -1)


def loss_of(logits, counts):
    return -(F.log_softmax(logits, -1) * counts).sum((1, 2)) / counts.sum((1, 2))


def grouped(examples):
    """By the number of variables: features and counts of all."""
    by_count = {}
    for one in examples:
        by_count.setdefault(one[0].shape[1], []).append(one)
    groups = []
    for group in by_count.values():
        x, y, counts = (torch.from_numpy(np.stack([one[k] for one in group])) for k in range(3))
        parts = [features(x[k:k + 512], y[k:k + 512]) for k in range(0, len(x), 512)]
        groups.append([torch.cat([part[k] for part in parts]) for k in range(4)] + [counts])
    return groups


def batches(groups, size, rng):
    made = []
    for number, group in enumerate(groups):
        order = torch.from_numpy(rng.permutation(len(group[0])))
        made += [(number, order[k:k + size]) for k in range(0, len(order), size)]
    for k in rng.permutation(len(made)):
        number, rows = made[k]
        *seen, counts = (part[rows] for part in groups[number])
        yield seen, counts


def held_out_loss(network, groups, rng):
    with torch.no_grad():
        return torch.cat([loss_of(network(*seen), counts) for seen, counts in batches(groups, 256, rng)]).mean().item()


def train(options):
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(options.seed)
    start = time.process_time()
    examples = [example(rng) for _ in range(options.examples)]
    held_out = [example(rng) for _ in range(1000)]
    print(f"{options.examples} formulas in {time.process_time() - start:.0f} s", flush=True)
    # What a grammar without the cases gives: the shares of the training, by place.
    total = np.zeros((len(PLACES), len(OPERATIONS) + 1))
    for _, _, counts in examples:
        total[:, :len(OPERATIONS)] += counts[:, :len(OPERATIONS)]
        total[:, -1] += counts[:, len(OPERATIONS):].sum(1)
    shares = total / total.sum(1, keepdims=True)
    blind = []
    for x, _, counts in held_out:
        n = x.shape[1]
        logs = np.log(np.concatenate([shares[:, :-1], np.repeat(shares[:, -1:] / n, n, 1)], 1) + 1e-9)
        blind.append(-(logs * counts).sum() / counts.sum())
    print(f"without cases: {np.mean(blind):.4f} a decision", flush=True)
    examples, held_out = grouped(examples), grouped(held_out)
    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    spent, step = 0.0, 0
    if options.resume:
        saved = torch.load(checkpoint_of(options))
        network.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
        spent, step = saved["spent"], saved["step"]
    print(f"{sum(p.numel() for p in network.parameters())} weights", flush=True)
    start = time.process_time() - spent
    end = min(options.seconds, spent + (options.piece or options.seconds))
    while time.process_time() - start < end:
        for seen, counts in batches(examples, 64, rng):
            spent = time.process_time() - start
            if spent >= end:
                break
            for group in optimiser.param_groups:
                done = min(1, spent / options.seconds)
                group["lr"] = 2e-3 * min(1, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * done))
            loss = loss_of(network(*seen), counts).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            step += 1
    loss = held_out_loss(network, held_out, rng)
    print(f"{step} steps, {spent:.0f} s: held-out {loss:.4f} a decision", flush=True)
    torch.save({"network": network.state_dict(), "optimiser": optimiser.state_dict(), "spent": spent, "step": step,
                "shares": torch.from_numpy(shares)}, checkpoint_of(options))
    if spent >= options.seconds:
        write_network(options.output, network, {"steps": step, "held_out": f"{loss:.4f}", "without_cases": f"{np.mean(blind):.4f}"})


def write_network(path, network, figures):
    """The file that neural/proposals/ reads."""
    metadata = {"komuz.proposals": "1", "operations": " ".join(OPERATIONS), "places": " ".join(PLACES), "d": str(network.first.out_features)}
    tensors.write(path, {name: weights.numpy() for name, weights in network.state_dict().items()},
                  metadata | {name: str(figure) for name, figure in figures.items()})


def read_network(path):
    arrays, _ = tensors.read(path)
    network = Network()
    network.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})
    return network


def read_rows(path):
    """Arguments and expected values: all cases, or CASES of them at equal distances."""
    with open(path, encoding="utf-8") as text:
        rows = list(csv.reader(text))
    at = rows[0].index("expected")
    numbers = np.array([[float(cell) for cell in row[:at + 1]] for row in rows[1:]], np.float32)
    if len(numbers) > CASES:
        numbers = numbers[[k * len(numbers) // CASES for k in range(CASES)]]
    return numbers[:, :at], numbers[:, at], rows[0][:at]


def show_shares(network, path):
    """What a network says of cases: the most probable in each place."""
    x, y, names = read_rows(path)
    with torch.no_grad():
        shares = F.softmax(read_network(network)(*features(torch.from_numpy(x[None]), torch.from_numpy(y[None])))[0], -1)
    names = OPERATIONS + names
    for place, row in zip(PLACES, shares):
        best = row.argsort(descending=True)[:6]
        print(f"{place:12}" + "  ".join(f"{names[k]} {row[k]:.5f}" for k in best))


def main():
    options = GIVEN
    try:
        if options.shares:
            show_shares(options.shares, options.rows)
        else:
            train(options)
    except (ValueError, OSError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
