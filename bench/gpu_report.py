#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a GPU day found: what failed, with the command that repeats it alone, and tables for docs/measurements.md.

Usage: bench/gpu_report.py FOLDER [--write]

FOLDER holds the results of gpu-day/day (scripts/gpu-day), as far as they go. --write also writes what was measured to
docs/measurements.md and to the column of docs/paper.md (bench/gpu_pages.py). Exit code 0: all has passed; 1: something has not, or is
not there; 2: wrong words.
"""

import datetime
import re
import shlex
import signal
import statistics
import sys
from pathlib import Path

import gpu_day
import gpu_pages

DAY = "gpu-day/day"
MOST_LINES = 12  # of the output of one failure
SHORTEST_MEASURED = 1  # seconds that a part has to take for its power to mean something
# The ceiling of each row: a node takes at least one instruction, and a byte of source is read at least once.
CEILINGS = [(r"^run_(expressions|threads)/f32", "fma_f32"), (r"^run_(expressions|threads)/f64", "fma_f64"),
            (r"^run_expressions/i64", "mul_i32"), (r"^front_end/", "copy_there")]
# What a row says that no implementation can avoid, in one round, by the ceiling that bounds it: the least time is the longest of these.
NEED = "need_"
# Targets: what, row, counter (or "time" in ms), what has to be reached, goal. A larger counter is better, but for those of SMALLER.
TARGETS = [("front end, 64 MB of source in the GPU's memory", "front_end/to_checked_code", "bytes_per_second", 10e9, 20e9),
           ("front end, 4,096 programs of 400 bytes, transfers included", "front_end_with_transfers/short_programs", "time", 0.2, 0.1),
           ("lexing, 256 MB", "front_end/lexing", "bytes_per_second", 150e9, 300e9),
           ("memory of the GPU for a batch, bytes a byte of source", "front_end/to_checked_code", "device_bytes_a_byte", 12, 6),
           ("virtual machine, f32, 10,000 programs on 4,096 cases", "run_expressions/f32/programs:10000/cases:4096", "nodes", 2e12, 5e12),
           ("10,000 candidates on 256 cases, from text to ranking", "text_to_ranking/gpu:2", "time", 5, 1),
           ("10,000,000 variants of a sketch on 256 cases", "find_best/gpu_ten_million", "time", 200, 50),
           ("1,000 candidates of the model, verified", "verified/gpu/candidates:1000", "time", 20, 5)]
SMALLER = ("time", "device_bytes_a_byte")
# The time of the first row over that of the second one.
RATIOS = [("a batch of which every program fails, over a sound one", "front_end/all_failing", "front_end/to_checked_code"),
          ("text to ranking: the CPU over the GPU", "text_to_ranking/gpu:0", "text_to_ranking/gpu:2"),
          ("the ten best of two million variants: the CPU over the GPU", "find_best/cpu", "find_best/gpu"),
          ("the same: where the host ranks, over the GPU", "find_best/gpu_and_host", "find_best/gpu"),
          ("generations of a search: the CPU over the GPU", "search_generations/cpu", "search_generations/gpu"),
          ("a thousand candidates of the model: the CPU over the GPU", "generate/cpu/candidates:1000", "generate/gpu/candidates:1000"),
          ("f32 expressions: a thread a program, over a warp a program", "run_threads/f32/programs:10000/cases:256",
           "run_expressions/f32/programs:10000/cases:256"),
          ("the same in f64", "run_threads/f64/programs:10000/cases:256", "run_expressions/f64/programs:10000/cases:256")]
UNITS_IN_MS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
# The unit in which a counter is printed.
RATES = {"bytes_per_second": ("GB/s", 1e9), "items_per_second": ("M programs/s", 1e6), "nodes": ("G nodes/s", 1e9), "cases": ("M cases/s", 1e6),
         "variants/s": ("M variants/s", 1e6), "bytes": ("GB/s", 1e9), "operations": ("G operations/s", 1e9)}
# The same for the profiler's metrics.
METRICS = [("Duration", "µs", 1e-3), ("Compute (SM) Throughput", "% of compute", 1), ("Memory Throughput", "% of memory", 1),
           ("Achieved Occupancy", "% occupancy", 1), ("Registers Per Thread", "registers", 1)]


def seconds_text(seconds):
    return "" if seconds is None else "%.1f s" % seconds


def figure(value):
    """Three digits, as people read them."""
    size = abs(value)
    if size >= 100 or value == int(value):
        return "{:,.0f}".format(value)
    return "%.1f" % value if size >= 10 else "%.2f" % value if size >= 1 else "%.3g" % value


def table(head, rows):
    lines = ["| %s |" % " | ".join(head), "| %s |" % " | ".join(["---"] * len(head))]
    return "\n".join(lines + ["| %s |" % " | ".join(cell(text) for text in row) for row in rows])


def cell(text):
    return str(text).replace("|", "\\|").replace("\n", " ")


# --- the machine

def machine_text(day):
    cuda = day.devices.get("cuda", {})
    devices = [d for d in cuda.get("devices", []) if isinstance(d, dict) and d.get("usable")]
    driver = day.driver
    words = []
    if day.is_rehearsal:
        words.append("A rehearsal without a GPU: its figures mean nothing")
    if devices:
        d = devices[0]
        words.append("%s (%.0f GiB, %s multiprocessors)" % (d.get("name"), d.get("memory_bytes", 0) / 2**30, d.get("multiprocessors")))
    if driver.get("driver"):
        words.append("driver " + driver["driver"] + (", which serves CUDA " + cuda["driver"] if cuda.get("driver") else ""))
    for title, now, most in (("multiprocessors", "sm_mhz", "sm_mhz_most"), ("memory", "memory_mhz", "memory_mhz_most")):
        if driver.get(most, -1) > 0:
            words.append("%s at most at %d MHz%s" % (title, driver[most], clocks_text(day, now)))
    if driver.get("milliwatts_limit", -1) > 0:
        words.append("at most %d W" % (driver["milliwatts_limit"] // 1000))
    if driver.get("bus_lanes", -1) > 0:
        words.append("PCIe %d × %d" % (driver["bus_generation"], driver["bus_lanes"]))
    cpu = day.devices.get("cpu", {})
    if cpu:
        words.append("%s, %s threads, %s" % (cpu.get("model"), cpu.get("threads"), cpu.get("in_use")))
    if day.start:
        words.append(datetime.datetime.fromtimestamp(day.start / 1000, datetime.timezone.utc).strftime("%Y-%m-%d"))
    if day.revision:
        words.append("version " + day.revision)
    return "; ".join(words) + "."


def clocks_text(day, name):
    """As they were under load."""
    seen = [getattr(s, name) for s in day.samples if getattr(s, name) > 0]
    return ", %d to %d seen" % (min(seen), max(seen)) if seen else ""


# --- what failed

def failures(day):
    """A title, lines of what was said, the command that repeats it alone."""
    found = []
    for part in day.parts.values():
        tests = [t for t in day.tests if t.part == part.name and t.state in ("failed", "cut off")]
        if tests:
            found += [test_failure(part, t) for t in tests]
        elif part.state not in ("passed", "absent") and not part.name.startswith("profile/"):
            found.append((title_of(part), said(day.output.get(part.name, [])), command_of(day, part)))
    found += other_failures(day)
    return found


def title_of(part):
    why = gpu_day.STATES[part.state]
    if part.state == "failed":
        why = ended_by(part.code)
    elif part.state == "late" and part.seconds() is not None:
        why += " after " + seconds_text(part.seconds())
    return "%s: %s" % (part.name, why)


def ended_by(code):
    number = gpu_day.number(code)
    if number is not None and 128 < number < 160:
        try:
            return "ended by %s" % signal.Signals(number - 128).name
        except ValueError:
            pass
    return "exit code %s" % code


def test_failure(part, test):
    title = "%s, %s: failed" % (part.name, test.name)
    if test.state == "cut off":
        title = "%s, %s: did not end, and those behind it have not run; %s" % (part.name, test.name, title_of(part).split(": ", 1)[1])
    return (title, said(test.text), test_command(test))


def test_command(test):
    return run_command([test.program, "--gtest_filter=" + test.name])


def run_command(words):
    """Of a program with its words; filters have characters that a shell would read."""
    return "%s --run %s" % (DAY, " ".join(shlex.quote(word) for word in words))


def command_of(day, part):
    if part.name == "devices":
        return DAY + " --run komuz devices"
    # A fuzzer prints the step and the seed that failed; to repeat these alone is faster.
    for line in day.output.get(part.name, []):
        if match := re.match(r"(\w+), seed (\d+): ", line):
            device = ["--device", "cuda"] if "fuzz_devices" in part.command else []
            return run_command([gpu_day.program_of(day, part.name), *device, "--only", match[1], "--seeds", "1", "--seed", match[2]])
    if part.state in ("skipped", "not reached", "late", "cut off") or not part.command:
        return "%s --only %s RESULTS" % (DAY, part.name)
    return run_command(part.command.split())


def other_failures(day):
    found = []
    for name, part in day.parts.items():
        if part.state != "passed":
            continue
        if name.startswith("tests/") and not any(t.part == name for t in day.tests):
            found.append(("%s: no test has run" % name, said(day.output.get(name, [])), command_of(day, part)))
        if name.startswith(("ceilings/", "benchmarks/")) and not any(r.part == name for r in day.rows):
            found.append(("%s: no row was measured" % name, [], command_of(day, part)))
    for test in day.tests:
        reason = " ".join(test.text)
        if test.state == "skipped" and not day.is_rehearsal and "no GPU" in reason:
            found.append(("%s, %s: left out" % (test.part, test.name), said(test.text), test_command(test)))
    for (part, error), rows in errors_of_rows(day).items():
        which = rows[0] if len(rows) == 1 else "%d rows, such as %s" % (len(rows), rows[0])
        filters = "|".join("^%s$" % re.escape(row) for row in rows[:4])
        words = [gpu_day.program_of(day, part), "--benchmark_filter=" + filters]
        found.append(("%s, %s: %s" % (part, short(which), error), [], run_command(words)))
    return found


def errors_of_rows(day):
    """Names of rows by their part and what went wrong. That there is no GPU is nothing new to a rehearsal."""
    found = {}
    for row in day.rows:
        if row.error and not (day.is_rehearsal and row.error.startswith("no GPU")):
            found.setdefault((row.part, row.error), []).append(row.name)
    return found


def short(name):
    """Without what Google Benchmark says of how a row is measured."""
    return re.sub(r"/(real_time|manual_time|iterations:\d+)", "", name)


def said(lines):
    lines = [line for line in lines if line.strip()]
    rest = len(lines) - MOST_LINES
    return [line[:400] for line in lines[:MOST_LINES]] + (["… and %d lines more in output.txt" % rest] if rest > 0 else [])


def failures_text(found):
    text = []
    for title, lines, command in found:
        text.append("- %s\n" % title + "".join("\n      %s" % line for line in lines) + ("\n" if lines else "") + "\n      repeat it: %s\n" % command)
    return "\n".join(text)


# --- tables

def parts_table(day):
    rows = []
    for part in sorted(day.parts.values(), key=lambda p: (p.begin == 0, p.begin)):
        tests = [t for t in day.tests if t.part == part.name]
        passed, left_out = (sum(t.state == state for t in tests) for state in ("passed", "skipped"))
        what = "%d of %d tests" % (passed, len(tests)) if tests else ""
        what += ", %d left out" % left_out if left_out else ""
        slowest = max(tests, key=lambda t: t.seconds, default=None)
        if slowest and slowest.seconds >= 0.5:
            what += ", the longest %s %s" % (slowest.name, seconds_text(slowest.seconds))
        if part.state in ("skipped", "absent"):
            what = part.why
        rows.append([part.name, part.state, seconds_text(part.seconds()), "%d s" % part.limit, what])
    return table(["part", "", "took", "may take", ""], rows)


def rate(row, name):
    values = row.counters.get(name)
    return statistics.median(values) if values else None


def ceilings(day):
    found = {}
    for row in day.rows:
        name = row.name.split("/")[1] if row.name.startswith("ceiling/") else None
        for counter in ("bytes", "operations"):
            if name and rate(row, counter):
                found[name] = rate(row, counter)
    return found


def benchmark_table(day, rows, most):
    lines = []
    for row in rows:
        if not row.times:
            lines.append([short(row.name), "not measured: " + (row.error or "it did not end"), "", "", "", "", ""])
            continue
        times = [t * UNITS_IN_MS.get(row.unit, 1) for t in row.times]
        middle = statistics.median(times)
        spread = "± %.0f %%" % (50 * (max(times) - min(times)) / middle) if len(times) > 1 and middle > 0 else ""
        rates = ", ".join("%s %s" % (figure(rate(row, n) / by), unit) for n, (unit, by) in RATES.items() if rate(row, n))
        rest = ", ".join("%s %s" % (n, figure(rate(row, n))) for n in row.counters if n not in RATES and not n.startswith(NEED))
        lines.append([short(row.name), "%s ms" % figure(middle), spread, rates, share_of_ceiling(row, most), verdict(row), rest])
    return table(["row", "median", "", "rate", "of the ceiling", "target", ""], lines)


def least_milliseconds(row, most):
    """By what the row says that it cannot avoid; None, where that is nothing or the ceiling was not measured."""
    times = []
    for name in row.counters:
        if name.startswith(NEED):
            ceiling, need = most.get(name[len(NEED):]), rate(row, name)
            if not ceiling or need <= 0:
                return None
            times.append(1e3 * need / ceiling)
    return max(times, default=None)


def milliseconds_of(row):
    return statistics.median(row.times) * UNITS_IN_MS.get(row.unit, 1)


def share_of_ceiling(row, most):
    if any(name.startswith(NEED) for name in row.counters):
        least = least_milliseconds(row, most)
        return "%.2g %%" % (100 * least / milliseconds_of(row)) if least is not None else ""
    for pattern, name in CEILINGS:
        if re.search(pattern, row.name) and most.get(name):
            value = rate(row, "nodes") or rate(row, "bytes_per_second")
            return "%.1f %%" % (100 * value / most[name]) if value else ""
    return ""


def target_value(row, counter):
    """None: it was not measured."""
    return milliseconds_of(row) if counter == "time" else rate(row, counter)


def share_of_target(value, counter, target):
    """1: just reached; above: better."""
    if counter in SMALLER:
        return target / value if value > 0 else None
    return value / target


def verdict_on(value, counter, must, goal):
    of_must, of_goal = share_of_target(value, counter, must), share_of_target(value, counter, goal)
    if of_must is None:
        return ""
    return "goal reached" if of_goal >= 1 else "must reached" if of_must >= 1 else "**missed: %.1f %% of the must**" % (100 * of_must)


def verdict(row):
    said = []
    for _, name, counter, must, goal in TARGETS:
        value = target_value(row, counter) if short(row.name) == name else None
        if value is not None and (text := verdict_on(value, counter, must, goal)):
            said.append(text if counter in ("time", "bytes_per_second", "nodes") else "%s: %s" % (counter, text))
    return "; ".join(said)


def target_text(value, counter):
    if counter == "time":
        return "%s ms" % figure(value)
    unit, by = RATES.get(counter, ("", 1))
    return ("%s %s" % (figure(value / by), unit)).rstrip()


def targets_table(day, most):
    """Every row that a target is set for, whether it was measured or not."""
    rows = {short(row.name): row for row in day.rows if row.times}
    lines = []
    for what, name, counter, must, goal in TARGETS:
        row = rows.get(name)
        value = target_value(row, counter) if row else None
        ends = [target_text(must, counter), target_text(goal, counter)]
        if value is None or share_of_target(value, counter, must) is None:
            lines.append([what, name, *ends, "not measured", "", "", ""])
            continue
        shares = ["%.0f %%" % (100 * share_of_target(value, counter, target)) for target in (must, goal)]
        # Memory is bounded by no ceiling.
        of_ceiling = share_of_ceiling(row, most) if counter != "device_bytes_a_byte" else ""
        lines.append([what, name, *ends, target_text(value, counter), *shares, of_ceiling])
    return table(["what", "row", "must", "goal", "measured", "of the must", "of the goal", "of the ceiling"], lines)


def ratio_table(day):
    rows = {short(row.name): row for row in day.rows if row.times}
    lines = []
    for what, over, under in RATIOS:
        if over in rows and under in rows:
            lines.append([what, "%.2f" % (time_of_a_unit(rows[over]) / time_of_a_unit(rows[under]))])
    return table(["what", "times"], lines) if lines else ""


def time_of_a_unit(row):
    """Of a byte, where bytes are counted: batches of about as many differ a little."""
    bytes_a_second = rate(row, "bytes_per_second")
    return 1 / bytes_a_second if bytes_a_second else statistics.median(row.times) * UNITS_IN_MS.get(row.unit, 1)


def estimates_table(day):
    """The rows for GPUs of engine/native/code_classes.def beside what was measured. An estimate is to be corrected where it is off by
    more than a fifth; a class that gains may be turned on."""
    lines, gains = [], {}
    for row in day.rows:
        words = short(row.name).split("/")
        stated, gain = rate(row, "stated"), rate(row, "gain")
        if not row.times or stated is None:
            continue
        if words[0] == "kernel" and len(words) == 3 and gain:
            gains.setdefault(words[1], (stated, {}))[1][words[2]] = gain
        elif words == ["launch"]:
            lines.append(["a launch", stated, 1e3 * time_of_a_unit(row), "µs", ""])
        elif words == ["bytes"] and rate(row, "ns"):
            lines.append(["a byte", stated, rate(row, "ns"), "ns", ""])
    # What LLVM takes besides is measured where it is: bench/ptx_bench.
    loads = [(rate(row, "stated"), time_of_a_unit(row)) for row in day.rows if row.name.startswith("load/") and row.times and rate(row, "stated")]
    if loads:
        lines.append(["a module: LLVM and the driver stated, the driver measured", *(statistics.mean(of) for of in zip(*loads)), "ms", ""])
    for name, (stated, of) in gains.items():
        lines.append(["gain of %s" % name, stated, statistics.geometric_mean(of.values()), "", ", ".join("%s %s" % (n, figure(g)) for n, g in of.items())])
    verdicts = [[what, figure(stated) + (" " + unit if unit else ""), figure(found) + (" " + unit if unit else ""),
                 "as stated" if 0.8 <= found / stated <= 1.25 else "correct it", more] for what, stated, found, unit, more in lines if found > 0]
    return table(["engine/native/code_classes.def", "states", "measured", "", ""], verdicts) if verdicts else ""


def power_table(day):
    rows = []
    for part in day.parts.values():
        of_part = [s for s in day.samples if part.begin <= s.ms <= part.end]
        watts = [s.milliwatts / 1000 for s in of_part if s.milliwatts >= 0]
        if (part.seconds() or 0) < SHORTEST_MEASURED or not watts:
            continue
        clocks = [s.sm_mhz for s in of_part if s.sm_mhz > 0]
        energy = [s.millijoules / 1000 for s in of_part if s.millijoules >= 0]
        rows.append([part.name, seconds_text(part.seconds()), "%.0f W" % statistics.mean(watts), "%.0f W" % max(watts),
                     "%.0f J" % (energy[-1] - energy[0]) if len(energy) > 1 else "", "%.0f MHz" % statistics.mean(clocks) if clocks else "",
                     "%d °C" % max(s.degrees for s in of_part), memory_text(day, part)])
    return table(["part", "took", "mean", "most", "energy", "multiprocessors", "warmest", "memory"], rows) if rows else ""


def mib_of_part(day, part):
    """The most of the GPU's memory in use in a part, beside the least of the whole day; None: nobody has asked. The context of a
    program is part of it."""
    before = min((s.mib for s in day.samples if s.mib >= 0), default=None)
    of_part = [s.mib for s in day.samples if part.begin <= s.ms <= part.end and s.mib >= 0]
    return max(of_part) - before if of_part else None


def memory_text(day, part):
    mib = mib_of_part(day, part)
    return "" if mib is None else "%s MiB" % figure(mib)


def kernels_table(day):
    rows = []
    for name, metrics in day.kernels.items():
        rows.append([name] + [metric_text(metrics, title, by) for title, _, by in METRICS])
    if not rows and day.profiler_says:
        return "The profiler does not work there: %s" % day.profiler_says
    return table(["kernel"] + [said_in for _, said_in, _ in METRICS], rows) if rows else ""


def metric_text(metrics, title, by):
    value, _ = metrics.get(title, ("", ""))
    try:
        return figure(float(value) * by)
    except ValueError:
        return value


def report(day):
    found = failures(day)
    text = ["# The GPU day\n", machine_text(day) + "\n"]
    if day.problems:
        text.append("Not all is there: %s.\n" % "; ".join(day.problems))
    text.append("## What failed\n\n%s" % (failures_text(found) if found else "Nothing that ran.\n" if day.problems else "Nothing.\n"))
    if day.parts:
        text.append("## Parts\n\n%s\n" % parts_table(day))
    most = ceilings(day)
    if day.rows:
        text.append("## Targets\n\n%s\n" % targets_table(day, most))
    of_parts = {}
    for row in day.rows:
        of_parts.setdefault(row.part, []).append(row)
    for part, rows in of_parts.items():
        text.append("## %s\n\n%s\n" % (part, benchmark_table(day, rows, most)))
    for title, found_table in (("Beside each other", ratio_table(day)), ("Kernels that are native code", estimates_table(day)), ("Power", power_table(day)), ("Hottest kernels", kernels_table(day))):
        if found_table:
            text.append("## %s\n\n%s\n" % (title, found_table))
    return "\n".join(text), not found and not day.problems


def main():
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    words = [word for word in sys.argv[1:] if word != "--write"]
    if len(words) != 1:
        print("usage: bench/gpu_report.py FOLDER [--write]", file=sys.stderr)
        return 2
    day = gpu_day.read_day(words[0])
    if len(day.problems) >= len(gpu_day.FILES) - 1 and not day.parts and not day.rows and not day.tests:
        print("gpu_report: %s has no results of a GPU day" % words[0], file=sys.stderr)
        return 1
    text, is_all_well = report(day)
    print(text, end="")
    if "--write" in sys.argv[1:]:
        if day.is_rehearsal or not any(row.times for row in day.rows):
            print("gpu_report: nothing is written, as %s" % ("a rehearsal has no figures" if day.is_rehearsal else "no row was measured"), file=sys.stderr)
            return 1
        gpu_pages.write_pages(sys.modules[__name__], day, Path(__file__).resolve().parent.parent / "docs")
    return 0 if is_all_well else 1


if __name__ == "__main__":
    sys.exit(main())
