// SPDX-License-Identifier: Apache-2.0
#include "engine/values/bytes_text.h"

#include <charconv>

#include "engine/support/json_text.h"
#include "engine/support/shown.h"

namespace komuz::engine {
namespace {

constexpr u32 kNoNumber = ~u32{0};

// The number in so many hexadecimal digits from `at` on.
u32 hexadecimal(std::string_view text, size_t at, size_t digits) {
  const std::string_view part = text.substr(std::min(at, text.size()), digits);
  u32 value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, 16);
  const bool is_whole = part.size() == digits && end == part.data() + part.size();
  return error == std::errc{} && is_whole ? value : kNoNumber;
}

void append_utf8(std::string& out, u32 character) {
  const auto tail = [&](u32 shift) {
    out += static_cast<char>(0x80 | (character >> shift & 0x3F));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xC0 | character >> 6);
    tail(0);
  } else if (character < 0x1'0000) {
    out += static_cast<char>(0xE0 | character >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | character >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// \uXXXX, and a second one if the first is the first half of a pair (RFC 8259, section 7). `at` is behind the `u`.
bool take_utf16(std::string_view text, size_t& at, std::string& bytes) {
  u32 character = hexadecimal(text, at, 4);
  if (character == kNoNumber || (character >= 0xDC00 && character < 0xE000)) return false;
  at += 4;
  if (character >= 0xD800 && character < 0xE000) {
    const u32 low = text.substr(at, 2) == "\\u" ? hexadecimal(text, at + 2, 4) : kNoNumber;
    if (low < 0xDC00 || low >= 0xE000) return false;
    character = 0x1'0000 + ((character - 0xD800) << 10) + (low - 0xDC00);
    at += 6;
  }
  append_utf8(bytes, character);
  return true;
}

// Takes the characters behind a backslash.
bool take_escape(std::string_view text, size_t& at, ValueStyle style, std::string& bytes) {
  const char kind = at < text.size() ? text[at++] : '\0';
  switch (kind) {
    case 'n': bytes += '\n'; return true;
    case 't': bytes += '\t'; return true;
    case 'r': bytes += '\r'; return true;
    case 'b': bytes += '\b'; return true;
    case 'f': bytes += '\f'; return true;
    case '"':
    case '\\':
    case '/': bytes += kind; return true;
    case 'u': return take_utf16(text, at, bytes);
    default: break;
  }
  if (style == ValueStyle::Json) return false;
  if (kind == '0') return bytes += '\0', true;
  if (kind == '\'') return bytes += '\'', true;
  const u32 byte = kind == 'x' ? hexadecimal(text, at, 2) : kNoNumber;
  if (byte == kNoNumber) return false;
  bytes += static_cast<char>(byte);
  at += 2;
  return true;
}

void append_escaped(std::string& out, u8 byte) {
  switch (byte) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    case '\0': out += "\\0"; return;
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    default: break;
  }
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out += "\\x";
  out += kDigits[byte >> 4];
  out += kDigits[byte & 15];
}

bool is_utf8(std::string_view bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = utf8_length(bytes, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

}  // namespace

std::optional<ValueError> take_quoted(std::string_view text, size_t& at, ValueStyle style,
                                      std::string& bytes) {
  const bool json = style == ValueStyle::Json;
  const size_t opener = at;
  bytes.clear();
  for (++at; at < text.size();) {
    const char byte = text[at];
    if (byte == '"') return ++at, std::nullopt;
    if (static_cast<u8>(byte) < 0x20)
      return ValueError{at, "a control character in a text",
                        json ? "write \\n, \\t or \\u0001" : "write \\n, \\t or \\x01"};
    ++at;
    if (byte != '\\') {
      bytes += byte;
      continue;
    }
    const size_t escape = at - 1;
    if (!take_escape(text, at, style, bytes))
      return ValueError{escape, shown(text.substr(escape, 2)) + " starts no escape",
                        json ? R"(escapes are \n \t \r \b \f \" \\ \/ \uXXXX)"
                             : R"(escapes are \n \t \r \0 \\ \' \" \xHH)"};
  }
  return ValueError{opener, "the quote that opens here is not closed", {}};
}

void append_quoted(std::string& out, std::string_view bytes, ValueStyle style) {
  if (style == ValueStyle::Json) {
    if (is_utf8(bytes)) return append_json_string(out, bytes);
    for (size_t at = 0; at < bytes.size(); ++at) {
      out += at == 0 ? "[" : ", ";
      append_json_number(out, u64{static_cast<u8>(bytes[at])});
    }
    out += ']';
    return;
  }
  out += '"';
  for (size_t at = 0; at < bytes.size();) {
    const u8 byte = static_cast<u8>(bytes[at]);
    const size_t length = utf8_length(bytes, at);
    // C2 80 to C2 9F are control characters, too, and must not be sent to a terminal.
    const bool is_plain = length == 1 ? byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\'
                                      : byte != 0xC2 || static_cast<u8>(bytes[at + 1]) >= 0xA0;
    if (length == 0 || !is_plain) {
      append_escaped(out, byte);
      ++at;
    } else {
      out += bytes.substr(at, length);
      at += length;
    }
  }
  out += '"';
}

}  // namespace komuz::engine
