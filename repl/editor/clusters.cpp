// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/clusters.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdio>

namespace komuz::editor {

namespace {

constexpr u32 kTabStop = 4;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

struct Character {
  utf8proc_int32_t code = -1;  // negative: a byte that is not UTF-8
  size_t bytes = 1;
};
Character character_at(std::string_view text, size_t at) {
  Character c;
  const auto* const first = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at;
  const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
  const utf8proc_ssize_t bytes = utf8proc_iterate(first, left, &c.code);
  if (bytes <= 0 || c.code < 0) return {};
  c.bytes = static_cast<size_t>(bytes);
  return c;
}

// Joiners of other characters: they have a meaning inside a cluster, and none on their own.
bool is_joiner(utf8proc_int32_t code) { return code == 0x200C || code == 0x200D; }

bool is_shown(utf8proc_int32_t code) {
  switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: return true;
  }
}

std::string escape_of(utf8proc_int32_t code) {
  if (code < 0) return std::string(kReplacement);
  if (code < ' ') return {'^', static_cast<char>(code + '@')};
  if (code == 0x7F) return "^?";
  char text[16];
  std::snprintf(text, sizeof text, "\\u{%X}", static_cast<unsigned>(code));
  return text;
}

}  // namespace

size_t next_cluster(std::string_view text, size_t at) {
  if (is_plain(text[at]) && (at + 1 == text.size() || static_cast<u8>(text[at + 1]) < 0x80))
    return at + 1;
  Character c = character_at(text, at);
  utf8proc_int32_t state = 0;
  while (c.code >= 0) {
    at += c.bytes;
    if (at >= text.size()) return at;
    const Character next = character_at(text, at);
    if (next.code < 0 || c.code == '\n' || c.code == '\r' ||
        utf8proc_grapheme_break_stateful(c.code, next.code, &state))
      return at;
    c = next;
  }
  return at + 1;
}

// No cluster crosses a line end, so clusters are found in order from there on.
size_t previous_cluster(std::string_view text, size_t at) {
  if (at >= 2 && is_plain(text[at - 1]) && is_plain(text[at - 2])) return at - 1;
  size_t begin = at - 1;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  for (size_t next = begin; next < at; next = next_cluster(text, next)) begin = next;
  return begin;
}

Glyph glyph_of(std::string_view cluster, u32 column, u32 columns) {
  if (cluster.size() == 1 && is_plain(cluster[0])) return {std::string(cluster)};
  if (cluster == "\t") {
    const u32 width = std::min(kTabStop - column % kTabStop, columns);
    return {std::string(width, ' '), width};
  }
  Glyph glyph{{}, 0};
  size_t characters = 0;
  for (size_t at = 0; at < cluster.size(); ++characters) {
    const Character c = character_at(cluster, at);
    const bool joins = at > 0 && is_joiner(c.code);
    if (c.code < 0 || (!is_shown(c.code) && !joins)) {
      const std::string escape = escape_of(c.code);
      const u32 width = c.code < 0 ? 1 : static_cast<u32>(escape.size());
      return width <= columns ? Glyph{escape, width, true, true}
                              : Glyph{std::string(kReplacement), 1, true, true};
    }
    glyph.text += cluster.substr(at, c.bytes);
    glyph.width += static_cast<u32>(utf8proc_charwidth(c.code));
    at += c.bytes;
  }
  glyph.is_simple = characters == 1;
  if (glyph.width == 0) {  // a mark that stands alone is shown on a blank
    glyph.text.insert(0, " ");
    glyph.width = 1;
    glyph.is_simple = false;
  }
  if (glyph.width > columns) return {std::string(kReplacement), 1, true, true};
  return glyph;
}

}  // namespace komuz::editor
