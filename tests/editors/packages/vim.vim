" SPDX-License-Identifier: Apache-2.0
" Uses the package as a person would, with ALE; see check_package.py.
set nocompatible hidden noswapfile encoding=utf-8
execute 'set runtimepath^=' . fnameescape($KOMUZ_EDITORS . '/vim') . ',' . fnameescape($ALE)
filetype plugin indent on
syntax enable

function s:Say(words) abort
  call writefile([substitute(a:words, "\n\\+", ' | ', 'g')], $KOMUZ_STEPS, 'a')
endfunction
function s:Expect(is, words) abort
  if !a:is
    call s:Say('FAILED: ' . a:words)
    cquit!
  endif
endfunction
function s:WaitFor(what) abort
  while 1
    let found = a:what()
    if !empty(found)
      return found
    endif
    sleep 10m
  endwhile
endfunction

function s:Drive() abort
  edit bad.komuz
  call s:Expect(&filetype ==# 'komuz' && b:current_syntax ==# 'komuz', 'the filetype is ' . &filetype)
  let linters = map(ale#linter#Get('komuz'), 'v:val.name')
  call s:Expect(linters ==# ['komuz'], 'ALE has the linters ' . string(linters))
  let found = s:WaitFor({-> getloclist(0)})
  call s:Expect(len(found) == 1 && found[0].text =~# 'there is no `y` here' && [found[0].lnum, found[0].col] == [1, 27], string(found))
  call s:Say('ALE: ' . found[0].text)

  silent make!
  let found = getqflist()
  call s:Expect(len(found) == 1 && [found[0].lnum, found[0].col, found[0].type, found[0].nr] == [1, 27, 'e', 201], string(found))
  call s:Expect(bufname(found[0].bufnr) ==# 'bad.komuz' && found[0].text =~# '^\s*there is no `y` here$', string(found))
  call s:Say(':make: ' . found[0].text)

  call setline(1, 'fn  f( x:i64 )->i64{x}')
  KomuzFormat
  call s:Expect(getline(1, '$') ==# ['fn f(x: i64) -> i64 { x }'], 'formatted: ' . string(getline(1, '$')))
  call setline(1, 'fn f(x: i64')
  KomuzFormat
  call s:Expect(getline(1, '$') ==# ['fn f(x: i64'], 'what does not parse stays as it is: ' . string(getline(1, '$')))
  call s:Say('formatted')

  help :KomuzFormat
  call s:Expect(expand('%:t') ==# 'komuz.txt' && getline('.') =~# '^:KomuzFormat', 'help shows ' . getline('.'))
  " The tags are of this text.
  let tags = readfile($KOMUZ_EDITORS . '/vim/doc/tags')
  let named = filter(split(join(getline(1, '$')), '\s\+'), 'v:val =~# "^\\*\\S\\+\\*$"')
  call s:Expect(sort(map(named, 'v:val[1:-2]')) ==# sort(map(copy(tags), 'split(v:val, "\t")[0]')), 'run :helptags: ' . string(named))
  close
  call s:Say('help: ' . len(tags) . ' tags')

  enew
  setfiletype komuz
  call feedkeys("ifn f(x: i64) -> i64 {\<CR>if x > 1 {\<CR>return x\<CR>+ 2;\<CR>}\<CR>x\<CR>}\<Esc>", 'tx')
  let wanted = ['fn f(x: i64) -> i64 {', '    if x > 1 {', '        return x', '            + 2;', '    }', '    x', '}']
  call s:Expect(getline(1, '$') ==# wanted, 'typed: ' . join(getline(1, '$'), "\n"))
  call s:Say('indented while typing')
  call s:Say('done')
  qall!
endfunction

function s:Run() abort
  try
    call s:Drive()
  catch
    call s:Expect(0, v:exception . ' at ' . v:throwpoint)
  endtry
endfunction
autocmd VimEnter * ++nested call s:Run()
