#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LLVM 19.1.7 (Debian 12, llvm-19 1:19.1.7-3~deb12u1): `frem` for NVIDIA devices is no remainder, and its two roundings are left open.
#
# Seen: the language reference defines `frem` as C's fmod, which is exact, and code for x86 calls that. For NVPTX the code is
# x - trunc(x / y) * y, with three roundings: for 1 and 0.1 that is 0, where fmod gives 0.09999999999999995. And where LLVM writes `.rn` at
# other products and differences, which the assembler of PTX must not fuse, this expansion has `mul.f64` and `sub.f64` without it: fused,
# the remainder of the two positive numbers is -5.6e-17. So three executions of one line of IR give three results.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq llvm-19=1:19.1.7-3~deb12u1 llvm-19-runtime=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 \
  libz3-4=4.8.12-3.1 libedit2=3.1-20221030-2 libbsd0=0.11.7-2 libxml2 libicu72
for package in *.deb; do dpkg -x "$package" root; done
llvm() { LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu:root/usr/lib/llvm-19/lib "root/usr/lib/llvm-19/bin/$@"; }
cat >remainder.ll <<'CODE'
@words = constant [19 x i8] c"on the host %.17g\0A\00"
declare i32 @printf(ptr, ...)
define double @product(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}
define double @remainder(double %x, double %y) {
  %r = frem double %x, %y
  ret double %r
}
define i32 @main() {
  %r = call double @remainder(double 1.0, double 0.1)
  %n = call i32 (ptr, ...) @printf(ptr @words, double %r)
  ret i32 0
}
CODE
sed '/^define i32 @main/,$d; /printf\|^@/d' remainder.ll >device.ll
seen=$(
  llvm lli -O0 remainder.ll
  llvm llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_90 -O2 device.ll -o - | awk '/div\.|cvt\.|mul\.|sub\./ { print "on the device " $1 }'
  python3 - <<'CODE'
import math
from fractions import Fraction
x, y = 1.0, 0.1
whole = math.trunc(x / y)
print("as the device rounds", x - whole * y)
print("fused", float(Fraction(x) - whole * Fraction(y)))
CODE
)
echo "$seen"
[ "$seen" = "on the host 0.09999999999999995
on the device mul.rn.f64
on the device div.rn.f64
on the device cvt.rzi.f64.f64
on the device mul.f64
on the device sub.f64
as the device rounds 0.0
fused -5.551115123125783e-17" ] || { echo "this has changed" >&2; exit 1; }
