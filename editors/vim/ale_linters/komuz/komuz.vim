" SPDX-License-Identifier: Apache-2.0
" `komuz lsp` for ALE (https://github.com/dense-analysis/ale): errors, completion, hover, definitions, fixes.
call ale#Set('komuz_executable', 'komuz')
call ale#linter#Define('komuz', {
\   'name': 'komuz',
\   'lsp': 'stdio',
\   'language': 'komuz',
\   'executable': {buffer -> ale#Var(buffer, 'komuz_executable')},
\   'command': '%e lsp',
\   'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
\})
