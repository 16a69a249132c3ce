#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Apache Arrow for JavaScript 21.2.0 (npm, apache-arrow): numbers that do not fit a Float16 become small ones, or infinite.
#
# One would guess that what is above 65504 becomes infinite and what is below 2^-25 becomes 0, as IEEE 754 rounds. Seen: 65536 is stored as
# 2, 100000 as 3.05 and a million as 3.81, with their signs, while 65520 and 10^10 are infinite. 10^-8 is stored as minus infinity. Ties go
# away from 0: 2049 is 2050. `toArray()` of such a column has the bits as integers, 15360 for 1, while `get` and iterators have numbers. So
# a table of losses or of constants that is kept in half precision has its worst candidates among the best, and nothing says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . apache-arrow@21.2.0 >npm.log
cat >half.cjs <<'CODE'
const { Float16, vectorFromArray } = require("apache-arrow");
for (const x of [1, 2049, 65504, 65520, 65536, 1e5, 1e6, -1e6, 1e10, 6e-8, 1e-8]) {
  console.log(x, "is", vectorFromArray([x], new Float16()).get(0));
}
console.log("toArray:", String(vectorFromArray([1, 0.5], new Float16()).toArray()));
CODE
seen=$(node half.cjs)
echo "$seen"
wanted=$(cat <<'TEXT'
1 is 1
2049 is 2050
65504 is 65504
65520 is Infinity
65536 is 2
100000 is 3.05078125
1000000 is 3.814453125
-1000000 is -3.814453125
10000000000 is Infinity
6e-8 is 5.960464477539063e-8
1e-8 is -Infinity
toArray: 15360,14336
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
