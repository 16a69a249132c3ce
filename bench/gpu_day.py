# SPDX-License-Identifier: Apache-2.0
"""Reads the results of a GPU day (scripts/gpu/day), as far as they go.

A day may be cut off anywhere, so any file may be missing or end in the middle of a line. What cannot be read is left out, and
`Day.problems` says so; it is no error here. bench/gpu_report.py makes tables of what there is.
"""

import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

FILES = ("parts.tsv", "machine.txt", "output.txt", "benchmarks.txt", "profile.csv", "power.csv")
VERSION = "1"
# The states of a part. Passed and Absent are no failures.
STATES = {
    "passed": "passed",
    "failed": "failed",
    "late": "its time was up",
    "noisy": "it said too much",
    "stuck": "nothing ended it",
    "skipped": "there was no time left",
    "absent": "left out",
    "cut off": "the day was cut off in it",
    "not reached": "the day was cut off before",
}


@dataclass
class Part:
    name: str
    limit: int = 0  # seconds
    command: str = ""
    begin: int = 0  # milliseconds since 1970
    end: int = 0
    state: str = "not reached"
    code: str = "-"
    why: str = ""

    def seconds(self):
        return (self.end - self.begin) / 1000 if self.begin and self.end >= self.begin else None


@dataclass
class Test:
    part: str
    program: str
    name: str
    state: str  # passed, failed, skipped or cut off
    seconds: float = 0
    text: list = field(default_factory=list)  # its output


@dataclass
class Row:
    """A benchmark's rounds."""

    part: str
    name: str
    times: list = field(default_factory=list)  # one for each round, in `unit`
    unit: str = "ns"
    counters: dict = field(default_factory=dict)  # a list for each, with one value a round
    error: str = ""


@dataclass
class Sample:
    ms: int
    milliwatts: int
    millijoules: int
    sm_mhz: int
    memory_mhz: int
    degrees: int
    mib: int = -1  # of its memory in use, by all that run there; days of before have not asked


@dataclass
class Day:
    folder: Path
    problems: list = field(default_factory=list)
    parts: dict = field(default_factory=dict)  # by name, in order
    start: int = 0
    seconds: int = 0
    is_rehearsal: bool = False
    is_done: bool = False
    revision: str = ""
    devices: dict = field(default_factory=dict)  # of `komuz devices --json`
    driver: dict = field(default_factory=dict)  # of gpu_power --machine
    tests: list = field(default_factory=list)
    output: dict = field(default_factory=dict)  # lines, by part
    rows: list = field(default_factory=list)
    kernels: dict = field(default_factory=dict)  # by name; each holds metrics by their names
    profiler_says: str = ""  # what went wrong in the profiler
    samples: list = field(default_factory=list)


def read_text(day, name):
    try:
        return (day.folder / name).read_bytes().decode("utf-8", "replace")
    except OSError:
        day.problems.append("%s is not there" % name)
        return ""


def whole_lines(text):
    """Those that have been written to their end, and how many are not."""
    whole, _, rest = text.rpartition("\n")
    return whole.splitlines(), 1 if rest else 0


def number(text):
    """None where it is no whole number."""
    return int(text) if re.fullmatch(r"-?\d{1,18}", text) else None


def read_parts(day):
    lines, damaged = whole_lines(read_text(day, "parts.tsv"))
    for line in lines:
        word, *fields = line.split("\t")
        if not read_part_line(day, word, fields):
            damaged += 1
    if damaged:
        day.problems.append("parts.tsv: %d lines cannot be read" % damaged)
    for part in day.parts.values():
        if part.state == "not reached" and part.begin:
            part.state = "cut off"
    if not day.is_done:
        day.problems.append("the day was cut off")


def read_part_line(day, word, fields):
    wanted = {"day": 5, "plan": 3, "begin": 3, "end": 4, "skipped": 3, "absent": 3, "done": 2}
    if len(fields) != wanted.get(word, -1):
        return False
    if word == "day":
        start, seconds = number(fields[1]), number(fields[2])
        if fields[0] != VERSION or start is None or seconds is None:
            return False
        day.start, day.seconds, day.is_rehearsal, day.revision = start, seconds, fields[3] == "rehearsal", fields[4]
        return True
    if word == "done":
        day.is_done = number(fields[1]) is not None
        return day.is_done
    at = number(fields[1])
    if at is None or not fields[0]:
        return False
    part = day.parts.setdefault(fields[0], Part(fields[0]))
    if word == "plan":
        part.limit, part.command = at, fields[2]
    elif word == "begin":
        limit = number(fields[2])
        if limit is None:
            return False
        part.begin, part.limit = at, part.limit or limit // 1000
    elif word == "end" and fields[2] in STATES:
        part.end, part.state, part.code = at, fields[2], fields[3]
    elif word in ("skipped", "absent"):
        part.state, part.why = word, fields[2]
    else:
        return False
    return True


