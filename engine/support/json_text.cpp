// SPDX-License-Identifier: Apache-2.0
#include "engine/support/json_text.h"

#include <charconv>
#include <cmath>

namespace komuz::engine {

// The second byte's range decides (Unicode 15, table 3-7).
size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<u8>(text[at + i]) : u8{0};
  };
  const auto is_tail = [&](size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const u8 first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !is_tail(1)) return 0;
  if (first < 0xE0) return 2;
  if (!is_tail(2)) return 0;
  if (first < 0xF0) {
    if (first == 0xE0 && second < 0xA0) return 0;
    if (first == 0xED && second > 0x9F) return 0;
    return 3;
  }
  if (!is_tail(3)) return 0;
  if (first == 0xF0 && second < 0x90) return 0;
  if (first == 0xF4 && second > 0x8F) return 0;
  return 4;
}

namespace {

bool is_plain(u8 byte) { return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\'; }

void append_escaped(std::string& out, u8 byte) {
  switch (byte) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u00";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (size_t at = 0; at < text.size();) {
    // Mostly there is nothing to escape.
    size_t plain = at;
    while (plain < text.size() && is_plain(static_cast<u8>(text[plain]))) ++plain;
    out += text.substr(at, plain - at);
    at = plain;
    if (at == text.size()) break;
    const u8 byte = static_cast<u8>(text[at]);
    const size_t length = utf8_length(text, at);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++at;
    } else if (length == 1) {
      append_escaped(out, byte);
      ++at;
    } else {
      out += text.substr(at, length);
      at += length;
    }
  }
  out += '"';
}

void append_json_number(std::string& out, f64 value) {
  if (!std::isfinite(value)) {
    out += value != value ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    return;
  }
  char buffer[32];
  const std::string_view text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  out += text;
  // Readers take digits alone for an integer. Many have no integers of more than 64 bits, and no negative zero.
  const bool is_large = std::abs(value) >= 0x1p63, is_negative_zero = text == "-0";
  if ((is_large || is_negative_zero) && text.find_first_of(".e") == std::string_view::npos)
    out += ".0";
}

void append_json_number(std::string& out, u64 value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace komuz::engine
