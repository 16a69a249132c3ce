// SPDX-License-Identifier: Apache-2.0
// The language of CodeMirror 6: a tokenizer over the stream of one line. A line needs nothing of the one before but
// how deep its brackets are, for the indentation.
#include <string_view>

#include "tests/editors/grammars.h"
#include "tests/editors/patterns.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

std::string set_of(const WordList& list) {
  return "new Set(\"" + join(list, " ") + "\".split(\" \"))";
}

constexpr std::string_view kRest = R"js(
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
)js";

// As a regular expression of JavaScript that starts where the stream is.
std::string stream_pattern(std::string_view pattern) {
  if (pattern.starts_with("\\b")) pattern.remove_prefix(2);
  return "/^(?:" + std::string(pattern) + ")/";
}

}  // namespace

std::string codemirror_language() {
  const Words& w = words();
  std::string operators;
  for (const std::string_view spelling : w.operators)
    operators += (operators.empty() ? "" : "|") + escaped(spelling);
  const auto constant = [](const char* name, const std::string& value) {
    return std::string("const ") + name + " = " + value + ";\n";
  };
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "// Komuz for CodeMirror 6. KOMUZ_UPDATE=1 on editors_test writes this file from the "
         "tables in lang/.\n"
         "import { StreamLanguage } from \"@codemirror/language\";\n\n" +
         constant("keywords",
                  set_of(together({w.items, w.declarations, w.statements, w.control}))) +
         constant("values", set_of(w.values)) +
         "// Words that are keywords in some places only.\n" +
         constant("bounds", set_of(w.bounds)) + constant("naming", set_of(w.before_name)) +
         constant("claiming", set_of(w.before_string)) + constant("infix", set_of(w.in)) +
         "// Behind a name, these go on an expression.\n" +
         constant("endings", set_of(together({w.reserved, w.bounds, w.in}))) +
         constant("types", set_of(w.types)) +
         constant("completions",
                  "[\"" +
                      join(together({w.items, w.before_name, w.before_string, w.declarations,
                                     w.statements, w.control, w.values, w.bounds, w.in, w.types,
                                     w.functions, w.constants, w.constructors}),
                           "\", \"") +
                      "\"]") +
         constant("radixNumber", stream_pattern(kRadixNumber)) +
         constant("floatNumber", stream_pattern(kFloatNumber)) +
         constant("wholeNumber", stream_pattern(kWholeNumber)) +
         constant("operators", stream_pattern(operators)) + std::string(kRest);
}

}  // namespace komuz::editors
