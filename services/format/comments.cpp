// SPDX-License-Identifier: Apache-2.0
#include "services/format/comments.h"

#include <algorithm>

namespace komuz::services {

using frontend::Columns;
using frontend::Index;

Comments::Comments(const Columns& c) {
  const std::string_view source(reinterpret_cast<const char*>(c.source), c.bytes);
  u32 end = 0;  // of the token before
  for (Index t = 0; t <= c.tokens; ++t) {
    const u32 start = t < c.tokens ? c.token_start[t] : c.bytes;
    first_.push_back(static_cast<u32>(all_.size()));
    read_gap(source.substr(end, start - end), t == 0);
    if (t < c.tokens) end = start + c.token_length[t];
  }
  first_.push_back(static_cast<u32>(all_.size()));
}

void Comments::read_gap(std::string_view gap, bool starts_line) {
  bool owns_line = starts_line, found = false;
  u32 line_ends = 0;  // since the last comment
  for (size_t at = 0; at < gap.size();) {
    if (gap[at] == '\n') {
      ++line_ends;
      owns_line = true;
    }
    if (gap[at] != '/') {
      ++at;
      continue;
    }
    const size_t end = std::min(gap.find('\n', at), gap.size());
    std::string_view text = gap.substr(at, end - at);
    text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
    all_.push_back({text, owns_line, line_ends > 1});
    found = true;
    line_ends = 0;
    at = end;
  }
  blank_behind_.push_back(found && line_ends > 1);
}

}  // namespace komuz::services
