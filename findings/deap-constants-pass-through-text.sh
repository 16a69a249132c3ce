#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# DEAP 1.3.1 (Debian 12, python3-deap 1.3.1-4, with python3-numpy 1.24.2): gp.compile() writes a tree as text and evaluates that, so a constant
# is what its text reads as.
#
# Seen: numpy.float32(0.1) is written `0.1` and becomes the double 0.1: `sub(x, 0.1)` of x = numpy.float32(0.1) is 1.49e-09 and no longer 0, and
# a population that was meant to run in single precision runs in double. A constant that is infinite compiles, and when the function is
# called fails with "TypeError: 'NoneType' object is not subscriptable" (the name `inf` is looked for among built-ins, which DEAP removes).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq python3-deap=1.3.1-4 python3-numpy=1:1.24.2-1+deb12u1 \
  libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5=12.2.0-14+deb12u1
for package in *.deb; do dpkg -x "$package" root; done
cat >constants.py <<'CODE'
import operator

import numpy
from deap import gp

primitives = gp.PrimitiveSet("MAIN", 1)
primitives.addPrimitive(operator.sub, 2)
primitives.renameArguments(ARG0="x")
single = numpy.float32(0.1)
primitives.addTerminal(single)
primitives.addTerminal(float("inf"))


def compiled(constant):
    tree = gp.PrimitiveTree([primitives.mapping["sub"], primitives.mapping["x"],
                             primitives.mapping[str(constant)]])
    return str(tree), gp.compile(tree, primitives)


text, run = compiled(single)
print(text, "of float32(0.1):", run(single), type(run(single)).__name__, "| numpy:", single - single)
text, run = compiled(float("inf"))
try:
    print(text, run(1.0))
except Exception as error:
    print(text, "|", type(error).__name__, error)
CODE
library=root/usr/lib/x86_64-linux-gnu
seen=$(LD_LIBRARY_PATH=$library:$library/blas:$library/lapack PYTHONPATH=root/usr/lib/python3/dist-packages \
  /usr/bin/python3 constants.py)
echo "$seen"
[ "$seen" = "sub(x, 0.1) of float32(0.1): 1.4901161138336505e-09 float64 | numpy: 0.0
sub(x, inf) | TypeError 'NoneType' object is not subscriptable" ] || { echo "this has changed" >&2; exit 1; }
