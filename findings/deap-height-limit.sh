#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# DEAP 1.3.1 (Debian 12, python3-deap 1.3.1-4) on Python 3.11: how high a tree may be.
#
# DEAP's documentation and the message in its code say that Python cannot evaluate trees higher than 90, and compile() catches MemoryError to
# say so. Seen: trees of height 91 to 200 compile and run; from 201 on compile() raises a bare SyntaxError, which is not caught, and the helpful
# message is never shown. So code that catches MemoryError to give such an individual a bad fitness ends the whole run.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq python3-deap=1.3.1-4
dpkg -x python3-deap*.deb root
cat >heights.py <<'CODE'
import operator
import sys

from deap import gp

primitives = gp.PrimitiveSet("MAIN", 1)
primitives.addPrimitive(operator.neg, 1)
primitives.renameArguments(ARG0="x")
print("Python %d.%d" % sys.version_info[:2])
for height in (90, 91, 200, 201):
    tree = gp.PrimitiveTree([primitives.mapping["neg"]] * height + [primitives.mapping["x"]])
    try:
        print(tree.height, gp.compile(tree, primitives)(2.0))
    except Exception as error:
        print(tree.height, type(error).__name__, error)
CODE
seen=$(PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 -W ignore heights.py)
echo "$seen"
[ "$seen" = "Python 3.11
90 2.0
91 -2.0
200 2.0
201 SyntaxError too many nested parentheses (<string>, line 1)" ] || { echo "this has changed" >&2; exit 1; }
