#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# xjobs 20120412 and pexec 1.0-rc8 (Debian 12, xjobs 20120412-1+b1 and pexec 1.0~rc8-4+b1): a job that fails leaves no trace in the exit code.
#
# Both run jobs in parallel, and their manual pages say nothing of their exit codes. One would guess that it is not 0 where a job has failed, as
# of GNU parallel (the number of jobs that failed), xargs (123) and make. Seen: it is 0. xjobs names the exit code of each job on standard
# error, in a line of its own; pexec says nothing. So `pexec … && merge` merges the parts of a search though one of them is missing: it is
# the merge that has to notice.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get download -qq xjobs=20120412-1+b1 pexec=1.0~rc8-4+b1
for package in *.deb; do dpkg -x "$package" root; done
code() { if "$@" >out 2>err; then echo 0; else echo $?; fi; }
printf 'true\nfalse\n' >jobs
seen=$(
  echo "xjobs: $(code root/usr/bin/xjobs -j 1 <jobs), lines that say exit code 1: $(cat out err | grep -c 'exitcode 1')"
  echo "pexec: $(code root/usr/bin/pexec -n 1 -p "0 1" -e x -o - -c -- 'exit $x'), bytes said: $(cat out err | wc -c)"
  echo "xargs: $(code xargs -n 1 -a jobs sh -c '"$0"')"
)
echo "$seen"
wanted=$(cat <<'TEXT'
xjobs: 0, lines that say exit code 1: 1
pexec: 0, bytes said: 0
xargs: 123
TEXT
)
if [ "$seen" = "$wanted" ]; then
  echo "as found"
else
  diff <(echo "$wanted") <(echo "$seen") || true
  echo "this has changed" >&2
  exit 1
fi
