" SPDX-License-Identifier: Apache-2.0
" :make checks this file, and :cwindow lists what is wrong.
if exists('current_compiler')
  finish
endif
let current_compiler = 'komuz'
CompilerSet makeprg=komuz\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror[K%n]:\ %m,%f:%l:%c:\ %tarning[K%n]:\ %m,%-G%.%#
