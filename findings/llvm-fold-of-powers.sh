#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LLVM 19.1.7 (Debian 12, llvm-19 1:19.1.7-3~deb12u1; libc6 2.36): powers of constants have other bits than the same powers at run time.
#
# Seen: `llvm.powi(x, n)` becomes repeated multiplication where it runs, and the host's `pow` where x and n are constants: of the values
# below 32 of 40 differ. `llvm.exp10(x)` becomes the C library's `exp10` where it runs, and `pow(10, x)`
# where x is a constant. `llvm.pow`, `llvm.exp`, `llvm.exp2`, `llvm.log` and `llvm.sin` of the same values have one result both ways. So with
# these two a search that puts constants into formulas and one that passes them as data rank one formula differently.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq llvm-19=1:19.1.7-3~deb12u1 llvm-19-runtime=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 \
  libz3-4=4.8.12-3.1 libedit2=3.1-20221030-2 libbsd0=0.11.7-2 libxml2 libicu72
for package in *.deb; do dpkg -x "$package" root; done
llvm() { LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu:root/usr/lib/llvm-19/lib "root/usr/lib/llvm-19/bin/$@"; }
# differing NAME PARAMETERS CONSTANTS: for how many of 40 values x the two results differ
differing() {
  local k body="" tests=""
  for k in $(seq 1 40); do
    local x="$((k % 9 + 1)).$((k * 37 % 100 + 101))e+0"
    tests+="
  store volatile double $x, ptr @x
  %x$k = load volatile double, ptr @x
  %a$k = call double @llvm.$1(double %x$k$3)
  %b$k = call double @llvm.$1(double $x$3)
  %i$k = bitcast double %a$k to i64
  %j$k = bitcast double %b$k to i64
  %d$k = icmp ne i64 %i$k, %j$k
  %z$k = zext i1 %d$k to i32
  %s$k = add i32 %s$((k - 1)), %z$k"
  done
  cat >program.ll <<CODE
@words = constant [4 x i8] c"%d\0A\00"
@x = global double 0.0
declare i32 @printf(ptr, ...)
declare double @llvm.$1($2)
define i32 @main() {
  %s0 = add i32 0, 0$tests
  %n = call i32 (ptr, ...) @printf(ptr @words, i32 %s40)
  ret i32 0
}
CODE
  llvm opt -passes='function(instsimplify)' -S program.ll -o folded.ll
  echo "$1: $(llvm lli folded.ll) of 40"
}
seen=$(
  differing powi.f64.i32 "double, i32" ", i32 13"
  differing exp10.f64 "double" ""
  differing pow.f64 "double, double" ", double 2.7"
  differing exp.f64 "double" ""
  differing exp2.f64 "double" ""
  differing log.f64 "double" ""
  differing sin.f64 "double" ""
)
echo "$seen"
[ "$seen" = "powi.f64.i32: 32 of 40
exp10.f64: 18 of 40
pow.f64: 0 of 40
exp.f64: 0 of 40
exp2.f64: 0 of 40
log.f64: 0 of 40
sin.f64: 0 of 40" ] || { echo "this has changed" >&2; exit 1; }
