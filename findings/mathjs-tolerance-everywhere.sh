#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mathjs 15.2.0 (npm): its tolerance for comparisons is in remainders, in rounding and in simplification, too.
#
# Its documentation has the tolerances (relTol, absTol) for comparisons, and defines `mod(x, y)` as x - y * floor(x / y), with the sign of
# y. One would guess a remainder from 0 to y. Seen: mod(0.3, 0.1) is -5.6e-17 and mod(1, 0.1) is 0, as 0.3 / 0.1 is rounded up to 3 where it
# is "nearly" 3; `%` of JavaScript has 0.09999999999999998. round(0.49999999999999994) is 1. `simplify` takes a factor that is nearly 0 for
# 0: 1.6e-19 x and 1e-16 x * 1e16 are 0, though `evaluate` multiplies them; and (x^2)^0.5 becomes x, which is -2 for x = -2. So a formula is
# another one once it is simplified, and none of the functions gives a sign of it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . mathjs@15.2.0 >npm.log
cat >tolerance.cjs <<'CODE'
const math = require("mathjs");
for (const [x, y] of [[0.3, 0.1], [0.7, 0.1], [1, 0.1]]) console.log(`mod(${x}, ${y}):`, math.mod(x, y), "by %:", x % y);
console.log("round:", math.round(0.49999999999999994));
for (const text of ["1.6e-19 x", "1e-16 x * 1e16", "1e-12 x", "(x^2)^0.5"]) {
  const simple = math.simplify(text);
  console.log(text, "simplified:", simple.toString() + ", for x = -2:", math.evaluate(text, { x: -2 }), simple.evaluate({ x: -2 }));
}
CODE
seen=$(node tolerance.cjs)
echo "$seen"
wanted=$(cat <<'TEXT'
mod(0.3, 0.1): -5.551115123125783e-17 by %: 0.09999999999999998
mod(0.7, 0.1): -1.1102230246251565e-16 by %: 0.09999999999999992
mod(1, 0.1): 0 by %: 0.09999999999999995
round: 1
1.6e-19 x simplified: 0, for x = -2: -3.2e-19 0
1e-16 x * 1e16 simplified: 0, for x = -2: -2 0
1e-12 x simplified: 1e-12 x, for x = -2: -2e-12 -2e-12
(x^2)^0.5 simplified: x, for x = -2: 2 -2
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
