" SPDX-License-Identifier: Apache-2.0
" What Vim shows of files; see check_colours.py.
set encoding=utf-8 hidden
execute 'set runtimepath^=' . fnameescape($KOMUZ_EDITORS . '/vim')
syntax enable
" Of what lies in a comment or a string, the outer one counts.
function s:NameAt(number, column) abort
  let stack = synstack(a:number, a:column)
  return empty(stack) ? '' : synIDattr(stack[0], 'name')
endfunction
" Vim looks for all patterns anew each time that it is asked, so that it is asked once for each word or sign.
function s:Stretches(number) abort
  let line = getline(a:number)
  let stretches = []
  let [word, begin, end] = matchstrpos(line, '\w\+\|\S')
  while begin >= 0
    let name = s:NameAt(a:number, begin + 1)
    if name =~# 'Comment\|Doc' && s:NameAt(a:number, len(line)) ==# name
      let end = len(line)
    endif
    if name !=# ''
      call add(stretches, [begin, end, name])
    endif
    let [word, begin, end] = matchstrpos(line, '\w\+\|\S', end)
  endwhile
  return stretches
endfunction

let s:all = []
for s:file in json_decode(join(readfile($KOMUZ_FILES), ''))
  execute 'silent edit ' . fnameescape(s:file)
  setlocal syntax=komuz
  call add(s:all, map(range(1, line('$')), 's:Stretches(v:val)'))
  bwipeout!
endfor
call writefile([json_encode(s:all)], $KOMUZ_OUT)
qall!
