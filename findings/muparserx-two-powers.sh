#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# muParserX 4.0.11 (Debian 12, libmuparserx-dev 4.0.11-2): `pow(x, y)` and `x^y` are two functions, and which others have the usual values
# depends on the packages that the parser was made with.
#
# Seen: with pckALL_COMPLEX, which a parser has by default, functions of real numbers are calculated as those of complex ones, and what has no
# imaginary part is given as real: `pow(10, -2)` is 0.009999999999999995 and `log10(1000)` below 3, while the operator gives 10^-2 = 0.01.
# There is no `asin` and no `acos` at all. With pckALL_NON_COMPLEX all of these are as in C, and `cbrt(27)`, which is only there, is not 3.
# ToString gives 15 digits, which hide most of it. Formulas that were found by one kind of parser score
# otherwise by the other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq libmuparserx-dev=4.0.11-2 libmuparserx4.0.11=4.0.11-2
for package in *.deb; do dpkg -x "$package" root; done
cat >formula.cpp <<'CODE'
#include <muparserx/mpParser.h>

#include <cstdio>
void show(const char* name, int packages) {
  for (const char* text : {"pow(10,-2)", "10^-2", "pow(2,0.5)", "2^0.5", "log10(1000)", "asin(0.5)", "cbrt(27)"}) {
    try {
      mup::ParserX parser(packages);
      parser.SetExpr(text);
      const mup::Value value = parser.Eval();
      std::printf("%s: %s = %.17g, said as %s\n", name, text, value.GetFloat(), value.ToString().c_str());
    } catch (const mup::ParserError&) {
      std::printf("%s: %s is unknown\n", name, text);
    }
  }
}
int main() {
  show("complex", mup::pckALL_COMPLEX);
  show("real", mup::pckALL_NON_COMPLEX);
}
CODE
lib=root/usr/lib/x86_64-linux-gnu
g++ -O1 -Iroot/usr/include formula.cpp -o formula -L"$lib" -lmuparserx
seen=$(LD_LIBRARY_PATH=$lib ./formula)
echo "$seen"
[ "$seen" = "complex: pow(10,-2) = 0.009999999999999995, said as 0.01
complex: 10^-2 = 0.01, said as 0.01
complex: pow(2,0.5) = 1.4142135623730949, said as 1.41421356237309
complex: 2^0.5 = 1.4142135623730951, said as 1.4142135623731
complex: log10(1000) = 2.9999999999999996, said as 3
complex: asin(0.5) is unknown
complex: cbrt(27) is unknown
real: pow(10,-2) = 0.01, said as 0.01
real: 10^-2 = 0.01, said as 0.01
real: pow(2,0.5) = 1.4142135623730951, said as 1.4142135623731
real: 2^0.5 = 1.4142135623730951, said as 1.4142135623731
real: log10(1000) = 3, said as 3
real: asin(0.5) = 0.52359877559829893, said as 0.523598775598299
real: cbrt(27) = 3.0000000000000004, said as 3" ] || { echo "this has changed" >&2; exit 1; }
