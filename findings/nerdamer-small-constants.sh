#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nerdamer 1.1.13 (npm): constants below 10^-16 are 0 where they have at most 20 places, and others have nine digits.
#
# It calculates with fractions of any size, so one would guess that 1.6e-19 * x stays so. Seen: it is 0, and so are the constants from 9e-17
# down to 2e-20 that were tried, if they have at most 20 places behind the point; 1.6e-20 has 21 and stays, and so do 1e-16, 1e-21 and
# 1.38e-23. What is written as a function then has 1e-21 * 2e20 = 0.2 and 1e-22 * 2e20 = 0. Above these, constants become fractions with
# about nine digits: 6.6743e-11 is 1/14982844642. A formula in SI units loses its terms, or keeps them, by their units.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . nerdamer@1.1.13 >npm.log
cat >constants.cjs <<'CODE'
const nerdamer = require("nerdamer");
for (const text of ["1e-16", "9e-17", "1.6e-19", "2e-20", "1.6e-20", "1e-21", "1e-22", "1.38e-23", "6.6743e-11"]) {
  const formula = nerdamer(text + "*x");
  console.log(text, "* x is", formula.toString() + ", for x = 2e20:", formula.buildFunction(["x"])(2e20));
}
CODE
seen=$(node constants.cjs)
echo "$seen"
wanted=$(cat <<'TEXT'
1e-16 * x is (1/10000000000000000)*x, for x = 2e20: 20000
9e-17 * x is 0, for x = 2e20: 0
1.6e-19 * x is 0, for x = 2e20: 0
2e-20 * x is 0, for x = 2e20: 0
1.6e-20 * x is (16/1000000000000000000000)*x, for x = 2e20: 3.1999999999999997
1e-21 * x is (1/1000000000000000000000)*x, for x = 2e20: 0.19999999999999998
1e-22 * x is (1/10000000000000000000000)*x, for x = 2e20: 0
1.38e-23 * x is (138/10000000000000000000000000)*x, for x = 2e20: 0
6.6743e-11 * x is (1/14982844642)*x, for x = 2e20: 13348599999.999998
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
