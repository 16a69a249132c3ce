#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# muParser 2.3.3 (Debian 12, libmuparser-dev 2.3.3-0.1): formulas that are moved to it, or scored by it, change their values.
#
# Seen: `_pi` has 12 digits behind the point, as the header that users include defines it (the template for `double` keeps 3.141592653589);
# `rint(2.5)` is 3, where C's rint gives 2 (ties to even); and `a + 1e16 - 1e16` with a = 3 is 3, as the parser adds the two constants when
# it compiles, where the formula as it stands is 4 in double precision. So bits cannot be compared with other tools, and pi is 7.9e-13 off.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq libmuparser-dev=2.3.3-0.1 libmuparser2v5=2.3.3-0.1
for package in *.deb; do dpkg -x "$package" root; done
cat >formula.cpp <<'CODE'
#include <muParser.h>

#include <cmath>
#include <cstdio>
int main() {
  double a = 3;
  for (const char* text : {"_pi", "rint(2.5)", "a+1e16-1e16"}) {
    mu::Parser parser;
    parser.DefineVar("a", &a);
    parser.SetExpr(text);
    std::printf("%s = %.17g\n", text, parser.Eval());
  }
  volatile double large = 1e16;
  std::printf("C: %.17g, %g, %g\n", M_PI, std::rint(2.5), (a + large) - large);
}
CODE
lib=root/usr/lib/x86_64-linux-gnu
g++ -O1 -Iroot/usr/include formula.cpp -o formula -L"$lib" -lmuparser
seen=$(LD_LIBRARY_PATH=$lib ./formula)
echo "$seen"
[ "$seen" = "_pi = 3.141592653589
rint(2.5) = 3
a+1e16-1e16 = 3
C: 3.1415926535897931, 2, 4" ] || { echo "this has changed" >&2; exit 1; }
