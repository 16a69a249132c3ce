#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A loop around one process of `komuz eval`: a line with a program goes in, a line with its result comes out.

Usage: loop.py CASES [--rounds N] [OPTIONS of komuz eval]
"""
import argparse
import json
import random
import subprocess
import sys

arguments = argparse.ArgumentParser()
arguments.add_argument("cases")
arguments.add_argument("--rounds", type=int, default=1000)
given, options = arguments.parse_known_args()

service = subprocess.Popen(
    ["komuz", "eval", "-", "--cases", given.cases, "--score", "squared", "--json", "-", *options],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(**line):
    print(json.dumps(line), file=service.stdin, flush=True)
    answer = service.stdout.readline()
    if not answer:
        sys.exit(service.wait() or 1)  # it has said why
    return json.loads(answer)


def propose(chance, best, answer):
    """Here your model goes; this one knows the columns `l` and `a`. It may look at the ten best so far, and at what came of its last program."""
    factor, divisor = 1.8 + 0.01 * chance.randrange(50), chance.randrange(4, 33)
    return f"pub fn period(l: f64, a: f64) -> f64 {{ {factor:.2f} * sqrt0(l) * (1.0 + a * a / {divisor}.0) }}"


chance = random.Random(1)
sources, best, repeated, answer = {}, [], 0, None
for k in range(given.rounds):
    name = f"g{k}"
    sources[name] = propose(chance, best, answer)
    answer = ask(id=name, source=sources[name])
    repeated += bool(answer["duplicate_of"] or answer["same_behaviour_as"])
    if k % 100 == 99:
        best = ask(rank=10)["ranking"]
service.stdin.close()
service.wait()
print(f"{given.rounds} programs, of which {repeated} repeat another one")
if not best:
    sys.exit("no program has a score; the last one: " + json.dumps(answer["diagnostics"]))
for program in best[:3]:
    print(f"{program['score']:.6f}  {program['id']}  {sources[program['id']]}")
