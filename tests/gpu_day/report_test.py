#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/gpu_report.py on recorded/, a day on which something of each kind failed, whole and damaged. KOMUZ_UPDATE=1 writes what it gives
to report.md."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import gpu_day  # noqa: E402
import gpu_pages  # noqa: E402
import gpu_report  # noqa: E402

RECORDED, GOLDEN = HERE / "recorded", HERE / "report.md"


def report_of(folder):
    return gpu_report.report(gpu_day.read_day(folder))


def rows_of(text):
    """Lines of the tables of benchmarks by the row's name."""
    return {match[1]: match[0] for match in re.finditer(r"^\| ((?:ceiling|front_end|run_)\S+) \|.*$", text, re.MULTILINE)}


class EveryRow(dict):
    """Stands for the rows of a day that has all that is asked for; `names` are those that were."""

    class Counters(dict):
        def get(self, name, otherwise=None):
            return [2.0]

    def __init__(self):
        super().__init__()
        self.names = set()

    def __contains__(self, name):
        self.names.add(name)
        return True

    def get(self, name, otherwise=None):
        self.names.add(name)
        return gpu_day.Row("benchmarks/all", name, times=[3.0], unit="ms", counters=self.Counters())

    __getitem__ = get


def figures_of_everything():
    """Of a day on which all was measured."""
    day = gpu_day.Day(Path())
    for k, name in enumerate(("ceilings/all", "benchmarks/front_end", "benchmarks/model")):
        day.parts[name] = gpu_day.Part(name, begin=1000 * k, end=1000 * k + 900, state="passed")
        day.samples.append(gpu_day.Sample(1000 * k + 100, 300_000, 1, 1, 1, 1, 500 + k))
    figures = gpu_pages.Figures(gpu_report, day)
    figures.rows = EveryRow()
    return figures


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = Path(self.scratch.name) / "results"
        shutil.copytree(RECORDED, self.folder)
        self.files = {name: (RECORDED / name).read_bytes() for name in gpu_day.FILES}

    def report(self):
        return report_of(self.folder)

    def test_the_recorded_day(self):
        text, is_all_well = self.report()
        self.assertFalse(is_all_well)
        if os.environ.get("KOMUZ_UPDATE"):
            GOLDEN.write_text(text)
        self.assertEqual(text, GOLDEN.read_text())

    def test_a_day_without_failures(self):
        for name, text in (("parts.tsv", re.sub(r"failed\t\d+|late\t143", "passed\t0", self.files["parts.tsv"].decode())),
                           ("output.txt", re.sub(r"(?m)^.*(FAILED|Slices$).*$", "", self.files["output.txt"].decode())),
                           ("benchmarks.txt", self.files["benchmarks.txt"].decode().replace('"error_occurred": true', '"error_occurred": false'))):
            (self.folder / name).write_text(text.replace("skipped\tbenchmarks/search\t", "absent\tbenchmarks/search\t"))
        # What was not said to have ended did not.
        self.assertIn("CudaFrontEnd.DamagedPrograms: did not end", self.report()[0])
        (self.folder / "output.txt").write_text(self.files["output.txt"].decode().split("\n== tests/front_end")[0] +
                                                "\n== tests/front_end\n[ RUN      ] A.B\n[       OK ] A.B (1 ms)\n"
                                                "\n== tests/expand\n[ RUN      ] A.C\n[       OK ] A.C (1 ms)\n")
        text, is_all_well = self.report()
        self.assertTrue(is_all_well, text)
        self.assertIn("## What failed\n\nNothing.\n", text)

    def test_no_test_has_run(self):
        (self.folder / "output.txt").write_text("== tests/devices\n[==========] 0 tests from 0 test suites ran. (0 ms total)\n")
        self.assertIn("- tests/devices: no test has run\n", self.report()[0])

    def test_estimates_of_native_code(self):
        def row(name, **counters):
            return {"name": name, "run_name": name, "run_type": "iteration", "real_time": counters.pop("ms", 1.0), "time_unit": "ms", **counters}

        rows = [row("kernel/Loops/collatz/iterations:5/manual_time", gain=20.0, stated=50.0), row("kernel/Loops/newton/iterations:5/manual_time", gain=45.0, stated=50.0),
                row("kernel/Straight/poly/iterations:5/manual_time", gain=48.0, stated=50.0), row("load/poly/iterations:3/real_time", ms=11.0, stated=20.0),
                row("launch/iterations:200/real_time", ms=0.012, stated=30.0), row("bytes/iterations:5/real_time", ns=0.21, stated=0.2)]
        (self.folder / "benchmarks.txt").write_text("== benchmarks/kernels\n" + json.dumps({"benchmarks": rows}) + "\n")
        text, _ = self.report()
        for line in ("| gain of Loops | 50 | 30.0 | correct it | collatz 20, newton 45 |", "| gain of Straight | 50 | 48.0 | as stated | poly 48 |",
                     "| a launch | 30 µs | 12 µs | correct it |  |", "| a byte | 0.2 ns | 0.21 ns | as stated |  |",
                     "| a module: LLVM and the driver stated, the driver measured | 20 ms | 11 ms | correct it |  |"):
            self.assertIn(line + "\n", text)
        # Rows without a figure are none.
        (self.folder / "benchmarks.txt").write_text("== benchmarks/kernels\n" + json.dumps({"benchmarks": [row("launch", ms=0.01), row("bytes", stated=1.0)]}) + "\n")
        self.assertNotIn("Kernels that are native code", self.report()[0])

    def test_figures_that_are_none(self):
        for text in ("0.0", "-1.0", "9e999", "null", '"soon"', "[]"):
            content = re.sub(r'"(real_time|nodes|bytes_per_second|bytes)": [^,\n]+', r'"\1": ' + text, self.files["benchmarks.txt"].decode())
            (self.folder / "benchmarks.txt").write_text(content)
            self.assertIn("not measured: it did not end", self.report()[0])

    def test_no_row_was_measured(self):
        (self.folder / "benchmarks.txt").write_text("== ceilings/all\nFailed to match any benchmarks against regex: x\n")
        text, _ = self.report()
        self.assertIn("- ceilings/all: no row was measured\n", text)
        self.assertIn("- benchmarks/front_end: no row was measured\n", text)

    def test_a_test_that_finds_no_gpu_is_a_failure(self):
        (self.folder / "output.txt").write_text("== tests/devices\n[ RUN      ] A.B\nx.cpp:1: Skipped\nno GPU: out of memory\n[  SKIPPED ] A.B (0 ms)\n")
        text, _ = self.report()
        self.assertIn("- tests/devices, A.B: left out\n\n      x.cpp:1: Skipped\n      no GPU: out of memory\n\n"
                      "      repeat it: gpu-day/day --run vm_test --gtest_filter=A.B\n", text)

    def test_files_that_are_not_there(self):
        for name in gpu_day.FILES:
            with self.subTest(name):
                (self.folder / name).unlink()
                text, is_all_well = self.report()
                self.assertFalse(is_all_well)
                self.assertIn("%s is not there" % name, text)
                (self.folder / name).write_bytes(self.files[name])

    def test_files_that_are_cut_off_anywhere(self):
        whole = rows_of(self.report()[0])
        self.assertGreater(len(whole), 6)
        for name, content in self.files.items():
            for length in range(0, len(content), max(1, len(content) // 25)):
                (self.folder / name).write_bytes(content[:length])
                text, is_all_well = self.report()
                self.assertFalse(is_all_well, (name, length))
                self.assertTrue(text.startswith("# The GPU day\n"))
                # A row is as it was, or of fewer rounds; none is made up.
                self.assertLessEqual(set(rows_of(text)), set(whole))
                if name == "parts.tsv" and length > 500:
                    self.assertIn("the day was cut off", text)
            (self.folder / name).write_bytes(content)

    def test_a_part_that_had_not_ended(self):
        lines = self.files["parts.tsv"].decode().splitlines(keepends=True)
        at = next(k for k, line in enumerate(lines) if line.startswith("end\tbenchmarks/front_end"))
        (self.folder / "parts.tsv").write_text("".join(lines[:at]))
        text, _ = self.report()
        self.assertIn("- benchmarks/front_end: the day was cut off in it\n\n      repeat it: gpu-day/day --only benchmarks/front_end RESULTS\n", text)
        self.assertIn("- benchmarks/loops: the day was cut off before\n", text)
        self.assertIn("| benchmarks/front_end | cut off |  | 30 s |  |\n", text)

    def test_damaged_files(self):
        chance = random.Random(1)
        for _ in range(150):
            name = chance.choice(gpu_day.FILES)
            content = bytearray(self.files[name])
            for _ in range(chance.choice((1, 3, 30))):
                at = chance.randrange(len(content))
                content[at:at + chance.choice((0, 1, 50))] = bytes(chance.choice((b"", b"\t", b'"', b"{", b"\xff", b"-", b"\n== x\n", b"9e999", b"[[[[")))
            (self.folder / name).write_bytes(content)
            self.assertTrue(self.report()[0].startswith("# The GPU day\n"))
            (self.folder / name).write_bytes(self.files[name])

    def pages(self, folder):
        """docs/ as a day writes it, beside what it was."""
        docs = Path(self.scratch.name) / "docs"
        docs.mkdir(exist_ok=True)
        before = {}
        for name in ("paper.md", "measurements.md"):
            before[name] = (ROOT / "docs" / name).read_text()
            (docs / name).write_text(before[name])
        gpu_pages.write_pages(gpu_report, gpu_day.read_day(folder), docs)
        return before, {name: (docs / name).read_text() for name in before}

    def test_pages_get_what_was_measured(self):
        before, after = self.pages(RECORDED)
        changed = [(a, b) for a, b in zip(before["paper.md"].split("\n"), after["paper.md"].split("\n")) if a != b]
        self.assertEqual(before["paper.md"].count("\n"), after["paper.md"].count("\n"))
        said = {gpu_pages.cells_of(b)[0][:10]: [cell for cell, old in zip(gpu_pages.cells_of(b), gpu_pages.cells_of(a)) if cell != old] for a, b in changed}
        self.assertEqual(said["Lexing is "], ["158 GB/s of source"])
        self.assertEqual(said["Algorithm "], ["8.10 GB/s of source to checked code"])
        self.assertEqual(said["PCIe 4.0 h"], ["2.98 TB/s within its memory"])
        self.assertEqual(said["Error mess"], ["a wrong batch takes 1.06 times as long as a sound one"])
        # One cell of each, and none of a row that the day has not.
        self.assertTrue(all(len(cells) == 1 for cells in said.values()), said)
        self.assertNotIn("(9) Genera", said)
        tables = after["measurements.md"].split(gpu_pages.BEGIN)[1].split(gpu_pages.END)[0]
        self.assertIn("| front_end/lexing | 1.70 ms |", tables)
        self.assertIn("Beside each other", tables)
        self.assertNotIn("not measured", tables)
        self.assertEqual(after["measurements.md"].split(gpu_pages.END)[1], before["measurements.md"].split(gpu_pages.END)[1])
        # The same day again changes nothing.
        self.assertEqual(gpu_pages.written_paper(after["paper.md"], gpu_pages.Figures(gpu_report, gpu_day.read_day(RECORDED))), after["paper.md"])

    def test_damaged_days_make_no_figure_up(self):
        whole = self.pages(RECORDED)[1]["paper.md"].split("\n")
        before = (ROOT / "docs/paper.md").read_text().split("\n")
        content = self.files["benchmarks.txt"]
        for length in range(0, len(content), max(1, len(content) // 12)):
            (self.folder / "benchmarks.txt").write_bytes(content[:length])
            written = self.pages(self.folder)[1]["paper.md"].split("\n")
            for old, new, all_of_it in zip(before, written, whole):
                if new != old:
                    self.assertEqual(gpu_pages.cells_of(new)[:4], gpu_pages.cells_of(all_of_it)[:4])
                    self.assertNotEqual(all_of_it, old)

    def test_every_cell_that_waits_for_a_gpu_gets_a_figure(self):
        page = (ROOT / "docs/paper.md").read_text()
        self.assertGreater(page.count("| no GPU yet"), 20)
        written = gpu_pages.written_paper(page, figures_of_everything())
        head, waiting = [], []
        for line in written.split("\n"):
            cells = gpu_pages.cells_of(line) if line.startswith("|") else []
            if not cells or not head:
                head = cells
            elif gpu_pages.COLUMN in head and "no GPU yet" in cells[head.index(gpu_pages.COLUMN)]:
                waiting.append(cells[0])
        self.assertEqual(waiting, [])

    def test_targets(self):
        text, _ = self.report()
        targets = text.split("## Targets\n\n")[1].split("\n\n")[0]
        for line in ("| front end, 64 MB of source in the GPU's memory | front_end/to_checked_code | 10 GB/s | 20 GB/s | 8.10 GB/s | 81 % | 40 % | 0.3 % |",
                     "| memory of the GPU for a batch, bytes a byte of source | front_end/to_checked_code | 12 | 6 | 7.50 | 160 % | 80 % |  |",
                     "| 10,000,000 variants of a sketch on 256 cases | find_best/gpu_ten_million | 200 ms | 50 ms | 260 ms | 77 % | 19 % | 0.12 % |",
                     "| 1,000 candidates of the model, verified | verified/gpu/candidates:1000 | 20 ms | 5 ms | not measured |  |  |  |"):
            self.assertIn(line, targets)
        self.assertEqual(len(targets.split("\n")), 2 + len(gpu_report.TARGETS))
        # The longest of what cannot be avoided is the least time: 1.64 MB there and 2.1 MB back.
        self.assertRegex(text, r"\| front_end_with_transfers/short_programs \| 0.31 ms \|.*\| 13 % \| \*\*missed: 64.5 % of the must\*\* \|")
        # A ceiling that nobody has measured says nothing.
        self.assertRegex(text, r"\| find_best/gpu \| 55 ms \|[^|]*\|[^|]*\|  \|  \|")
        # Nor is anything said of figures that are none.
        for text_of_none in ("0", "-3.0", "null"):
            (self.folder / "benchmarks.txt").write_text(re.sub(r'"(device_bytes_a_byte|need_\w+)": [^,\n}]+', r'"\1": ' + text_of_none,
                                                               self.files["benchmarks.txt"].decode()))
            text = self.report()[0]
            self.assertIn("| 12 | 6 | not measured |", text)
            self.assertNotRegex(text, r"\| -\d")

    def test_the_memory_of_parts_is_told_where_the_driver_tells_it(self):
        self.assertRegex(self.report()[0], r"\| benchmarks/front_end \| 8.8 s \|.* MiB \|")
        (self.folder / "power.csv").write_text(re.sub(r"(?m)^((?:\d+,){5}\d+),.*$", r"\1", self.files["power.csv"].decode()))
        text, _ = self.report()
        self.assertIn("## Power", text)
        self.assertNotIn("MiB |", text)

    def test_claims_that_are_not_there(self):
        figures = gpu_pages.Figures(gpu_report, gpu_day.read_day(RECORDED))
        with self.assertRaisesRegex(ValueError, "no claim that begins with: Lexing"):
            gpu_pages.written_paper((ROOT / "docs/paper.md").read_text().replace("| Lexing is", "| Scanning is"), figures)
        with self.assertRaisesRegex(ValueError, "no place for a GPU day"):
            gpu_pages.written_measurements("", "")

    def test_the_command(self):
        def run(*words):
            return subprocess.run([ROOT / "bench/gpu_report.py", *words], capture_output=True, text=True)

        self.assertEqual(run(RECORDED).returncode, 1)
        self.assertEqual(run(RECORDED).stdout, GOLDEN.read_text())
        self.assertEqual(run().returncode, 2)
        nothing = run(self.folder / "nowhere")
        self.assertEqual(nothing.returncode, 1)
        self.assertIn("nowhere has no results of a GPU day", nothing.stderr)
        self.assertIn("Usage: bench/gpu_report.py FOLDER", run("--help").stdout)
        # Nothing was measured: the pages stay as they are.
        (self.folder / "benchmarks.txt").unlink()
        nothing = run(self.folder, "--write")
        self.assertEqual(nothing.returncode, 1)
        self.assertIn("nothing is written, as no row was measured", nothing.stderr)


if __name__ == "__main__":
    unittest.main()