def objects(text):
    """The JSON objects in a text, outer ones first tried; whatever stands between them, and what is cut off, is passed over."""
    decoder, found, at = json.JSONDecoder(), [], text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
            found.append(value)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return found


def by_part(text):
    """The lines behind each `== PART`; a part may have several stretches."""
    parts, lines = {}, []
    for line in text.splitlines():
        if line.startswith("== "):
            lines = parts.setdefault(line[3:].strip(), [])
        else:
            lines.append(line)
    return parts


def read_machine(day):
    for found in objects(read_text(day, "machine.txt")):
        if isinstance(found.get("cuda"), dict):
            day.devices = found
        elif "sm_mhz" in found:
            day.driver = found
    if not day.devices:
        day.problems.append("machine.txt does not say which GPU this is")


RUN = re.compile(r"\[ RUN      \] (\S+)$")
ENDED = re.compile(r"\[ +(OK|FAILED|SKIPPED) +\] ([^\s,]+).*\((\d+) ms\)$")
ENDS = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}


def read_tests(day):
    """Of GoogleTest's output. A test that has begun and not ended is what a crash or a limit struck."""
    for part, lines in day.output.items():
        if not part.startswith("tests/"):
            continue
        program = program_of(day, part)
        running = None
        for line in lines:
            if match := RUN.search(line):
                running = Test(part, program, match[1], "cut off")
                day.tests.append(running)
            elif (match := ENDED.search(line)) and running and match[2] == running.name:
                running.state, running.seconds = ENDS[match[1]], int(match[3]) / 1000
                running = None
            elif running and len(running.text) < 400:
                running.text.append(line)


def program_of(day, part):
    command = day.parts[part].command if part in day.parts else ""
    return command.partition(" ")[0] or "PROGRAM"


# The fields that Google Benchmark writes of a row besides its counters.
NO_COUNTER = {"name", "family_index", "per_family_instance_index", "run_name", "run_type", "repetitions", "repetition_index", "threads",
              "iterations", "real_time", "cpu_time", "time_unit", "label", "error_occurred", "error_message", "aggregate_name", "aggregate_unit"}


def read_benchmarks(day):
    for part, lines in by_part(read_text(day, "benchmarks.txt")).items():
        rows = {}
        for found in objects("\n".join(lines)):
            for one in found.get("benchmarks", [found]) if isinstance(found.get("benchmarks", []), list) else []:
                if isinstance(one, dict) and isinstance(one.get("run_name"), str):
                    add_round(rows.setdefault(one["run_name"], Row(part, one["run_name"])), one)
        day.rows += rows.values()


def is_figure(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


def add_round(row, one):
    if one.get("error_occurred"):
        row.error = str(one.get("error_message", "no reason is given"))
    elif one.get("run_type") == "iteration" and is_figure(one.get("real_time")) and one["real_time"] > 0:
        row.times.append(one["real_time"])
        row.unit = str(one.get("time_unit", "ns"))
        for name, value in one.items():
            if name not in NO_COUNTER and is_figure(value):
                row.counters.setdefault(name, []).append(value)


def fields_of_csv(line):
    """The cells of a line; None where a quote is not closed."""
    cells = re.findall(r'(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)', line)
    return [quoted.replace('""', '"') or plain for quoted, plain in cells] if line.count('"') % 2 == 0 else None


def read_profile(day):
    for part, lines in by_part(read_text(day, "profile.csv")).items():
        name = part.removeprefix("profile/kernel/")
        column = {}
        for line in lines:
            if line.startswith("==ERROR==") and not day.profiler_says:
                day.profiler_says = line.removeprefix("==ERROR==").strip()
            cells = fields_of_csv(line) if line.startswith('"') else None
            if cells and cells[0] == "ID":
                column = {title: k for k, title in enumerate(cells)}
            elif cells and len(cells) == len(column) and "Metric Value" in column and name != part:
                value = re.sub(",", "", cells[column["Metric Value"]])
                day.kernels.setdefault(name, {})[cells[column["Metric Name"]]] = (value, cells[column["Metric Unit"]])


def read_power(day):
    lines, damaged = whole_lines(read_text(day, "power.csv"))
    for line in lines:
        if line.startswith("ms,"):
            continue
        cells = [number(cell) for cell in line.split(",")]
        if len(cells) not in (6, 7) or None in cells:
            damaged += 1
        else:
            day.samples.append(Sample(*cells))
    if damaged:
        day.problems.append("power.csv: %d lines cannot be read" % damaged)


def read_day(folder):
    day = Day(Path(folder))
    read_parts(day)
    read_machine(day)
    day.output = by_part(read_text(day, "output.txt"))
    read_tests(day)
    read_benchmarks(day)
    read_profile(day)
    read_power(day)
    return day
