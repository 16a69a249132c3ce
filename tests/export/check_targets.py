#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what `komuz export` writes mean the same? Runs random programs, and each mathematical function, in a target and compares
the results with those of Komuz.

usage: check_targets.py TARGET WRITE_EXPORTS [COUNT [SEED]]

TARGET is python, numpy, c, cuda_host, cuda, rust, javascript, sympy, sqlite, duckdb, excel or notation. Results of programs without
mathematical functions are compared to the bit. Those of mathematical functions may differ by as many units in the last place as
services/export/measured.def says. Programs are run in one process. Exits with 77 where the target is not installed."""

import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import zipfile

INTEGERS = {"i32": (32, True), "i64": (64, True), "u8": (8, False), "u32": (32, False), "u64": (64, False)}


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def decoded(cell, kind):
    if kind == "f64":
        return struct.unpack("<d", struct.pack("<Q", cell))[0]
    if kind == "f32":
        return struct.unpack("<f", struct.pack("<I", cell & 0xFFFFFFFF))[0]
    if kind == "bool":
        return cell != 0
    return cell - 2**64 if INTEGERS[kind][1] and cell >= 2**63 else cell


def ordered(value, kind):
    """A number whose differences are units in the last place."""
    if kind == "f32":
        bits, half = struct.unpack("<I", struct.pack("<f", value))[0], 1 << 31
    else:
        bits, half = struct.unpack("<Q", struct.pack("<d", value))[0], 1 << 63
    return half - bits if bits >= half else bits


def ulps(a, e, kind):
    """None: they are not comparable."""
    if a != a or e != e:
        return 0 if a != a and e != e else None
    if kind == "f32":
        try:
            a = struct.unpack("<f", struct.pack("<f", a))[0]
        except OverflowError:
            a = math.copysign(math.inf, a)
    return abs(ordered(a, kind) - ordered(e, kind))


class Record:
    def __init__(self, name, fields):
        self.name, self.fields = name, fields


def grouped(values, sample, of=lambda value, kind: value, longest=None):
    """The arguments of a case: numbers by `of`, lists of them for arrays and slices, records. With `longest` slices have as many
    elements, and no length."""

    def number(cell):
        return of(values[cell], sample["parameters"][cell])

    def make(shape):
        first = shape.get("first")
        if shape["kind"] == "number":
            return number(first)
        if shape["kind"] == "array":
            return [number(k) for k in range(first, first + shape["cells"])]
        if shape["kind"] == "slice":
            length = values[shape["length"]] if longest is None else longest
            return Slice(number(k) for k in range(first, first + length * shape["per_element"]))
        return Record(shape["name"], [(name, make(part)) for name, part in shape["fields"]])

    return [make(shape) for shape in sample["shape"]]


class Slice(list):
    pass


def written(part, array, record):
    """The text of an argument: `array` of the texts of its elements, `record` of those of its fields."""
    if isinstance(part, list):
        return array(part)
    if isinstance(part, Record):
        return record(part.name, [(name, written(field, array, record)) for name, field in part.fields])
    return part


class Verdict:
    """Collects differences."""

    def __init__(self, target, keeps_zero_sign=True):
        self.target = target
        self.wrong = []
        self.compared = self.programs = self.loose = self.loose_wrong = self.left = self.missing = 0
        self.worst, self.limits = {}, {}
        self.keeps_zero_sign = keeps_zero_sign

    def note(self, sample, case, actual):
        """actual: a list of values, or the name of a trap."""
        arguments, expected = case
        kinds = sample["results"]
        if isinstance(expected, str) or isinstance(actual, str):
            self.compared += 1
            if actual != expected and not sample["is_measured"]:
                self.report(sample, case, actual)
            return
        for a, cell, kind in zip(actual, expected, kinds, strict=True):
            e = decoded(cell, kind)
            if not kind.startswith("f"):
                self.compared += 1
                if int(a) != int(e) and not sample["is_measured"]:
                    self.report(sample, case, actual)
                continue
            distance = ulps(float(a), e, kind)
            if not self.keeps_zero_sign and a == e:
                distance = 0
            if "function" in sample:
                self.limits[sample["function"]] = sample["limit"]
                self.compared += 1
                if distance is None:
                    self.report(sample, case, actual)
                elif distance > self.worst.get(sample["function"], (0,))[0]:
                    self.worst[sample["function"]] = (distance, arguments)
            elif sample["is_measured"]:
                # Differences in the last digit may grow on their way, and take another arm.
                self.loose += 1
                if distance is None or (distance > 64 and not math.isclose(float(a), e, rel_tol=1e-6)):
                    self.loose_wrong += 1
            else:
                self.compared += 1
                if distance != 0:
                    self.report(sample, case, actual)

    def report(self, sample, case, actual):
        self.wrong.append((sample, case, actual))

    def finish(self):
        print(f"{self.target}: {self.programs} programs, {self.compared} results compared")
        if self.left:
            print(f"  {self.left} results were left out; for {self.missing} of these the target has none, and Komuz a number")
        if self.loose:
            print(f"  {self.loose} results with mathematical functions, {self.loose_wrong} of which took another way")
        for name, (distance, arguments) in sorted(self.worst.items()):
            print(f"  {name}: {distance} ulp at {[hex(a) for a in arguments]}")
            if distance > self.limits[name]:
                print(f"    more than {self.limits[name]}")
                self.wrong.append(None)
        for wrong in [w for w in self.wrong if w][:5]:
            sample, (arguments, expected), actual = wrong
            values = [decoded(c, k) for c, k in zip(arguments, sample["parameters"])]
            shown = expected if isinstance(expected, str) else [decoded(c, k) for c, k in zip(expected, sample["results"])]
            print(f"--- program {sample['id']}\n{sample['program']}\n{sample['text']}\n{values}: expected {shown}, got {actual}")
        if self.missing * 20 > self.compared:
            print("too many results are missing")
            sys.exit(1)
        if self.loose_wrong * 20 > self.loose:
            print("too many results with mathematical functions differ")
            sys.exit(1)
        if self.wrong:
            print(f"{len(self.wrong)} results differ")
            sys.exit(1)


def read_samples(folder, name):
    with open(os.path.join(folder, name + ".jsonl")) as file:
        return [json.loads(line) for line in file]


def run(words, what, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode != 0:
        print(done.stdout[-3000:], done.stderr[-6000:])
        sys.exit(f"{what} failed: {' '.join(words)[:200]}")
    return done.stdout


# Python, NumPy, SymPy


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


# Languages that are compiled


C_TYPES = {"bool": "bool", "f64": "double", "f32": "float", "i32": "int32_t", "i64": "int64_t", "u8": "uint8_t",
           "u32": "uint32_t", "u64": "uint64_t"}


def without_helpers(text, shared):
    """A program without the functions before it that programs in the same file have, too: compilers take most of their time for
    these. `shared` has the text of each by its name. Returns what stays, and the names that it takes from there."""
    rest, taken = [], set()
    for block in text.split("\n\n"):
        names = set(re.findall(r"\bkm_\w+", block))
        own = re.search(r"^(?:#\[.*\]\n)?(?:__host__ __device__ )?(?:static |fn )(?:\w+ )*(km_\w+)[(<]", block, re.M)
        # Names of programs may begin so, too, and these differ.
        if own and names <= taken | {own.group(1)} and shared.setdefault(own.group(1), block) == block:
            taken.add(own.group(1))
        else:
            rest.append(block)
    return "\n\n".join(rest), taken


def write_cells(path, samples):
    """The arguments of all cases, which programs read: a compiler takes long for so many literals."""
    with open(path, "wb") as file:
        for sample in samples:
            for case in sample["cases"]:
                file.write(struct.pack(f"<{len(case[0])}Q", *(cell & (2**64 - 1) for cell in case[0])))


def c_program(samples, first_lines):
    """All programs in one text, each with names of its own, and a main that prints results."""
    parts, shared = [], {}
    for sample in samples:
        number, entry = sample["id"], sample["entry"] + f"_p{sample['id']}"
        text = sample["text"]
        names = set(re.findall(r"^(?:__host__ __device__ )?(?:static )?(?:const )?\w+ (\w+)\(", text, re.M))
        names |= set(re.findall(r"\bkm_\w+", text)) | set(re.findall(r"^} (\w+);", text, re.M))
        head, text = text.split("\n\n", 1)
        # Lines for the compiler are the same in all.
        lines = "\n".join(line for line in head.split("\n") if line.startswith("#") and not line.startswith("#include"))
        shared.setdefault(lines, lines)
        text, taken = without_helpers(text, shared)
        text = re.sub(rf"\b({'|'.join(sorted(names - taken))})\b", rf"\1_p{number}", text)
        text = re.sub(rf"^(?!static|[ }}])(.*\b{entry}\(.*\{{)$", r"static \1", text, flags=re.M)
        kinds = sample["parameters"]
        # A slice has room for the longest one.
        fields = ""
        for i, shape in enumerate(sample["shape"]):
            if shape["kind"] == "record":
                fields += f"{shape['name']}_p{number} a{i}; "
                continue
            length = {"number": 0, "array": shape.get("cells"), "slice": 5 * shape.get("per_element", 0)}[shape["kind"]]
            fields += f"{C_TYPES[kinds[shape['first']]]} a{i}{f'[{length}]' if length else ''}; "
        fields = fields or "int none; "

        def braces(parts):
            return "{" + (", ".join(parts) or "0") + "}"

        row = braces([written(a, braces, lambda name, fields: braces([f for _, f in fields]))
                      for a in grouped(range(len(kinds)), sample, lambda cell, kind: f"get_{kind}(cells[{cell}])", longest=5)])
        call = f"{entry}({', '.join(f'row.a{i}' for i, _ in enumerate(sample['shape']))})"
        results = sample["results"]
        if sample["paths"]:
            name = re.search(rf"(\w+) {entry}\(", text, re.M).group(1)
            prints = f"{name} r = {call};" + "".join(f" put_{kind}(r{path});" for kind, path in zip(results, sample["paths"]))
        elif len(results) == 1:
            prints = f"{C_TYPES[results[0]]} r = {call}; put_{results[0]}(r);"
        else:
            prints = f"km_result_{entry} r = {call};" + "".join(f" put_{kind}(r.part{i});" for i, kind in enumerate(results))
        parts.append(text)
        parts.append(f"static void run_{number}(void) {{ struct {{ {fields}}} row = {row}; {prints} }}\n")
    rows = "".join(f"  run_all(run_{sample['id']}, {len(sample['cases'])}, {len(sample['parameters'])});\n" for sample in samples)
    parts.append(f"int main(int count, char** words) {{\n  input = fopen(words[1], \"rb\");\n{rows}  return 0;\n}}\n")
    return "\n".join([first_lines, *shared.values(), *parts])


C_HEAD = """#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf jump;
static const char* trapped;
static FILE* input;
static uint64_t cells[512];
#define KM_TRAP(name) (trapped = name, longjmp(jump, 1))
static double get_f64(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static float get_f32(uint64_t cell) { uint32_t bits = (uint32_t)cell; float x; memcpy(&x, &bits, 4); return x; }
static bool get_bool(uint64_t n) { return n != 0; }
static int64_t get_i64(uint64_t n) { return (int64_t)n; }
static int32_t get_i32(uint64_t n) { return (int32_t)n; }
static uint8_t get_u8(uint64_t n) { return (uint8_t)n; }
static uint32_t get_u32(uint64_t n) { return (uint32_t)n; }
static uint64_t get_u64(uint64_t n) { return n; }
static void put_f64(double x) { uint64_t bits; memcpy(&bits, &x, 8); printf("%" PRIu64 " ", x != x ? 0x7FF8000000000000u : bits); }
static void put_f32(float x) { uint32_t bits; memcpy(&bits, &x, 4); printf("%" PRIu32 " ", x != x ? 0x7FC00000u : bits); }
static void put_i64(int64_t n) { printf("%" PRId64 " ", n); }
static void put_i32(int64_t n) { put_i64(n); }
static void put_u8(int64_t n) { put_i64(n); }
static void put_u32(int64_t n) { put_i64(n); }
static void put_u64(uint64_t n) { printf("%" PRIu64 " ", n); }
static void put_bool(bool n) { printf("%d ", n); }
static void run_all(void (*program)(void), int rows, size_t parameters) {
  for (volatile int k = 0; k < rows; ++k) {
    if (fread(cells, 8, parameters, input) != parameters) exit(1);
    if (setjmp(jump) == 0) program();
    else printf("!%s ", trapped);
    printf("\\n");
  }
}
"""


def compare_lines(verdict, samples, output):
    lines = iter(output.split("\n"))
    for sample in samples:
        verdict.programs += 1
        for case in sample["cases"]:
            words = next(lines).split()
            if words and words[0].startswith("!"):
                verdict.note(sample, case, words[0][1:])
                continue
            values = []
            for word, kind in zip(words, sample["results"], strict=True):
                number = int(word)
                values.append(decoded(number, kind) if kind.startswith("f") else bool(number) if kind == "bool" else number)
            verdict.note(sample, case, values)


def check_c(folder, target="c"):
    compiler = shutil.which("gcc" if target == "c" else "g++")
    if not compiler:
        skip("gcc is not installed")
    verdict = Verdict(target)
    samples = [s for s in read_samples(folder, "c" if target == "c" else "cuda") if s["cases"]]
    head = C_HEAD
    if target != "c":
        head += "#define __host__\n#define __device__\n"
        for sample in samples:
            sample["text"] = sample["text"].replace("abort();", "KM_TRAP(name);").replace('fprintf(stderr, "trap %s\\n", name);', "")
    source = os.path.join(folder, target + (".c" if target == "c" else ".cpp"))
    binary, cells = os.path.join(folder, target), os.path.join(folder, "cells")
    # Where the processor has fma, a sum of a product may not become one. With -O1 alone gcc contracts nothing, and inlines little.
    contracts = ["-fexpensive-optimizations", "-finline-small-functions", "-ffp-contract=fast"]
    native = ["-mfma", *contracts] if "fma" in open("/proc/cpuinfo").read() else contracts
    for some in in_parts(samples):
        with open(source, "w") as file:
            file.write(c_program(some, head))
        write_cells(cells, some)
        run([compiler, "-O1", "-std=c11" if target == "c" else "-std=c++17", *native, "-w", source, "-o", binary, "-lm"],
            "the compiler")
        compare_lines(verdict, some, run([binary, cells], "the program"))
    verdict.finish()


def in_parts(samples, size=400):
    """Compilers and LibreOffice take longer than they should for one file of thousands of programs."""
    return [samples[k : k + size] for k in range(0, len(samples), size)]


def check_cuda(folder):
    compiler = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(compiler):
        skip("nvcc is not installed")
    parts = []
    samples = [s for s in read_samples(folder, "cuda") if s["id"] % 7 == 0][:24]
    for sample in samples:
        text = re.sub(r"^#include.*\n", "", sample["text"], flags=re.M)
        parts.append(f"namespace p{sample['id']} {{\n{text}\n}}\n")
    source = os.path.join(folder, "device.cu")
    with open(source, "w") as file:
        file.write("#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + "".join(parts))
    run([compiler, "-c", "-arch=sm_90", source, "-o", os.path.join(folder, "device.o")], "nvcc")
    print(f"cuda: nvcc compiles {len(samples)} programs")


def rust_literal(value, kind):
    if kind == "bool":
        return "true" if value else "false"
    if kind == "f64":
        return f"f64::from_bits({struct.unpack('<Q', struct.pack('<d', value))[0]})"
    if kind == "f32":
        return f"f32::from_bits({struct.unpack('<I', struct.pack('<f', value))[0]})"
    return f"({value}_{kind})" if value > -(2**63) else "i64::MIN"


def check_rust(folder):
    if not shutil.which("rustc"):
        skip("rustc is not installed")
    verdict = Verdict("rust")
    samples = [s for s in read_samples(folder, "rust") if s["cases"]]
    source, binary, cells = (os.path.join(folder, name) for name in ("all.rs", "all_rust", "cells"))
    for some in in_parts(samples):
        with open(source, "w") as file:
            file.write(rust_program(some))
        write_cells(cells, some)
        run(["rustc", "--edition=2021", "-Copt-level=0", "-Cdebug-assertions=on", source, "-o", binary], "rustc")
        compare_lines(verdict, some, run([binary, cells], "the program"))
    verdict.finish()


RUST_HEAD = """#![allow(warnings)]
use std::panic::catch_unwind;
fn get_f64(cell: u64) -> f64 { f64::from_bits(cell) }
fn get_f32(cell: u64) -> f32 { f32::from_bits(cell as u32) }
fn get_bool(cell: u64) -> bool { cell != 0 }
fn get_i64(cell: u64) -> i64 { cell as i64 }
fn get_i32(cell: u64) -> i32 { cell as i32 }
fn get_u8(cell: u64) -> u8 { cell as u8 }
fn get_u32(cell: u64) -> u32 { cell as u32 }
fn get_u64(cell: u64) -> u64 { cell }
fn put_f64(out: &mut String, x: f64) { put_u64(out, if x.is_nan() { 0x7FF8000000000000 } else { x.to_bits() }) }
fn put_f32(out: &mut String, x: f32) { put_u64(out, if x.is_nan() { 0x7FC00000 } else { x.to_bits() as u64 }) }
fn put_bool(out: &mut String, n: bool) { put_u64(out, n as u64) }
fn put_i64(out: &mut String, n: i64) { out.push_str(&n.to_string()); out.push(' ') }
fn put_i32(out: &mut String, n: i32) { put_i64(out, n as i64) }
fn put_u8(out: &mut String, n: u8) { put_i64(out, n as i64) }
fn put_u32(out: &mut String, n: u32) { put_i64(out, n as i64) }
fn put_u64(out: &mut String, n: u64) { out.push_str(&n.to_string()); out.push(' ') }
fn run_all(programs: &[(fn(&[u64], &mut String), usize, usize)]) {
    std::panic::set_hook(Box::new(|_| {}));
    let bytes = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let cells: Vec<u64> = bytes.chunks_exact(8).map(|c| u64::from_le_bytes(c.try_into().unwrap())).collect();
    let mut at = 0;
    for &(program, rows, parameters) in programs {
        for _ in 0..rows {
            let row = &cells[at..at + parameters];
            at += parameters;
            match catch_unwind(|| { let mut out = String::new(); program(row, &mut out); out }) {
                Ok(out) => println!("{out}"),
                Err(e) => println!("!{}", e.downcast_ref::<String>().map(|s| s.trim_start_matches("trap ")).unwrap_or("panic")),
            }
        }
    }
}
"""


def rust_program(samples):
    parts, shared = [], {}
    for sample in samples:
        text, _ = without_helpers(sample["text"].replace("#![allow", "#[allow(warnings)] const KM_ALLOW: () = (); //"), shared)
        kinds = sample["parameters"]

        def argument(shape):
            if shape["kind"] == "slice":
                first, of = shape["first"], kinds[shape["first"]]
                length = f"cells[{shape['length']}] as usize * {shape['per_element']}"
                return f"&cells[{first}..{first} + {length}].iter().map(|&cell| get_{of}(cell)).collect::<Vec<_>>()[..]"
            of = grouped(range(len(kinds)), {**sample, "shape": [shape]}, lambda cell, kind: f"get_{kind}(cells[{cell}])")
            return written(of[0], lambda part: "[" + ", ".join(part) + "]",
                           lambda name, fields: name + " { " + ", ".join(f"{field}: {value}" for field, value in fields) + " }")

        results = sample["results"]
        parts_of = sample["paths"] or ([""] if len(results) == 1 else [f".{i}" for i in range(len(results))])
        shown = "".join(f" put_{kind}(out, r{part});" for kind, part in zip(results, parts_of))
        parts.append(f"mod p{sample['id']} {{ use super::*; use super::shared::*;\n{text}\npub fn run(cells: &[u64], out: &mut String) {{ "
                     f"let r = {sample['entry']}({', '.join(map(argument, sample['shape']))});{shown} }}\n}}\n")
    helpers = re.sub(r"^fn ", "pub fn ", "\n\n".join(shared.values()), flags=re.M)
    rows = ", ".join(f"(p{s['id']}::run, {len(s['cases'])}, {len(s['parameters'])})" for s in samples)
    return RUST_HEAD + f"mod shared {{\n{helpers}\n}}\n" + "".join(parts) + f"fn main() {{ run_all(&[{rows}]) }}\n"


def js_literal(value, kind):
    if kind == "bool":
        return "true" if value else "false"
    if kind in ("f32", "f64"):
        return "NaN" if value != value else repr(value).replace("inf", "Infinity")
    return f"{value}n"


def check_javascript(folder):
    if not shutil.which("node"):
        skip("node is not installed")
    verdict = Verdict("javascript")
    samples = [s for s in read_samples(folder, "javascript") if s["cases"]]
    parts = ["""const view = new DataView(new ArrayBuffer(8));
const put = { f64: (x) => { view.setFloat64(0, x); return Number.isNaN(x) ? 0x7FF8000000000000n : view.getBigUint64(0); },
  f32: (x) => { view.setFloat32(0, x); return Number.isNaN(x) ? 0x7FC00000 : view.getUint32(0); },
  bool: (x) => { if (typeof x !== "boolean") throw new Error("no boolean: " + x); return Number(x); } };
const lines = [];
function run(f, rows, kinds, cells) {
  for (const row of rows) {
    try { lines.push([cells(f(...row))].flat().map((r, k) => (put[kinds[k]] ?? String)(r)).join(" ")); }
    catch (error) { if (error.constructor.name !== "Trap") throw error; lines.push("!" + error.message); }
  }
}
"""]
    for sample in samples:
        kinds = sample["parameters"]

        def brackets(part):
            return "[" + ", ".join(part) + "]"

        def fields(name, parts):
            return "{ " + ", ".join(f"{field}: {value}" for field, value in parts) + " }"

        rows = ",\n".join(brackets([written(a, brackets, fields) for a in grouped(case[0], sample, lambda c, k: js_literal(decoded(c, k), k))])
                          for case in sample["cases"])
        cells = "(r) => r" if not sample["paths"] else f"(r) => [{', '.join('r' + path for path in sample['paths'])}]"
        text = sample["text"].replace("export function", "function")
        parts.append(f"run((() => {{\n{text}\nreturn {sample['entry']};\n}})(), [{rows}], {json.dumps(sample['results'])}, {cells});\n")
    parts.append("process.stdout.write(lines.join(\"\\n\") + \"\\n\");\n")
    source = os.path.join(folder, "all.mjs")
    with open(source, "w") as file:
        file.write("".join(parts))
    compare_lines(verdict, samples, run(["node", source], "node"))
    verdict.finish()


# Tables


def check_sqlite(folder):
    import sqlite3

    base = sqlite3.connect(":memory:")
    try:
        base.execute("SELECT exp(1e0), trunc(1.5e0)")
    except sqlite3.OperationalError:
        skip("SQLite is without its mathematical functions")
    verdict = Verdict("sqlite", keeps_zero_sign=False)
    for sample in read_samples(folder, "sql"):
        kinds, own = sample["parameters"], sample["names"]
        types = {"f64": "REAL", "bool": "BOOLEAN"}
        base.execute("DROP TABLE IF EXISTS t")
        columns = ", ".join(f'"{n}" {types.get(k, "INTEGER")}' for n, k in zip(own, kinds))
        base.execute(f"CREATE TABLE t (km_row INTEGER{', ' + columns if columns else ''})")
        rows = []
        for number, case in enumerate(sample["cases"]):
            values = [decoded(c, k) for c, k in zip(case[0], kinds)]
            # SQLite has no larger integers, and keeps no sign of zero.
            if any(isinstance(v, int) and not -(2**63) <= v < 2**63 or str(v) == "-0.0" for v in values):
                values = None
            rows.append(values)
            if values is not None:
                base.execute(f"INSERT INTO t VALUES ({', '.join('?' * (len(values) + 1))})", [number, *values])
        verdict.programs += 1
        query = sample["text"][sample["text"].index("SELECT"):].rstrip().rstrip(";") + " ORDER BY km_row"
        results = [row[0] for row in rows_of(base, query)]
        whole = [case for case, values in zip(sample["cases"], rows) if values is not None]
        for case, result in zip(whole, results, strict=True):
            moderate(verdict, sample, case, result)
    verdict.finish()


DUCKDB = """const fs = require("fs");
const { DuckDBInstance } = require(process.argv[2]);
(async () => {
  const base = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = async (query) => (await base.runAndReadAll(query)).getRows().map((row) => row[0]);
  const text = (value) => (typeof value === "bigint" ? { integer: String(value) } : Number.isNaN(value) ? null : value);
  const out = [];
  for (const line of fs.readFileSync(process.argv[3], "utf8").split("\\n").filter((line) => line !== "")) {
    const job = JSON.parse(line);
    for (const statement of job.before) await base.run(statement);
    let results = [];
    try { results = await rows(job.query + " ORDER BY km_row"); }
    catch {
      // A row whose step does not fit ends the query: each by itself.
      for (let row = 0; row < job.rows; ++row) {
        try { results.push(...await rows(job.query + " WHERE km_row = " + row)); }
        catch (error) { results.push(null); if (/Parser|Binder|Catalog/.test(error.message)) { console.error(job.query, error.message); process.exit(1); } }
      }
    }
    out.push(JSON.stringify(results.map(text)));
  }
  process.stdout.write(out.join("\\n") + "\\n");
})();
"""


def check_duckdb(folder):
    package = os.path.join(os.path.dirname(__file__), "../../build/duckdb/node_modules/@duckdb/node-api")
    if not shutil.which("node") or not os.path.isdir(package):
        skip("DuckDB's package of npm is not installed (scripts/setup --test)")
    verdict = Verdict("duckdb")
    types = {"f64": "DOUBLE", "f32": "FLOAT", "bool": "BOOLEAN", "i64": "BIGINT", "i32": "INTEGER", "u8": "UTINYINT", "u32": "UINTEGER", "u64": "UBIGINT"}

    def literal(value, kind):
        return f"'{value!r}'::{types[kind]}" if kind.startswith("f") else str(value)

    samples = [s for s in read_samples(folder, "duckdb") if s["cases"]]
    jobs = []
    for sample in samples:
        kinds, own = sample["parameters"], sample["names"]
        columns = "".join(f', "{n}" {types[k]}' for n, k in zip(own, kinds))
        rows = ", ".join("(" + ", ".join([str(number), *(literal(decoded(c, k), k) for c, k in zip(case[0], kinds))]) + ")"
                         for number, case in enumerate(sample["cases"]))
        query = sample["text"][sample["text"].index("SELECT"):].rstrip().rstrip(";")
        jobs.append({"before": [f"CREATE OR REPLACE TABLE t (km_row INTEGER{columns})", f"INSERT INTO t VALUES {rows}"],
                     "query": query, "rows": len(sample["cases"])})
    source, work = os.path.join(folder, "duckdb.cjs"), os.path.join(folder, "jobs.jsonl")
    with open(source, "w") as file:
        file.write(DUCKDB)
    with open(work, "w") as file:
        file.write("".join(json.dumps(job) + "\n" for job in jobs))
    output = run(["node", source, os.path.abspath(package), work], "node").strip().split("\n")
    for sample, line in zip(samples, output, strict=True):
        verdict.programs += 1
        for case, result in zip(sample["cases"], json.loads(line), strict=True):
            moderate(verdict, sample, case, int(result["integer"]) if isinstance(result, dict) else result)
    verdict.finish()


def rows_of(base, query):
    """All rows. One that ends the query, as `abs` of the least integer does, has no result."""
    import sqlite3

    try:
        return list(base.execute(query))
    except sqlite3.OperationalError:
        one = query.replace(" ORDER BY km_row", " WHERE km_row = ?")
        out = []
        for (number,) in base.execute("SELECT km_row FROM t ORDER BY km_row").fetchall():
            try:
                out += base.execute(one, [number]).fetchall()
            except sqlite3.OperationalError:
                out.append((None,))
        return out


def moderate(verdict, sample, case, result, digits=17):
    """Tables have no NaN and no traps: results of numbers of moderate size are compared, where there is one."""
    values = [decoded(c, k) for c, k in zip(case[0], sample["parameters"])]
    numbers = [v for v in values if not isinstance(v, bool)]
    expected = case[1]
    if isinstance(expected, str) or not all(math.isfinite(v) and abs(v) < 1e6 for v in numbers):
        verdict.left += 1
        return
    value = decoded(expected[0], sample["results"][0])
    if not math.isfinite(value) or (digits < 17 and isinstance(value, int) and abs(value) >= 10**15):
        verdict.left += 1
        return
    if result is None:
        verdict.left += 1
        verdict.missing += 1
        return
    # What is kept with 15 digits, and 20 behind the point, is compared with so many.
    if digits < 17 and isinstance(value, float) and math.isclose(result, value, rel_tol=2e-14, abs_tol=1e-20):
        result = value
    verdict.note(sample, case, [result])


def check_excel(folder):
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if not office:
        skip("LibreOffice is not installed")
    samples = [s for s in read_samples(folder, "excel") if s["cases"]]
    verdict = Verdict("excel", keeps_zero_sign=False)
    for some in in_parts(samples):
        sheet, wanted, row = [], [], 0
        for sample in some:
            formula = sample["text"].strip()[1:]
            verdict.programs += 1
            cases = sample["cases"]
            for case in cases[:: max(1, len(cases) // 60)]:
                values = [decoded(c, k) for c, k in zip(case[0], sample["parameters"])]
                if not all(isinstance(v, bool) or (math.isfinite(v) and abs(v) < 2**53) for v in values):
                    continue
                row += 1
                own = re.sub(r"\b([A-Z])2\b", lambda m: f"{m.group(1)}{row}", formula)
                cells = "".join(
                    f'<c r="{chr(65 + k)}{row}"{" t=" + chr(34) + "b" + chr(34) if isinstance(v, bool) else ""}><v>{int(v) if isinstance(v, bool) else repr(v)}</v></c>'
                    for k, v in enumerate(values))
                escaped = own.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                sheet.append(f'<row r="{row}">{cells}<c r="Z{row}"><f>{escaped}</f></c></row>')
                wanted.append((sample, case))
        book = os.path.join(folder, "book.xlsx")
        with zipfile.ZipFile(book, "w") as pack:
            pack.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>')
            pack.writestr("_rels/.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>')
            pack.writestr("xl/workbook.xml", '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>')
            pack.writestr("xl/_rels/workbook.xml.rels", '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>')
            pack.writestr("xl/worksheets/sheet1.xml", '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>' + "".join(sheet) + "</sheetData></worksheet>")
        run([office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "fods", "--outdir", folder, book],
            "LibreOffice", timeout=300)
        text = open(os.path.join(folder, "book.fods"), encoding="utf-8").read()
        # Truth values are formulas there, too: the last one of a row is ours.
        rows = [re.findall(r"<table:table-cell[^>]*table:formula=\"[^\"]*\"[^>]*>", part) for part in text.split("<table:table-row")]
        results = [cells[-1] for cells in rows if cells]
        if len(results) != len(wanted):
            sys.exit(f"{len(results)} formulas of {len(wanted)} came back")
        for (sample, case), cell in zip(wanted, results):
            value = re.search(r'office:value="([^"]*)"', cell)
            truth = re.search(r'office:boolean-value="([^"]*)"', cell)
            is_error = 'calcext:value-type="error"' in cell
            result = None if is_error or not (value or truth) else float(value.group(1)) if value else truth.group(1) == "true"
            moderate(verdict, sample, case, result, digits=15)
    verdict.finish()


def check_notation(folder):
    """LaTeX: braces and environments are balanced; MathML is XML."""
    from xml.dom import minidom

    count = 0
    for sample in read_samples(folder, "latex"):
        text = sample["text"]
        assert text.count("{") == text.count("}"), text
        assert text.count("\\left") - text.count("\\leftarrow") == text.count("\\right") - text.count("\\rightarrow"), text
        assert text.count("\\begin") == text.count("\\end"), text
        count += 1
    for sample in read_samples(folder, "mathml"):
        minidom.parseString(re.sub(r"<!--.*?-->\n", "", sample["text"]))
        count += 1
    print(f"{count} formulas are well formed")


CHECKS = {
    "python": check_python, "numpy": check_numpy, "c": check_c, "cuda_host": lambda folder: check_c(folder, "cuda_host"),
    "cuda": check_cuda, "rust": check_rust, "javascript": check_javascript, "sympy": check_sympy, "sqlite": check_sqlite, "duckdb": check_duckdb,
    "excel": check_excel, "notation": check_notation,
}

# Of write_exports, where they are called otherwise than the target.
FILES = {"cuda_host": ["cuda"], "sqlite": ["sql"], "notation": ["latex", "mathml"]}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    target, writer = sys.argv[1:3]
    count = sys.argv[3] if len(sys.argv) > 3 else "300"
    seed = sys.argv[4] if len(sys.argv) > 4 else "1"
    with tempfile.TemporaryDirectory() as folder:
        keep = os.environ.get("KOMUZ_KEEP")
        if keep:
            os.makedirs(keep, exist_ok=True)
            folder = keep
        print(run([writer, folder, count, seed, *FILES.get(target, [target])], "write_exports").strip())
        CHECKS[target](folder)


if __name__ == "__main__":
    main()
