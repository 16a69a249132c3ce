#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Miller 6.6.0 (Debian 12, miller 6.6.0-2+b3): numbers beyond 64 bits, NaN, infinities and numbers with a `+` are texts, and sums leave them
# out.
#
# Its sums and products go over to floats where integers end (2**64 is 18446744073709552000), and it prints 0/0 as NaN, so one would guess
# that it reads both. Seen: 12345678901234567890 and 1e400 are texts, and come out of JSON in quotes where they had none; NaN, Inf and +5
# are texts, too. `sum` and `mean` skip them without a word, though `count` counts them: the sum of 3 and 12345678901234567890 is 3, their
# count is 2 and their mean is 3. `max` takes a text for larger than all numbers. `strlen(12345)` is an error. So a column of losses that
# are huge or not finite, as searches have them, has a mean of the others, and no reader sees that rows are missing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq miller=6.6.0-2+b3
dpkg -x miller*.deb root
miller=root/usr/bin/mlr
seen=$(
  echo '{"a":12345678901234567890,"b":1e400,"c":9223372036854775807,"d":1e300}' | $miller --ijson --ojsonl cat
  printf 'x=3\nx=12345678901234567890\n' | $miller stats1 -a sum,count,mean,max -f x
  printf 'x=3\nx=NaN\nx=Inf\nx=+5\n' | $miller put -q 'print $x . " is " . typeof($x)'
  printf 'x=3\nx=NaN\nx=Inf\n' | $miller stats1 -a sum,count,mean -f x
  $miller -n put 'end { print 2 ** 64; print 0 / 0; print strlen(12345) }'
)
echo "$seen"
wanted=$(cat <<'TEXT'
{"a": "12345678901234567890", "b": "1e400", "c": 9223372036854775807, "d": 1e300}
x_sum=3,x_count=2,x_mean=3,x_max=12345678901234567890
3 is int
NaN is string
Inf is string
+5 is string
x_sum=3,x_count=3,x_mean=3
18446744073709552000
NaN
(error)
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
