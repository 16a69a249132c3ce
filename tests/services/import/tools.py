#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What formulas mean in the tools whose formats `komuz import` reads.

facts.tsv has a row for each formula: format, formula, and its value at each of the points below. A value that the tool refuses to give,
or gives as a complex number, is `error`.

  tools.py           compares the tools that are installed with their rows
  tools.py --record  writes the values of these tools anew

Komuz is compared with the rows by tests/services/import/import_test.cpp. Two tools are no packages of Debian: EXPRTK names the folder of
exprtk.hpp, and GPLEARN that of gplearn's sources. Operon and PySR do not run here: what their sources say is written as Python below.
"""
import argparse
import csv
import html
import importlib
import math
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FACTS = HERE / "facts.tsv"
NAMES = ("x", "y", "a")
POINTS = ((3.0, 5.0, -2.0), (-2.5, 0.75, 3.0), (0.0005, 0.5, 7.0), (0.3, 0.1, 0.0))
CELLS = ("A2", "B2", "C2")
# Spreadsheets write 15 digits.
TOLERANCE = {"excel": 1e-12}


def value_text(value):
    if isinstance(value, complex) or hasattr(value, "imag") and value.imag != 0:
        return "error"
    try:
        value = float(value)
    except (TypeError, ValueError):
        return "error"
    return "nan" if math.isnan(value) else repr(value)


def by_function(make):
    """make(formula) is a function of three numbers; what it raises is an error."""
    def values(formulas):
        rows = []
        for formula in formulas:
            row = []
            for point in POINTS:
                try:
                    row.append(value_text(make(formula)(*point)))
                except Exception:  # whatever the tool raises is an error of the formula
                    row.append("error")
            rows.append(row)
        return rows
    return values


def of_python():
    import math as mathematics
    numpy = importlib.import_module("numpy")
    numpy.seterr(all="ignore")
    scope = {"math": mathematics, "np": numpy}
    return by_function(lambda formula: eval("lambda x, y, a: " + formula, dict(scope)))


def of_sympy():
    sympy = importlib.import_module("sympy")
    numpy = importlib.import_module("numpy")
    numpy.seterr(all="ignore")
    symbols = sympy.symbols(NAMES)

    def make(formula):
        run = sympy.lambdify(symbols, sympy.sympify(formula), "numpy")
        return lambda *point: run(*map(numpy.float64, point))
    return by_function(make)


def of_latex():
    """SymPy prints the formula that stands behind the blank, and the LaTeX before it has to be what it prints."""
    sympy = importlib.import_module("sympy")
    numpy = importlib.import_module("numpy")
    numpy.seterr(all="ignore")
    symbols = sympy.symbols(NAMES)

    def make(row):
        latex, formula = row.split("  <-  ")
        if sympy.latex(sympy.sympify(formula)) != latex:
            raise SystemExit(f"SymPy prints {formula} as {sympy.latex(sympy.sympify(formula))}")
        run = sympy.lambdify(symbols, sympy.sympify(formula), "numpy")
        return lambda *point: run(*map(numpy.float64, point))
    return by_function(make)


def deap_primitives(is_typed=True):
    """`is_typed`: with truth values, which stand where DEAP's example has them."""
    import math as mathematics
    import operator
    gp = importlib.import_module("deap.gp")

    def protectedDiv(left, right):
        try:
            return left / right
        except ZeroDivisionError:
            return 1

    def if_then_else(condition, then, other):
        return then if condition else other
    primitives = gp.PrimitiveSet("MAIN", 3)
    primitives.renameArguments(ARG0="x", ARG1="y", ARG2="a")
    for function, arity in ((operator.add, 2), (operator.sub, 2), (operator.mul, 2), (protectedDiv, 2), (operator.neg, 1),
                            (operator.truediv, 2), (mathematics.cos, 1), (mathematics.sin, 1), (max, 2), (min, 2), (abs, 1),
                            (mathematics.exp, 1)):
        primitives.addPrimitive(function, arity)
    if is_typed:
        for function, arity in ((operator.lt, 2), (operator.and_, 2), (operator.not_, 1), (if_then_else, 3)):
            primitives.addPrimitive(function, arity)
    return primitives


