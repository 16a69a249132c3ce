#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Z3 4.8.12 (Debian 12, libz3-4 4.8.12-3.1): its predicates of signed products are wrong for negative factors.
#
# Seen: `Z3_mk_bvmul_no_overflow(x, y, signed)` is false for -3 * -1 in 4 bits, which is 3. Of all 256 pairs of 4-bit numbers it is
# false for 112 that do not overflow, 38 of which do not underflow, either. `Z3_mk_bvmul_no_underflow` is right for all, and so is
# the predicate of unsigned products. The simplifier on constants and the solver on variables say the same. So who proves code with
# it finds overflows where there are none, and proves programs equal that are not: one that traps for -3 * -1, and one that does
# not trap for it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq libz3-4=4.8.12-3.1
dpkg -x libz3-4*.deb root
cat >pairs.py <<'CODE'
import ctypes

z3 = ctypes.CDLL("root/usr/lib/x86_64-linux-gnu/libz3.so.4")
pointer = ctypes.c_void_p


def call(name, *given, result=pointer):
    function = getattr(z3, name)
    function.restype = result
    made = function(*given)
    return pointer(made) if result is pointer else made


context = call("Z3_mk_context", call("Z3_mk_config"))
numbers = call("Z3_mk_bv_sort", context, 4)


def number(value):
    return call("Z3_mk_int", context, value, numbers)


def variable(name):
    return call("Z3_mk_const", context, call("Z3_mk_string_symbol", context, name), numbers)


def simplified(make, x, y):
    return call("Z3_get_bool_value", context, call("Z3_simplify", context, make(number(x), number(y))), result=ctypes.c_int) == 1


def decided(make, x, y):
    a, b = variable(b"x"), variable(b"y")
    solver = call("Z3_mk_solver", context)
    call("Z3_solver_inc_ref", context, solver, result=None)
    for fact in (call("Z3_mk_eq", context, a, number(x)), call("Z3_mk_eq", context, b, number(y)), make(a, b)):
        call("Z3_solver_assert", context, solver, fact, result=None)
    holds = call("Z3_solver_check", context, solver, result=ctypes.c_int) == 1
    call("Z3_solver_dec_ref", context, solver, result=None)
    return holds


signed, unsigned = range(-8, 8), range(16)
rows = {
    "signed, no overflow": (signed, lambda a, b: call("Z3_mk_bvmul_no_overflow", context, a, b, True), lambda p: p < 8),
    "signed, no underflow": (signed, lambda a, b: call("Z3_mk_bvmul_no_underflow", context, a, b), lambda p: p >= -8),
    "unsigned, no overflow": (unsigned, lambda a, b: call("Z3_mk_bvmul_no_overflow", context, a, b, False), lambda p: p < 16),
}
for name, (values, make, truth) in rows.items():
    for way in (simplified, decided):
        wrong = [(x, y) for x in values for y in values if way(make, x, y) != truth(x * y)]
        inside = [(x, y) for x, y in wrong if -8 <= x * y < 8]
        print(f"{name}, {way.__name__}: {len(wrong)} wrong, {len(inside)} of them fit", (-3, -1) in inside)
CODE
seen=$(python3 pairs.py)
echo "$seen"
diff <(echo "$seen") - <<'EXPECTED'
signed, no overflow, simplified: 112 wrong, 38 of them fit True
signed, no overflow, decided: 112 wrong, 38 of them fit True
signed, no underflow, simplified: 0 wrong, 0 of them fit False
signed, no underflow, decided: 0 wrong, 0 of them fit False
unsigned, no overflow, simplified: 0 wrong, 0 of them fit False
unsigned, no overflow, decided: 0 wrong, 0 of them fit False
EXPECTED
