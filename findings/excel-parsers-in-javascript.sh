#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two other parsers of Excel's formulas (npm): hot-formula-parser 4.0.0 and @jspreadsheet/formula 2.0.2 give other values without an error.
#
# One would guess what Excel's documentation says. Seen: `ATAN2(1,2)` has its arguments the other way round, and `NORMSDIST(1)` is the
# density, 0.24, in place of the probability, 0.84, LOG10(1000) is below 3 and ROUND(-2.5,0) is -2 (Excel: -3) in both. In
# hot-formula-parser MOD(-5,3) is 2 (Excel: 1), ODD(0) is -1 (Excel: 1), IF(0,2) is true (Excel: FALSE), and `&` binds more tightly than
# `+`: 1+2&3 is 24 (Excel: the text 33). In @jspreadsheet/formula `&` adds: 5&3 is 8; 2^3^2 is 512 (Excel: 64), 1/0 is an infinity, and -2^2
# and 50% are errors. So a formula that was exported for Excel is not scored by these as Excel does it, and two of them agree with each
# other where both differ from it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . hot-formula-parser@4.0.0 @jspreadsheet/formula@2.0.2 >npm.log
cat >cells.cjs <<'CODE'
const { Parser } = require("hot-formula-parser");
const jspreadsheet = require("@jspreadsheet/formula");
function hot(text) {
  const { error, result } = new Parser().parse(text);
  return error ?? result;
}
function sheet(text) {
  try { return (jspreadsheet.default ?? jspreadsheet)(text, {}); } catch { return "an error"; }
}
for (const text of ["ATAN2(1,2)", "NORMSDIST(1)", "ROUND(-2.5,0)", "MOD(-5,3)", "LOG10(1000)", "ODD(0)", "IF(0,2)", "1+2&3", "5&3",
                    "2^3^2", "1/0", "-2^2", "50%"]) {
  console.log(text, "|", hot(text), "|", sheet(text));
}
CODE
seen=$(node cells.cjs)
echo "$seen"
wanted=$(cat <<'TEXT'
ATAN2(1,2) | 0.4636476090008061 | 0.4636476090008061
NORMSDIST(1) | 0.24197072451914337 | 0.24197072451914337
ROUND(-2.5,0) | -2 | -2
MOD(-5,3) | 2 | 1
LOG10(1000) | 2.9999999999999996 | 2.9999999999999996
ODD(0) | -1 | 1
IF(0,2) | true | false
1+2&3 | 24 | 6
5&3 | 53 | 8
2^3^2 | 64 | 512
1/0 | #DIV/0! | Infinity
-2^2 | -4 | an error
50% | 0.5 | an error
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
