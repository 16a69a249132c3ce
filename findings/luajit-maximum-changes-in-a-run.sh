#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# LuaJIT 2.1.0-beta3 (Debian 12, luajit 2.1.0~beta3+git20220320+dfsg-4.1+deb12u1): `math.max` and `math.min` change their answers in the
# middle of a loop, when its code is compiled.
#
# Seen on x86-64: of the values of a table `math.max(0/0, x)` with x = 1 is 1 in the interpreter, and nan once the loop around it is compiled,
# and 1 again for elements where the compiled code is left; with the operands the other way around both say nan. `math.min(0, x)` with x = -0
# is -0, and 0 later. So a candidate that is scored on a thousand cases has two meanings in one run, and which case has which depends on
# what has run before. Of 44 other formulas that were compared each had the same bits both ways.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
version=2.1.0~beta3+git20220320+dfsg-4.1+deb12u1
apt-get download -qq luajit=$version libluajit-5.1-2=$version libluajit-5.1-common=$version
for package in *.deb; do dpkg -x "$package" root; done
cat >loop.lua <<'CODE'
local function answers(name, f, x)
  local xs, all, seen = {}, {}, {}
  for round = 1, 1000 do xs[round] = x end
  for round = 1, 1000 do all[round] = f(xs[round]) end
  for round = 1, 1000 do
    local answer = all[round] ~= all[round] and "nan" or string.format("%g", all[round])
    if not seen[answer] then
      seen[#seen + 1], seen[answer] = answer, true
    end
  end
  print(name .. ": " .. table.concat(seen, ", then "))
end
answers("max(nan, 1)", function(x) return math.max(0/0, x) end, 1)
answers("max(1, nan)", function(x) return math.max(x, 0/0) end, 1)
answers("min(0, -0.0)", function(x) return math.min(0, x) end, -0.0)
answers("min(-0.0, 0)", function(x) return math.min(x, 0) end, -0.0)
CODE
run() { LD_LIBRARY_PATH=root/usr/lib/x86_64-linux-gnu "$(find root/usr/bin -type f -name 'luajit*')" "$@" loop.lua; }
seen=$(run; echo "without a compiler:"; run -joff)
echo "$seen"
[ "$seen" = "max(nan, 1): 1, then nan
max(1, nan): nan
min(0, -0.0): -0, then 0
min(-0.0, 0): 0
without a compiler:
max(nan, 1): 1
max(1, nan): nan
min(0, -0.0): -0
min(-0.0, 0): 0" ] || { echo "this has changed" >&2; exit 1; }
