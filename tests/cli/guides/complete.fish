# SPDX-License-Identifier: Apache-2.0
# fish --no-config complete.fish SCRIPT <LINES: what the script completes at the end of each line, one a line, then an empty line.
source $argv[1]; or exit 1
while read -l line
    complete -C $line | string replace -r '\t.*' ''
    echo
end
