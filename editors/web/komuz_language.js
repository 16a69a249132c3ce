// SPDX-License-Identifier: Apache-2.0
// Komuz for CodeMirror 6. KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.
import { StreamLanguage } from "@codemirror/language";

const keywords = new Set("use const type fn pub let var return assert if else for while match break continue".split(" "));
const values = new Set("true false".split(" "));
// Words that are keywords in some places only.
const bounds = new Set("limit depth rec".split(" "));
const naming = new Set("space".split(" "));
const claiming = new Set("test prop".split(" "));
const infix = new Set("in".split(" "));
// Behind a name, these go on an expression.
const endings = new Set("use const type fn pub let var return assert if else for while match break continue true false limit depth rec in".split(" "));
const types = new Set("bool i32 i64 u8 u32 u64 f32 f64".split(" "));
const completions = ["use", "const", "type", "fn", "pub", "space", "test", "prop", "let", "var", "return", "assert", "if", "else", "for", "while", "match", "break", "continue", "true", "false", "limit", "depth", "rec", "in", "bool", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "abs", "min", "max", "clamp", "sqrt", "pow", "floor", "ceil", "round", "trunc", "fma", "sign", "div0", "sqrt0", "exp", "exp2", "log", "log2", "log10", "log0", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "cbrt", "hypot", "erf", "fmod", "div_floor", "mod_floor", "popcount", "clz", "ctz", "rotl", "rotr", "cmp", "near", "is_nan", "is_finite", "bits", "from_bits", "is_digit", "is_lower", "is_upper", "is_alpha", "is_space", "to_lower", "to_upper", "rand", "wrap_i32", "wrap_i64", "wrap_u8", "wrap_u32", "wrap_u64", "i32_exact", "i64_exact", "u8_exact", "u32_exact", "u64_exact", "PI", "TAU", "E", "INF", "NAN", "EPSILON", "I32_MIN", "I32_MAX", "I64_MIN", "I64_MAX", "U8_MAX", "U32_MAX", "U64_MAX", "Some", "None"];
const radixNumber = /^(?:0[xXbBoO][0-9A-Za-z_]*)/;
const floatNumber = /^(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9][0-9_]*)?|[eE][+-]?[0-9][0-9_]*))/;
const wholeNumber = /^(?:[0-9][0-9_]*)/;
const operators = /^(?:\+%=|\-%=|\*%=|<<=|>>=|\.\.=|=>|\+=|\-=|\*=|\/=|%=|&=|\|=|\^=|\->|\.\.|\|\||&&|==|!=|<=|>=|<<|>>|\+%|\-%|\*%|\*\*|=|:|<|>|\||\^|&|\+|\-|\*|\/|%|!|\.)/;

// What a word is, by itself and by what stands beside it. `before`: the line up to it.
function wordKind(word, before, rest) {
  const isCalled = /^\s*\(/.test(rest);
  if (values.has(word)) return "bool";
  if (keywords.has(word)) return "keyword";
  if (!/\.$/.test(before)) {
    const next = /^\s+([0-9A-Za-z_]+)/.exec(rest);
    if ((bounds.has(word) || naming.has(word)) && next && !endings.has(next[1])) return "keyword";
  }
  if (infix.has(word) && /[\w)\]"'?]\s+$/.test(before) && /^(\s|$)/.test(rest)) return "keyword";
  if (claiming.has(word) && /^\s*"/.test(rest)) return "keyword";
  if (types.has(word) || /^[A-Z]/.test(word)) return "typeName";
  if (isCalled) return "variableName.function";
  return "variableName";
}

// What StreamLanguage.define() takes; also usable by itself.
export const komuzParser = {
  name: "komuz",
  startState: (indentUnit) => ({ depth: 0, unit: indentUnit ?? 4 }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match("//")) {
      stream.skipToEnd();
      return "comment";
    }
    const isPart = /(^|[^.])\.$/.test(stream.string.slice(0, stream.pos));
    if (stream.match(/^"(?:\\.|[^"\\])*("|\\?$)/) || stream.match(/^'(?:\\.|[^'\\])*('|\\?$)/)) return "string";
    if (stream.match(/^\?(?:[A-Za-z_][0-9A-Za-z_]*)?/)) return "macroName";
    if (isPart && stream.match(/^[0-9][0-9_]*/)) return "number";
    if (stream.match(radixNumber) || stream.match(floatNumber) || stream.match(wholeNumber)) return "number";
    const start = stream.pos;
    if (stream.match(/^[A-Za-z_][0-9A-Za-z_]*/))
      return wordKind(stream.string.slice(start, stream.pos), stream.string.slice(0, start), stream.string.slice(stream.pos));
    if (stream.match(/^[{([]/)) {
      state.depth += 1;
      return "bracket";
    }
    if (stream.match(/^[})\]]/)) {
      state.depth = Math.max(0, state.depth - 1);
      return "bracket";
    }
    if (stream.match(operators)) return "operator";
    stream.next();
    return null;
  },
  indent(state, textAfter, context) {
    const closes = /^[})\]]/.test(textAfter) ? 1 : 0;
    return Math.max(0, state.depth - closes) * context.unit;
  },
  languageData: {
    commentTokens: { line: "//" },
    closeBrackets: { brackets: ["(", "[", "{", "'", '"'] },
    indentOnInput: /^\s*[})\]]$/,
    wordChars: "?",
    autocomplete: completions,
  },
};

export const komuz = StreamLanguage.define(komuzParser);
