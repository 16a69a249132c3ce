" SPDX-License-Identifier: Apache-2.0
" Indents files anew; see check_indent.py.
set encoding=utf-8 hidden
execute 'set runtimepath^=' . fnameescape($KOMUZ_EDITORS . '/vim')
filetype plugin indent on
let s:all = []
for s:file in json_decode(join(readfile($KOMUZ_FILES), ''))
  enew
  call setline(1, map(readfile(s:file), 'substitute(v:val, "^\\s\\+", "", "")'))
  setfiletype komuz
  silent normal! gg=G
  call add(s:all, getline(1, '$'))
  bwipeout!
endfor
call writefile([json_encode(s:all)], $KOMUZ_OUT)
qall!
