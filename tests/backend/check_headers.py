#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do compilers of C and C++ take the headers that `komuz build --header` writes, whatever names a program has, and those of
several programs together? Do values that are large stay small code?

    check_headers.py KOMUZ

Exit codes: 0, all is as it should be; 1, it is not; 77, there is no backend or no compiler.
"""
import ctypes as c
import os
import shutil
import subprocess
import sys
import tempfile

from check_library import ROOT, run, skip_without

AWKWARD = os.path.join(ROOT, "tests", "backend", "library", "awkward_names.komuz")
# What programs include before ours.
C_HEADERS = "complex.h errno.h fenv.h limits.h math.h signal.h stdio.h stdlib.h string.h sys/stat.h time.h unistd.h".split()
CXX_HEADERS = [name for name in C_HEADERS if name != "complex.h"] + ["vector", "string"]
C_STANDARDS = ["c99", "c11", "c17", "gnu17", "c2x", "gnu2x"]
CXX_STANDARDS = ["c++98", "c++11", "c++20", "gnu++20", "c++23"]


def compile_headers(folder, headers, lines, c_standards, cxx_standards):
    """By all compilers and standards that are there, behind other headers and alone."""
    count = 0
    for compilers, ending, standards, others in ((("gcc", "clang"), "c", c_standards, C_HEADERS), (("g++", "clang++"), "cpp", cxx_standards, CXX_HEADERS)):
        for compiler in filter(shutil.which, compilers):
            for standard in standards:
                known = subprocess.run([compiler, f"-std={standard}", "-x", "c++" if ending == "cpp" else "c", "-fsyntax-only", os.devnull], capture_output=True)
                for before in ([], others):
                    if known.returncode != 0:
                        continue
                    source = os.path.join(folder, "of." + ending)
                    with open(source, "w", encoding="utf-8") as out:
                        out.write("\n".join([*(f"#include <{name}>" for name in before), *(f'#include "{name}"' for name in headers), *lines, ""]))
                    more = ["-Wno-long-long", "-Wno-variadic-macros"] if standard == "c++98" else []
                    run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", *more, "-c", source, "-o", source + ".o"])
                    count += 1
    assert count >= 4, count
    return count


def check_awkward_names(komuz, cc, folder):
    header, code, shared = (os.path.join(folder, "awkward." + ending) for ending in ("h", "o", "so"))
    run([komuz, "build", AWKWARD, "--emit=obj", "-o", code, "--header", header])
    count = compile_headers(folder, ["awkward.h"], ["int main(void) { struct R r; r.int_ = 1; r.int__ = 2; return (int)r.int_; }"], C_STANDARDS, CXX_STANDARDS)
    run([cc, "-shared", "-Wl,-z,defs", code, "-o", shared, "-lc"])
    library = c.CDLL(shared)
    # Each name is that of its own value.
    given, out = list(range(100, 118)), (c.c_int64 * 18)()
    assert library.parameters(*map(c.c_int64, given), out, None) == 0 and list(out) == given
    fields, swapped = (c.c_int64 * 6)(1, 2, 3, 4, 5, 6), (c.c_int64 * 6)()
    assert library.fields(fields, swapped, None) == 0 and list(swapped) == [2, 1, 4, 3, 6, 5]
    print(f"awkward names: {count} ways to compile them")


def build(komuz, folder, name, text, *options):
    path, header, code = (os.path.join(folder, f"{name}.{ending}") for ending in ("komuz", "h", "o"))
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    run([komuz, "build", path, "--emit=obj", "-o", code, "--header", header, *options])
    return code


def check_two_programs(komuz, cc, folder):
    """Programs that have types in common, and are used together."""
    shared = "type Vec2 = Vec2(x: f64, y: f64);\ntype Colour = Red | Green;\n"
    types = "x: Option[i64], y: List[Vec2, 4], z: (i64, f64), c: Colour, b: Bytes[3]"
    for name in ("one", "two"):
        build(komuz, folder, name, f"{shared}pub fn {name}({types}) -> Option[i64] {{ x }}\n")
    use = """int main(void) {
  struct option_i64 x = {1, 7}, y = {0, 0};
  struct list_Vec2_4 l = {0, {{0, 0}}};
  struct tuple_i64_f64 t = {1, 2};
  struct bytes_3 b = {0, {0}};
  if (one(&x, &l, &t, Colour_Green, &b, &y, NULL) != 0 || y.value != 7) return 1;
  return two(&y, &l, &t, Colour_Red, &b, &x, NULL);
}"""
    count = compile_headers(folder, ["one.h", "two.h"], [use], ["c99"], ["c++98", "c++20"])
    program = os.path.join(folder, "together")
    source = program + ".c"
    with open(source, "w", encoding="utf-8") as out:
        out.write('#include "two.h"\n#include "one.h"\n' + use + "\n")
    run([cc, source, os.path.join(folder, "one.o"), os.path.join(folder, "two.o"), "-o", program])
    run([program])
    # Headers of one name, in two folders.
    for name in ("three", "four"):
        os.makedirs(os.path.join(folder, name))
        build(komuz, os.path.join(folder, name), "same", f"pub fn {name}(x: i64) -> i64 {{ x }}\n")
    compile_headers(folder, ["three/same.h", "four/same.h"], ["int main(void) { int64_t x; return three(1, &x, NULL) + four(2, &x, NULL); }"], ["c99"], ["c++20"])
    # What differs under one name is no silent mistake.
    build(komuz, folder, "other", "type Vec2 = Vec2(x: f32, y: f32);\npub fn other(v: Vec2) -> f32 { v.x }\n")
    with open(source, "w", encoding="utf-8") as out:
        out.write('#include "one.h"\n#include "other.h"\n')
    wrong = subprocess.run([cc, "-c", source, "-o", program + ".o"], capture_output=True, text=True)
    assert wrong.returncode != 0 and "Vec2" in wrong.stderr, wrong.stderr
    print(f"two programs: {count} ways to compile them")


def check_large_values(komuz, folder):
    """Code does not grow with the number of elements: what is moved one by one is moved by loops, or refused."""
    two_sizes = {
        "sums": ("type C = A | B;\n", "[C; {n}]"),
        "bytes": ("", "[Bytes[3]; {n}]"),
        "options": ("", "[Option[i64]; {n}]"),
        "texts": ("", "List[Bytes[3], {n}]"),
        "pairs": ("", "List[(i64, [f64; 3]), {n}]"),
    }
    for name, (declared, kind) in two_sizes.items():
        sizes = []
        for n in (64, 640):
            of = kind.format(n=n)
            sizes.append(os.path.getsize(build(komuz, folder, f"{name}{n}", f"{declared}pub fn f(x: {of}) -> {of} {{ x }}\n")))
        assert sizes[1] < sizes[0] * 1.5 + 4096, (name, sizes)
    # Lists in lists in lists have cells that no loop moves.
    path = os.path.join(folder, "deep.komuz")
    kind = "[List[List[Bytes[2], 2], 2]; 200]"
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"pub fn f(x: {kind}) -> i64 {{ x[0].len() }}\n")
    done = subprocess.run([komuz, "build", path, "--emit=obj", "-o", path + ".o", "--header", path + ".h"], capture_output=True, text=True)
    assert done.returncode == 4 and "moved one by one" in done.stderr and not os.path.exists(path + ".o"), (done.returncode, done.stderr)
    print("large values are small code")


def main(komuz):
    cc = shutil.which("cc")
    skip_without(komuz, cc, shutil.which("gcc") and shutil.which("g++"))
    with tempfile.TemporaryDirectory() as folder:
        check_awkward_names(komuz, cc, folder)
        check_two_programs(komuz, cc, folder)
        check_large_values(komuz, folder)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
