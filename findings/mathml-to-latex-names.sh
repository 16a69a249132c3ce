#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mathml-to-latex 1.8.0 (npm): functions and names of several letters become products of letters.
#
# MathML says by one `<mi>` that `sin` or `speed` is one name, and one would guess that LaTeX gets `\sin` and `\mathrm{speed}`, or the like.
# Seen: `sin x` and `speed`, which LaTeX prints, and readers of LaTeX read, as s * i * n * x; a `*` becomes a star, `\star`, which readers
# of formulas do not know. Brackets around powers, roots and fractions are right. So a formula that went through MathML cannot be read back,
# and no error says so.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . mathml-to-latex@1.8.0 >npm.log
cat >names.cjs <<'CODE'
const { MathMLToLaTeX } = require("mathml-to-latex");
const fraction = "<mfrac><mi>a</mi><mi>b</mi></mfrac>";
const formulas = ["<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "<mi>speed</mi>", "<mi>x</mi><mo>*</mo><mi>y</mi>", "<mi>max</mi>",
                  `<msup>${fraction}<mn>2</mn></msup>`];
for (const formula of formulas) {
  console.log(formula, "is", MathMLToLaTeX.convert(`<math>${formula}</math>`));
}
CODE
seen=$(node names.cjs)
echo "$seen"
wanted=$(cat <<'TEXT'
<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi> is sin x
<mi>speed</mi> is speed
<mi>x</mi><mo>*</mo><mi>y</mi> is x \star y
<mi>max</mi> is max
<msup><mfrac><mi>a</mi><mi>b</mi></mfrac><mn>2</mn></msup> is \left(\frac{a}{b}\right)^{2}
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
