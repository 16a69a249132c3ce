#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Octave 7.3.0 (Debian 12, octave 7.3.0-2): numbers do not come through `jsonencode` and `jsondecode` as they were.
#
# One would guess that a double has the digits that read as the same double, or 15 of them. Seen: positive numbers below 2.2e-16, the
# distance from 1 to the next double, are written as 0, such as 1.6e-19 and 3.3e-300, while -1e-16 stays as it is. 0.1 + 0.2 is written as
# 0.30000000000000007. Of a thousand random numbers with 17 digits about a fifth are read a bit off, while `str2double` reads all. A
# `single` that is no integer is an "unsupported type", and so is an `int64` that a double cannot hold; of 1 + 2i the imaginary part goes
# away. So a loss that passes through Octave as JSON is another number, and a small one is perfect. Programs that compare bits have to pass
# them by `%.17g` and `str2double`.
#
# Octave has to be installed, in this version: it is too large for a folder of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
version=$(dpkg-query -W -f '${Version}' octave 2>/dev/null) || true
[ "$version" = 7.3.0-2 ] || { echo "this needs octave 7.3.0-2, and not '$version'" >&2; exit 1; }
cat >json.m <<'CODE'
for given = {"1e-15", "1e-16", "-1e-16", "1.6e-19", "3.3e-300", "0.1 + 0.2", "1 + 2i", "single(2)", "single(0.1)", "int64(2)", "intmax('int64')"}
  try
    text = jsonencode(eval(given{1}));
  catch problem
    text = problem.message;
  end
  printf("%s is written: %s\n", given{1}, text);
end
rand("seed", 1);
wrong = [0 0];
for i = 1:1000
  x = rand();
  text = sprintf("%.17g", x);
  wrong += [jsondecode(text) != x, str2double(text) != x];
end
printf("more than 100 of 1000 read otherwise: %d, by str2double: %d\n", wrong(1) > 100, wrong(2));
CODE
seen=$(octave-cli --no-init-file --quiet json.m 2>err)
echo "$seen"
wanted=$(cat <<'TEXT'
1e-15 is written: 1e-15
1e-16 is written: 0
-1e-16 is written: -1e-16
1.6e-19 is written: 0
3.3e-300 is written: 0
0.1 + 0.2 is written: 0.30000000000000007
1 + 2i is written: [1]
single(2) is written: 2
single(0.1) is written: jsonencode: unsupported type
int64(2) is written: 2
intmax('int64') is written: jsonencode: unsupported type
more than 100 of 1000 read otherwise: 1, by str2double: 0
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
