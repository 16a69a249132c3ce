" SPDX-License-Identifier: Apache-2.0
" What the filetype's commands and its indentation do.

" Makes of this buffer what `komuz fmt` makes of it; a text with errors of syntax stays as it is.
function! komuz#Format() abort
  let lines = systemlist('komuz fmt -', getline(1, '$') + [''])
  if v:shell_error
    echohl ErrorMsg | echomsg 'komuz fmt: ' . get(lines, 0, 'there is no komuz in PATH') | echohl None
    return
  endif
  if lines ==# getline(1, '$')
    return
  endif
  let view = winsaveview()
  call setline(1, lines)
  if line('$') > len(lines)
    silent execute (len(lines) + 1) . ',$delete _'
  endif
  call winrestview(view)
endfunction

" A word that starts an item, wherever it stands.
let s:item = '\v^\s*%(%(pub|use|const|type|fn)>|space\s+\h|%(test|prop)\s*")'
" An operator between two operands, or a minus; no spread.
let s:infix = '\v^%([+*/%&|^<>=-]|!\=|\.\.?\=?)'
" What may have brackets in it that are none, or a bracket.
let s:parts = '\v//.*$|"%(\\.|[^"\\])*"|''%(\\.|[^''\\])*''|[][(){}]'

" The line without its comment, and without blanks behind it.
function! s:Code(line) abort
  let [part, begin, end] = matchstrpos(a:line, s:parts)
  while begin >= 0
    if part[:1] ==# '//'
      return substitute(strpart(a:line, 0, begin), '\s\+$', '', '')
    endif
    let [part, begin, end] = matchstrpos(a:line, s:parts, end)
  endwhile
  return substitute(a:line, '\s\+$', '', '')
endfunction

" For each bracket that is open before a line: the indentation of the line that opened it, and whether that line has more behind it.
function! s:Open(number) abort
  let first = a:number - 1
  while first > 1 && getline(first) !~# '\v^%(%(pub|use|const|type|fn)>|space\s+\h|%(test|prop)\s*")'
    let first -= 1
  endwhile
  let open = []
  for number in range(first, a:number - 1)
    let line = getline(number)
    let [part, begin, end] = matchstrpos(line, s:parts)
    while begin >= 0
      if part =~# '^[[({]$'
        call add(open, [indent(number), s:Code(strpart(line, end)) !~# '^\s*$'])
      elseif part =~# '^[])}]$' && !empty(open)
        call remove(open, -1)
      endif
      let [part, begin, end] = matchstrpos(line, s:parts, end)
    endwhile
  endfor
  return open
endfunction

" Does the code of a line go on with what stands before it?
function! s:GoesOn(number) abort
  let before = a:number - 1
  while before > 0 && s:Code(getline(before)) ==# ''
    let before -= 1
  endwhile
  if before == 0
    return 0
  endif
  let last = s:Code(getline(before))
  if last =~# '[;,{([]$'
    return 0
  endif
  let code = substitute(getline(a:number), '^\s\+', '', '')
  if code =~# s:infix
    return last !~# '}$' || code !~# '^-'
  endif
  " An operator at the end of a line waits for its operand.
  return last =~# '[=>+*/%&|^<:-]$'
endfunction

" The column at which `komuz fmt` starts a line.
function! komuz#Indent(number) abort
  let code = substitute(getline(a:number), '^\s\+', '', '')
  let open = s:Open(a:number)
  if code =~# '^[])}]'
    return empty(open) ? 0 : open[-1][0]
  endif
  if getline(a:number) =~# s:item
    return 0
  endif
  let base = empty(open) ? 0 : open[-1][0] + shiftwidth()
  " A comment stands where the code behind it does.
  let number = a:number
  if code =~# '^//'
    while number < line('$') && s:Code(getline(number)) ==# ''
      let number += 1
    endwhile
    if s:Code(getline(number)) ==# '' || getline(number) =~# '\v^\s*[])}]' || getline(number) =~# s:item
      return base
    endif
  endif
  " What goes on behind `(x` stands as far in as what `(` at the end of a line holds.
  let is_inside = !empty(open) && open[-1][1]
  return s:GoesOn(number) && !is_inside ? base + shiftwidth() : base
endfunction
