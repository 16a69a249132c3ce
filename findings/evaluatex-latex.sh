#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# evaluatex 2.2.0 (npm): the same formula in its two syntaxes has two values, and roots of LaTeX are products.
#
# It reads formulas and, by an option, LaTeX. One would guess that `\sin x^2` is sin(x^2), as `sin x^2` in its own syntax and as it is in
# print. Seen: `sin x^2` is sin(x^2) and `\sin x^2` is (sin x)^2. `\sqrt[3]{8}` is sqrt(3) * 8 = 13.86, without an error, in place of 2;
# `\log` of 10, of 2 and of x = 3 is NaN, and `\frac{1}{2}x` and `2^{34}` are as in print. `\sin 12` is sin(1) * 2, as TeX reads the
# argument of a macro, though `12x` is 12 * x. So formulas that a search has written as LaTeX cannot be checked by it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . evaluatex@2.2.0 >npm.log
cat >latex.cjs <<'CODE'
const found = require("evaluatex");
const evaluatex = found.default ?? found;
console.log("sin x^2:", evaluatex("sin x^2", { x: 3 })());
for (const text of ["\\sin x^2", "\\sin{x^2}", "\\sqrt[3]{8}", "\\log 10", "\\log 2", "\\log x", "\\frac{1}{2}x", "2^{34}", "\\sin 12", "12x"]) {
  console.log(text + ":", evaluatex(text, { x: 3 }, { latex: true })());
}
CODE
seen=$(node latex.cjs)
echo "$seen"
wanted=$(cat <<'TEXT'
sin x^2: 0.4121184852417566
\sin x^2: 0.01991485667481699
\sin{x^2}: 0.4121184852417566
\sqrt[3]{8}: 13.856406460551018
\log 10: NaN
\log 2: NaN
\log x: NaN
\frac{1}{2}x: 1.5
2^{34}: 17179869184
\sin 12: 1.682941969615793
12x: 36
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
