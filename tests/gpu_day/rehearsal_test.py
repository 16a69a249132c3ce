#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The whole GPU day without a GPU: its programs are packed, unpacked and run with what stands in for the driver and the profiler.

Usage: rehearsal_test.py BUILD STAND_INS
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from fake_day import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import gpu_day  # noqa: E402
import gpu_pages  # noqa: E402
import gpu_report  # noqa: E402
from report_test import figures_of_everything  # noqa: E402

BUILD, STAND_INS = (Path(word).resolve() for word in sys.argv[1:3])
HOTTEST = ["compile_by_warps", "run_in_shared_memory", "make_variants", "score_programs", "search_variants"]
# Tests of vm_test in which no GPU takes part, and what a GPU takes part in of others.
OF_PROCESSORS = "-InstructionSets.*:Pow*:*Function*:SoftFma*:OpEval*:LaneHash.*:Lowering.*"
OF_ENGINE = "Device*.*:Evaluate.TheReportDoesNotDependOn*:SketchWays.ADevice*"
OF_MODELS = "*Cuda*.*:ModelDevice.*"
OF_FRONT_END = "CudaFrontEnd*:-*.GoldenFiles"  # which are files of the tree


def run(*command, **how):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **how)


def tests_of(program, words):
    """Names of the tests that are run with these words."""
    names, suite = [], ""
    for line in run(BUILD / "bin" / program, "--gtest_list_tests", *words, check=True).stdout.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + name.strip())
        elif name.endswith("."):
            suite = name
    return names


class RehearsalTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="gpu-day-rehearsal.")
        cls.packed = Path(cls.scratch.name) / "gpu-day"
        run(ROOT / "scripts/gpu-day", "--pack", BUILD, cls.packed, check=True)
        lines = (BUILD / "gpu-day/parts").read_text().splitlines()
        cls.parts = {name: (program, words.split(), rehearsed.split()) for name, _, program, words, rehearsed in (line.split("\t") for line in lines)}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def day(self, *words, **environment):
        out = Path(self.scratch.name) / self.id().rpartition(".")[2]
        environment = {**os.environ, "PATH": "%s:%s" % (ROOT / "tests/gpu_day/stand_ins", os.environ["PATH"]), "LD_LIBRARY_PATH": str(STAND_INS),
                       **environment}
        return run(self.packed / "day", *words, out, env=environment), out

    def test_every_part_passes(self):
        result, out = self.day("--rehearse")
        day = gpu_day.read_day(out)
        text, is_all_well = gpu_report.report(day)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr + (out / "output.txt").read_text()[-4000:])
        self.assertTrue(is_all_well, text)
        self.assertEqual({part.state for part in day.parts.values()}, {"passed"}, text)
        self.assertLessEqual(set(self.parts), set(day.parts))
        self.assertLessEqual(len(list(out.iterdir())), 8)
        self.assertEqual(day.driver["gpu"], "stand-in GPU")
        self.assertEqual(list(day.kernels), HOTTEST)
        self.assertGreater(len(day.samples), 20)
        self.assertEqual({sample.mib for sample in day.samples}, {2048})
        # Each part of tests has run some, each of benchmarks has rows, and each step of the fuzzers has done something.
        for name, (program, _, _) in self.parts.items():
            section = name.partition("/")[0]
            if section == "tests":
                self.assertTrue([t for t in day.tests if t.part == name], name)
            elif section in ("ceilings", "benchmarks"):
                self.assertTrue([r for r in day.rows if r.part == name], name)
            elif program == "fuzz_devices":
                self.assertRegex("\n".join(day.output[name]), r"\d+ [a-z ]+\n2 seeds without a difference")
            elif program == "agree":
                self.assertIn("the same ", "\n".join(day.output[name]))

    def test_parts_name_what_there_is(self):
        known = {}
        for name, (program, words, rehearsed) in self.parts.items():
            for chosen in (words, rehearsed):
                if name.startswith("tests/"):
                    self.assertTrue(tests_of(program, chosen), (name, chosen))
                elif name.startswith(("ceilings/", "benchmarks/", "profile/")):
                    rows = run(BUILD / "bin" / program, "--benchmark_list_tests", *chosen, check=True).stdout.split()
                    self.assertTrue(rows, (name, chosen))
            if name.startswith("tests/"):
                known.setdefault(program, []).extend(tests_of(program, words))
        # What takes a GPU is run, and once.
        for program, wanted in (("vm_test", OF_PROCESSORS), ("engine_test", OF_ENGINE), ("frontend_test", OF_FRONT_END),
                                ("neural_test", OF_MODELS)):
            self.assertEqual(sorted(known[program]), sorted(tests_of(program, ["--gtest_filter=" + wanted])))

    # What the report and the pages look for.
    def test_rows_that_are_asked_for_are_measured(self):
        there = set()
        for name, (program, words, _) in self.parts.items():
            if name.startswith(("ceilings/", "benchmarks/")):
                there |= {gpu_report.short(row) for row in run(BUILD / "bin" / program, "--benchmark_list_tests", *words, check=True).stdout.split()}
        figures = figures_of_everything()
        gpu_pages.written_paper((ROOT / "docs/paper.md").read_text(), figures)
        asked = figures.rows.names | {row for _, row, *_ in gpu_report.TARGETS} | {row for _, *rows in gpu_report.RATIOS for row in rows}
        # What nvcc compiles is not in a build without it.
        if "ceiling/fma_f32" in there and not any(row.startswith("run_threads/") for row in there):
            asked = {row for row in asked if not row.startswith("run_threads/")}
        self.assertEqual(sorted(asked - there), [])

    def test_without_a_gpu_it_says_so(self):
        if '"problem": null' in run(BUILD / "bin/komuz", "devices", "--json").stdout:
            self.skipTest("there is a GPU")
        result, _ = self.day()
        self.assertEqual(result.returncode, 4)
        self.assertIn("nothing was run: no GPU can be used", result.stderr)

    def test_a_profiler_that_does_not_work_harms_nothing(self):
        result, out = self.day("--rehearse", "--only", "profile", KOMUZ_NCU_FAILS="1")
        self.assertEqual(result.returncode, 0, result.stdout)
        text, is_all_well = gpu_report.report(gpu_day.read_day(out))
        self.assertTrue(is_all_well, text)
        self.assertIn("The profiler does not work there: ERR_NVGPUCTRPERM", text)

    # scripts/gpu-day packs it better, to 0.62 of this, and refuses to make more than 40 MiB of it. This finds growth before that.
    def test_what_is_packed_is_small(self):
        self.assertLess(sum(path.stat().st_size for path in self.packed.rglob("*") if path.is_file()), 62 << 20)

    def test_what_is_packed_needs_nothing_but_glibc(self):
        stage = Path(self.scratch.name) / "unpacked"
        stage.mkdir()
        tar = subprocess.run(["zstd", "-q", "-dc", "--long=27", self.packed / "programs.tar.zst"], check=True, capture_output=True).stdout
        subprocess.run(["tar", "-x", "-C", stage], input=tar, check=True)
        there = {path.name for path in (stage / "lib").iterdir()}
        for program in (stage / "bin").iterdir():
            needed = re.findall(r"NEEDED +(\S+)", run("objdump", "-p", program).stdout)
            for library in needed:
                self.assertTrue(library in there or re.match(r"(libc|libm|libdl|librt|libpthread|ld-linux-x86-64)\.so", library), (program, library))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
