#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Dask 2022.12.1 (Debian 12, python3-dask 2022.12.1+dfsg-2, with NumPy 1.24.2): two tasks that differ are taken for the same one.
#
# Dask names pure tasks by a hash of the function and its arguments, and calculates each name once. One would guess that functions or
# arguments with other results have other names. Seen: all functions that `numpy.frompyfunc` makes of lambdas have one name, as have those
# that it makes of closures of one function, so `delayed` and `map_blocks` of x + 1 and of 100 * x, calculated together, are both x + 1.
# `frompyfunc` is how protected operators of two arguments become functions of arrays. numpy.int32(65536) and numpy.int64(65536) have one
# name, too, so their squares are both 0 or both 4294967296, whichever comes first. Each of them calculated by itself is right, so a test of
# one candidate does not show it. Other pairs have names of their own: two lambdas, closures and partial functions, 0.1 in single and in
# double precision, 0 and -0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq python3-dask=2022.12.1+dfsg-2 python3-numpy=1:1.24.2-1+deb12u1 python3-yaml python3-toolz python3-cloudpickle \
  python3-fsspec python3-packaging python3-locket python3-partd libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1 libyaml-0-2
for package in *.deb; do dpkg -x "$package" root; done
cat >tokens.py <<'CODE'
import dask
import dask.array
import numpy
from dask import delayed
from dask.base import tokenize

successor = numpy.frompyfunc(lambda x: x + 1, 1, 1)
hundredfold = numpy.frompyfunc(lambda x: x * 100, 1, 1)
tasks = [delayed(f, pure=True)(5) for f in (successor, hundredfold)]
print("delayed, one by one:", [int(t.compute()) for t in tasks], "together:", [int(x) for x in dask.compute(*tasks)])
row = dask.array.from_array(numpy.arange(3), chunks=3)
blocks = [row.map_blocks(f, dtype=object) for f in (successor, hundredfold)]
print("map_blocks, one by one:", [b.compute().tolist() for b in blocks], "together:", [x.tolist() for x in dask.compute(*blocks)])
with numpy.errstate(over="ignore"):
    squares = [delayed(numpy.multiply, pure=True)(t(65536), t(65536)) for t in (numpy.int32, numpy.int64)]
    print("squares, one by one:", [int(s.compute()) for s in squares], "together:", [int(x) for x in dask.compute(*squares)],
          "the other way around:", [int(x) for x in dask.compute(*reversed(squares))])
pairs = {"lambdas": (lambda x: x + 1, lambda x: x * 100), "0.1": (numpy.float32(0.1), 0.1), "zeros": (0.0, -0.0)}
print("same name:", {name: tokenize(a) == tokenize(b) for name, (a, b) in pairs.items()})
CODE
library=root/usr/lib/x86_64-linux-gnu
seen=$(LD_LIBRARY_PATH=$library:$library/blas:$library/lapack PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore tokens.py)
echo "$seen"
wanted=$(cat <<'TEXT'
delayed, one by one: [6, 500] together: [6, 6]
map_blocks, one by one: [[1, 2, 3], [0, 100, 200]] together: [[1, 2, 3], [1, 2, 3]]
squares, one by one: [0, 4294967296] together: [0, 0] the other way around: [4294967296, 4294967296]
same name: {'lambdas': False, '0.1': False, 'zeros': False}
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
