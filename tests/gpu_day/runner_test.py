#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runner of the GPU day (scripts/gpu/day) with scripts for programs, which fail in every way, and what the report says of it."""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from fake_day import DEVICES, ROOT, FakeDay

sys.path.insert(0, str(ROOT / "bench"))
import gpu_day  # noqa: E402
import gpu_report  # noqa: E402

PROGRAMS = {
    "fine": "echo all is well",
    "words": 'printf "<%s>" "$@"; echo',
    "fails": "echo what went wrong; exit 3",
    "crashes": "kill -SEGV $$",
    "hangs": "echo it begins; sleep 300",
    "deaf": "trap '' TERM; while :; do sleep 0.1; done",
    "noisy": "yes the same again",
    "leaves": "sleep 300 & echo $! >&2",
    "tests": "echo group $$; echo '[ RUN      ] A.Passes'; echo '[       OK ] A.Passes (7 ms)'; echo '[ RUN      ] A.Hangs'; sleep 300",
}


def state_of(process):
    """As the kernel calls it; Z is one that has ended and that nobody has asked for yet."""
    try:
        return Path("/proc/%d/stat" % process).read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "gone"


class RunnerTest(unittest.TestCase):
    def make(self, parts, programs=PROGRAMS, devices=DEVICES):
        fake = FakeDay(programs, parts, devices)
        self.addCleanup(fake.remove)
        return fake, fake.folder / "out"

    def read(self, out):
        day = gpu_day.read_day(out)
        return day, {name: part.state for name, part in day.parts.items()}

    def test_whatever_one_part_does_the_next_one_runs(self):
        fake, out = self.make([("tests/fine", 60, "fine", ""), ("tests/hangs", 1, "hangs", ""), ("tests/fails", 50, "fails", ""),
                               ("tests/crashes", 40, "crashes", ""), ("tests/deaf", 1, "deaf", ""), ("agreement/noisy", 60, "noisy", ""),
                               ("agreement/leaves", 60, "leaves", ""), ("benchmarks/words", 60, "words", "a* b|c")])
        result = fake.run(out)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        day, states = self.read(out)
        self.assertEqual(states, {"devices": "passed", "tests/hangs": "late", "tests/deaf": "late", "tests/crashes": "failed",
                                  "tests/fails": "failed", "tests/fine": "passed", "agreement/noisy": "noisy",
                                  "agreement/leaves": "passed", "benchmarks/words": "passed"})
        self.assertTrue(day.is_done)
        self.assertEqual(day.parts["tests/fails"].code, "3")
        # The shortest come first.
        tests = sorted((p.begin, p.name) for p in day.parts.values() if p.name.startswith("tests/"))
        self.assertEqual([name for _, name in tests], ["tests/hangs", "tests/deaf", "tests/crashes", "tests/fails", "tests/fine"])
        # What a part has started does not outlive it.
        self.assertIn(state_of(int(day.output["agreement/leaves"][0])), ("gone", "Z"))
        # No word is taken for a pattern of files.
        self.assertIn("<a*><b|c><--benchmark_format=json>", (out / "benchmarks.txt").read_text())
        self.assertLessEqual(len(list(out.iterdir())), 8)
        self.assertLess((out / "output.txt").stat().st_size, 8 << 20)
        text, _ = gpu_report.report(day)
        self.assertIn("- tests/crashes: ended by SIGSEGV\n", text)
        self.assertIn("- tests/fails: exit code 3\n\n      what went wrong\n\n      repeat it: gpu-day/day --run fails\n", text)
        self.assertIn("repeat it: gpu-day/day --only tests/hangs RESULTS\n", text)

    def test_a_part_may_say_that_what_it_needs_is_not_there(self):
        usable = '"usable": true'
        devices = {1: DEVICES, 2: DEVICES.replace('"devices":', '"devices":\n [{%s}],\n "more":' % usable)}
        agree = (ROOT / "scripts/gpu/agree").read_text()
        for count, listed in devices.items():
            # Of a command that compares, komuz says the same on all of them.
            komuz = 'if [ "$1" = devices ]; then\ncat <<\'END\'\n%s\nEND\nelse\nprev=\nfor w in "$@"; do [ "$prev" != --json ] || echo r >"$w"; prev=$w; done\nfi' % listed
            fake, out = self.make([("agreement/all_devices", 60, "agree", "cuda:all eval x"), ("agreement/fine", 60, "fine", "")],
                                  {**PROGRAMS, "komuz": komuz, "agree": agree})
            result = fake.run(out)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            day, states = self.read(out)
            self.assertEqual(states, {"devices": "passed", "agreement/all_devices": "absent" if count == 1 else "passed", "agreement/fine": "passed"})
            text, is_all_well = gpu_report.report(day)
            self.assertTrue(is_all_well, text)
            if count == 1:
                self.assertIn("| agreement/all_devices | absent |  | 60 s | there are not two GPUs here |\n", text)
            else:
                self.assertIn("the same 2 bytes of the report", "\n".join(day.output["agreement/all_devices"]))

    def test_a_section_takes_no_time_from_those_behind(self):
        # 115 seconds are those of the benchmarks.
        fake, out = self.make([("tests/hangs", 100, "hangs", ""), ("tests/late", 101, "fine", ""), ("benchmarks/fine", 60, "fine", "")])
        self.assertEqual(fake.run("--seconds", 117, out).returncode, 1)
        day, states = self.read(out)
        self.assertEqual(states, {"devices": "passed", "tests/hangs": "late", "tests/late": "skipped", "benchmarks/fine": "passed"})
        self.assertLess(day.parts["tests/hangs"].seconds(), 100)

    def test_without_time_all_is_skipped_and_said(self):
        fake, out = self.make([("tests/fine", 60, "fine", ""), ("benchmarks/fine", 60, "fine", "")])
        self.assertEqual(fake.run("--seconds", 0, out).returncode, 1)
        day, states = self.read(out)
        self.assertEqual(states, {"devices": "passed", "tests/fine": "skipped", "benchmarks/fine": "skipped"})
        self.assertIn("- tests/fine: there was no time left\n\n      repeat it: gpu-day/day --only tests/fine RESULTS",
                      gpu_report.report(day)[0])

    def test_a_day_that_is_killed_says_where(self):
        fake, out = self.make([("tests/first", 60, "fine", ""), ("tests/second", 100, "tests", ""), ("benchmarks/fine", 60, "fine", "")])
        process = subprocess.Popen(fake.command(out), stdout=subprocess.DEVNULL, start_new_session=True,
                                   env=fake.environment())
        while "A.Hangs" not in (out / "output.txt").read_text() if (out / "output.txt").exists() else True:
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        day, states = self.read(out)
        self.assertEqual(states, {"devices": "passed", "tests/first": "passed", "tests/second": "cut off", "benchmarks/fine": "not reached"})
        text, is_all_well = gpu_report.report(day)
        self.assertFalse(is_all_well)
        self.assertIn("Not all is there: the day was cut off.", text)
        self.assertIn("- tests/second, A.Hangs: did not end, and those behind it have not run; the day was cut off in it\n\n"
                      "      repeat it: gpu-day/day --run tests --gtest_filter=A.Hangs\n", text)
        self.assertIn("- benchmarks/fine: the day was cut off before\n\n      repeat it: gpu-day/day --only benchmarks/fine RESULTS\n", text)
        # Killed in this way it leaves what it was running.
        os.killpg(int(day.output["tests/second"][0].split()[1]), signal.SIGKILL)

    def test_an_interrupt_leaves_nothing_running(self):
        fake, out = self.make([("tests/hangs", 100, "hangs", "")])
        process = subprocess.Popen(fake.command(out), stdout=subprocess.DEVNULL, env=fake.environment())
        while not (out / "output.txt").exists() or "it begins" not in (out / "output.txt").read_text():
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 130)
        self.assertEqual(list(fake.folder.glob("gpu-day.*")), [])

    def test_only_parts_that_are_named(self):
        fake, out = self.make([("tests/a", 60, "fine", ""), ("tests/b", 60, "words", "x"), ("benchmarks/a", 60, "fine", "")])
        self.assertEqual(fake.run("--only", "tests/b", out, "--", "y z", "*").returncode, 0)
        day, states = self.read(out)
        self.assertEqual(states, {"devices": "passed", "tests/b": "passed"})
        self.assertEqual(day.output["tests/b"], ["<x><y z><*>"])
        self.assertEqual(fake.run("--list").stdout.split("\n")[1].split(), ["60", "tests/b", "words", "x"])
        result = fake.run("--run", "fails")
        self.assertEqual((result.returncode, result.stdout), (3, "what went wrong\n"))
        self.assertEqual(fake.run("--run", "words", "--list", "a b").stdout, "<--list><a b>\n")

    def test_a_rehearsal_has_words_of_its_own(self):
        fake, out = self.make([("tests/a", 60, "words", "", "few of them")], devices="{}")
        self.assertEqual(fake.run("--rehearse", out).returncode, 0)
        day, _ = self.read(out)
        self.assertTrue(day.is_rehearsal)
        self.assertEqual(day.output["tests/a"], ["<few><of><them>"])
        self.assertEqual(fake.run("--list").stdout.split(), ["60", "tests/a", "words"])

    def test_wrong_words(self):
        fake, out = self.make([("tests/a", 60, "fine", "")])
        for words, said in (([], "results need a folder"), (["--only"], "--only takes"), (["--seconds", "soon", out], "--seconds takes a number"),
                            (["--quick", out], "there is no option --quick"), ([out, out], "results go into one folder"),
                            (["--only", "nothing", out], "no part's name begins so"), ([fake.day], "is not empty"),
                            (["--run", "nothing"], "there is no program nothing"), (["--run"], "--run takes a program")):
            result = fake.run(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(said, result.stderr)

    def test_without_a_gpu_it_says_so(self):
        fake, out = self.make([("tests/a", 60, "fine", "")], devices=DEVICES.replace('"problem": null', '"problem": "there is no NVIDIA driver"'))
        result = fake.run(out)
        self.assertEqual(result.returncode, 4)
        self.assertIn("there is no NVIDIA driver", result.stdout)
        self.assertIn("day: nothing was run: no GPU can be used", result.stderr)
        day, states = self.read(out)
        self.assertEqual(states, {"devices": "failed", "tests/a": "not reached"})

    def test_a_damaged_package_says_so(self):
        fake, out = self.make([("tests/a", 60, "fine", "")])
        packed = fake.day / "programs.tar.zst"
        packed.write_bytes(packed.read_bytes()[:-100])
        result = fake.run(out)
        self.assertEqual(result.returncode, 1)
        self.assertIn("programs.tar.zst cannot be unpacked", result.stderr)

    def test_scripts_say_that_there_is_no_gpu(self):
        if list(Path("/dev").glob("nvidia*")) or Path("/dev/dxg").exists():
            self.skipTest("there is a GPU")
        for script in (["gpu-day", "--here"], ["gpu-test"], ["gpu-bench", "--benchmark_filter=x"]):
            result = subprocess.run([ROOT / "scripts" / script[0], *script[1:]], capture_output=True, text=True)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("nothing was run: this machine has no NVIDIA GPU", result.stderr)


if __name__ == "__main__":
    unittest.main()
