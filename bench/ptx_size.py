#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares kernels of `komuz build --emit=ptx` with those that nvcc makes of CUDA C, by what is in their machine code.

Usage: bench/ptx_size.py [--bin FOLDER] [--gpu sm_90] [--rounds N] [--write FILE]

For each program of bench/native_programs.h: the machine instructions of the kernel over those of nvcc -O3 -fmad=false for
bench/ptx_kernels.h, registers, and spills, as `ptxas` of the same CUDA says; no GPU is needed. And the time from checked code to PTX over
NVRTC's, as ptx_bench measures it. Without nvcc it says so and measures nothing. --write replaces the lines of FILE between
`<!-- ptx measured -->` and `<!-- end of ptx measured -->`.
"""

import argparse
import datetime
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import ROOT, Bench, less, machine, write_between_marks

BEGIN, END = "<!-- ptx measured -->\n", "<!-- end of ptx measured -->\n"
PROGRAMS = ("poly", "pendulum", "lorentz", "collatz", "sort", "packing")
BYTES = 16  # of an instruction, since sm_70
NOP, BRANCH = 0x918, 0x947  # the lowest 12 bits


def find(name):
    home = Path("/usr/local/cuda/bin") / name
    return shutil.which(name) or (str(home) if home.exists() else None)


def sections(elf):
    """The names and bytes of the sections of a 64-bit ELF file."""
    at, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, at + k * size) for k in range(count)]
    texts = elf[headers[names][4]:][:headers[names][5]]
    for name, kind, _, _, offset, length in headers:
        yield texts[name:texts.index(b"\0", name)].decode(), b"" if kind == 8 else elf[offset:offset + length]


def instructions(code):
    """Of a kernel, without what fills its last lines: a branch to itself, and instructions that do nothing."""
    words = [struct.unpack_from("<Q", code, k)[0] & 0xFFF for k in range(0, len(code), BYTES)]
    while words and words[-1] == NOP:
        words.pop()
    return len(words) - (words[-1:] == [BRANCH])


def kernels(cubin, said):
    """Instructions, registers, and bytes of spills by program."""
    found = {}
    for name, code in sections(cubin.read_bytes()):
        if (kernel := re.fullmatch(r"\.text\.(\w+)_kernel", name)) is not None:
            found[kernel[1]] = [instructions(code), None, None]
    for kernel, spills, registers in re.findall(
            r"entry function '(\w+)_kernel'.*?\n.*?(\d+) bytes spill stores.*?Used (\d+) registers", said, re.DOTALL):
        found[kernel][1:] = int(registers), int(spills)
    return found


def assembled(command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=ROOT).stderr


def sizes(options, nvcc, ptxas):
    with tempfile.TemporaryDirectory() as folder:
        ptx, ours, theirs = (Path(folder) / name for name in ("ours.ptx", "ours.cubin", "theirs.cubin"))
        assembled([options.bin / "ptx_bench", "--write", ptx])
        mine = kernels(ours, assembled([ptxas, "-O3", "-v", "-arch=" + options.gpu, "-o", ours, ptx])) if ptx.exists() else {}
        hand = kernels(theirs, assembled([nvcc, "-std=c++20", "-O3", "-fmad=false", "--expt-relaxed-constexpr", "-arch=" + options.gpu, "-I.", "-Xptxas", "-v",
                                          "-cubin", "-o", theirs, "bench/ptx_kernels.cu"]))
    rows = []
    for name in PROGRAMS:
        (count, registers, spills), (of_nvcc, its_registers, its_spills) = mine[name], hand[name]
        rows += [
            less("%s: instructions over nvcc's (%d, %d)" % (name, count, of_nvcc), count / of_nvcc, "{:.2f} times", 1.05, 1),
            less("%s: registers more than nvcc's (%d, %d)" % (name, registers, its_registers), registers - its_registers, "{:+d}", 6, 2),
            less("%s: bytes of registers in memory (nvcc: %d)" % (name, its_spills), spills, "{:d}", 0, 0),
        ]
    return rows


def times(options):
    bench = Bench(options, "ptx_bench", "ptx_over_nvrtc")
    return [less("%s: from checked code to PTX over NVRTC's time for CUDA C" % said, bench("ptx_over_nvrtc/%s/programs:64/iterations:3" % name, "ratio"), "{:.2f} times", 0.4, 0.2)
            for name, said in (("expressions", "64 kernels like poly, one module"), ("mixed", "16 each of poly, collatz, sort and packing"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin", help="the folder of the executables")
    parser.add_argument("--gpu", default="sm_90", help="for which machine code is made")
    parser.add_argument("--rounds", type=int, default=3, help="of the times")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the table into the file, too")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    nvcc, ptxas = find("nvcc"), find("ptxas")
    if nvcc is None or ptxas is None:
        print("bench/ptx_size.py: nothing was measured: nvcc was not found")
        return
    if not (options.bin / "komuz_backend.so").exists():
        print("bench/ptx_size.py: nothing was measured: this build has no komuz_backend.so")
        return
    release = re.search(r"V[\d.]+", subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout)
    lines = ["%s; nvcc %s, machine code for %s; %s." % (machine(), release[0] if release else "?", options.gpu, datetime.date.today()), "",
             "| what | measured | must | goal | |", "| --- | --- | --- | --- | --- |"]
    lines += [row.markdown() for row in times(options) + sizes(options, nvcc, ptxas)]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if options.write:
        write_between_marks(options.write, text, BEGIN, END)


if __name__ == "__main__":
    sys.exit(main())
