" SPDX-License-Identifier: Apache-2.0
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:///,://!,:// commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
" What `komuz fmt` writes.
setlocal expandtab shiftwidth=4 softtabstop=4 tabstop=4 textwidth=100
setlocal suffixesadd=.komuz
setlocal define=\\v^\\s*(pub\\s+)?(fn\|type\|const\|space)
let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions< expandtab< shiftwidth< softtabstop< tabstop< textwidth< suffixesadd< define<'

" :make checks the file, where no other program is set.
if &makeprg ==# 'make'
  compiler komuz
  let b:undo_ftplugin .= ' makeprg< errorformat<'
endif

" The whole text, as `komuz fmt` has it.
command! -buffer KomuzFormat call komuz#Format()
let b:undo_ftplugin .= ' | delcommand -buffer KomuzFormat'
