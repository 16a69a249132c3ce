// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/check_text.h"

#include <map>

namespace komuz::services {

std::vector<std::string_view> comments_of(const Analysis& analysis) {
  const Columns& c = analysis.columns();
  const std::string_view text = analysis.program();
  std::vector<std::string_view> out;
  u32 end = 0;
  for (Index t = 0; t <= analysis.own_tokens(); ++t) {
    const bool is_end = t == analysis.own_tokens();
    const u32 start = is_end ? static_cast<u32>(text.size()) : u32{c.token_start[t]};
    const std::string_view gap = text.substr(end, start - end);
    for (size_t at = gap.find("//"); at != std::string_view::npos; at = gap.find("//", at)) {
      const size_t stop = std::min(gap.find('\n', at), gap.size());
      std::string_view comment = gap.substr(at, stop - at);
      comment = comment.substr(0, comment.find_last_not_of(" \t\r") + 1);
      out.push_back(comment);
      at = stop;
    }
    if (!is_end) end = start + c.token_length[t];
  }
  return out;
}

bool says_more(const Analysis& before, const Analysis& after) {
  std::map<DiagnosticCode, u32> said;
  for (const Diagnostic& d : before.diagnostics()) ++said[d.code()];
  for (const Diagnostic& d : after.diagnostics())
    if (said[d.code()]-- == 0) return true;
  return false;
}

std::optional<std::vector<u32>> retyped_literals(const Draft& meant, const Draft& read) {
  const Draft::Shape wanted = meant.shape(), found = read.shape();
  if (wanted.hash != found.hash || wanted.literals.size() != found.literals.size())
    return std::nullopt;
  std::vector<u32> out;
  for (size_t k = 0; k < wanted.literals.size(); ++k) {
    const Scalar type = meant[wanted.literals[k]].type;
    if (type != Scalar::None && type != read[found.literals[k]].type)
      out.push_back(wanted.literals[k]);
  }
  return out;
}

}  // namespace komuz::services
