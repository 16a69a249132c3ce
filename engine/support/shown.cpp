// SPDX-License-Identifier: Apache-2.0
#include "engine/support/shown.h"

#include <algorithm>

#include "base/characters.h"
#include "mend/near_miss.h"

namespace komuz::engine {
namespace {

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// Control characters, as strings of C and of shells write them: messages and comments keep their lines.
std::string escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    if (!is_control(c))
      out += c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else
      out += std::string("\\x") + kDigits[static_cast<size_t>(c) / 16] +
             kDigits[static_cast<size_t>(c) % 16];
  }
  return out;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr size_t kMost = 40;
  if (text.size() <= kMost) return '`' + escaped(text) + '`';
  return '`' + escaped(text.substr(0, character_start(text, kMost))) + "…`";
}

std::string shell_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '.' || c == '-' || c == '/';
  };
  if (!text.empty() && text[0] != '-' && std::ranges::all_of(text, is_plain))
    return std::string(text);
  if (std::ranges::any_of(text, is_control)) {
    std::string quoted;
    for (const char c : text)
      quoted += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    return "$'" + escaped(quoted) + "'";
  }
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string names_there_are(std::span<const std::string_view> names) {
  constexpr size_t kMost = 12;
  std::string out;
  for (size_t k = 0; k < std::min(kMost, names.size()); ++k) {
    const bool is_last = k + 1 == names.size();
    out += (k == 0    ? ", but "
            : is_last ? " and "
                      : ", ") +
           shown(names[k].empty() ? "''" : names[k]);  // as a shell takes it
  }
  return names.size() > kMost ? out + ", …" : out;
}

std::string near_name(std::string_view name, std::span<const std::string_view> names,
                      std::string otherwise) {
  const std::string_view near = nearest_word(name, names);
  return near.empty() ? otherwise : "did you mean " + shown(near) + "?";
}

}  // namespace komuz::engine
