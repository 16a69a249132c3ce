// SPDX-License-Identifier: Apache-2.0
// The words of editors/emacs/komuz-mode.el. Where words are keywords in some places only, a function there looks at
// what stands beside them: regular expressions of Emacs cannot.
#include "tests/editors/grammars.h"
#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

std::string constant(const char* name, const char* what, const WordList& list) {
  std::string text = "(defconst komuz-" + std::string(name) + "\n  '(";
  size_t column = 4;
  for (const std::string_view word : list) {
    if (column + word.size() + 3 > 78) {
      text += "\n    ";
      column = 4;
    } else if (text.back() != '(') {
      text += " ";
      ++column;
    }
    text += "\"" + std::string(word) + "\"";
    column += word.size() + 2;
  }
  return text + ")\n  \"" + what + "\")\n\n";
}

}  // namespace

std::string emacs_words() {
  const Words& w = words();
  return ";;; komuz-words.el --- The words of Komuz  -*- lexical-binding: t; -*-\n"
         ";; SPDX-License-Identifier: Apache-2.0\n\n"
         ";;; Commentary:\n\n"
         ";; KOMUZ_UPDATE=1 on editors_test writes this file from the tables in lang/.\n\n"
         ";;; Code:\n\n" +
         constant("item-words", "Keywords that start an item.", w.items) +
         constant("naming-words", "Keywords that start an item before a name; else names.",
                  w.before_name) +
         constant("claiming-words", "Keywords that start an item before a string; else names.",
                  w.before_string) +
         constant("statement-words", "Keywords of statements.",
                  together({w.declarations, w.statements, w.control})) +
         constant("bound-words", "Keywords between an operand and a name or number; else names.",
                  w.bounds) +
         constant("in-words", "Keywords between two operands; else names.", w.in) +
         constant("values", "Words that are values.", w.values) +
         constant("types", "Scalar types.", w.types) +
         constant("constants", "Constants that need no `use'.",
                  together({w.constants, w.constructors})) +
         constant("functions", "Functions that need no `use'.", w.functions) +
         constant("methods", "Operations on elements and Options.", w.methods) +
         constant("operators", "Operators, the longest first.", w.operators) +
         "(provide 'komuz-words)\n;;; komuz-words.el ends here\n";
}

}  // namespace komuz::editors
