#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes scoring functions for bin packing, as a search would propose them, to standard output: candidates as JSONL.

Odd ones are known heuristics with other constants and mostly pack about as well as best fit; even ones are sums of random
terms and mostly do not. The same number of functions is the same bytes each time.

    examples/packing/propose.py 1000 >build/proposals.jsonl
"""
import json
import random
import sys

SEED = 20253


def number(rng, low, high):
    return repr(round(rng.uniform(low, high), 3))


def heuristic(rng):
    def c(low, high):
        return number(rng, low, high)

    return rng.choice((
        lambda: f"if gap <= {c(0, 9)} {{ capacity - gap }} else {{ -abs(gap - {c(20, 90)}) }}",
        lambda: f"if gap > 0.0 && gap < {c(1, 25)} {{ -{c(10, 200)} - gap }} else {{ -gap }}",
        lambda: f"{c(0, 20)} * f64(gap == 0.0) - gap * {c(0.5, 3)}",
        lambda: f"item / free * {c(-9, 9)} - gap ** {c(0.5, 3)}",
        lambda: f"{c(1, 9)} * exp(-gap / {c(1, 30)}) - gap * {c(0, 0.2)}",
        lambda: f"abs(gap - {c(10, 60)}) * {c(-1, 1)} - gap * gap * {c(0.01, 1)}",
    ))()


def sum_of_terms(rng):
    def c(low, high):
        return number(rng, low, high)

    terms = (
        lambda: f"gap * {c(-2, 2)}",
        lambda: f"gap * gap * {c(-0.1, 0.1)}",
        lambda: f"sqrt(gap) * {c(-3, 3)}",
        lambda: f"item / free * {c(-9, 9)}",
        lambda: f"abs(gap - {c(0, 80)}) * {c(-2, 2)}",
        lambda: f"max(gap, {c(0, 40)}) * {c(-2, 2)}",
        lambda: f"(if gap < {c(1, 30)} {{ {c(-60, 60)} }} else {{ {c(-60, 60)} }})",
        lambda: f"exp(-gap / {c(2, 60)}) * {c(-60, 60)}",
        lambda: f"free / capacity * {c(-60, 60)}",
    )
    return " + ".join(rng.choice(terms)() for _ in range(rng.randint(2, 5)))


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdecimal():
        sys.exit(__doc__)
    rng = random.Random(SEED)
    for i in range(int(sys.argv[1])):
        body = heuristic(rng) if i % 2 else sum_of_terms(rng)
        head = "pub fn priority(item: f64, free: f64, capacity: f64) -> f64"
        source = f"{head} {{\n    let gap = free - item;\n    {body}\n}}\n"
        print(json.dumps({"id": f"p{i:04}", "source": source}))


if __name__ == "__main__":
    main()
