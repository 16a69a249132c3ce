" SPDX-License-Identifier: Apache-2.0
" Vim syntax of Komuz. KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_
" No token spans a line end.
syntax sync minlines=1

syntax keyword komuzItem use const type pub
syntax keyword komuzDeclaration let var
syntax keyword komuzStatement return assert
syntax keyword komuzControl if else for while match break continue
syntax keyword komuzBoolean true false
syntax keyword komuzType bool i32 i64 u8 u32 u64 f32 f64
syntax keyword komuzConstant PI TAU E INF NAN EPSILON I32_MIN I32_MAX I64_MIN I64_MAX U8_MAX U32_MAX U64_MAX
syntax keyword komuzConstructor Some None

syntax keyword komuzItem fn nextgroup=komuzDefinition skipwhite
syntax match komuzDefinition /\%(\<\%(bool\|i32\|i64\|u8\|u32\|u64\|f32\|f64\)\>\)\@![a-z_]\w*/ contained
syntax match komuzBuiltin /\<\%(contains\)\>/ contained
syntax keyword komuzBuiltin contained abs min max clamp sqrt pow floor ceil round trunc fma sign div0 sqrt0 aq exp exp2 log log2 log10 log0 sin cos tan asin acos atan atan2 sinh cosh tanh cbrt hypot erf fmod div_floor mod_floor popcount clz ctz rotl rotr cmp near is_nan is_finite bits from_bits is_digit is_lower is_upper is_alpha is_space to_lower to_upper rand wrap_i32 wrap_i64 wrap_u8 wrap_u32 wrap_u64 i32_exact i64_exact u8_exact u32_exact u64_exact is_some is_none or len is_empty get first last push pop swap map filter reverse enumerate zip step_by tabulate fold all any count find position sum list sort_by extend min max argmin argmax
syntax match komuzOperator /[+%=*<>.\/&|\^!:-]/
syntax match komuzTypeName /\<\u\w*/
syntax match komuzCall /\<[a-z_]\w*\ze\s*(/ contains=komuzBuiltin
" Keywords in some places only.
syntax match komuzBound /\<\%(limit\|depth\|rec\)\>\%(\s\+\%(\<\%(use\|const\|type\|fn\|pub\|let\|var\|return\|assert\|if\|else\|for\|while\|match\|break\|continue\|true\|false\|limit\|depth\|rec\|in\)\>\)\@!\w\)\@=/
syntax match komuzIn /\<\%(in\)\>\ze\s*\%($\|\s[0-9A-Za-z_(\["'?{!]\|\s-\S\)/
syntax match komuzItem /\<\%(space\)\>\%(\s\+\%(\<\%(use\|const\|type\|fn\|pub\|let\|var\|return\|assert\|if\|else\|for\|while\|match\|break\|continue\|true\|false\|limit\|depth\|rec\|in\)\>\)\@!\w\)\@=/
syntax match komuzItem /\<\%(test\|prop\)\>\ze\s*"/

syntax match komuzNumber /\<\d\w*/
syntax match komuzFloat /\<\d[0-9_]*\%(\.\d[0-9_]*\%([eE][+-]\=\d\)\=\|[eE][+-]\=\d\)\w*/
syntax match komuzNumber /\<0[xXbBoO]\w*/
" Behind a dot there are digits only: `pair.0.1` has no float in it.
syntax match komuzOperator /\.\ze\d/ nextgroup=komuzPart
syntax match komuzOperator /\.\.=\=/
syntax match komuzPart /\d[0-9_]*/ contained
syntax match komuzHole /?\%(\h\w*\)\=/

syntax match komuzEscape /\\./ contained
syntax match komuzString /"\%(\\.\|[^"\\]\)*\%("\|\\\=$\)/ contains=komuzEscape
syntax match komuzCharacter /'\%(\\.\|[^'\\]\)*\%('\|\\\=$\)/ contains=komuzEscape
syntax keyword komuzTodo TODO FIXME XXX contained
syntax match komuzComment "//.*$" contains=komuzTodo,@Spell
syntax match komuzDoc "//[/!].*$" contains=komuzTodo,komuzExample,@Spell
syntax match komuzExample ">>>.*$" contained

highlight default link komuzItem Keyword
highlight default link komuzDeclaration Keyword
highlight default link komuzStatement Statement
highlight default link komuzControl Statement
highlight default link komuzBound Keyword
highlight default link komuzIn Statement
highlight default link komuzBoolean Boolean
highlight default link komuzType Type
highlight default link komuzTypeName Type
highlight default link komuzConstant Constant
highlight default link komuzConstructor Constant
highlight default link komuzCall Function
highlight default link komuzDefinition Function
highlight default link komuzBuiltin Function
highlight default link komuzOperator Operator
highlight default link komuzNumber Number
highlight default link komuzFloat Float
highlight default link komuzPart Number
highlight default link komuzHole Macro
highlight default link komuzString String
highlight default link komuzCharacter Character
highlight default link komuzEscape SpecialChar
highlight default link komuzComment Comment
highlight default link komuzDoc SpecialComment
highlight default link komuzExample SpecialComment
highlight default link komuzTodo Todo

let b:current_syntax = 'komuz'
