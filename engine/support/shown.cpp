// SPDX-License-Identifier: Apache-2.0
#include "engine/support/shown.h"

#include <algorithm>

#include "base/characters.h"
#include "mend/near_miss.h"

namespace komuz::engine {

std::string shown(std::string_view text) {
  constexpr size_t kMost = 40;
  if (text.size() <= kMost) return '`' + std::string(text) + '`';
  return '`' + std::string(text.substr(0, character_start(text, kMost))) + "…`";
}

std::string shell_word(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           c == '.' || c == '-' || c == '/';
  };
  if (!text.empty() && text[0] != '-' && std::ranges::all_of(text, is_plain))
    return std::string(text);
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
