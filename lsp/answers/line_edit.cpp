// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/line_edit.h"

#include <algorithm>

namespace komuz::lsp {

std::optional<Edit> line_edit(std::string_view before, std::string_view after) {
  if (before == after) return std::nullopt;
  const size_t most = std::min(before.size(), after.size());
  size_t begin = 0;  // behind the last line end that both have there
  for (size_t k = 0; k < most && before[k] == after[k]; ++k)
    if (before[k] == '\n') begin = k + 1;
  size_t same = 0, kept = 0;  // from the end: equal bytes, and those of whole lines
  while (same < most - begin &&
         before[before.size() - 1 - same] == after[after.size() - 1 - same]) {
    ++same;
    const size_t left = before.size() - same;
    if (left == begin || before[left - 1] == '\n') kept = same;
  }
  // A line is whole in both.
  if (kept != 0 && after.size() - kept != begin && after[after.size() - kept - 1] != '\n') kept = 0;
  return Edit{static_cast<u32>(begin), static_cast<u32>(before.size() - kept),
              std::string(after.substr(begin, after.size() - kept - begin))};
}

}  // namespace komuz::lsp
