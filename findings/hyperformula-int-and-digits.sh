#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# HyperFormula 3.5.0 (npm, hyperformula): `INT` of negative numbers, capital exponents, `NORMSDIST`, and the digits of results.
#
# Its README calls it an evaluator of Excel formulas. One would guess INT(-2.5) = -3, as Excel rounds down. Seen: -2, as TRUNC, so that x -
# 2 * INT(x / 2) is no remainder; FLOOR(-2.5, 1) is -3. 1E3 is a syntax error, and 1e3 is 1000. NORMSDIST(1) is #N/A: it needs a second
# argument. With the default `smartRounding` a result keeps 11 significant digits, also an integer: 123456789012345678 is 123456789010000000
# and pi is 3.1415926536; so MOD(0.3, 0.1) is 0.1, a remainder as large as the divisor. Its option is called `precisionRounding: 10`. With
# `smartRounding: false` all digits are there. Scores that are calculated by it are equal before they are.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . hyperformula@3.5.0 >npm.log
cat >cells.mjs <<'CODE'
import { HyperFormula } from "hyperformula";
function value(text, options = {}) {
  const found = HyperFormula.buildFromArray([["=" + text]], { licenseKey: "gpl-v3", ...options }).getCellValue({ sheet: 0, row: 0, col: 0 });
  return found?.value ?? found;
}
for (const text of ["INT(-2.5)", "FLOOR(-2.5,1)", "1E3", "1e3", "NORMSDIST(1)", "NORM.S.DIST(1,TRUE())"]) console.log(text, value(text));
for (const text of ["123456789012345678", "PI()", "MOD(0.3,0.1)"]) console.log(text, value(text), value(text, { smartRounding: false }));
CODE
seen=$(node cells.mjs)
echo "$seen"
wanted=$(cat <<'TEXT'
INT(-2.5) -2
FLOOR(-2.5,1) -3
1E3 #ERROR!
1e3 1000
NORMSDIST(1) #N/A
NORM.S.DIST(1,TRUE()) 0.84134474607
123456789012345678 123456789010000000 123456789012345680
PI() 3.1415926536 3.14159265358979
MOD(0.3,0.1) 0.1 0.09999999999999998
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
