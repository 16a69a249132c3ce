#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GNU libmatheval 1.1.11 (Debian 12, libmatheval1 1.1.11+dfsg-5): the text of a formula is another formula.
#
# `evaluator_get_string` gives the text of a formula or of its derivative. One would guess that the text, read again, has the same values.
# Seen: constants have six digits. 123456789 * x is written (1.23457e+08*x), x^(1/3) is x^0.333333. Powers go from left to right: x^2^3 is
# (x^2)^3, so 64 for x = 2, where Fortran, Python and print have 256. So derivatives have to be evaluated in the process that made them, and
# formulas of other tools need brackets.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq libmatheval1=1.1.11+dfsg-5
dpkg -x libmatheval1*.deb root
cat >text.py <<'CODE'
import ctypes
import glob

library = ctypes.CDLL(glob.glob("root/usr/lib/*/libmatheval.so.1")[0])
pointer = ctypes.c_void_p
library.evaluator_create.argtypes, library.evaluator_create.restype = [ctypes.c_char_p], pointer
library.evaluator_get_string.argtypes, library.evaluator_get_string.restype = [pointer], ctypes.c_char_p
library.evaluator_derivative_x.argtypes, library.evaluator_derivative_x.restype = [pointer], pointer
library.evaluator_evaluate_x.argtypes, library.evaluator_evaluate_x.restype = [pointer, ctypes.c_double], ctypes.c_double


def show(name, formula):
    text = library.evaluator_get_string(formula)
    again = library.evaluator_create(text)
    print(name, "is", text.decode() + ", for x = 2:", library.evaluator_evaluate_x(formula, 2.0), "read again:",
          library.evaluator_evaluate_x(again, 2.0))


for text in ("123456789*x", "0.30000000000000004*x", "x^(1/3)", "x^2^3"):
    formula = library.evaluator_create(text.encode())
    show(text, formula)
show("derivative of x^(1/3)", library.evaluator_derivative_x(library.evaluator_create(b"x^(1/3)")))
CODE
seen=$(/usr/bin/python3 text.py)
echo "$seen"
wanted=$(cat <<'TEXT'
123456789*x is (1.23457e+08*x), for x = 2: 246913578.0 read again: 246914000.0
0.30000000000000004*x is (0.3*x), for x = 2: 0.6000000000000001 read again: 0.6
x^(1/3) is (x^0.333333), for x = 2: 1.2599210498948732 read again: 1.2599207587913324
x^2^3 is ((x^2)^3), for x = 2: 64.0 read again: 64.0
derivative of x^(1/3) is (0.333333*(x^(-0.666667))), for x = 2: 0.20998684164914552 read again: 0.20998658314509558
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
