" SPDX-License-Identifier: Apache-2.0
" Drives Vim with ALE by the plan; see check_client.py. `sleep` lets timers and channels go on, as under a user's hands.
set nocompatible hidden noswapfile
execute 'set runtimepath^=' . fnameescape($ALE)
filetype plugin on
let s:plan = json_decode(join(readfile($KOMUZ_PLAN), "\n"))
let s:server = json_decode($KOMUZ_SERVER)
let g:ale_linters_explicit = 1
let g:ale_linters = {s:plan.language: ['server']}
let g:ale_lint_delay = 0
let g:ale_hover_to_floating_preview = 1
let g:ale_disable_lsp = 0

function s:Say(words) abort
  call writefile([substitute(a:words, "\n\\+", ' | ', 'g')], $KOMUZ_STEPS, 'a')
endfunction
function s:Fail(words) abort
  call s:Say('FAILED: ' . a:words)
  cquit!
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
" Line and column from 1, in bytes, of a piece of the text that stands there once.
function s:Place(piece) abort
  for number in range(1, line('$'))
    let at = stridx(getline(number), a:piece)
    if at >= 0
      return [number, at + 1]
    endif
  endfor
  call s:Fail('the text has no `' . a:piece . '`')
endfunction
function s:GoTo(piece) abort
  call cursor(s:Place(a:piece))
endfunction
function s:IsTheError(one) abort
  let place = s:Place(s:plan.error.at)
  return [a:one.lnum, a:one.col] == place && a:one.end_col == place[1] + len(s:plan.error.text) - 1
        \ && stridx(a:one.text, s:plan.error.says) >= 0 && a:one.type ==# 'E'
endfunction
function s:TheErrors() abort
  let all = getloclist(0)
  return len(all) == 1 && s:IsTheError(all[0]) ? all : []
endfunction
function s:WaitForError(step) abort
  let one = s:WaitFor(function('s:TheErrors'))[0]
  call s:Say(printf('%s: line %d, bytes %d to %d: %s', a:step, one.lnum, one.col - 1, one.end_col, one.text))
endfunction
function s:WaitForOther(step) abort
  call s:WaitFor({-> empty(filter(getloclist(0), {_, one -> stridx(one.text, s:plan.error.says) >= 0}))})
  call s:Say(a:step . ': ' . get(get(getloclist(0), 0, {}), 'text', 'no diagnostics'))
endfunction
function s:Replace(lines) abort
  silent %delete _
  call setline(1, a:lines)
  call ale#Queue(0)
endfunction
function s:Popups() abort
  let shown = map(popup_list(), {_, id -> join(getbufline(winbufnr(id), 1, '$'), "\n")})
  return filter(shown, {_, text -> text !~# '^\s*$'})
endfunction

let s:completions = []
function s:Complete() abort
  call ale#completion#GetCompletions('ale-callback', {'callback': {result -> extend(s:completions, result)}})
  call s:WaitFor({-> s:completions})
  let words = map(copy(s:completions), 'v:val.word')
  if index(words, s:plan.typed.completion) < 0
    call s:Fail('completion: no `' . s:plan.typed.completion . '` in ' . join(words))
  endif
  call s:Say(printf('completion: %s of %d', s:plan.typed.completion, len(words)))
  return strpart(s:plan.typed.completion, len(matchstr(s:plan.typed.behind, '\w\+$'))) . s:plan.typed.then
endfunction

" The menu's answer, as a user gives it.
runtime autoload/ale/util.vim
function! ale#util#Input(message, value) abort
  for title in split(a:message, "\n")
    if stridx(title, s:plan.fix) >= 0
      call s:Say('quick fix: ' . title)
      return matchstr(title, '^\d\+')
    endif
  endfor
  call s:Fail('quick fix: no `' . s:plan.fix . '` in ' . a:message)
endfunction

function s:Drive() abort
  let &filetype = s:plan.language
  call ale#linter#Define(s:plan.language, {'name': 'server', 'lsp': 'stdio', 'executable': s:server[0],
        \ 'command': join(map(copy(s:server), 'shellescape(v:val)')), 'project_root': getcwd(), 'language': s:plan.language})
  call ale#Queue(0, 'lint_file')
  call s:Say('opened: ' . expand('%:t'))
  call s:WaitForError('diagnostic')

  call s:GoTo(s:plan.hover.at)
  ALEHover
  let shown = s:WaitFor(function('s:Popups'))[0]
  for words in s:plan.hover.says
    if stridx(shown, words) < 0
      call s:Fail('hover: `' . shown . '` does not say `' . words . '`')
    endif
  endfor
  call s:Say('hover: ' . shown)

  call s:GoTo(s:plan.definition.at)
  ALEGoToDefinition
  call s:WaitFor({-> getpos('.')[1:2] == s:Place(s:plan.definition.to)})
  call s:Say(printf('definition: line %d, byte %d', line('.'), col('.') - 1))

  call append('$', s:plan.typed.line)
  call s:GoTo(s:plan.typed.behind)
  call cursor(line('.'), col('.') + len(s:plan.typed.behind) - 1)
  inoremap <expr> <F5> <SID>Complete()
  call feedkeys("a\<F5>\<Esc>", 'tx')
  call ale#Queue(0)
  call s:WaitForError('typed')
  call s:Say('formatting: ALE has none')

  let [line, column] = s:Place(s:plan.error.at)
  let mended = strpart(getline(line), 0, column - 1) . s:plan.fix . strpart(getline(line), column - 1 + len(s:plan.error.text))
  call s:GoTo(s:plan.error.at)
  " At a word's first letter ALE 3.3 takes the same word before it, where there is one.
  normal! l
  ALECodeAction
  call s:WaitFor({-> getline(line) ==# mended})
  call ale#Queue(0)
  call s:WaitForOther('mended')
  call s:Say('rename: not tried')

  call s:Replace(s:plan.text)
  call s:WaitForError('filled')
  call s:Replace([])
  call s:WaitForOther('emptied')
  call s:Replace(s:plan.text)
  call s:WaitForError('filled again')
  silent write
  bwipeout!
  call s:Say('closed')
  qall!
endfunction

function s:Run() abort
  try
    call s:Drive()
  catch
    call s:Fail(v:exception . ' at ' . v:throwpoint)
  endtry
endfunction
autocmd VimEnter * call s:Run()
