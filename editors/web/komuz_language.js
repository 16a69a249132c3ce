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
const completions = ["use", "const", "type", "fn", "pub", "space", "test", "prop", "let", "var", "return", "assert", "if", "else", "for", "while", "match", "break", "continue", "true", "false", "limit", "depth", "rec", "in", "bool", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "abs", "min", "max", "clamp", "sqrt", "pow", "floor", "ceil", "round", "trunc", "fma", "sign", "div0", "sqrt0", "aq", "exp", "exp2", "log", "log2", "log10", "log0", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "cbrt", "hypot", "erf", "fmod", "div_floor", "mod_floor", "popcount", "clz", "ctz", "rotl", "rotr", "cmp", "near", "is_nan", "is_finite", "bits", "from_bits", "is_digit", "is_lower", "is_upper", "is_alpha", "is_space", "to_lower", "to_upper", "rand", "wrap_i32", "wrap_i64", "wrap_u8", "wrap_u32", "wrap_u64", "i32_exact", "i64_exact", "u8_exact", "u32_exact", "u64_exact", "PI", "TAU", "E", "INF", "NAN", "EPSILON", "I32_MIN", "I32_MAX", "I64_MIN", "I64_MAX", "U8_MAX", "U32_MAX", "U64_MAX", "Some", "None"];
const radixNumber = /^(?:0[xXbBoO][0-9A-Za-z_]*)/;
const floatNumber = /^(?:[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9])?|[eE][+-]?[0-9])[0-9A-Za-z_]*)/;
const wholeNumber = /^(?:[0-9][0-9A-Za-z_]*)/;
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

// One token, which is no blank.
function readToken(stream) {
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
  if (stream.match(/^[{([})\]]/)) return "bracket";
  if (stream.match(operators)) return "operator";
  stream.next();
  return null;
}

const startsItem = /^\s*(?:(?:pub|use|const|type|fn)\b|space\s+\w|(?:test|prop)\s*")/;
// Does a line go on with what stands before it? `last`: the last token there.
function goesOn(last, line) {
  if (last === "" || /^[;,{([]$/.test(last)) return false;
  if (/^(?:[+*\/%&|^<>=-]|!=|\.\.?=?)/.test(line) && !line.startsWith("//")) return last !== "}" || !line.startsWith("-");
  // An operator at the end of a line waits for its operand. Where a comment stands is seen when its line is done.
  return /^(?:[=>+*\/%&|^<:-]|[<>]{2}|[=<>-]+>?|&&|\|\||\+%|-%|\*%|\*\*|.*=)$/.test(last);
}

// What StreamLanguage.define() takes; also usable by itself.
export const komuzParser = {
  name: "komuz",
  // `open`: for each open bracket, the indentation of its line, and whether that line has more behind it. `last`: the last code.
  startState: () => ({ open: [], last: "" }),
  copyState: (state) => ({ open: state.open.slice(), last: state.last }),
  token(stream, state) {
    if (stream.sol() && startsItem.test(stream.string)) state.open = [];
    if (stream.eatSpace()) return null;
    const start = stream.pos;
    const kind = readToken(stream);
    if (kind === "comment") return kind;
    state.last = stream.string.slice(start, stream.pos);
    if (/^[{([]$/.test(state.last))
      state.open.push({ indent: stream.indentation(), isFilled: !/^\s*(\/\/.*)?$/.test(stream.string.slice(stream.pos)) });
    else if (/^[})\]]$/.test(state.last)) state.open.pop();
    return kind;
  },
  // As `komuz fmt` has it.
  indent(state, textAfter, context) {
    const inner = state.open.at(-1);
    if (/^[})\]]/.test(textAfter)) return inner?.indent ?? 0;
    if (startsItem.test(textAfter)) return 0;
    const base = inner ? inner.indent + context.unit : 0;
    return goesOn(state.last, textAfter) && !inner?.isFilled ? base + context.unit : base;
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
