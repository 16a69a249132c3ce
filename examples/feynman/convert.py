#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes programs/: a Komuz program for each equation of FeynmanEquations.csv.

A formula of the table is an expression of Python. It is parsed as one and printed as Komuz, the same operations in the
same order: `2` becomes `2.0` but where it is an exponent, `ln` becomes `log`, `arcsin` becomes `asin`, `pi` becomes `PI`. Parameters keep the names
and the order of the table; where a name means something in Komuz, `_` is appended. The column `# variables` is not
read, as it is wrong in six rows.

    examples/feynman/convert.py            # rewrites the programs; the same bytes each time
    examples/feynman/convert.py --check    # fails if the programs are not what it would write
"""
import ast
import csv
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MAX_VARIABLES = 10
LINE_WIDTH = 100

FUNCTIONS = {"arcsin": "asin", "cos": "cos", "exp": "exp", "ln": "log", "sin": "sin", "sqrt": "sqrt", "tanh": "tanh"}
CONSTANTS = {"pi": "PI"}
# The words of the language and its constants, which a parameter would hide.
TAKEN = set(
    "use const type fn pub space test prop let var return assert if else for while match break continue true false "
    "limit depth in rec E EPSILON INF NAN PI TAU".split()
)


@dataclass(frozen=True)
class Variable:
    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Equation:
    name: str  # the volume, chapter and number in Feynman's lectures, as "I.6.2b"
    output: str
    formula: str
    variables: list[Variable]


def read_equations():
    """The rows of the table. Stops where a formula and its variables do not belong together."""
    equations = []
    with open(FOLDER / "FeynmanEquations.csv", newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            if not row["Filename"]:
                continue  # lines of commas alone end the table
            columns = [[row[f"v{i}_{part}"] for part in ("name", "low", "high")] for i in range(1, MAX_VARIABLES + 1)]
            variables = [Variable(name, float(low), float(high)) for name, low, high in columns if name]
            used = {node.id for node in ast.walk(ast.parse(row["Formula"], mode="eval")) if isinstance(node, ast.Name)}
            if used - FUNCTIONS.keys() - CONSTANTS.keys() != {variable.name for variable in variables}:
                sys.exit(f"{row['Filename']}: `{row['Formula']}` has other variables than the row lists")
            equations.append(Equation(row["Filename"], row["Output"], row["Formula"], variables))
    return equations


def own_name(name):
    return name + "_" if name in TAKEN else name


# How tightly a node of Python's tree binds. Komuz has the same order among these.
ADD, MULTIPLY, NEGATE, POWER, ATOM = range(5)
OPERATORS = {
    ast.Add: ("+", ADD),
    ast.Sub: ("-", ADD),
    ast.Mult: ("*", MULTIPLY),
    ast.Div: ("/", MULTIPLY),
    ast.Pow: ("**", POWER),
}


def komuz(node):
    """The text of an expression, and how tightly it binds."""
    match node:
        case ast.Constant(int() | float() as value):
            return repr(float(value)), ATOM
        case ast.Name(name):
            return CONSTANTS.get(name) or own_name(name), ATOM
        case ast.Call(ast.Name(name), [argument], []) if name in FUNCTIONS:
            return f"{FUNCTIONS[name]}({komuz(argument)[0]})", ATOM
        case ast.UnaryOp(ast.USub(), operand):
            return "-" + enclosed(operand, NEGATE), NEGATE
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            sign, level = OPERATORS[type(operator)]
            # Of operators of one level the left ones come first, of powers the right ones.
            is_power = level == POWER
            if is_power and isinstance(right, ast.Constant) and right.value in range(2, 9):
                return f"{enclosed(left, level + 1)} {sign} {int(right.value)}", level  # a product
            return f"{enclosed(left, level + is_power)} {sign} {enclosed(right, level + (not is_power))}", level
    sys.exit(f"`{ast.unparse(node)}` is not translated")


def enclosed(node, least):
    """The text of an operand, in parentheses where it binds less tightly than `least`."""
    text, level = komuz(node)
    return text if level >= least else f"({text})"


def broken(node):
    """An expression as several lines, each beginning with an operator of its loosest level, as in `komuz fmt`."""
    lines, level = [], OPERATORS[type(node.op)][1]
    while isinstance(node, ast.BinOp) and OPERATORS[type(node.op)][1] == level:
        lines.append(f"    {OPERATORS[type(node.op)][0]} {enclosed(node.right, level + 1)}")
        node = node.left
    return [enclosed(node, level), *reversed(lines)]


def program(equation):
    ranges = ", ".join(f"{v.name} in {v.low:g}..{v.high:g}" for v in equation.variables)
    parameters = ", ".join(f"{own_name(v.name)}: f64" for v in equation.variables)
    head = f"pub fn {equation.output.lower()}({parameters}) -> f64"
    tree = ast.parse(equation.formula, mode="eval").body
    body = komuz(tree)[0]
    text = f"{head} {{ {body} }}"
    if len(text) > LINE_WIDTH:
        lines = [body] if len(body) + 4 <= LINE_WIDTH else broken(tree)
        text = "\n    ".join([head + " {", *lines]) + "\n}"
    return f"// {equation.name}: {equation.output} = {equation.formula}\n// {ranges}\n{text}\n"


def update(files, pattern, usage):
    """Writes texts by path; with --check says which files that match the pattern are not these, and fails."""
    if "--help" in sys.argv:
        print(usage)
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(f"unknown arguments: {' '.join(sys.argv[1:])} (try --help)")
    there = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob(pattern)}
    if sys.argv[1:]:
        different = sorted(str(path) for path in there.keys() | files.keys() if there.get(path) != files.get(path))
        sys.exit("\n".join(["not what would be written:", *different]) if different else 0)
    for path in there.keys() - files.keys():
        path.unlink()
    for path, text in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    programs = {FOLDER / "programs" / f"{e.name}.komuz": program(e) for e in read_equations()}
    update(programs, "programs/*", __doc__)
