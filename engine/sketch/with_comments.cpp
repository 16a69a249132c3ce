// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/with_comments.h"

#include <algorithm>

namespace komuz::engine {

SketchSpan with_comments(std::string_view source, SketchSpan item) {
  const auto start_of_line = [&](u32 at) {
    const size_t before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : static_cast<u32>(before + 1);
  };
  bool is_next = true;
  for (u32 end = start_of_line(item.begin); end > 0;) {
    const u32 begin = start_of_line(end - 1);
    std::string_view line = source.substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
    if (!line.empty() && !line.starts_with("//")) break;
    is_next &= !line.empty();
    if (is_next || line.starts_with("///")) item.begin = begin;
    end = begin;
  }
  const size_t behind = source.find_first_not_of(" \t\r", item.end);
  const bool ends_line = behind == std::string_view::npos || source[behind] == '\n' ||
                         source.substr(behind).starts_with("//");
  if (!ends_line) return item;
  const size_t line_end = source.find('\n', item.end);
  item.end = static_cast<u32>(std::min(line_end, source.size() - 1) + 1);
  return item;
}

}  // namespace komuz::engine
