#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Z3 4.8.12 (Debian 12, libz3-dev 4.8.12-3.1): the predicate that a signed product does not overflow is wrong for negative factors.
#
# Seen: `Z3_mk_bvmul_no_overflow(c, x, y, true)` should say that x * y is at most the largest number. It is false for -1 * -1, and for
# -128 * 5 in 8 bits, which is too small but not too large. `Z3_mk_bvmul_no_underflow` is right. So a proof that counts on both, as their
# names and the manual suggest, calls products that fit too large.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq libz3-dev=4.8.12-3.1 libz3-4=4.8.12-3.1
for package in *.deb; do dpkg -x "$package" root; done
cat >products.c <<'CODE'
#include <stdio.h>
#include <z3.h>
int main(void) {
  Z3_context c = Z3_mk_context(Z3_mk_config());
  const Z3_sort byte = Z3_mk_bv_sort(c, 8);
  int over = 0, under = 0;
  for (int x = -128; x < 128; ++x)
    for (int y = -128; y < 128; ++y) {
      const Z3_ast a = Z3_mk_int(c, x & 255, byte), b = Z3_mk_int(c, y & 255, byte);
      const Z3_ast fits_above = Z3_simplify(c, Z3_mk_bvmul_no_overflow(c, a, b, 1));
      const Z3_ast fits_below = Z3_simplify(c, Z3_mk_bvmul_no_underflow(c, a, b));
      over += (Z3_get_bool_value(c, fits_above) == Z3_L_TRUE) != (x * y <= 127);
      under += (Z3_get_bool_value(c, fits_below) == Z3_L_TRUE) != (x * y >= -128);
    }
  printf("wrong: no_overflow %d, no_underflow %d of 65536\n", over, under);
  return over != 0 && under == 0 ? 0 : 1;
}
CODE
gcc -I root/usr/include products.c -o products root/usr/lib/x86_64-linux-gnu/libz3.so.4
LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu ./products
