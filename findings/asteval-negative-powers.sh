#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# asteval 0.9.28 (Debian 12, python3-asteval 0.9.28-1, with NumPy 1.24.2): `10**-3` is 0.
#
# It evaluates expressions of Python's syntax, and lmfit takes its models by expression through it. One would guess that 2**-1 is 0.5, as in
# Python. Seen: an integer to the power of a negative integer is an integer, 0, without an error, with NumPy and without it: so `10**-3 * x` is
# 0.0 for every x. 2.0**-1, 2**-1.0, 1/10**3, pow(2, -1) and powers of variables that are floats are right. A model of lmfit 1.1.0 with such a
# factor is 0 for all its parameters, so a fit of it does nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq python3-asteval=0.9.28-1 python3-numpy=1:1.24.2-1+deb12u1 libblas3=3.11.0-2 liblapack3=3.11.0-2 \
  libgfortran5=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" root; done
cat >powers.py <<'CODE'
from asteval import Interpreter

for numpy in (True, False):
    interpreter = Interpreter(use_numpy=numpy)
    interpreter.symtable["x"] = 2.0
    print("with NumPy:" if numpy else "without:", {text: interpreter(text) for text in (
        "2**-1", "10**-3 * x", "2.0**-1", "2**-1.0", "1/10**3", "pow(2, -1)", "x**-1")})
print("Python:", 2 ** -1)
CODE
library=root/usr/lib/x86_64-linux-gnu
seen=$(LD_LIBRARY_PATH=$library:$library/blas:$library/lapack PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore powers.py)
echo "$seen"
wanted=$(cat <<'TEXT'
with NumPy: {'2**-1': 0, '10**-3 * x': 0.0, '2.0**-1': 0.5, '2**-1.0': 0.5, '1/10**3': 0.001, 'pow(2, -1)': 0.5, 'x**-1': 0.5}
without: {'2**-1': 0, '10**-3 * x': 0.0, '2.0**-1': 0.5, '2**-1.0': 0.5, '1/10**3': 0.001, 'pow(2, -1)': 0.5, 'x**-1': 0.5}
Python: 0.5
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
