#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays the language model of loop.py for the task in this folder, offline and always with the same answers.

It knows the policies that everybody knows, changes the best programs of the prompt, joins two of them, and makes the
mistakes that models make. It is there so that the loop can be tried and tested; a model has better ideas.
"""
import random
import re
import sys

HEAD = "pub fn worth(size: f64, uses: f64, idle: f64, age: f64) -> f64"
POLICIES = [
    "-idle",  # the least recently used one leaves
    "uses",  # the least frequently used one
    "-age",  # the first one that came
    "uses - idle",
    "sqrt(uses) - 0.05 * age",
    "1.0 / (1.0 + idle)",
]
FACTORS = ["uses", "sqrt(uses)", "log(1.0 + uses)", "(8.0 + size)", "(uses - 0.5)", "exp(-idle / 90.0)", "(1.0 + age)"]
DIVISORS = ["size", "sqrt(size)", "(1.0 + idle)", "(9.0 + idle)", "sqrt(1.0 + idle)", "(40.0 + age)", "(9.0 + age)"]


class Chance:
    """Draws from one method of `random` alone, whose numbers no version of Python changes."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def pick(self, items):
        return items[int(self.random() * len(items))]


def programs_below(heading, prompt):
    section = re.search(rf"^# {heading}\n(.*?)^# ", prompt, re.MULTILINE | re.DOTALL)
    return re.findall(r"^```komuz\n(.*?)^```", section[1], re.MULTILINE | re.DOTALL) if section else []


def body_of(program):
    return re.search(r"\{(.*)\}", program, re.DOTALL)[1].strip()


def change_number(body, chance):
    numbers = list(re.finditer(r"\d+\.\d+", body))
    if not numbers:
        return f"{body} * {chance.pick(FACTORS)}"
    at = chance.pick(numbers)
    changed = float(at[0]) * chance.pick([0.25, 0.5, 0.8, 1.25, 2.0, 4.0])
    return f"{body[:at.start()]}{max(changed, 0.01):.2f}{body[at.end():]}"


def propose(best, chance):
    body = body_of(chance.pick(best))
    return chance.pick([
        lambda: change_number(body, chance),
        lambda: change_number(body, chance),
        lambda: f"({body}) * {chance.pick(FACTORS)}",
        lambda: f"({body}) / {chance.pick(DIVISORS)}",
        lambda: f"if idle > {chance.pick([30.0, 60.0, 120.0])} {{ ({body}) * 0.5 }} else {{ {body} }}",
        lambda: f"({body}) + 0.10 * ({body_of(chance.pick(best))})",
    ])()


def with_mistake(body, chance):
    """A program as models sometimes write it. Some of these `komuz eval --fix` mends."""
    return chance.pick([
        f"def worth(size, uses, idle, age):\n    return {body}",
        f"{HEAD} {{\n    let mut w = {body};\n    w\n}}",
        f"{HEAD} {{ {re.sub(r'[.]0+', '', body)} }}",
        f"{HEAD} {{ ({body}) * 2 }}",
        f"{HEAD} {{ math.sqrt({body}) }}",
        f"{HEAD} {{ ({body}) * log(uses - 2.0) }}",
        f"fn worth(size, uses, idle, age) {{ {body} }}",
    ])


def main():
    prompt = sys.stdin.read()
    request = re.search(r"^# Generation (\d+)\n\nPropose (\d+)", prompt, re.MULTILINE)
    if not request:
        sys.exit("stand_in.py: this is no prompt of loop.py")
    generation, count = map(int, request.groups())
    chance = Chance(generation)
    best = programs_below("The best programs so far", prompt)
    print("Here are my proposals.\n")
    for i in range(count):
        body = propose(best, chance) if best else POLICIES[i % len(POLICIES)]
        program = with_mistake(body, chance) if chance.random() < 0.25 else f"{HEAD} {{ {body} }}"
        print(f"```komuz\n{program}\n```\n")


if __name__ == "__main__":
    main()
