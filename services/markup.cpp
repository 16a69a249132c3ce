// SPDX-License-Identifier: Apache-2.0
#include "services/markup.h"

#include "services/display_text.h"

namespace komuz::services {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, u32 most) {
  u32 column = 0, line_column = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (column >= most) {
      out += "…";
      return;
    }
    if (c == '\n') {
      out += c;
      ++at;
      line_column = 0;
      continue;
    }
    if (c >= ' ' && c <= '~') {  // nearly all there is
      const std::string_view name = entity(c);
      if (name.empty()) {
        out += c;
      } else {
        out += name;
      }
      ++at;
      ++column;
      ++line_column;
      continue;
    }
    const Cell cell = cell_at(text, at, line_column);
    out += cell.text;
    at += cell.bytes;
    column += cell.width;
    line_column += cell.width;
  }
}

std::string escaped(std::string_view text, u32 most) {
  std::string out;
  append_escaped(out, text, most);
  return out;
}

void append_attribute(std::string& out, std::string_view name, std::string_view value) {
  out += ' ';
  out += name;
  out += "=\"";
  append_escaped(out, value);
  out += '"';
}

}  // namespace komuz::services
