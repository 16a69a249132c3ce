#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Qalculate! 4.5.1 (Debian 12, qalc 4.5.1-1): a power behind the name of a function is a factor, or a digit, of its argument.
#
# Formulas of textbooks and of LaTeX have sin^2(x) for the square of sin(x). One would guess that a calculator reads it so, or refuses it.
# Seen: sin^2(1) is sin(2 * 1), and so are cos, tan, ln, exp and sqrt; sin^2 1, with a blank, is sin(21). So sin^2(1) + cos^2(1) is 0.49. The power
# of -1 alone is read as mathematicians do: sin^-1(1) is the arc sine. All are answered without a warning. Who gives formulas to it has to write
# sin(x)^2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq qalc=4.5.1-1 libqalculate22=4.5.1-1 libqalculate-data=4.5.1-1
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(echo root/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH HOME=$folder LC_ALL=C.UTF-8
seen=$(
  for formula in 'sin(1)^2' 'sin^2(1)' 'sin^2 1' 'sin^3(1)' 'ln^2(3)' 'sqrt^2(9)' 'sin^-1(1)' 'sin^2(1)+cos^2(1)'; do
    echo "$formula is $(root/usr/bin/qalc -t "$formula" | tail -n 1)"
  done
  echo "sin(2) is $(root/usr/bin/qalc -t 'sin(2)' | tail -n 1), sin(21) is $(root/usr/bin/qalc -t 'sin(21)' | tail -n 1)"
)
echo "$seen"
wanted=$(cat <<'TEXT'
sin(1)^2 is 0.7080734183
sin^2(1) is 0.9092974268
sin^2 1 is 0.8366556385
sin^3(1) is 0.1411200081
ln^2(3) is 1.791759469
sqrt^2(9) is 4.242640687
sin^-1(1) is 1.570796327
sin^2(1)+cos^2(1) is 0.4931505903
sin(2) is 0.9092974268, sin(21) is 0.8366556385
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