def of_deap():
    gp = importlib.import_module("deap.gp")
    primitives = deap_primitives()
    return by_function(lambda formula: gp.compile(formula, primitives))


def of_gplearn():
    if "GPLEARN" not in os.environ:
        raise ImportError
    sys.path.insert(0, os.environ["GPLEARN"])
    functions = importlib.import_module("gplearn.functions")
    numpy = importlib.import_module("numpy")
    numpy.seterr(all="ignore")
    scope = dict(functions._function_map, sig=functions.sig1)

    def make(formula):
        run = eval("lambda x, y, a: " + formula, dict(scope))
        return lambda *point: run(*map(numpy.float64, point))
    return by_function(make)


def of_octave():
    if not shutil.which("octave-cli"):
        raise ImportError

    def values(formulas):
        lines = ["1;", "warning('off', 'all');"]
        for formula in formulas:
            quoted = formula.replace("'", "''")
            for point in POINTS:
                settings = "".join(f"{n}={v!r};" for n, v in zip(NAMES, point))
                lines.append(f"{settings} try, v=eval('{quoted}'); if (iscomplex(v)) puts(\"error\\n\"); else "
                             "printf(\"%.17g\\n\", v); end; catch, puts(\"error\\n\"); end")
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "formulas.m"
            script.write_text("\n".join(lines) + "\n")
            done = subprocess.run(["octave-cli", "--norc", str(script)], text=True, capture_output=True, check=False)
        texts = [value_text(t) if t != "error" else t for t in done.stdout.split()]
        return [texts[k:k + len(POINTS)] for k in range(0, len(texts), len(POINTS))]
    return values


# Reads the number of points, the points, then formulas, one a line, and gives a line of values for each.
EVALUATOR = r"""
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>
#include HEADER
bool evaluate(const std::string& formula, double* point, double& value) {
  BODY
}
int main() {
  size_t count = 0;
  std::cin >> count;
  std::vector<double> points(3 * count);
  for (double& value : points) std::cin >> value;
  std::string formula;
  std::getline(std::cin, formula);
  while (std::getline(std::cin, formula)) {
    for (size_t k = 0; k < count; ++k) {
      double value = 0;
      if (evaluate(formula, &points[3 * k], value)) std::printf("%.17g ", value);
      else std::printf("error ");
    }
    std::printf("\n");
  }
}
"""
MUPARSER = """
  mu::Parser parser;
  parser.DefineVar("x", point);
  parser.DefineVar("y", point + 1);
  parser.DefineVar("a", point + 2);
  try {
    parser.SetExpr(formula);
    value = parser.Eval();
    return true;
  } catch (const mu::Parser::exception_type&) {
    return false;
  }
"""
EXPRTK = """
  exprtk::symbol_table<double> symbols;
  symbols.add_variable("x", point[0]);
  symbols.add_variable("y", point[1]);
  symbols.add_variable("a", point[2]);
  symbols.add_constants();
  exprtk::expression<double> expression;
  expression.register_symbol_table(symbols);
  exprtk::parser<double> parser;
  if (!parser.compile(formula, expression)) return false;
  value = expression.value();
  return true;
"""


def compiled(header, body, arguments):
    def values(formulas):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "evaluate.cpp"
            source.write_text(EVALUATOR.replace("HEADER", header).replace("BODY", body))
            program = source.with_suffix("")
            subprocess.run(["g++", "-std=c++17", "-O0", str(source), "-o", str(program), *arguments], check=True)
            points = "\n".join(" ".join(map(repr, point)) for point in POINTS)
            done = subprocess.run([str(program)], input=f"{len(POINTS)}\n{points}\n" + "\n".join(formulas) + "\n", text=True,
                                  capture_output=True, check=True)
        return [[t if t == "error" else value_text(t) for t in line.split()] for line in done.stdout.splitlines()]
    return values


