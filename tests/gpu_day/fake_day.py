# SPDX-License-Identifier: Apache-2.0
"""A GPU day of scripts instead of programs, packed as scripts/gpu-day packs: what tests of the runner run."""

import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEVICES = """{"cpu": {"model": "a processor", "threads": 4, "in_use": "avx2"}, "cuda": {"built": true, "driver": "13.0", "devices":
 [{"name": "a GPU", "memory_bytes": 85899345920, "compute_capability": "9.0", "multiprocessors": 132, "usable": true}],
 "problem": null}}"""


class FakeDay:
    """`programs`: the text of each as a shell script. `parts`: (name, seconds, program, words, words of the rehearsal, by default the
    same)."""

    def __init__(self, programs, parts, devices=DEVICES):
        self.folder = Path(tempfile.mkdtemp(prefix="gpu-day-test."))
        stage = self.folder / "stage"
        (stage / "bin").mkdir(parents=True)
        (stage / "lib").mkdir()
        programs = {"komuz": "cat <<'END'\n%s\nEND" % devices, "gpu_power": "echo ms,milliwatts,millijoules,sm_mhz,memory_mhz,degrees", **programs}
        for name, text in programs.items():
            path = stage / "bin" / name
            path.write_text("#!/usr/bin/env bash\n%s\n" % text)
            path.chmod(path.stat().st_mode | stat.S_IXUSR)
        (stage / "parts").write_text("".join("%s\t%d\t%s\t%s\t%s\n" % (part if len(part) == 5 else (*part, part[3])) for part in parts))
        (stage / "revision").write_text("0123abcd\n")
        self.day = self.folder / "packed"
        (self.day / "unpack").mkdir(parents=True)
        shutil.copy(ROOT / "scripts/gpu/day", self.day)
        # The zstd of this machine finds its libraries by itself.
        (self.day / "unpack/zstd").symlink_to(shutil.which("zstd"))
        tar = subprocess.run(["tar", "-C", stage, "-c", "."], check=True, capture_output=True).stdout
        subprocess.run(["zstd", "-q", "-1", "--long=27", "-o", self.day / "programs.tar.zst"], input=tar, check=True)

    def command(self, *words):
        return [str(self.day / "day"), *map(str, words)]

    def environment(self):
        """What a day that is killed leaves goes with the folder."""
        return {**os.environ, "TMPDIR": str(self.folder)}

    def run(self, *words):
        return subprocess.run(self.command(*words), capture_output=True, text=True, stdin=subprocess.DEVNULL, env=self.environment())

    def remove(self):
        shutil.rmtree(self.folder)
