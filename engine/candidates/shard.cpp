// SPDX-License-Identifier: Apache-2.0
#include "engine/candidates/shard.h"

#include <charconv>

namespace komuz::engine {

std::string shard_text(const Shard& shard) {
  return std::to_string(shard.index + 1) + "/" + std::to_string(shard.of);
}

std::optional<Shard> shard_from_text(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits, u32& out) {
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return problem == std::errc() && end == digits.data() + digits.size();
  };
  u32 index = 0;
  Shard shard;
  if (!number(text.substr(0, slash), index) || !number(text.substr(slash + 1), shard.of) ||
      index == 0 || index > shard.of || shard.of > Shard::kMost)
    return std::nullopt;
  shard.index = index - 1;
  return shard;
}

}  // namespace komuz::engine
