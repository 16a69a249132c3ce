#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes rows of the equations of FeynmanEquations.csv: values drawn from the ranges there, and what the formula gives.

This knows nothing of Komuz. A formula is evaluated as the Python expression that it is, in decimal arithmetic of 40
digits with sines and the like by their series, and the result is rounded once, to a double. `tol` is the tolerance of
`komuz eval`, which `--floor 0` makes a relative one.

There are rows on which doubles cannot do that: where `1-cos(k*d)` or `sin(x)` is close to 0, the rounding of `k*d` or
of `x` alone costs more. There `expected` is what the same operations give in doubles. These rows are counted.

    examples/feynman/sample.py                    # rewrites rows/, 5 rows for each equation
    examples/feynman/sample.py --check            # fails if they are not what it would write
    examples/feynman/sample.py --rows N FOLDER    # writes N rows for each, and says how many are ill-conditioned
"""
import ast
import math
import random
import sys
from decimal import Decimal, getcontext
from pathlib import Path

from convert import FOLDER, read_equations, update

getcontext().prec = 40
NEGLIGIBLE = Decimal("1e-45")
TOLERANCE = 1e-12
ROWS = 5


def power_series(first, x, n):
    """The sum of first, -first x^2 / ((n+1)(n+2)), …: of sin from x and 1, of cos from 1 and 0."""
    total = term = first
    while abs(term) > NEGLIGIBLE:
        term *= -x * x / ((n + 1) * (n + 2))
        total += term
        n += 2
    return total


def arctan_of_inverse(n):
    total = term = Decimal(1) / n
    k = 1
    while abs(term) > NEGLIGIBLE:
        term /= -n * n
        k += 2
        total += term / k
    return total


PI = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))  # Machin, 1706


def sin(x):
    x = x.remainder_near(2 * PI)
    return power_series(x, x, 1)


def cos(x):
    x = x.remainder_near(2 * PI)
    return power_series(Decimal(1), x, 0)


def arcsin(x):
    y = Decimal(math.asin(x))
    for _ in range(2):  # Newton doubles the 16 digits to 32 and 64
        y -= (sin(y) - x) / cos(y)
    return y


def tanh(x):
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


# What the names of a formula mean.
EXACT = {"pi": PI, "sin": sin, "cos": cos, "arcsin": arcsin, "tanh": tanh, "Decimal": Decimal}
EXACT |= {"exp": Decimal.exp, "ln": Decimal.ln, "sqrt": Decimal.sqrt}
DOUBLE = {"pi": math.pi, "sin": math.sin, "cos": math.cos, "arcsin": math.asin, "tanh": math.tanh}
DOUBLE |= {"exp": math.exp, "ln": math.log, "sqrt": math.sqrt}


class DecimalLiterals(ast.NodeTransformer):
    """Makes `3/5` an exact division instead of one of ints, which gives a double."""

    def visit_Constant(self, node):
        return ast.Call(ast.Name("Decimal", ast.Load()), [node], [])


def rows_of(equation, count):
    """The rows as a text, and how many of them are ill-conditioned."""
    tree = ast.parse(equation.formula, mode="eval")
    in_doubles = compile(tree, equation.name, "eval")
    exactly = compile(ast.fix_missing_locations(DecimalLiterals().visit(tree)), equation.name, "eval")
    rng = random.Random(equation.name)
    ill_conditioned = 0
    lines = [",".join([*(v.name for v in equation.variables), "expected", "tol"])]
    for _ in range(count):
        values = {v.name: rng.uniform(v.low, v.high) for v in equation.variables}
        exact = eval(exactly, EXACT, {name: Decimal(value) for name, value in values.items()})
        double = eval(in_doubles, DOUBLE, values)
        expected = float(exact)
        if abs(Decimal(double) - exact) > Decimal(TOLERANCE) * abs(exact):
            expected = double
            ill_conditioned += 1
        cells = [*values.values(), expected, TOLERANCE]
        lines.append(",".join(repr(cell) for cell in cells))
    return "\n".join(lines) + "\n", ill_conditioned


def write_rows(count, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for equation in read_equations():
        text, ill_conditioned = rows_of(equation, count)
        (folder / f"{equation.name}.csv").write_text(text, encoding="utf-8")
        if ill_conditioned:
            print(f"{equation.name}: {ill_conditioned} of {count} rows are ill-conditioned")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--rows", count, folder] if count.isdecimal():
            write_rows(int(count), Path(folder))
        case _:
            rows = {FOLDER / "rows" / f"{e.name}.csv": rows_of(e, ROWS)[0] for e in read_equations()}
            update(rows, "rows/*", __doc__)
