#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random programs as libraries: do C functions that take and give records, tuples, lists, arrays and Options agree with
`komuz run --json`, traps and fuel included?

    check_random_library.py KOMUZ [--seeds N] [--first SEED] [--keep FOLDER]

`--keep` leaves the programs there. Exit codes: 0, all agree; 1, they do not: the seed, the program and the call are
printed; 77, there is no backend or no compiler.
"""
import argparse
import ctypes as c
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

import check_library as lib
from check_library import Trap, TRAPS, item, list_of, option_of, passed, read_item, run

ROWS = 10
INTEGERS = {"i32": lib.I32, "i64": lib.I64, "u8": lib.U8, "u32": lib.U32, "u64": lib.U64}
FLOATS = {"f32": lib.F32, "f64": lib.F64}
SCALARS = {"bool": lib.BOOL, **INTEGERS, **FLOATS}


class Type:
    """`name`: as Komuz writes it. `form`: scalar, enum, record, tuple, array, list or option. `parts`: types, or fields with theirs."""

    def __init__(self, name, form, kind, parts=(), count=0):
        self.name, self.form, self.kind, self.parts, self.count = name, form, kind, parts, count

    def bytes(self):
        return c.sizeof(self.kind.ctype)

    def has(self, form):
        parts = [part for _, part in self.parts] if self.form == "record" else self.parts
        return self.form == form or any(part.has(form) for part in parts)


I64_TYPE = Type("i64", "scalar", lib.I64)


def structure(fields):
    return type("Struct", (c.Structure,), {"_fields_": fields})


def number(rng, least, most):
    return rng.choice([least, most, rng.randint(least, most)])


class Types:
    """The types of a program, and their declarations."""

    def __init__(self, rng):
        self.rng, self.declared, self.named = rng, [], []
        for k in range(rng.randint(1, 2)):
            names = [f"E{k}{letter}" for letter in "abcdef"[:rng.randint(2, 5)]]
            self.declared.append(f"type Enum{k} = {' | '.join(names)};")
            kind = lib.plain(c.c_uint8, list(range(len(names))), lambda v, n=names: n[v], lambda v, n=names: n[v])
            self.named.append(Type(f"Enum{k}", "enum", kind, names))
        for k in range(rng.randint(1, 3)):
            fields = [(f"m{n}", self.choose(2)) for n in range(rng.randint(1, 4))]
            ctype = structure([(field, part.kind.ctype) for field, part in fields])
            kind = lib.record(ctype, f"Rec{k}", [(field, part.kind) for field, part in fields])
            self.declared.append(f"type Rec{k} = Rec{k}({', '.join(f'{field}: {part.name}' for field, part in fields)});")
            self.named.append(Type(f"Rec{k}", "record", kind, fields))

    def scalar(self, names=None):
        name = self.rng.choice(list(names or SCALARS))
        return Type(name, "scalar", SCALARS[name])

    def choose(self, depth):
        rng = self.rng
        what = rng.choice(["scalar", "scalar", "named", "tuple", "array", "list", "list", "option"]) if depth else "scalar"
        if what == "named" and self.named:
            return rng.choice(self.named)
        if what == "tuple":
            parts = [self.choose(depth - 1) for _ in range(rng.randint(2, 3))]
            fields = [(f"e{k}", part) for k, part in enumerate(parts)]
            kind = lib.record(structure([(f, p.kind.ctype) for f, p in fields]), "", [(f, p.kind) for f, p in fields])
            return Type(f"({', '.join(p.name for p in parts)})", "tuple", kind, parts)
        if what == "array":
            part, count = self.choose(depth - 1), number(rng, 1, 20)
            count = max(1, min(count, 2000 // part.bytes()))
            return Type(f"[{part.name}; {count}]", "array", lib.array(part.kind, count), [part], count)
        if what == "list":
            part, count = self.choose(depth - 1), number(rng, 1, 18)
            count = max(1, min(count, 2000 // part.bytes()))
            name = f"Bytes[{count}]" if part.name == "u8" and rng.random() < 0.5 else f"List[{part.name}, {count}]"
            return Type(name, "list", lib.sequence(list_of(part.kind.ctype, count), part.kind, count), [part], count)
        if what == "option":
            part = self.choose(depth - 1)
            # In JSON, None in an Option is what None itself is.
            if part.form != "option":
                return Type(f"Option[{part.name}]", "option", lib.option(option_of(part.kind.ctype), part.kind), [part])
        return self.scalar()


class Bodies:
    """Expressions of a type, from what is in scope."""

    def __init__(self, rng, types):
        self.rng, self.types, self.functions, self.names = rng, types, [], 0

    def new_name(self):
        self.names += 1
        return f"v{self.names}"

    def of(self, scope, wanted):
        return [name for name, of in scope if of.name == wanted.name]

    def constant(self, t):
        rng, holder = self.rng, (t.kind.ctype * 1)()
        text = item(t.kind, rng, holder, 0)
        # The least i64 is no literal, and texts of floats may be.
        return f"({text})" if text.startswith("-") else text

    def integer(self, scope, depth):
        return self.expression(I64_TYPE, scope, depth)

    def variable(self, scope):
        return self.rng.choice(self.from_scope(I64_TYPE, scope, 0))

    def condition(self, scope, depth):
        rng = self.rng
        choices = ["compare"]
        if scope:
            choices.append("equal")
        if any(t.form == "option" for _, t in scope):
            choices.append("some")
        if depth > 0:
            choices += ["not", "both"]
        what = rng.choice(choices)
        if what == "compare":
            t = self.types.scalar([*INTEGERS, *FLOATS])
            names = self.of(scope, t)
            left = rng.choice(names) if names else self.integer(scope, depth - 1)
            right = self.constant(t) if names else self.integer(scope, depth - 1)
            return f"({left} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {right})"
        if what == "equal":
            name, t = rng.choice(scope)
            return f"({name} {rng.choice(['==', '!='])} {rng.choice(self.of(scope, t))})"
        if what == "some":
            return f"{rng.choice([n for n, t in scope if t.form == 'option'])}.is_some()"
        if what == "not":
            return f"(!{self.condition(scope, depth - 1)})"
        return f"({self.condition(scope, depth - 1)} {rng.choice(['&&', '||'])} {self.condition(scope, depth - 1)})"

    def from_scope(self, t, scope, depth):
        """Texts that take a part of what is in scope."""
        found = []
        for name, of in scope:
            if of.name == t.name:
                found += [name, name]
            if of.form == "record":
                found += [f"{name}.{field}" for field, part in of.parts if part.name == t.name]
            elif of.form == "tuple":
                for k, part in enumerate(of.parts):
                    if part.name == t.name:
                        inner = ", ".join("q" if n == k else "_" for n in range(len(of.parts)))
                        found.append(f"(match {name} {{ ({inner}) => q }})")
            elif of.form in ("array", "list"):
                if of.parts[0].name == t.name:
                    at = self.rng.choice([str(self.rng.randint(0, of.count - 1)), self.integer([], 0) if depth <= 0 else self.integer(scope, depth - 1)])
                    found.append(f"{name}[{at}]")
                if t.name == "i64":
                    found.append(f"{name}.len()")
                if t.form == "option" and t.parts[0].name == of.parts[0].name:
                    found.append(self.rng.choice([f"{name}.get({self.rng.randint(-1, of.count)})", f"{name}.first()", f"{name}.last()"]))
            elif of.form == "option" and of.parts[0].name == t.name:
                found.append(f"(match {name} {{ None => {self.expression(t, [], 0)}, Some(q) => q }})")
        return found

    def expression(self, t, scope, depth):
        rng = self.rng
        found = self.from_scope(t, scope, depth) if scope and rng.random() < 0.75 else []
        if found and (depth <= 0 or rng.random() < 0.5):
            return rng.choice(found)
        if depth <= 0:
            return self.made(t, scope, 0)
        what = rng.random()
        if what < 0.12:
            return f"(if {self.condition(scope, depth - 1)} {{ {self.expression(t, scope, depth - 1)} }} else {{ {self.expression(t, scope, depth - 1)} }})"
        callable_ = [f for f in self.functions if f[2].name == t.name]
        if callable_ and what < 0.3:
            name, parameters, _ = rng.choice(callable_)
            return f"{name}({', '.join(self.expression(p, scope, depth - 2) for p in parameters)})"
        return self.made(t, scope, depth)

    def typed(self, t, scope, depth):
        """As a block: what it is in does not say its type."""
        return f"{{ let q: {t.name} = {self.expression(t, scope, depth)}; q }}"

    def made(self, t, scope, depth):
        rng, less = self.rng, depth - 1
        if t.form == "scalar":
            return self.scalar(t, scope, depth)
        if t.form == "enum":
            return rng.choice(t.parts)
        if t.form == "record":
            return f"{t.name}({', '.join(f'{field}: {self.expression(part, scope, less)}' for field, part in t.parts)})"
        if t.form == "tuple":
            return f"({', '.join(self.expression(part, scope, less) for part in t.parts)})"
        if t.form == "option":
            return "None" if rng.random() < 0.3 else f"Some({self.expression(t.parts[0], scope, less)})"
        part = t.parts[0]
        sources = [(name, of) for name, of in scope if of.form in ("array", "list") and of.parts[0].name == part.name]
        if t.form == "array":
            what = rng.random()
            if what < 0.3 or t.count > 6:
                if what < 0.15:
                    return f"tabulate({t.count}, k => {self.typed(part, scope, less)})"
                return f"[{self.expression(part, scope, less)}; {t.count}]"
            return f"[{', '.join(self.expression(part, scope, less) for _ in range(t.count))}]"
        if sources and rng.random() < 0.7:
            name, _ = rng.choice(sources)
            q = self.new_name()
            return rng.choice([f"{name}.filter({q} => {self.condition([*scope, (q, part)], less)}).list({t.count})",
                               f"{name}.map({q} => {self.typed(part, [*scope, (q, part)], less)}).list({t.count})",
                               f"{name}.reverse().list({t.count})"])
        return f"[{', '.join(self.expression(part, scope, less) for _ in range(rng.randint(0, min(t.count, 4))))}]"

    def scalar(self, t, scope, depth):
        rng, less = self.rng, depth - 1
        if depth <= 0:
            return self.constant(t)
        if t.name == "bool":
            return self.condition(scope, less)
        a, b = self.expression(t, scope, less), self.expression(t, scope, less)
        if t.name in INTEGERS:
            what = rng.random()
            # Numbers that do not fit are errors of the program, if they are written there.
            if what < 0.3 and t.name != "i64" and not self.from_scope(I64_TYPE, scope, 0):
                return self.constant(t)
            if what < 0.15:
                return f"{t.name}({self.variable(scope)})" if t.name != "i64" else f"i64({self.expression(self.types.scalar(['i32', 'u8', 'u32']), scope, less)})"
            if what < 0.3:
                return f"wrap_{t.name}({self.variable(scope)} +% {self.integer(scope, less)})" if t.name != "i64" else f"({a} & 63)"
            return f"({a} {rng.choice(['+', '-', '*', '/', '%', '+%', '-%', '*%', '&', '|', '^'])} {b})"
        return rng.choice([f"({a} {rng.choice(['+', '-', '*', '/'])} {b})", f"({a} {rng.choice(['+', '-', '*', '/'])} {b})", f"sqrt(abs({a}))", f"min({a}, {b})", f"exp(-abs({a}))",
                           f"{t.name}({self.integer(scope, less)})"])

    def function(self, name, parameters, result):
        rng = self.rng
        scope = [(f"p{k}", t) for k, t in enumerate(parameters)]
        lines, rec = [], ""
        for _ in range(rng.randint(0, 3)):
            what, new = rng.random(), self.new_name()
            if what < 0.4:
                t = self.types.choose(2) if rng.random() < 0.5 else rng.choice([t for _, t in scope] or [result])
                lines.append(f"let {new}: {t.name} = {self.expression(t, scope, 2)};")
                scope.append((new, t))
            elif what < 0.6:
                t = rng.choice([t for _, t in scope] or [result])
                lines += [f"var {new}: {t.name} = {self.expression(t, scope, 1)};",
                          f"for i{new} in 0..{rng.choice(['3', '40', self.integer(scope, 1)])} {{ {new} = {self.expression(t, [*scope, (new, t), ('i' + new, I64_TYPE)], 2)}; }}"]
                scope.append((new, t))
            elif what < 0.8:
                lists = [(n, t) for n, t in scope if t.form in ("array", "list")]
                if lists:
                    source, t = rng.choice(lists)
                    lines += [f"var {new} = {source};", f"{new}[{self.integer(scope, 1)}] = {self.expression(t.parts[0], scope, 2)};"]
                    if t.form == "list":
                        lines.append(f"{new}.push({self.expression(t.parts[0], scope, 1)});")
                    scope.append((new, t))
            elif rng.random() < 0.5:
                lines.append(f"assert {self.condition(scope, 1)};")
        end = self.expression(result, scope, 3)
        counters = [n for n, t in scope if t.name == "i64" and n.startswith("p")]
        if counters and rng.random() < 0.4:
            count = rng.choice(counters)
            given = ", ".join(f"p{k} -% 1" if f"p{k}" == count else self.expression(t, scope, 1) for k, t in enumerate(parameters))
            rec = f" rec {rng.choice([1, 5, 60])}"
            end = f"if {count} % 16 == 0 {{ {end} }} else {{ {name}({given}) }}"
        head = f"pub fn {name}({', '.join(f'p{k}: {t.name}' for k, t in enumerate(parameters))}) -> {result.name}{rec} {{"
        self.functions.append((name, parameters, result))
        return "\n".join([head, *("    " + line for line in lines), "    " + end, "}"])


class Program:
    def __init__(self, seed):
        rng = self.rng = random.Random(seed)
        types = Types(rng)
        bodies = Bodies(rng, types)
        texts = []
        for k in range(rng.randint(2, 5)):
            parameters = [types.choose(3) for _ in range(rng.randint(0, 4))]
            # No arrays of kilobytes: they are for other tests.
            parameters = [t if t.bytes() < 4000 else types.scalar() for t in parameters]
            result = types.choose(3)
            result = result if result.bytes() < 4000 else types.scalar()
            texts.append(bodies.function(f"g{k}", parameters, result))
        self.functions, self.types = bodies.functions, types
        self.text = "\n".join([*types.declared, "", "\n\n".join(texts), ""])
        self.fuel = rng.choice([1_000_000, 1_000_000, 200, 20])


def normal(t, value):
    """JSON, with bytes as a list of numbers."""
    if t.form == "list" and isinstance(value, str):
        return list(value.encode("latin-1"))
    if t.form == "record":
        return {field: normal(part, value[field]) for field, part in t.parts}
    if t.form == "tuple":
        return [normal(part, v) for part, v in zip(t.parts, value)]
    if t.form in ("array", "list"):
        return [normal(t.parts[0], v) for v in value]
    if t.form == "option":
        return None if value is None else normal(t.parts[0], value)
    if t.name in FLOATS and isinstance(value, str):
        return float(value)
    return value


def float_texts(t, value):
    """As JSON, where −0.0 is not 0.0, and an f32 has the digits of an f32."""
    if t.name == "f32":
        return "NaN" if value != value else bytes(c.c_float(value)).hex()
    if t.name == "f64":
        return "NaN" if value != value else bytes(c.c_double(value)).hex()
    if t.form == "record":
        return {field: float_texts(part, value[field]) for field, part in t.parts}
    if t.form == "tuple":
        return [float_texts(part, v) for part, v in zip(t.parts, value)]
    if t.form in ("array", "list"):
        return [float_texts(t.parts[0], v) for v in value]
    if t.form == "option":
        return None if value is None else float_texts(t.parts[0], value)
    return value


def parts_of(t, value):
    """Each part of an object with its type; lists and Options have the parts that are there, and those that are not."""
    if t.form == "record":
        return [(part, getattr(value, field)) for field, part in t.parts], []
    if t.form == "tuple":
        return [(part, getattr(value, f"e{k}")) for k, part in enumerate(t.parts)], []
    if t.form == "array":
        return [(t.parts[0], value[k]) for k in range(t.count)], []
    if t.form == "list":
        items = [(t.parts[0], value.items[k]) for k in range(t.count)]
        return items[:value.count], items[value.count:]
    if t.form == "option":
        part = [(t.parts[0], value.value)]
        return (part, []) if value.some else ([], part)
    return [], []


def is_zero(t, value):
    if t.form in ("scalar", "enum"):
        return value == 0
    if t.form == "list" and value.count != 0 or t.form == "option" and value.some != 0:
        return False
    there, other = parts_of(t, value)
    return all(is_zero(*part) for part in [*there, *other])


def has_zero_tails(t, value):
    there, other = parts_of(t, value)
    return all(has_zero_tails(*part) for part in there) and all(is_zero(*part) for part in other)


def check_program(komuz, cc, seed, folder, counts):
    program = Program(seed)
    path, header, code, shared = (os.path.join(folder, f"s{seed}.{ending}") for ending in ("komuz", "h", "o", "so"))
    with open(path, "w", encoding="utf-8") as out:
        out.write(program.text)

    def wrong(what):
        sys.exit(f"seed {seed}: {what}\n{program.text}")
    cpu = program.rng.choice(["x86-64", "native"])
    built = subprocess.run([komuz, "build", path, "--emit=obj", "-o", code, "--header", header, "--fuel", str(program.fuel), "--cpu", cpu], capture_output=True, text=True)
    # Too large for native code; or, with its types or its recursion, for Komuz.
    if built.returncode == 4 or any(f"error[{code}]" in built.stderr for code in ("K0133", "K0333", "K0405")):
        counts["refused"] += 1
        return
    if built.returncode != 0:
        wrong(built.stderr)
    # The header is C, and its structs are as large as they should be.
    source = os.path.join(folder, f"s{seed}.c")
    with open(source, "w", encoding="utf-8") as out:
        out.write(f'#include "{header}"\n')
        for t in program.types.named:
            if t.form == "record" and f"struct {t.name} " in open(header, encoding="utf-8").read():
                out.write(f"_Static_assert(sizeof(struct {t.name}) == {t.bytes()}, \"{t.name}\");\n")
    run([cc, "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", source, "-o", source + ".o"])
    run([cc, "-shared", "-Wl,-z,defs", "-Wl,-z,text", code, "-o", shared, "-lc"])
    library = c.CDLL(shared)
    counts["programs"] += 1
    for name, parameters, result in program.functions:
        columns = [(t.kind.ctype * ROWS)() for t in parameters]
        texts = [[item(t.kind, program.rng, column, row) for t, column in zip(parameters, columns)] for row in range(ROWS)]
        outs, traps = (result.kind.ctype * ROWS)(), (Trap * ROWS)()
        c.memset(outs, 0x5A, c.sizeof(outs))
        first = getattr(library, name + "_rows")(c.c_size_t(ROWS), *columns, outs, traps)
        if first != next((t.trap for t in traps if t.trap), 0):
            wrong(f"{name}_rows gives {first}")
        for row in range(ROWS):
            done = subprocess.run([komuz, "run", path, "--json", "--fuel", str(program.fuel), "--entry", name, "--", *texts[row]], capture_output=True, text=True)
            if not done.stdout:
                wrong(f"{name} {texts[row]}: {done.stderr}")
            wanted = json.loads(done.stdout)
            where = f"{name} {texts[row]} on {cpu}, fuel {program.fuel}: wanted {done.stdout.strip()}, "
            counts["rows"] += 1
            trap, size = traps[row], c.sizeof(result.kind.ctype)
            alone = [t.kind.ctype.from_buffer_copy(column, row * c.sizeof(t.kind.ctype)) for t, column in zip(parameters, columns)]
            # Bytes between members stay as they are.
            out, own = result.kind.ctype.from_buffer_copy(bytes([0x5A]) * size), Trap()
            gave = getattr(library, name)(*[passed(t.kind, v) for t, v in zip(parameters, alone)], c.byref(out), c.byref(own))
            if bytes(own) != bytes(trap) or gave != own.trap or bytes(out) != bytes(outs)[row * size:(row + 1) * size]:
                wrong(where + "a call alone differs from that of a row")
            if trap.ticks != wanted["fuel"]:
                wrong(where + f"got {trap.ticks} ticks")
            if "trap" in wanted:
                counts["traps"].add(wanted["trap"]["code"])
                if (trap.trap, trap.depth) != (TRAPS[wanted["trap"]["code"]], wanted["trap"]["depth"]):
                    wrong(where + f"got trap {trap.trap}, depth {trap.depth}")
                if lib.place_of(trap) != (wanted["trap"]["line"], wanted["trap"]["column"], 0):
                    wrong(where + f"got place {lib.place_of(trap)}")
                if any(bytes(out)):
                    wrong(where + "the result is not 0")
                continue
            if trap.trap != 0:
                wrong(where + f"got trap {trap.trap}")
            value = read_item(result.kind, outs, row)
            if not has_zero_tails(result, out):
                wrong(where + "what is behind the count of a list, or in None, is not 0")
            if float_texts(result, normal(result, value)) != float_texts(result, normal(result, wanted["value"])):
                wrong(where + f"got {value}")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("komuz")
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--first", type=int, default=1)
    options.add_argument("--keep")
    args = options.parse_args()
    komuz, cc = os.path.abspath(args.komuz), shutil.which("cc")
    lib.skip_without(komuz, cc)
    counts = {"programs": 0, "rows": 0, "refused": 0, "traps": set()}
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.keep or scratch
        os.makedirs(folder, exist_ok=True)
        for seed in range(args.first, args.first + args.seeds):
            check_program(komuz, cc, seed, folder, counts)
    print(f"{counts['programs']} programs agree on {counts['rows']} rows; traps: {', '.join(sorted(counts['traps']))}; {counts['refused']} were refused")
    assert counts["programs"] * 10 >= args.seeds * 9, "too many programs are refused"


if __name__ == "__main__":
    main()
