// SPDX-License-Identifier: Apache-2.0
// JSON of messages: what others have written is read within limits, and what is written is valid UTF-8 whatever a
// text holds.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::lsp {

// Members are sorted by their names: the same value has the same text.
using Json = nlohmann::json;

inline constexpr u32 kMostDepth = 512;

struct ReadJson {
  Json value;
  std::string problem;  // empty: none
};
[[nodiscard]] ReadJson read_json(std::string_view text);
[[nodiscard]] std::string json_text(const Json& value);
// Null where the value is no object, or has no such member.
[[nodiscard]] const Json& member(const Json& value, std::string_view name);

}  // namespace komuz::lsp
