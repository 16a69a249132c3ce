// SPDX-License-Identifier: Apache-2.0
#include "mend/caret_powers.h"

#include "mend/source_text.h"

namespace komuz {
namespace {

bool is_of_number(char c) { return is_word(c) || c == '.'; }
// The number before a place, and the text before that number.
std::string_view number_before(std::string_view source, size_t at) {
  const size_t end = trimmed_end(source.substr(0, at)).size();
  size_t begin = end;
  while (begin > 0 && is_of_number(source[begin - 1])) --begin;
  std::string_view number = source.substr(begin, end - begin);
  if (const size_t dots = number.rfind(".."); dots != std::string_view::npos)
    number = number.substr(dots + 2);
  return number;
}

}  // namespace

std::vector<Diagnostic> powers_of_carets(std::string_view source) {
  std::vector<Diagnostic> found;
  if (source.find('^') == std::string_view::npos) return found;
  for (size_t k = 0; k < source.size(); ++k) {
    if (source.substr(k, 2) == "//") {
      k = std::min(source.find('\n', k), source.size());
      continue;
    }
    if (source[k] == '"' || source[k] == '\'') {
      const size_t close = closing_quote(source, k);
      if (close != std::string_view::npos) k = close;
      continue;
    }
    if (source[k] != '^' || source_at(source, static_cast<u32>(k) + 1, 1) == "=") continue;
    const std::string_view base = number_before(source, k);
    const u32 next = behind_gap(source, static_cast<u32>(k) + 1);
    u32 end = next;
    while (end < source.size() && is_of_number(source[end])) ++end;
    std::string_view power = between(source, next, end);
    power = power.substr(0, power.find(".."));
    const u32 begin = static_cast<u32>(base.data() - source.data());
    const bool is_in_row = trimmed_end(source.substr(0, begin)).ends_with('^') ||
                           source_at(source, behind_gap(source, end), 1) == "^";
    if ((base == "2" || base == "10") && are_digits(power) && !is_in_row)
      found.push_back(
          make_diagnostic(DiagnosticCode::CaretOfNumbers, static_cast<u32>(k), 1, 0, 0));
  }
  return found;
}

}  // namespace komuz
