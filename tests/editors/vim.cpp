// SPDX-License-Identifier: Apache-2.0
// Vim's syntax. Of matches that start at the same place the last one that was defined wins, and a keyword wins over
// them all.
#include "tests/editors/grammars.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

std::string keyword(const char* group, const WordList& list) {
  return "syntax keyword komuz" + std::string(group) + " " + join(list, " ") + "\n";
}
std::string match(const char* group, const std::string& pattern, const char* rest = "") {
  return "syntax match komuz" + std::string(group) + " /" + pattern + "/" + rest + "\n";
}
std::string any(const WordList& list) { return R"(\<\%()" + join(list, R"(\|)") + R"(\)\>)"; }
// As before_name_or_number in patterns.cpp.
std::string before_name_or_number() {
  const Words& w = words();
  return R"(\%(\s\+\%()" + any(together({w.reserved, w.bounds, w.in})) + R"(\)\@!\w\)\@=)";
}
std::string link(const char* group, const char* to) {
  return "highlight default link komuz" + std::string(group) + " " + to + "\n";
}

// Names of functions that need no `use`, inside of calls. A word that Vim takes for an option of its own is a match.
std::string builtins() {
  std::string text;
  WordList plain;
  for (const std::string_view word : together({words().functions, words().methods}))
    if (word == "contains")
      text += match("Builtin", any({word}), " contained");
    else
      plain.push_back(word);
  return text + "syntax keyword komuzBuiltin contained " + join(plain, " ") + "\n";
}

}  // namespace

std::string vim_syntax() {
  const Words& w = words();
  std::string operators;
  for (const std::string_view spelling : w.operators)
    for (const char c : spelling)
      if (operators.find(c) == std::string::npos && c != '-') operators += c;
  WordList without_fn = w.items;
  std::erase(without_fn, "fn");
  const std::string operator_set = "[" + [&operators] {
    std::string set;
    for (const char c : operators) set += (c == '/' || c == '^' ? std::string("\\") : "") + c;
    return set;
  }() + "-]";
  return R"(" SPDX-License-Identifier: Apache-2.0
" Vim syntax of Komuz. KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.
if exists('b:current_syntax')
  finish
endif
syntax case match
syntax iskeyword @,48-57,_
" No token spans a line end.
syntax sync minlines=1

)" + keyword("Item", without_fn) +
         keyword("Declaration", w.declarations) + keyword("Statement", w.statements) +
         keyword("Control", w.control) + keyword("Boolean", w.values) + keyword("Type", w.types) +
         keyword("Constant", w.constants) + keyword("Constructor", w.constructors) + "\n" +
         // Patterns that look back are slow in Vim: it tries them everywhere. Items that follow others are not.
         "syntax keyword komuzItem fn nextgroup=komuzDefinition skipwhite\n" +
         match("Definition", R"(\%()" + any(w.types) + R"(\)\@![a-z_]\w*)", " contained") +
         builtins() + match("Operator", operator_set) + match("TypeName", R"(\<\u\w*)") +
         match("Call", R"(\<[a-z_]\w*\ze\s*()", " contains=komuzBuiltin") +
         "\" Keywords in some places only.\n" +
         match("Bound", any(w.bounds) + before_name_or_number()) +
         match("In", any(w.in) + R"(\ze\s*\%($\|\s[0-9A-Za-z_(\["'?{!]\|\s-\S\))") +
         match("Item", any(w.before_name) + before_name_or_number()) +
         match("Item", any(w.before_string) + R"(\ze\s*")") + "\n" + match("Number", R"(\<\d\w*)") +
         match("Float", R"(\<\d[0-9_]*\%(\.\d[0-9_]*\%([eE][+-]\=\d\)\=\|[eE][+-]\=\d\)\w*)") +
         match("Number", R"(\<0[xXbBoO]\w*)") +
         "\" Behind a dot there are digits only: `pair.0.1` has no float in it.\n" +
         match("Operator", R"(\.\ze\d)", " nextgroup=komuzPart") + match("Operator", R"(\.\.=\=)") +
         match("Part", R"(\d[0-9_]*)", " contained") + match("Hole", R"(?\%(\h\w*\)\=)") + "\n" +
         R"(syntax match komuzEscape /\\./ contained
syntax match komuzString /"\%(\\.\|[^"\\]\)*\%("\|\\\=$\)/ contains=komuzEscape
syntax match komuzCharacter /'\%(\\.\|[^'\\]\)*\%('\|\\\=$\)/ contains=komuzEscape
syntax keyword komuzTodo TODO FIXME XXX contained
syntax match komuzComment "//.*$" contains=komuzTodo,@Spell
syntax match komuzDoc "//[/!].*$" contains=komuzTodo,komuzExample,@Spell
syntax match komuzExample ">>>.*$" contained

)" + link("Item", "Keyword") +
         link("Declaration", "Keyword") + link("Statement", "Statement") +
         link("Control", "Statement") + link("Bound", "Keyword") + link("In", "Statement") +
         link("Boolean", "Boolean") + link("Type", "Type") + link("TypeName", "Type") +
         link("Constant", "Constant") + link("Constructor", "Constant") + link("Call", "Function") +
         link("Definition", "Function") + link("Builtin", "Function") +
         link("Operator", "Operator") + link("Number", "Number") + link("Float", "Float") +
         link("Part", "Number") + link("Hole", "Macro") + link("String", "String") +
         link("Character", "Character") + link("Escape", "SpecialChar") +
         link("Comment", "Comment") + link("Doc", "SpecialComment") +
         link("Example", "SpecialComment") + link("Todo", "Todo") +
         "\nlet b:current_syntax = 'komuz'\n";
}

}  // namespace komuz::editors
