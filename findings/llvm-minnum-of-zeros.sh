#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LLVM 19.1.7 (Debian 12, llvm-19 1:19.1.7-3~deb12u1): `llvm.minnum` of the two zeros depends on who calculates it, on one machine.
#
# Seen: its reference leaves the sign open for +0 and -0. The folder of constants says -0 for both orders of the operands. Code that was
# selected for x86 without optimising says +0 and -0, the first operand. Optimised code says +0 for both. So a program changes its bits
# when a constant is propagated, and with the level of optimising; and an interpreter that folds as LLVM does agrees with neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq llvm-19=1:19.1.7-3~deb12u1 llvm-19-runtime=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 \
  libz3-4=4.8.12-3.1 libedit2=3.1-20221030-2 libbsd0=0.11.7-2 libxml2 libicu72
for package in *.deb; do dpkg -x "$package" root; done
llvm() { LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu:root/usr/lib/llvm-19/lib "root/usr/lib/llvm-19/bin/$@"; }
cat >loaded.ll <<'CODE'
@words = constant [9 x i8] c"%+g %+g\0A\00"
@plus = global double 0.0
@minus = global double -0.0
declare i32 @printf(ptr, ...)
declare double @llvm.minnum.f64(double, double)
define i32 @main() {
  %p = load volatile double, ptr @plus
  %m = load volatile double, ptr @minus
  %a = call double @llvm.minnum.f64(double %p, double %m)
  %b = call double @llvm.minnum.f64(double %m, double %p)
  %n = call i32 (ptr, ...) @printf(ptr @words, double %a, double %b)
  ret i32 0
}
CODE
sed -e '/load volatile/d' -e 's/double %p/double 0.0/; s/double %m/double -0.0/' loaded.ll >constant.ll
answer() {
  llvm opt "-O$1" -S "$2.ll" -o optimised.ll
  echo "$2 -O$1: $(llvm lli "-O$1" optimised.ll)"
}
seen=$(answer 0 loaded; answer 2 loaded; answer 2 constant)
echo "$seen"
[ "$seen" = "loaded -O0: +0 -0
loaded -O2: +0 +0
constant -O2: -0 -0" ] || { echo "this has changed" >&2; exit 1; }
