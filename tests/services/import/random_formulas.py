#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do random formulas mean in Komuz what they mean in the tool that they are read of?

usage: random_formulas.py KOMUZ [COUNT [SEED [TOOL…]]]

SymPy, LaTeX and DEAP print their formulas themselves; those of the other tools are infix texts with as few brackets as chance
has it, or calls. Both sides are computed at the points of tools.py. Values may differ by 1e-9 of themselves, since functions of
libraries do in their last digits. Where the tool has an error, Komuz has to have NaN or an infinity; Python, DEAP
and spreadsheets end at the first step that has one, though the formula may come to a number. Where ExprTk has NaN or an infinity,
Komuz may have another value: it divides by a constant 0 as docs/import.md says. Tools that are not installed are passed over, as
in tools.py.
"""
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import tools

NUMBERS = ("0.5", "2.0", "3.0", "1.25", "10.0")
# Of each tool: operators, functions of one and of two arguments.
INFIX = {
    "python": (("+", "-", "*", "/", "**", "%"), ("math.sin", "math.cos", "math.tanh", "math.atan", "abs", "math.floor", "np.exp", "np.sqrt", "np.log"), ("max", "min", "math.hypot")),
    "octave": (("+", "-", "*", "/", "^", ".*", "./"), ("sin", "cos", "tanh", "atan", "abs", "floor", "round", "exp", "fix"), ("max", "min", "mod", "rem")),
    "muparser": (("+", "-", "*", "/", "^"), ("sin", "cos", "tanh", "atan", "abs", "rint", "exp", "sqrt", "ln"), ("max", "min")),
    "exprtk": (("+", "-", "*", "/", "^", "%"), ("sin", "cos", "tanh", "atan", "abs", "round", "exp", "frac", "trunc"), ("max", "min", "avg")),
    "excel": (("+", "-", "*", "/", "^"), ("SIN", "COS", "TANH", "ATAN", "ABS", "INT", "EXP", "SIGN"), ("MAX", "MIN", "ROUND")),
}


def infix(tool, dice):
    operators, ones, twos = INFIX[tool]
    names = tools.CELLS if tool == "excel" else tools.NAMES

    def operand(depth):
        chance = dice.random()
        if depth == 0 or chance < 0.25:
            return dice.choice(names + NUMBERS)
        if chance < 0.5:
            return f"{dice.choice(ones)}({text(depth - 1)})"
        if chance < 0.6:
            second = str(dice.randrange(4)) if tool == "excel" else text(depth - 1)
            return f"{dice.choice(twos)}({text(depth - 1)}, {second})"
        if chance < 0.8:
            return f"({text(depth - 1)})"
        return f"-{dice.choice(names)}"

    def text(depth):
        parts = [operand(depth)]
        for _ in range(dice.randrange(1, 4) if depth else 0):
            parts += [dice.choice(operators), operand(depth)]
        # A sign behind an operator needs brackets in some tools, and one before a power is what shows precedence.
        out = parts[0]
        for operator, part in zip(parts[1::2], parts[2::2]):
            # Octave goes on with complex numbers, and may come back to real ones.
            part = dice.choice(("2.0", "3.0")) if tool == "octave" and operator == "^" else part
            out += f" {operator} " + (f"({part})" if part.startswith("-") else part)
        return out

    return ("=" if tool == "excel" else "") + text(2)


def calls(dice, depth=3):
    """As gplearn prints programs."""
    if depth == 0 or dice.random() < 0.2:
        return dice.choice(tools.NAMES + tuple(f"{dice.uniform(-1, 1):.3f}" for _ in range(2)))
    name, arity = dice.choice((("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("max", 2), ("min", 2), ("sqrt", 1), ("log", 1),
                               ("inv", 1), ("neg", 1), ("abs", 1), ("sin", 1), ("cos", 1), ("sig", 1)))
    return f"{name}({', '.join(calls(dice, depth - 1) for _ in range(arity))})"


def of_sympy(dice, depth=3):
    import sympy as sp

    def make(depth):
        if depth == 0 or dice.random() < 0.2:
            return dice.choice(sp.symbols(tools.NAMES) + tuple(map(sp.Float, NUMBERS)) + (sp.Rational(1, 3), sp.pi, sp.Integer(2)))
        kind = dice.randrange(9)
        a = make(depth - 1)
        if kind > 5:
            return dice.choice((sp.sin, sp.cos, sp.exp, sp.tanh, sp.Abs, sp.atan, sp.floor))(a)
        b = make(depth - 1)
        if kind == 5:
            return dice.choice((sp.Max, sp.Min))(a, b) if a.is_real is not False and b.is_real is not False else a + b
        return (a + b, a - b, a * b, a / b if b != 0 else a, a ** dice.choice((2, 3, -1)) if a != 0 else b)[kind]

    while True:
        try:
            made = make(depth)
        except (TypeError, ValueError):
            continue
        # What SymPy has computed to no number at all is no formula.
        if made.free_symbols and not made.has(sp.zoo, sp.nan, sp.oo, sp.I, sp.im, sp.re):
            return made


def formulas_of(tool, dice, count):
    if tool == "sympy":
        return [str(of_sympy(dice)) for _ in range(count)]
    if tool == "latex":
        import sympy as sp

        out = []
        while len(out) < count:
            made = str(of_sympy(dice))
            out.append(f"{sp.latex(sp.sympify(made))}  <-  {made}")
        return out
    if tool == "deap":
        from deap import gp

        primitives = tools.deap_primitives(is_typed=False)
        random.seed(dice.random())
        return [str(gp.PrimitiveTree(gp.genGrow(primitives, 2, 4))) for _ in range(count)]
    if tool == "gplearn":
        return [calls(dice) for _ in range(count)]
    return [infix(tool, dice) for _ in range(count)]


def komuz_values(komuz, tool, formulas, folder):
    """Rows of values; None: the formula was refused, for a reason that is printed."""
    source = Path(folder) / "formulas.txt"
    source.write_text("\n".join(formula.split("  <-  ")[0] for formula in formulas) + "\n")
    names = ",".join(f"{cell}={name}" for cell, name in zip(tools.CELLS, tools.NAMES)) if tool == "excel" else ",".join(tools.NAMES)
    done = subprocess.run([komuz, "import", "--from", tool, str(source), "--input", names, "-o", str(Path(folder) / "out.jsonl")],
                          text=True, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    cases = Path(folder) / "points.csv"
    cases.write_text("\n".join([",".join(tools.NAMES)] + [",".join(map(repr, point)) for point in tools.POINTS]) + "\n")
    rows, refused = [None] * len(formulas), [line for line in done.stderr.splitlines() if "error:" in line]
    for line in (Path(folder) / "out.jsonl").read_text().splitlines():
        candidate = json.loads(line)
        program = Path(folder) / "program.komuz"
        program.write_text(candidate["source"])
        run = subprocess.run([komuz, "run", str(program), "--cases", str(cases), "-o", "-"], text=True, capture_output=True, check=False)
        if run.returncode != 0:
            sys.exit(f"{candidate['source']}{run.stderr}")
        results = [row.split(",")[-1] for row in run.stdout.split()[1:]]
        rows[int(candidate["id"].split(":")[1]) - 1] = [float(value) for value in results]
    return rows, refused


def agree(tool, found, wanted):
    if wanted == "error":
        return tool in ("python", "deap", "excel") or not math.isfinite(found)
    wanted = float(wanted)
    if tool == "exprtk" and not math.isfinite(wanted):
        return True
    if math.isnan(wanted) or math.isnan(found):
        return math.isnan(wanted) and math.isnan(found)
    # A sum of large numbers that cancel keeps few digits.
    return found == wanted or math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    komuz, count, seed = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100, sys.argv[3] if len(sys.argv) > 3 else "1"
    names = sys.argv[4:] or ["sympy", "latex", "deap", "gplearn", *INFIX]
    bad = 0
    for tool in names:
        try:
            evaluate = tools.TOOLS[tool]()
        except ImportError:
            print(f"{tool}: the tool is not here")
            continue
        formulas = formulas_of(tool, random.Random(f"{tool} {seed}"), count)
        wanted = evaluate(formulas)
        with tempfile.TemporaryDirectory() as folder:
            found, refused = komuz_values(komuz, tool, formulas, folder)
        compared = wrong = 0
        for formula, row, values in zip(formulas, found, wanted, strict=True):
            if row is None:
                continue
            for point, value, expected in zip(tools.POINTS, row, values, strict=True):
                compared += 1
                if not agree(tool, value, expected):
                    wrong += 1
                    print(f"{tool}: {formula} at {point} is {expected}, and in Komuz {value}")
        for line in refused:
            print(line)
        bad += wrong + (len(refused) > count // 10)
        print(f"{tool}: {len(formulas)} formulas, {len(refused)} refused, {compared} values compared, {wrong} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
