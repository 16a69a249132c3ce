; SPDX-License-Identifier: Apache-2.0
; KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.
((call function: (identifier) @function.builtin)
  (#any-of? @function.builtin "abs" "min" "max" "clamp" "sqrt" "pow" "floor" "ceil" "round" "trunc" "fma" "sign" "div0" "sqrt0" "aq" "exp" "exp2" "log" "log2" "log10" "log0" "sin" "cos" "tan" "asin" "acos" "atan" "atan2" "sinh" "cosh" "tanh" "cbrt" "hypot" "erf" "fmod" "div_floor" "mod_floor" "popcount" "clz" "ctz" "rotl" "rotr" "cmp" "near" "is_nan" "is_finite" "bits" "from_bits" "is_digit" "is_lower" "is_upper" "is_alpha" "is_space" "to_lower" "to_upper" "rand" "wrap_i32" "wrap_i64" "wrap_u8" "wrap_u32" "wrap_u64" "i32_exact" "i64_exact" "u8_exact" "u32_exact" "u64_exact" "is_some" "is_none" "or" "len" "is_empty" "get" "first" "last" "push" "pop" "swap" "map" "filter" "reverse" "enumerate" "zip" "step_by" "tabulate" "fold" "all" "any" "count" "find" "position" "sum" "contains" "list" "sort_by" "extend" "min" "max" "argmin" "argmax"))
((call function: (identifier) @function)
  (#not-any-of? @function "abs" "min" "max" "clamp" "sqrt" "pow" "floor" "ceil" "round" "trunc" "fma" "sign" "div0" "sqrt0" "aq" "exp" "exp2" "log" "log2" "log10" "log0" "sin" "cos" "tan" "asin" "acos" "atan" "atan2" "sinh" "cosh" "tanh" "cbrt" "hypot" "erf" "fmod" "div_floor" "mod_floor" "popcount" "clz" "ctz" "rotl" "rotr" "cmp" "near" "is_nan" "is_finite" "bits" "from_bits" "is_digit" "is_lower" "is_upper" "is_alpha" "is_space" "to_lower" "to_upper" "rand" "wrap_i32" "wrap_i64" "wrap_u8" "wrap_u32" "wrap_u64" "i32_exact" "i64_exact" "u8_exact" "u32_exact" "u64_exact" "is_some" "is_none" "or" "len" "is_empty" "get" "first" "last" "push" "pop" "swap" "map" "filter" "reverse" "enumerate" "zip" "step_by" "tabulate" "fold" "all" "any" "count" "find" "position" "sum" "contains" "list" "sort_by" "extend" "min" "max" "argmin" "argmax"))
((type_identifier) @constant.builtin
  (#any-of? @constant.builtin "PI" "TAU" "E" "INF" "NAN" "EPSILON" "I32_MIN" "I32_MAX" "I64_MIN" "I64_MAX" "U8_MAX" "U32_MAX" "U64_MAX" "Some" "None"))
((type_identifier) @type
  (#not-any-of? @type "PI" "TAU" "E" "INF" "NAN" "EPSILON" "I32_MIN" "I32_MAX" "I64_MIN" "I64_MAX" "U8_MAX" "U32_MAX" "U64_MAX" "Some" "None"))
(function name: (identifier) @function)
(space name: (identifier) @function)
(parameter name: (identifier) @variable.parameter)
(module) @namespace
["use" "const" "type" "fn" "pub" "space" "test" "prop" "let" "var"] @keyword
["limit" "depth" "rec"] @keyword
["return" "assert" "if" "else" "for" "while" "match" "break" "continue" "in"] @keyword.control
(primitive_type) @type.builtin
(boolean) @constant.builtin.boolean
(integer) @constant.numeric
(float) @constant.numeric
(part) @constant.numeric
(string) @string
(character) @constant.character
(hole) @function.macro
(operator) @operator
(comment) @comment
(doc_comment) @comment.block.documentation
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";"] @punctuation.delimiter
