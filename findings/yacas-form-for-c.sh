#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yacas 1.3.6 (Debian 12, yacas 1.3.6-2.1): `CForm` writes roots, quotients and small constants that mean something else in C.
#
# One would guess that a form for C keeps a third a third: other exporters write 1.0/3.0. Seen: x^(1/3) becomes `pow(x, 1 / 3)`, which is x
# to the power 0, so 1 for all x; 2/3 becomes `2 / 3`, which is 0; 1.0e-20 * x is `0. * x`. x/3 and 0.1 * x are as they should be. All of
# these compile without a warning.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq yacas=1.3.6-2.1
dpkg -x yacas*.deb root
form() { LD_LIBRARY_PATH=root/usr/lib root/usr/bin/yacas -pc --rootdir root/usr/share/yacas/scripts --execute "WriteString(CForm($1));NewLine();Exit();" | head -n 1 | sed 's/In> *$//'; }
seen=$(
  for formula in 'x^(1/3)' '2/3' '1.0e-20 * x' 'x/3' '0.1 * x'; do
    text=$(form "$formula")
    printf '#include <math.h>\n#include <stdio.h>\nint main(void) {\n  double x = 8;\n  printf("%%g\\n", x - x + %s);\n}\n' "$text" >formula.c
    gcc -Wall -Wextra -Werror formula.c -o formula -lm
    echo "$formula is written $text, for x = 8: $(./formula)"
  done
)
echo "$seen"
wanted=$(cat <<'TEXT'
x^(1/3) is written pow(x, 1 / 3), for x = 8: 1
2/3 is written 2 / 3, for x = 8: 0
1.0e-20 * x is written 0. * x, for x = 8: 0
x/3 is written x / 3, for x = 8: 2.66667
0.1 * x is written 0.1 * x, for x = 8: 0.8
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
