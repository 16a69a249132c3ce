;;; komuz-words.el --- The words of Komuz  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.

;;; Code:

(defconst komuz-item-words
  '("use" "const" "type" "fn" "pub")
  "Keywords that start an item.")

(defconst komuz-naming-words
  '("space")
  "Keywords that start an item before a name; else names.")

(defconst komuz-claiming-words
  '("test" "prop")
  "Keywords that start an item before a string; else names.")

(defconst komuz-statement-words
  '("let" "var" "return" "assert" "if" "else" "for" "while" "match" "break"
    "continue")
  "Keywords of statements.")

(defconst komuz-bound-words
  '("limit" "depth" "rec")
  "Keywords between an operand and a name or number; else names.")

(defconst komuz-in-words
  '("in")
  "Keywords between two operands; else names.")

(defconst komuz-values
  '("true" "false")
  "Words that are values.")

(defconst komuz-types
  '("bool" "i32" "i64" "u8" "u32" "u64" "f32" "f64")
  "Scalar types.")

(defconst komuz-constants
  '("PI" "TAU" "E" "INF" "NAN" "EPSILON" "I32_MIN" "I32_MAX" "I64_MIN"
    "I64_MAX" "U8_MAX" "U32_MAX" "U64_MAX" "Some" "None")
  "Constants that need no `use'.")

(defconst komuz-functions
  '("abs" "min" "max" "clamp" "sqrt" "pow" "floor" "ceil" "round" "trunc"
    "fma" "sign" "div0" "sqrt0" "aq" "exp" "exp2" "log" "log2" "log10" "log0"
    "sin" "cos" "tan" "asin" "acos" "atan" "atan2" "sinh" "cosh" "tanh" "cbrt"
    "hypot" "erf" "fmod" "div_floor" "mod_floor" "popcount" "clz" "ctz" "rotl"
    "rotr" "cmp" "near" "is_nan" "is_finite" "bits" "from_bits" "is_digit"
    "is_lower" "is_upper" "is_alpha" "is_space" "to_lower" "to_upper" "rand"
    "wrap_i32" "wrap_i64" "wrap_u8" "wrap_u32" "wrap_u64" "i32_exact"
    "i64_exact" "u8_exact" "u32_exact" "u64_exact")
  "Functions that need no `use'.")

(defconst komuz-methods
  '("is_some" "is_none" "or" "len" "is_empty" "get" "first" "last" "push"
    "pop" "swap" "map" "filter" "reverse" "enumerate" "zip" "step_by"
    "tabulate" "fold" "all" "any" "count" "find" "position" "sum" "contains"
    "list" "sort_by" "extend" "min" "max" "argmin" "argmax")
  "Operations on elements and Options.")

(defconst komuz-operators
  '("+%=" "-%=" "*%=" "<<=" ">>=" "..=" "=>" "+=" "-=" "*=" "/=" "%=" "&="
    "|=" "^=" "->" ".." "||" "&&" "==" "!=" "<=" ">=" "<<" ">>" "+%" "-%" "*%"
    "**" "=" ":" "<" ">" "|" "^" "&" "+" "-" "*" "/" "%" "!" ".")
  "Operators, the longest first.")

(provide 'komuz-words)
;;; komuz-words.el ends here
