# SPDX-License-Identifier: Apache-2.0
"""Exports to C, CUDA, Rust and JavaScript."""

import json
import math
import os
import re
import shutil
import struct

from exported import Verdict, decoded, grouped, read_samples, run, skip, written


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
