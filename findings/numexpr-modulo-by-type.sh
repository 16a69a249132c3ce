#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# numexpr 2.8.4 (Debian 12, python3-numexpr 2.8.4-1+b2, with NumPy 1.24.2): what `%` and `**` mean depends on the type of the columns.
#
# numexpr calculates NumPy's expressions on whole columns. One would guess that they mean the same for integers and for floats of the same
# value. Seen: of integers `a % b` has the sign of a, as in C: -5 % 3 is -2. Of floats it has that of b, as in Python: -5.0 % 3.0 is 1.0; NumPy has 1
# for both. Of integers 2 ** -5 is 0, where NumPy refuses it, and of floats it is 0.03125. So a formula that is fitted on a column of floats gives
# other values on the same numbers as integers, without a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq python3-numexpr=2.8.4-1+b2 python3-numpy=1:1.24.2-1+deb12u1 python3-packaging libblas3=3.11.0-2 liblapack3=3.11.0-2 \
  libgfortran5=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" root; done
cat >modulo.py <<'CODE'
import numexpr
import numpy

numexpr.set_num_threads(1)
print("numexpr", numexpr.__version__)
whole = {"a": numpy.array([-5, 5, -6, 2]), "b": numpy.array([3, -3, 3, -5])}
floats = {name: column.astype(float) for name, column in whole.items()}
for text in ("a % b", "fmod(a, b)", "2 ** b"):
    for name, columns in (("integers", whole), ("floats", floats)):
        try:
            exact = eval(text, {"fmod": numpy.fmod}, columns).tolist()
        except ValueError as error:
            exact = error
        print(f"{text} of {name}: {numexpr.evaluate(text, columns).tolist()}, by NumPy: {exact}")
CODE
libraries=$(find root -name 'libblas.so.3' -printf '%h:' -o -name 'liblapack.so.3' -printf '%h:')$(echo root/usr/lib/*-linux-gnu)
seen=$(PYTHONPATH=root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$libraries /usr/bin/python3 -B modulo.py)
echo "$seen"
wanted=$(cat <<'TEXT'
numexpr 2.8.4
a % b of integers: [-2, 2, 0, 2], by NumPy: [1, -1, 0, -3]
a % b of floats: [1.0, -1.0, 0.0, -3.0], by NumPy: [1.0, -1.0, 0.0, -3.0]
fmod(a, b) of integers: [-2.0, 2.0, -0.0, 2.0], by NumPy: [-2, 2, 0, 2]
fmod(a, b) of floats: [-2.0, 2.0, -0.0, 2.0], by NumPy: [-2.0, 2.0, -0.0, 2.0]
2 ** b of integers: [8, 0, 8, 0], by NumPy: Integers to negative integer powers are not allowed.
2 ** b of floats: [8.0, 0.125, 8.0, 0.03125], by NumPy: [8.0, 0.125, 8.0, 0.03125]
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
