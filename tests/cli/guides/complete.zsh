# SPDX-License-Identifier: Apache-2.0
# zsh -f complete.zsh SCRIPT <LINES: what the script completes at the end of each line, one a line, then an empty line. A second zsh has a
# terminal, on which the key Tab runs the completions; there `compadd` says what it is given.
zmodload zsh/zpty || exit 1
typeset -r script=$1 begin=$'\x02' end=$'\x03'

zpty inner zsh -f -i
inner() { zpty -w inner "$*"; }
inner 'PS1= PS2= RPS1=; unsetopt zle_bracketed_paste prompt_sp prompt_cr 2>/dev/null; stty -echo 2>/dev/null'
inner 'autoload -Uz compinit && compinit -D -u && source '${(q)script}
inner 'zstyle ":completion:*" list-grouped false; zstyle ":completion:*" insert-tab false'
inner 'unset zle_bracketed_paste; LISTMAX=0'
inner 'compadd() {
  case " ${@[1,(i)(-|--)]}" in *" "-(O|A|D)*) builtin compadd "$@"; return ;; esac
  local -a found before; builtin compadd -A found "$@"
  zparseopts -E -a before p:; (( $#found )) && print -rl -- $before[2]$^found
  builtin compadd "$@"
}'
inner 'say_begin() { print -n "\x02"; compprefuncs=(say_begin) }; say_end() { print -n "\x03"; compstate[list]= compstate[insert]=; comppostfuncs=(say_end) }
compprefuncs=(say_begin) comppostfuncs=(say_end); bindkey "^I" complete-word'
inner 'print -n "rea""dy\x03"'
zpty -r inner chunk "*ready$end"

while IFS= read -r line; do
  zpty -n -w inner $'\x15'$line$'\t'
  zpty -r inner chunk "*$begin*$end"
  chunk=${${chunk##*$begin}%%$end*}
  chunk=${chunk//$'\r'/}
  [[ -z $chunk ]] || print -r -- ${chunk%$'\n'}
  print
done
zpty -d inner
