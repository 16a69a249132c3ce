// SPDX-License-Identifier: Apache-2.0
// The words and operators of the language, in the groups that editors colour apart: all from the tables of lang/.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace komuz::editors {

using WordList = std::vector<std::string_view>;

struct Words {
  // `use const type fn pub`: they start an item
  WordList items;
  // They start an item, too, but only before a name (`space`) or a string (`test prop`); elsewhere they are names.
  WordList before_name, before_string;
  // `let var` and `return assert`; `if … continue`; `true false`
  WordList declarations, statements, control, values;
  // `limit depth rec`, keywords between an operand and a name or number; `in`, between two operands
  WordList bounds, in;
  // All words that are never names.
  WordList reserved;
  WordList types;                                        // `bool … f64`
  WordList functions, constants, constructors, methods;  // the names that need no `use`
  WordList operators;                                    // the longest first
};
[[nodiscard]] const Words& words();

// "a|b|c". `between`: what stands between two words.
[[nodiscard]] std::string join(const WordList& list, std::string_view between);
[[nodiscard]] WordList together(std::initializer_list<WordList> lists);
// Each character that means something in a regular expression behind a backslash.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace komuz::editors
