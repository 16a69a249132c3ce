#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Can others link what `komuz build --emit=obj --header` writes, and does it agree with `komuz run`?

    check_library.py KOMUZ CMAKE

Exit codes: 0, all is as it should be; 1, it is not; 77, there is no backend or no compiler.
"""
import ctypes as c
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
EXAMPLES = os.path.join(ROOT, "examples", "native")
PROGRAM = os.path.join(ROOT, "tests", "backend", "library", "all_types.komuz")
TRAPS = {"OVERFLOW": 1, "DIV_ZERO": 2, "INDEX": 3, "CAPACITY": 4, "RANGE": 5, "DEPTH": 6, "LIMIT": 7, "FUEL": 8, "HOLE": 9, "ASSERT": 10}
BAD_ARGUMENT, STOPPED = 64, 66


class Trap(c.Structure):
    _fields_ = [("ticks", c.c_uint64), ("trap", c.c_uint32), ("depth", c.c_uint32), ("place", c.c_uint32),
                ("line", c.c_uint32), ("column", c.c_uint32), ("file", c.c_uint32)]


class Limits(c.Structure):
    _fields_ = [("fuel", c.c_uint64), ("stop", c.c_void_p)]


class Vec2(c.Structure):
    _fields_ = [("x", c.c_double), ("y", c.c_double)]


class Bytes6(c.Structure):
    _fields_ = [("count", c.c_int64), ("items", c.c_uint8 * 6)]


class Item(c.Structure):
    _fields_ = [("flag", c.c_bool), ("weight", c.c_float), ("colour", c.c_uint8), ("name", Bytes6)]


class Pair(c.Structure):
    _fields_ = [("e0", c.c_float), ("e1", c.c_int64)]


class Scalars(c.Structure):
    _fields_ = [("e0", c.c_bool), ("e1", c.c_int32), ("e2", c.c_int64), ("e3", c.c_uint8), ("e4", c.c_uint32), ("e5", c.c_uint64),
                ("e6", c.c_float), ("e7", c.c_double)]


def list_of(element, capacity):
    return type("List", (c.Structure,), {"_fields_": [("count", c.c_int64), ("items", element * capacity)]})


def option_of(value):
    return type("Option", (c.Structure,), {"_fields_": [("some", c.c_uint8), ("value", value)]})


COLOURS = ["Red", "Green", "Blue"]
EVENS, CLOUD, ITEMS, SHORT = list_of(c.c_int32, 20), list_of(Vec2, 20), list_of(Item, 3), list_of(c.c_uint8, 3)
TRIPLES, TEXTS = list_of(c.c_int64 * 3, 20), list_of(Bytes6, 30)
HALF, NESTED = option_of(Pair), option_of(list_of(c.c_int32, 4))


# Each kind: how a value of it is made by chance, as Komuz's text and as an object of C; and what `komuz run --json` calls it.
class Kind:
    def __init__(self, ctype, make, json_of):
        self.ctype, self.make, self.json_of = ctype, make, json_of


def float_text(value):
    return repr(float(value))



def plain(ctype, values, text=str, read=lambda v: v):
    def make(rng, out):
        value = rng.choice(values) if isinstance(values, list) else values(rng)
        out.value = value
        return text(value)
    return Kind(ctype, make, lambda out: read(out.value))


BOOL = plain(c.c_bool, [True, False], lambda v: "true" if v else "false")
F64 = plain(c.c_double, lambda rng: rng.choice([0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, rng.uniform(-9, 9)]), float_text)
# Exact in few digits, so that its text is that of a double.
F32 = plain(c.c_float, [0.0, -0.0, 0.5, -3.25, 1024.0, 0.0078125], float_text)


def integer(ctype, least, most):
    return plain(ctype, lambda rng: rng.choice([least, most, 0, 1, rng.randint(least, most), max(least, rng.randint(-9, 60))]))


I32, I64 = integer(c.c_int32, -2**31, 2**31 - 1), integer(c.c_int64, -2**63, 2**63 - 1)
U8, U32, U64 = integer(c.c_uint8, 0, 255), integer(c.c_uint32, 0, 2**32 - 1), integer(c.c_uint64, 0, 2**64 - 1)
COLOUR = plain(c.c_uint8, [0, 1, 2], lambda v: COLOURS[v], lambda v: COLOURS[v])


def member(kind, rng, holder, name):
    out = kind.ctype()
    text = kind.make(rng, out)
    setattr(holder, name, out.value if isinstance(out, c._SimpleCData) else out)
    return text


def read_member(kind, holder, name):
    value = getattr(holder, name)
    return kind.json_of(kind.ctype(value) if issubclass(kind.ctype, c._SimpleCData) else value)


def record(ctype, name, fields, as_list=False):
    def make(rng, out):
        texts = [(field, member(kind, rng, out, field)) for field, kind in fields]
        return (name + "(" + ", ".join(f"{field}: {text}" for field, text in texts) + ")") if name else "(" + ", ".join(t for _, t in texts) + ")"

    def json_of(out):
        values = {field: read_member(kind, out, field) for field, kind in fields}
        return list(values.values()) if as_list or not name else values
    return Kind(ctype, make, json_of)


def array(kind, count):
    def make(rng, out):
        return "[" + ", ".join(item(kind, rng, out, k) for k in range(count)) + "]"
    return Kind(kind.ctype * count, make, lambda out: [read_item(kind, out, k) for k in range(count)])


def item(kind, rng, out, k):
    value = kind.ctype()
    text = kind.make(rng, value)
    out[k] = value.value if isinstance(value, c._SimpleCData) else value
    return text


def read_item(kind, out, k):
    return kind.json_of(kind.ctype(out[k]) if issubclass(kind.ctype, c._SimpleCData) else out[k])


def sequence(ctype, kind, capacity):
    def make(rng, out):
        # What lies behind the count does not matter.
        c.memset(c.byref(out), 0xFF, c.sizeof(out))
        out.count = rng.randint(0, capacity)
        return "[" + ", ".join(item(kind, rng, out.items, k) for k in range(out.count)) + "]"
    return Kind(ctype, make, lambda out: [read_item(kind, out.items, k) for k in range(out.count)])


def bytes_kind():
    def make(rng, out):
        text = "".join(rng.choice("abcxyz") for _ in range(rng.randint(0, 6)))
        c.memset(c.byref(out), 0xFF, c.sizeof(out))
        out.count = len(text)
        for k, letter in enumerate(text):
            out.items[k] = ord(letter)
        return json.dumps(text)
    return Kind(Bytes6, make, lambda out: "".join(chr(b) for b in out.items[:out.count]))


def option(ctype, kind):
    def make(rng, out):
        c.memset(c.byref(out), 0xFF, c.sizeof(out))
        out.some = rng.randint(0, 1)
        return f"Some({member(kind, rng, out, 'value')})" if out.some else "None"
    return Kind(ctype, make, lambda out: read_member(kind, out, "value") if out.some else None)


def same(kind):
    """A function that gives what it takes."""
    return [kind], kind


VEC2 = record(Vec2, "Vec2", [("x", F64), ("y", F64)])
ITEM = record(Item, "Item", [("flag", BOOL), ("weight", F32), ("colour", COLOUR), ("name", bytes_kind())])
SCALARS = [BOOL, I32, I64, U8, U32, U64, F32, F64]
FUNCTIONS = {
    "scalars": (SCALARS, record(Scalars, "", [(f"e{k}", kind) for k, kind in enumerate(SCALARS)])),
    "divide": ([I64, I64], I64),
    "turn": ([VEC2, I32], VEC2),
    "next": ([COLOUR], COLOUR),
    "evens": ([sequence(EVENS, I32, 20)], sequence(EVENS, I32, 20)),
    "bytes": ([sequence(SHORT, U8, 3)], I64),
    "halve": ([option(HALF, record(Pair, "", [("e0", F32), ("e1", I64)]))], option(HALF, record(Pair, "", [("e0", F32), ("e1", I64)]))),
    "grid": ([array(array(I64, 3), 2), BOOL], array(array(I64, 3), 2)),
    "cloud": ([array(VEC2, 20)], sequence(CLOUD, VEC2, 20)),
    "items": ([sequence(ITEMS, ITEM, 3)], sequence(ITEMS, ITEM, 3)),
    "nested": ([option(NESTED, sequence(NESTED._fields_[1][1], I32, 4))], option(NESTED, sequence(NESTED._fields_[1][1], I32, 4))),
    "lists": ([array(sequence(SHORT, U8, 3), 18)], array(sequence(SHORT, U8, 3), 18)),
    "sum_of": ([plain(c.c_int64, [0, 1, 999, 20_000, 10**9])], I64),
    "down": ([plain(c.c_int64, [0, 1, 48, 49, 50, 51, 10**9])], I64),
    "names": ([integer(c.c_int64, -9, 9)] * 5, I64),
    "nothing": ([plain(c.c_int64, [1, 5, 6])], None),
    "colours": same(array(COLOUR, 40)),
    "words": same(array(bytes_kind(), 40)),
    "maybes": same(array(option(HALF, record(Pair, "", [("e0", F32), ("e1", I64)])), 30)),
    "triples": same(sequence(TRIPLES, array(I64, 3), 20)),
    "shelves": same(array(sequence(ITEMS, ITEM, 3), 20)),
    "texts": same(sequence(TEXTS, bytes_kind(), 30)),
    "large": ([plain(c.c_int64, [0, 1, 950, 1899, 1900, -1])], I64),
}
ROWS = 24


def run(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def wanted_of(komuz, function, texts):
    done = subprocess.run([komuz, "run", PROGRAM, "--json", "--entry", function, "--", *texts], capture_output=True, text=True)
    assert done.stdout, (function, texts, done.stderr)
    return json.loads(done.stdout)


def passed(kind, value):
    """As C passes it alone: a scalar itself, all else by its address."""
    return value if isinstance(value, c._SimpleCData) else c.byref(value)


def as_bytes(value):
    """Bytes that are a text are one in JSON."""
    if isinstance(value, str) and value not in COLOURS:
        return list(value.encode())
    if isinstance(value, list):
        return [as_bytes(part) for part in value]
    return {name: as_bytes(part) for name, part in value.items()} if isinstance(value, dict) else value


def check_rows(komuz, library):
    """Values, traps, depths and fuel of rows are those of `komuz run`, and those of calls one by one."""
    rng = random.Random(38)
    compared = trapped = 0
    for name, (parameters, result) in FUNCTIONS.items():
        columns = [(kind.ctype * ROWS)() for kind in parameters]
        texts = [[item(kind, rng, column, row) for kind, column in zip(parameters, columns)] for row in range(ROWS)]
        outs = (result.ctype * ROWS)() if result else None
        traps = (Trap * ROWS)()
        first = getattr(library, name + "_rows")(c.c_size_t(ROWS), *columns, *([outs] if result else []), traps)
        assert first == next((t.trap for t in traps if t.trap), 0), name
        for row in range(ROWS):
            wanted = wanted_of(komuz, name, texts[row])
            compared += 1
            where = (name, texts[row], wanted)
            assert traps[row].ticks == wanted["fuel"], (where, traps[row].ticks)
            alone = [kind.ctype.from_buffer_copy(column, row * c.sizeof(kind.ctype)) for kind, column in zip(parameters, columns)]
            out, trap = result.ctype() if result else None, Trap()
            gave = getattr(library, name)(*[passed(k, v) for k, v in zip(parameters, alone)], *([c.byref(out)] if result else []), c.byref(trap))
            assert bytes(trap) == bytes(traps[row]) and gave == trap.trap, where
            if result:
                assert bytes(out) == bytes(outs)[row * c.sizeof(out):(row + 1) * c.sizeof(out)], where
            if "trap" in wanted:
                trapped += 1
                said = wanted["trap"]
                assert (traps[row].trap, traps[row].depth) == (TRAPS[said["code"]], said["depth"]), (where, traps[row].trap)
                assert place_of(traps[row]) == (said["line"], said["column"], 0), (where, place_of(traps[row]))
                assert out is None or bytes(out) == bytes(c.sizeof(out)), where
            else:
                assert traps[row].trap == 0 and place_of(traps[row]) == (0, 0, 0), where
                value = read_item(result, outs, row) if result else []
                # As texts: −0.0 is not 0.0.
                assert json.dumps(as_bytes(value)) == json.dumps(as_bytes(wanted["value"])), (where, value)
    return compared, trapped


def check_bad_arguments(library):
    """What a type does not have is refused, and the row behind it is calculated."""
    for count in (-1, 21, 2**62, -2**63):
        rows, outs, traps = (EVENS * 2)(), (EVENS * 2)(), (Trap * 2)()
        rows[0].count, rows[1].count, rows[1].items[0] = count, 1, 8
        c.memset(outs, 0xFF, c.sizeof(outs))
        assert library.evens_rows(c.c_size_t(2), rows, outs, traps) == BAD_ARGUMENT, count
        assert [t.trap for t in traps] == [BAD_ARGUMENT, 0] and traps[0].ticks == 0
        assert bytes(outs[0]) == bytes(c.sizeof(EVENS)) and outs[1].count == 1 and outs[1].items[0] == 8
    out = c.c_uint8()
    assert library.next(c.c_uint8(3), c.byref(out), None) == BAD_ARGUMENT
    inner = ITEMS()
    inner.count = 1
    inner.items[0].name.count = 7
    assert library.items(c.byref(inner), c.byref(ITEMS()), None) == BAD_ARGUMENT
    # Of an item that is not there, nothing is looked at.
    inner.count = 0
    assert library.items(c.byref(inner), c.byref(ITEMS()), None) == 0
    # Each cell that a loop looks at.
    for k in (0, 17, 39):
        colours = (c.c_uint8 * 40)()
        colours[k] = 3
        assert library.colours(colours, c.byref((c.c_uint8 * 40)()), None) == BAD_ARGUMENT, k
        words = (Bytes6 * 40)()
        words[k].count = 7
        assert library.words(words, c.byref((Bytes6 * 40)()), None) == BAD_ARGUMENT, k
    shelves = (ITEMS * 20)()
    shelves[19].items[1].colour = 3
    for count, wanted in ((1, 0), (2, BAD_ARGUMENT)):
        shelves[19].count = count
        assert library.shelves(shelves, c.byref((ITEMS * 20)()), None) == wanted, count
    assert library.sum_of_rows(c.c_size_t(0), None, None, None) == 0


def place_of(trap):
    return trap.line, trap.column, trap.file


def check_limits(library, komuz):
    """Budgets of a call are those of `komuz run --fuel`; a stop ends rows that have not begun."""
    numbers = [0, 1, 7, 30, 999]
    rows, outs = (c.c_int64 * len(numbers))(*numbers), (c.c_int64 * len(numbers))()
    count = c.c_size_t(len(numbers))
    for fuel in (1, 2, 31, 1000, 20_000, 2**62, 2**64 - 1):
        traps = (Trap * len(numbers))()
        first = library.sum_of_within(c.byref(Limits(fuel, None)), count, rows, outs, traps)
        for row, number in enumerate(numbers):
            done = subprocess.run([komuz, "run", PROGRAM, "--json", "--fuel", str(min(fuel, 2**50)), "--entry", "sum_of", "--", str(number)],
                                  capture_output=True, text=True)
            wanted = json.loads(done.stdout)
            assert traps[row].ticks == wanted["fuel"], (fuel, number, traps[row].ticks, wanted)
            assert traps[row].trap == (TRAPS[wanted["trap"]["code"]] if "trap" in wanted else 0), (fuel, number)
            assert outs[row] == wanted.get("value", 0), (fuel, number)
        assert first == next((t.trap for t in traps if t.trap), 0)
    wanted, plain = (Trap * len(numbers))(), (Trap * len(numbers))()
    library.sum_of_rows(count, rows, outs, wanted)
    for limits in (None, c.byref(Limits(0, None))):
        library.sum_of_within(limits, count, rows, outs, plain)
        assert bytes(plain) == bytes(wanted)
    # Before the first row.
    stop = c.c_uint32(1)
    c.memset(outs, 0xFF, c.sizeof(outs))
    assert library.sum_of_within(c.byref(Limits(0, c.addressof(stop))), count, rows, outs, plain) == STOPPED
    assert all((t.trap, t.ticks, t.line, t.depth) == (STOPPED, 0, 0, 0) for t in plain) and not any(outs)
    # And by another thread, as rows run: those that had begun have their outcomes.
    stop.value = 0
    most = 2_000_000
    many, sums, traps = (c.c_int64 * most)(*([999] * most)), (c.c_int64 * most)(), (Trap * most)()
    timer = threading.Timer(0.05, lambda: setattr(stop, "value", 7))
    timer.start()
    gave = library.sum_of_within(c.byref(Limits(0, c.addressof(stop))), c.c_size_t(most), many, sums, traps)
    timer.join()
    done = next((row for row, trap in enumerate(traps) if trap.trap), most)
    assert gave == (STOPPED if done < most else 0)
    assert done < most, "2,000,000 rows were done in 0.05 s"
    assert done == 0 or sums[done - 1] == 999 * 998 // 2
    assert traps[most - 1].trap == STOPPED and sums[most - 1] == 0


def check_files(komuz, cc, folder):
    """A trap in a module names its file; one in the program has number 0. Code without a text has no places."""
    module, program = os.path.join(folder, "halves.komuz"), os.path.join(folder, "user.komuz")
    with open(module, "w", encoding="utf-8") as out:
        out.write("/// One line more.\npub fn half(n: i64) -> i64 {\n    assert n % 2 == 0;\n    n / 2\n}\n")
    with open(program, "w", encoding="utf-8") as out:
        out.write("use halves;\npub fn quarter(n: i64) -> i64 { 100 / halves.half(n) }\n")
    header, code, shared = (os.path.join(folder, "user." + ending) for ending in ("h", "o", "so"))

    def library_of(source):
        run([komuz, "build", source, "--emit=obj", "-o", code, "--header", header])
        run([cc, "-shared", code, "-o", shared + os.path.basename(source), "-lc"])
        return c.CDLL(shared + os.path.basename(source))
    library, out, trap = library_of(program), c.c_int64(), Trap()
    with open(header, encoding="utf-8") as text:
        files = dict(re.findall(r"^     (\d+)  (.+?)(?: \*/)?$", text.read(), re.M))
    assert library.quarter(c.c_int64(0), c.byref(out), c.byref(trap)) == TRAPS["DIV_ZERO"]
    assert (*place_of(trap), files["0"]) == (2, 37, 0, "user.komuz"), (place_of(trap), files)
    assert library.quarter(c.c_int64(3), c.byref(out), c.byref(trap)) == TRAPS["ASSERT"]
    assert place_of(trap)[0] == 3 and files[str(trap.file)] == "halves.komuz", (place_of(trap), files)
    bytecode = os.path.join(folder, "user.kbc")
    run([komuz, "build", program, "-o", bytecode])
    assert library_of(bytecode).quarter(c.c_int64(3), c.byref(out), c.byref(trap)) == TRAPS["ASSERT"]
    assert place_of(trap) == (0, 0, 0), place_of(trap)


def check_mode(library, cc, folder):
    """Rounding and subnormal numbers are those of a process at its start, whatever another library has set."""
    source = os.path.join(folder, "mode.c")
    with open(source, "w", encoding="utf-8") as out:
        out.write("#include <xmmintrin.h>\nvoid set(unsigned m) { _mm_setcsr(m); }\nunsigned get(void) { return _mm_getcsr(); }\n")
    mode_file = os.path.join(folder, "mode.so")
    run([cc, "-shared", "-fPIC", source, "-o", mode_file])
    mode = c.CDLL(mode_file)
    mode.get.restype = c.c_uint
    before, wanted = mode.get(), 3e-310 * 0.5
    out = c.c_double()
    for other in (0x9FC0, 0x3F80, 0x5F80, 0x7F80):
        mode.set(other)
        library.tiny(c.c_double(3e-310), c.byref(out), None)
        after = mode.get() & 0xFFC0
        mode.set(before)
        assert out.value == wanted and after == other & 0xFFC0, (hex(other), out.value, hex(after))


def check_threads(library):
    found = []

    def work(seed):
        out = c.c_int64()
        for k in range(200):
            assert library.large(c.c_int64((seed + k) % 1900), c.byref(out), None) == 0
        found.append(out.value)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4


def check_headers(cc, cxx, folder, header):
    """C and C++ take the header without a word, twice, too; and the structs are as large as the object thinks."""
    sizes = {"Vec2": Vec2, "Item": Item, "bytes_6": Bytes6, "list_i32_20": EVENS, "list_Item_3": ITEMS, "option_f32_i64": HALF}
    lines = [f'#include "{os.path.basename(header)}"'] * 2
    lines += [f"typedef char of_{name}[sizeof(struct {name}) == {c.sizeof(kind)} ? 1 : -1];" for name, kind in sizes.items()]
    lines += ["int main(void) { return Colour_Blue == 2 ? 0 : 1; }"]
    for compiler, ending, standards in ((cc, "c", ("c99", "c17")), (cxx, "cpp", ("c++98", "c++11", "c++20"))):
        source = os.path.join(folder, "header." + ending)
        with open(source, "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
        for standard in standards:
            more = ["-Wno-long-long", "-Wno-variadic-macros"] if standard == "c++98" else []
            run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror", *more, "-c", source, "-o", os.path.join(folder, "header.o")])


def check_examples(komuz, cmake, folder):
    """The examples, by CMake and by make, as their users build them."""
    copy = os.path.join(folder, "native")
    shutil.copytree(EXAMPLES, copy)
    build = os.path.join(folder, "build")
    run([cmake, "-S", copy, "-B", build, f"-DKomuz_DIR={os.path.join(ROOT, 'scripts', 'cmake')}", f"-DKomuz_EXECUTABLE={komuz}"])
    run([cmake, "--build", build])
    c_text = "rms 3.5355339059327378 2.6279745052035799, from -1 to 7\nshare(7, 0) divides by zero on line 17, after 1 tick\n"
    assert run([os.path.join(build, "use")]) == c_text, run([os.path.join(build, "use")])
    assert run([os.path.join(build, "use_cpp")]) == "the first trap is 2\n5 trap 0\n0 trap 2 at 17:53\n2 trap 0\n"
    if shutil.which("make"):
        run(["make", "-C", copy, f"KOMUZ={komuz}", "use", "libwindow.so"])
        assert run([os.path.join(copy, "use")]) == c_text
        text = run([sys.executable, os.path.join(copy, "use.py"), os.path.join(copy, "libwindow.so")])
        assert text == "rms 2.62797450520358, from -1.0 to 7.0\nshare(7, 0) ends with trap 2\n", text
    run([komuz, "build", os.path.join(copy, "window.komuz"), "--emit=ptx", "--entry", "share", "-o", os.path.join(copy, "share.ptx")])
    gpu = [sys.executable, os.path.join(copy, "gpu.py"), os.path.join(copy, "share.ptx")]
    # The driver itself is in other tests; this is how the example calls it.
    run([shutil.which("cc"), "-shared", "-fPIC", os.path.join(ROOT, "tests", "backend", "library", "cuda_stand_in.c"), "-o", os.path.join(copy, "libcuda.so.1")])
    text = run(gpu, env={**os.environ, "LD_LIBRARY_PATH": copy})
    assert text == "share(10, 2) = 5, 1 ticks\nshare(11, 0) ends with DIV_ZERO, 1 ticks\nshare(12, 5) = 2, 1 ticks\nshare(-7, 2) = -3, 1 ticks\n", text
    with open(os.path.join(copy, "libcuda.so.1"), "w", encoding="utf-8") as out:
        out.write("no library")
    none = subprocess.run(gpu, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": copy})
    assert none.returncode == 1 and "there is no driver of NVIDIA" in none.stderr, none


def check_cmake(komuz, cmake, folder):
    """komuz_add_library() in projects of one language, what it makes anew, and what it says of mistakes."""
    project = os.path.join(folder, "project")
    os.makedirs(os.path.join(project, "lib"))
    known = [f"-DKomuz_DIR={os.path.join(ROOT, 'scripts', 'cmake')}", f"-DKomuz_EXECUTABLE={komuz}"]

    def write(name, text):
        with open(os.path.join(project, name), "w", encoding="utf-8") as out:
            out.write(text)

    def lists(language, arguments, ending):
        write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.16)\nproject(p {language})\nfind_package(Komuz REQUIRED)\n"
              f"komuz_add_library({arguments})\nadd_executable(use use.{ending})\ntarget_link_libraries(use rate)\n")

    write("rate.komuz", "use lib.rules;\n\npub fn rate(n: i64) -> i64 { rules.rate(n) }\n")
    source = '#include "rate.h"\n#include <stdio.h>\nint main(void) { int64_t out = 0; if (rate(5, &out, NULL) != 0) return 1; printf("%d\\n", (int)out); return 0; }\n'
    for ending in ("c", "cpp"):
        write("use." + ending, source)
    for generator, program in (("Unix Makefiles", "make"), ("Ninja", "ninja")):
        for language, ending in (("C", "c"), ("CXX", "cpp")):
            if not shutil.which(program):
                continue
            write("lib/rules.komuz", "pub fn rate(n: i64) -> i64 { n * 2 }\n")
            lists(language, "rate rate.komuz", ending)
            build = os.path.join(folder, f"{program} {language}")
            run([cmake, "-G", generator, "-S", project, "-B", build, *known])
            run([cmake, "--build", build])
            assert run([os.path.join(build, "use")]) == "10\n"
            # Nothing says that the program uses it but the program.
            write("lib/rules.komuz", "pub fn rate(n: i64) -> i64 { n * 3 }\n")
            stamp = time.time() + 5
            os.utime(os.path.join(project, "lib", "rules.komuz"), (stamp, stamp))
            run([cmake, "--build", build])
            assert run([os.path.join(build, "use")]) == "15\n", (generator, language)
    for arguments, said in (("rate none.komuz", "there is no"), ("rate rate.komuz ENTRY rate b", 'nothing is known of "b"'), ("rate rate.komuz ENTRY", "there is no value behind ENTRY")):
        lists("C", arguments, "c")
        done = subprocess.run([cmake, "-S", project, "-B", os.path.join(folder, "wrong"), *known], capture_output=True, text=True)
        assert done.returncode != 0 and said in " ".join(done.stderr.split()), (arguments, done.stderr)


def check_lines(komuz, cc, folder):
    """gdb stops on a line of the program, and walks up from it to the line of the caller. The code gives the same."""
    copy = os.path.join(folder, "lines")
    shutil.copytree(EXAMPLES, copy)
    run([komuz, "build", "window.komuz", "--emit=obj", "-o", "window.o", "--header", "window.h", "--debug"], cwd=copy)
    run([cc, "-g", "-O0", "use.c", "window.o", "-o", "use"], cwd=copy)
    assert "on line 17, after 1 tick" in run([os.path.join(copy, "use")])
    if not shutil.which("gdb"):
        return "there is no gdb"
    commands = ["set debuginfod enabled off", "break window.komuz:17", "run", "backtrace", "list 17,17"]
    words = ["gdb", "-nx", "-batch", *(word for command in commands for word in ("-ex", command)), "use"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=copy)
    said = done.stdout + done.stderr
    if "ptrace: Operation not permitted" in said or "Could not trace the inferior" in said:
        return "this process may trace no other"
    for wanted in (r"Breakpoint 1, \S*share\]? \(\) at .*window\.komuz:17", r"#0 +\S*share\]? \(\) at .*window\.komuz:17", r"#\d+ .* main \(\) at use\.c:\d+",
                   r"17\s+pub fn share\(total: i64, parts: i64\) -> i64 \{ total / parts \}"):
        assert re.search(wanted, said), f"no `{wanted}` in\n{said}"
    return "gdb stops on lines"


def skip_without(komuz, *compilers):
    """Ends this where there is no backend, or one of the compilers is None."""
    if not all(compilers):
        print("skipped: there is no C and C++ compiler")
        sys.exit(77)
    problem = json.loads(run([komuz, "devices", "--json"]))["native"]["problem"]
    if problem:
        # Where the build made one, it has to open.
        assert not os.path.exists(os.path.join(os.path.dirname(komuz), "komuz_backend.so")), problem
        print("skipped: built without LLVM")
        sys.exit(77)


def main(komuz, cmake):
    cc, cxx = shutil.which("cc"), shutil.which("c++")
    skip_without(komuz, cc, cxx)
    with tempfile.TemporaryDirectory() as folder:
        header = os.path.join(folder, "all_types.h")
        # Processors without and with fused operations give the same bits.
        for cpu in ("x86-64", "native"):
            code, shared = os.path.join(folder, f"{cpu}.o"), os.path.join(folder, f"{cpu}.so")
            run([komuz, "build", PROGRAM, "--emit=obj", "-o", code, "--header", header, "--cpu", cpu, "--limits"])
            run([cc, "-shared", "-Wl,-z,defs", "-Wl,-z,text", code, "-o", shared, "-lc"])
            library = c.CDLL(shared)
            compared, trapped = check_rows(komuz, library)
            assert trapped > 10
            check_bad_arguments(library)
            check_mode(library, cc, folder)
            check_threads(library)
            check_limits(library, komuz)
            print(f"{cpu}: {compared} rows agree, {trapped} of them trapped")
        with open(header, encoding="utf-8") as text:
            declared = set(re.findall(r"^int32_t (\w+?)\(", text.read(), re.M))
        assert set(FUNCTIONS) <= declared, set(FUNCTIONS) - declared
        check_headers(cc, cxx, folder, header)
        check_files(komuz, cc, folder)
        check_examples(komuz, cmake, folder)
        check_cmake(komuz, cmake, folder)
        lines = check_lines(komuz, cc, folder)
    print(f"the examples run; {lines}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