def of_muparser():
    if not Path("/usr/include/muParser.h").exists():
        raise ImportError
    return compiled("<muParser.h>", MUPARSER, ["-lmuparser"])


def of_exprtk():
    if "EXPRTK" not in os.environ:
        raise ImportError
    return compiled("<exprtk.hpp>", EXPRTK, ["-I" + os.environ["EXPRTK"]])


def of_sources(functions):
    """Not the tool: what its sources say, as Python. A sign that touches a number is part of it."""
    import re
    numpy = importlib.import_module("numpy")
    numpy.seterr(all="ignore")

    def make(formula):
        text = re.sub(r"(?<![\w.)] )(?<![\w.)])-(\d+(?:\.\d+)?)", r"number(-\1)", formula)
        text = re.sub(r"(?<![\w.])(\d+\.\d+)(?![\w.)])", r"number(\1)", text).replace("^", "**")
        run = eval("lambda x, y, a: " + text, dict(functions, number=functions["type"]))
        return lambda *point: float(run(*map(functions["type"], point)))
    return by_function(make)


def of_pysr():
    """SymbolicRegression.jl, src/Operators.jl: safe_pow, safe_log and their like; Julia's mod, round, max."""
    numpy = importlib.import_module("numpy")
    nan = math.nan

    class Real(float):
        def __pow__(self, other):
            x, y = float(self), float(other)
            if y.is_integer():
                if y < 0 and x == 0:
                    return Real(nan)
            elif (y > 0 and x < 0) or (y < 0 and x <= 0):
                return Real(nan)
            return Real(numpy.power(numpy.float64(x), y))

        def __truediv__(self, other):
            return Real(numpy.float64(self) / numpy.float64(other))

    def keep_type(name):
        setattr(Real, name, lambda self, other: Real(getattr(float, name)(self, float(other))))
    for name in ("__add__", "__sub__", "__mul__", "__radd__", "__rsub__", "__rmul__"):
        keep_type(name)
    positive = numpy.float64
    functions = {
        "type": Real, "log": lambda x: positive(numpy.log(x)) if x > 0 else nan, "inv": lambda x: Real(1) / x,
        "log1p": lambda x: numpy.log1p(x) if x > -1 else nan, "sqrt": lambda x: math.sqrt(x) if x >= 0 else nan,
        "max": numpy.maximum, "min": numpy.minimum, "mod": numpy.mod, "cond": lambda x, y: y if x > 0 else 0.0,
        "relu": lambda x: x if x > 0 else 0.0, "logical_or": lambda x, y: x > 0 or y > 0, "logical_and": lambda x, y: x > 0 and y > 0,
        "greater": lambda x, y: x > y, "square": lambda x: x * x, "cube": lambda x: x * x * x, "neg": lambda x: -x,
        "sign": numpy.sign, "round": numpy.round, "atanh_clip": lambda x: numpy.arctanh(numpy.mod(x + 1, 2.0) - 1),
        "atanh": lambda x: math.atanh(x) if -1 < x < 1 else nan, "clamp": lambda x, lo, hi: min(max(x, lo), hi),
        "fma": lambda x, y, z: x * y + z, "sinc": lambda x: 1.0 if x == 0 else math.sin(math.pi * x) / (math.pi * x),
        "cbrt": numpy.cbrt, "exp": lambda x: Real(math.exp(x)), "cos": math.cos}
    return of_sources(functions)


def of_operon():
    """source/formatter/infix.cpp and include/operon/interpreter/backend/plain/functions.hpp."""
    numpy = importlib.import_module("numpy")
    return of_sources({
        "type": numpy.float64, "sqrt": numpy.sqrt, "abs": abs, "log": numpy.log, "min": min, "max": max, "cbrt": numpy.cbrt,
        "tanh": numpy.tanh, "square": lambda x: x * x, "aq": lambda x, y: x / numpy.sqrt(1 + y * y),
        "logabs": lambda x: numpy.log(abs(x)), "powabs": lambda x, y: abs(x) ** y})


