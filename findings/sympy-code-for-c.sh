#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SymPy 1.11.1 (Debian 12, python3-sympy 1.11.1-1): code for C has other values than code for JavaScript, and than SymPy.
#
# One would guess that `ccode` and `jscode` of one expression agree, as both languages have doubles and fmod. Seen: Mod(x, y) is `fmod(x,
# y)` in C, with the sign of x, and has the sign of y in JavaScript and in SymPy; x - y * floor(x / y) in the code for R, Julia and Rust.
# x**(1/3) is `cbrt` in both, -2 for x = -8, where SymPy has a complex number; x**(2/3) is `pow` and nan. coth(x) is a quotient of sums of
# exponentials: nan for x = 800, where it is 1. A formula that is scored in Python and shipped as C is another one left of 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq python3-sympy=1.11.1-1 python3-mpmath=1.2.1-2
for package in *.deb; do dpkg -x "$package" root; done
cat >translate.py <<'CODE'
from sympy import Mod, Rational, ccode, coth, jscode, symbols

x, y = symbols("x y")
rows = {"Mod(x, y) at -7, 3": (Mod(x, y), -7, 3), "x**(1/3) at -8": (x ** Rational(1, 3), -8, 0),
        "x**(2/3) at -8": (x ** Rational(2, 3), -8, 0), "coth(x) at 800": (coth(x), 800, 0)}
with open("code.c", "w") as c, open("code.mjs", "w") as js:
    c.write("#include <math.h>\n#include <stdio.h>\nint main(void) {\n  volatile double x, y;\n")
    for name, (formula, a, b) in rows.items():
        c.write(f'  x = {a}; y = {b}; printf("{name}, C: %g\\n", fabs({ccode(formula)}) >= 0 ? {ccode(formula)} : NAN);\n')
        js.write(f'{{ const x = {a}, y = {b}; console.log("{name}, JavaScript:", {jscode(formula)}); }}\n')
        print(f"{name}, SymPy:", formula.subs({x: a, y: b}).evalf(4))
    c.write("}\n")
CODE
seen=$(
  PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 translate.py
  gcc code.c -o code -lm
  ./code
  node code.mjs
)
echo "$seen"
wanted=$(cat <<'TEXT'
Mod(x, y) at -7, 3, SymPy: 2.000
x**(1/3) at -8, SymPy: 1.0 + 1.732*I
x**(2/3) at -8, SymPy: -2.0 + 3.464*I
coth(x) at 800, SymPy: 1.000
Mod(x, y) at -7, 3, C: -1
x**(1/3) at -8, C: -2
x**(2/3) at -8, C: nan
coth(x) at 800, C: nan
Mod(x, y) at -7, 3, JavaScript: 2
x**(1/3) at -8, JavaScript: -2
x**(2/3) at -8, JavaScript: NaN
coth(x) at 800, JavaScript: NaN
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
