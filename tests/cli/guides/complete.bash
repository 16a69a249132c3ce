# SPDX-License-Identifier: Apache-2.0
# bash complete.bash SCRIPT <LINES: what the script completes at the end of each line, one a line, then an empty line. The line is parted
# as bash does it, where `=` is a word of its own.
source "$1" || exit 1
while IFS= read -r line; do
  COMP_WORDS=() COMP_LINE=$line
  for word in $line; do
    while [[ $word == *=* ]]; do
      [[ -z ${word%%=*} ]] || COMP_WORDS+=("${word%%=*}")
      COMP_WORDS+=('=')
      word=${word#*=}
    done
    [[ -z $word ]] || COMP_WORDS+=("$word")
  done
  [[ $line != *' ' ]] || COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMP_POINT=${#line}
  COMPREPLY=()
  _komuz komuz
  ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
  echo
done
