// SPDX-License-Identifier: Apache-2.0
// What simdjson finds wrong with a line that is to be an object, in words. Not part of the engine's door.
#pragma once
#include <simdjson.h>

#include <string>
#include <string_view>

namespace komuz::engine {

inline std::string json_fault(simdjson::error_code error) {
  if (error == simdjson::INCORRECT_TYPE) return "this line is no JSON object";
  std::string_view words = simdjson::error_message(error);
  while (words.ends_with('.')) words.remove_suffix(1);
  return "this line is not valid JSON: " + std::string(words);
}

}  // namespace komuz::engine