def workbook(path, formulas):
    """A file of Excel whose rows 2, 3, … are the points, with the formulas of each behind its cells."""
    rows = []
    for k, point in enumerate(POINTS):
        row = k + 2
        cells = "".join(f'<c r="{cell[0]}{row}"><v>{value!r}</v></c>' for cell, value in zip(CELLS, point))
        for n, formula in enumerate(formulas):
            text = formula.lstrip("=")
            for cell in CELLS:
                text = text.replace(f"${cell[0]}$2", cell).replace(cell, f"{cell[0]}{row}")
            column = chr(ord("A") + n // 26) + chr(ord("A") + n % 26)
            cells += f'<c r="{column}{row}"><f>{html.escape(text)}</f></c>'
        rows.append(f'<row r="{row}">{cells}</row>')
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    kinds = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types">'
                      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                      f'<Override PartName="/xl/workbook.xml" ContentType="{sheet}.sheet.main+xml"/>'
                      f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{sheet}.worksheet+xml"/></Types>')
        book.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships">'
                      f'<Relationship Id="r1" Type="{kinds}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{kinds}"><sheets>'
                      '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">'
                      f'<Relationship Id="r1" Type="{kinds}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')
        book.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{"".join(rows)}</sheetData></worksheet>')


def of_excel():
    """LibreOffice, which differs from Excel where docs/import.md says so."""
    if not shutil.which("soffice"):
        raise ImportError

    def values(formulas):
        with tempfile.TemporaryDirectory() as folder:
            workbook(f"{folder}/facts.xlsx", formulas)
            subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{folder}/user", "--convert-to",
                            "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false", "--outdir", folder,
                            f"{folder}/facts.xlsx"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(f"{folder}/facts.csv", newline="") as file:
                rows = list(csv.reader(file))[1:1 + len(POINTS)]
        truth = {"TRUE": "1", "FALSE": "0"}

        def text(cell):
            if cell.endswith("%"):
                return value_text(float(cell[:-1]) / 100)
            return value_text(truth.get(cell, cell))
        first = 26
        return [[text(row[first + n]) for row in rows] for n in range(len(formulas))]
    return values


TOOLS = {"sympy": of_sympy, "gplearn": of_gplearn, "deap": of_deap, "operon": of_operon, "pysr": of_pysr, "exprtk": of_exprtk, "muparser": of_muparser,
         "excel": of_excel, "latex": of_latex, "python": of_python, "octave": of_octave}


def read_facts():
    facts = {}
    for line in FACTS.read_text().splitlines():
        if line and not line.startswith("#"):
            tool, formula, *values = line.split("\t")
            facts.setdefault(tool, {})[formula] = values
    return facts


def agree(tool, a, b):
    if a == b:
        return True
    try:
        a, b = float(a), float(b)
    except ValueError:
        return False
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= TOLERANCE.get(tool, 4e-15) * max(abs(a), abs(b))


def compare(tool, facts, values):
    bad = 0
    for (formula, expected), found in zip(facts.items(), values, strict=True):
        for point, e, f in zip(POINTS, expected, found, strict=True):
            if not agree(tool, f, e):
                bad += 1
                print(f"{tool}: {formula} at {point} is {f}, and was {e}")
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    facts, bad = read_facts(), 0
    for tool, rows in facts.items():
        try:
            evaluate = TOOLS[tool]()
        except ImportError:
            print(f"{tool}: the tool is not here, only its recorded values are compared")
            continue
        values = evaluate(list(rows))
        if options.record:
            for formula, row in zip(rows, values, strict=True):
                rows[formula] = row
        else:
            bad += compare(tool, rows, values)
    if options.record:
        head = [line for line in FACTS.read_text().splitlines() if line.startswith("#")]
        lines = ["\t".join((tool, formula, *values)) for tool, rows in facts.items() for formula, values in rows.items()]
        FACTS.write_text("\n".join(head + lines) + "\n")
    print(f"{sum(len(rows) for rows in facts.values())} formulas of {len(facts)} tools, {bad} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
