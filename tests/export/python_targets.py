# SPDX-License-Identifier: Apache-2.0
"""Exports to Python, NumPy and SymPy."""

import math
import re
import signal
import sys

from exported import Record, Verdict, decoded, grouped, read_samples, skip
from table_targets import moderate


def as_record(part, space):
    if not isinstance(part, Record):
        return part
    return space[part.name](*[as_record(field, space) for _, field in part.fields])


def as_list(value):
    return list(value) if isinstance(value, tuple) else [value]


def check_python(folder):
    verdict = Verdict("python")
    for sample in read_samples(folder, "python"):
        verdict.programs += 1
        space = {"__name__": "exported"}
        exec(compile(sample["text"], f"program {sample['id']}", "exec"), space)
        function = space[sample["entry"]]
        for case in sample["cases"]:
            values = [decoded(c, k) for c, k in zip(case[0], sample["parameters"])]
            try:
                result = function(*[as_record(part, space) for part in grouped(values, sample)])
                actual = [eval("r" + path, {"r": result}) for path in sample["paths"]] or as_list(result)
            except Exception as error:
                if type(error).__name__ != "Trap":
                    print(sample["program"], sample["text"], values)
                    raise
                actual = str(error)
            verdict.note(sample, case, actual)
    verdict.finish()


def check_numpy(folder):
    try:
        import numpy as np
    except ImportError:
        skip("NumPy is not installed")
    verdict = Verdict("numpy")
    names = {"bool": "bool_", "f64": "float64", "f32": "float32", "i32": "int32", "i64": "int64", "u8": "uint8",
             "u32": "uint32", "u64": "uint64"}
    for sample in read_samples(folder, "numpy"):
        verdict.programs += 1
        space = {"__name__": "exported"}
        exec(compile(sample["text"], f"program {sample['id']}", "exec"), space)
        function = space[sample["entry"]]

        def columns(cases):
            return [np.array([decoded(case[0][k], kind) for case in cases], dtype=names[kind])
                    for k, kind in enumerate(sample["parameters"])]

        whole = [case for case in sample["cases"] if not isinstance(case[1], str)]
        if whole:
            results = np.broadcast_to(function(*columns(whole)), len(whole))
            for case, result in zip(whole, results):
                verdict.note(sample, case, [result.item()])
        for case in sample["cases"]:
            if not isinstance(case[1], str):
                continue
            try:
                actual = [function(*columns([case]))[0].item()]
            except Exception as error:
                if type(error).__name__ != "Trap":
                    raise
                actual = str(error)
            verdict.note(sample, case, actual)
    verdict.finish()


def within(seconds, work):
    """The result of the work, or None and False if it takes longer. The process's own time counts."""

    # No `except Exception` of a library may take it.
    class Late(BaseException):
        pass

    def stop(*_):
        raise Late

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1)
    try:
        return work(), True
    except Late:
        return None, False
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def check_sympy(folder):
    try:
        import sympy as sp
    except ImportError:
        skip("SymPy is not installed")
    verdict = Verdict("sympy", keeps_zero_sign=False)
    functions = rounded = late = slow = 0
    broken = []

    def expression_of(sample):
        space = {}
        exec(compile(sample["text"], f"program {sample['id']}", "exec"), space)
        return sp.sympify(space[sample["entry"]])

    def value_of(expression, values):
        """What SymPy has for the expression, with 20 digits; None: no real number."""
        try:
            result = expression.subs(values)
        except (ValueError, TypeError):
            # A root of a negative number, which Min and comparisons do not take.
            return None
        if result in (sp.true, sp.false):
            return bool(result)
        result = result.evalf(20)
        return float(result) if result.is_number and result.is_real and result.is_finite else None

    def with_floats(values):
        return {symbol: sp.Float(value, 60) if value.is_Rational and not value.is_Integer else value for symbol, value in values.items()}

    for sample in read_samples(folder, "sympy"):
        try:
            expression, is_done = within(20, lambda: expression_of(sample))
        except (TypeError, ValueError, ZeroDivisionError) as error:
            broken.append(f"program {sample['id']}: {str(error).strip()}")
            continue
        if not is_done:
            slow += 1
            continue
        verdict.programs += 1
        cases = sample["cases"]
        for case in cases[:: max(1, len(cases) // 8)]:
            if isinstance(case[1], str):
                continue
            values = [decoded(c, k) for c, k in zip(case[0], sample["parameters"])]
            expected = decoded(case[1][0], sample["results"][0])
            numbers = [v for v in values if not isinstance(v, bool)]
            # Of moderate size: others overflow in Komuz alone.
            if not all(math.isfinite(v) and abs(v) < 1e6 for v in numbers) or not math.isfinite(expected):
                continue
            exact = {}
            for symbol in expression.free_symbols:
                value = values[int(order(sample["text"], symbol.name))]
                exact[symbol] = sp.true if value is True else sp.false if value is False else sp.Rational(value)
            # Exact numbers may grow without end, as powers of quotients do. Then 60 digits.
            actual, is_done = within(2, lambda: value_of(expression, exact))
            if not is_done:
                rounded += 1
                actual, is_done = within(10, lambda: value_of(expression, with_floats(exact)))
                late += not is_done
            if actual is None:
                verdict.left += 1
                verdict.missing += 1
                continue
            verdict.compared += 1
            if isinstance(expected, bool) or isinstance(actual, bool):
                same = bool(actual) == bool(expected)
            else:
                same = math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-9)
            functions += 1
            if not same:
                verdict.loose_wrong += 1
                if verdict.loose_wrong < 4:
                    print("---", sample["program"], sample["text"], values, expected, actual)
    verdict.loose = functions
    # A quotient by 0 without variables; choices in conditions, for which SymPy 1.11 has faults that 1.14 has not.
    print("".join(f"sympy does not read {text}\n" for text in broken), end="")
    if len(broken) * 200 > verdict.programs:
        sys.exit("too many programs are not read")
    print(f"sympy: {slow} programs took too long, and {late} results; {rounded} results with 60 digits, as exact numbers take too long")
    verdict.finish()


def order(text, name):
    names = re.findall(r'^(\w+) = sp\.Symbol\("', text, re.M)
    return names.index(name)
