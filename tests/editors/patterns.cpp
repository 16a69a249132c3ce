// SPDX-License-Identifier: Apache-2.0
#include "tests/editors/patterns.h"

#include "tests/editors/words.h"

namespace komuz::editors {
namespace {

// Behind a keyword of a certain place stands a name or a number. A word that can only go on an expression shows that
// the word before it is a name: `for depth in xs`, `while limit limit 9`.
std::string before_name_or_number() {
  const Words& w = words();
  return R"((?=\s+(?!(?:)" + join(together({w.reserved, w.bounds, w.in}), "|") +
         R"()\b)[0-9A-Za-z_]))";
}

}  // namespace

std::string any_word(const std::vector<std::string_view>& list) {
  return R"(\b(?:)" + join(list, "|") + R"()\b)";
}
std::string bound_word() {
  return R"((?<!\.))" + any_word(words().bounds) + before_name_or_number();
}
std::string in_word() { return R"((?<=[\w)\]"'?]\s))" + any_word(words().in) + R"((?=\s|$))"; }
std::string naming_word() {
  return R"((?<!\.))" + any_word(words().before_name) + before_name_or_number();
}
std::string claiming_word() { return any_word(words().before_string) + R"re((?=\s*"))re"; }

}  // namespace komuz::editors
