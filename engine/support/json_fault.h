// SPDX-License-Identifier: Apache-2.0
// Describes, in words, the fault of a line that should be one JSON object. Not part of the engine's door.
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

// The first fault; none if the line is an object. simdjson says neither where a fault is nor what it is. This
// function is for lines that simdjson has refused, or has not read completely.
[[nodiscard]] std::optional<JsonFault> find_json_fault(std::string_view line);

}  // namespace komuz::engine
