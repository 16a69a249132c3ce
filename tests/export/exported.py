# SPDX-License-Identifier: Apache-2.0
"""What tests of exports share: samples, and how results are compared."""

import json
import math
import os
import struct
import subprocess
import sys


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
