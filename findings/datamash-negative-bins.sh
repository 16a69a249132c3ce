#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GNU datamash 1.7 (Debian 12, datamash 1.7-2): `bin` puts negative numbers that are multiples of the bucket one bucket too low.
#
# `bin:3` names a bucket by its lower end: 0, 1 and 2 are in 0, 3 is in 3. One would guess that -3 is in -3. Seen: -3 is in -6 and -6 in -9,
# while -5 is in -6: below 0 a bucket has its upper end in place of its lower end. So a histogram of errors around 0 is lopsided. Seen too:
# `sum` takes 0x10 for 16, and `min` of numbers with a nan between them leaves it out, where a nan that comes first is the answer.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq datamash=1.7-2
dpkg -x datamash*.deb root
datamash=root/usr/bin/datamash
seen=$(
  for x in -6 -5 -3 -1 0 2 3; do echo "$x is in $(echo $x | $datamash bin:3 1)"; done
  printf '0x10\n1\n' | $datamash sum 1
  printf '1\nnan\n2\n' | $datamash min 1 max 1
  printf 'nan\n1\n2\n' | $datamash min 1 max 1
)
echo "$seen"
wanted=$(cat <<'TEXT'
-6 is in -9
-5 is in -6
-3 is in -6
-1 is in -3
0 is in 0
2 is in 0
3 is in 3
17
1	2
nan	nan
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
