" SPDX-License-Identifier: Apache-2.0
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=komuz#Indent(v:lnum)
setlocal indentkeys=0{,0},0),0],0.,0+,0-,0/,0%,0&,0\|,!^F,o,O,e,0=fn,0=pub,0=type,0=const,0=use
setlocal nosmartindent
let b:undo_indent = 'setlocal indentexpr< indentkeys< smartindent<'
