// SPDX-License-Identifier: Apache-2.0
// What is wrong with a line that is to be one JSON object, in words. Not part of the engine's door.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

struct JsonFault {
  u64 column = 0;  // a byte of the line, from 1
  std::string message;
  bool is_cut = false;  // the line ends before the object does
};

// The first fault; none: it is an object. simdjson reads what is right and says neither where nor, to people, what: this is
// for lines that it has refused, or has not read all of.
[[nodiscard]] std::optional<JsonFault> find_json_fault(std::string_view line);

}  // namespace komuz::engine
