// SPDX-License-Identifier: Apache-2.0
// Reads values of a log's JSON. False means that a value has another form. Not part of the engine's door.
#pragma once
#include <simdjson.h>

#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"
#include "engine/results/results.h"
#include "engine/results/score_json.h"

namespace komuz::engine {

// The object in a text. It stays until this thread parses the next one.
inline bool parse_object(std::string_view text, simdjson::dom::object& out) {
  thread_local simdjson::dom::parser parser;
  const simdjson::error_code error = parser.parse(text.data(), text.size()).get_object().get(out);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  return error == simdjson::SUCCESS;
}

inline bool take(simdjson::dom::element value, std::string_view& out) {
  return value.get_string().get(out) == simdjson::SUCCESS;
}
inline bool take(simdjson::dom::element value, std::string& out) {
  std::string_view text;
  if (!take(value, text)) return false;
  out = text;
  return true;
}
inline bool take(simdjson::dom::element value, u64& out) {
  return value.get_uint64().get(out) == simdjson::SUCCESS;
}
inline bool take(simdjson::dom::element value, u32& out) {
  u64 number = 0;
  if (!take(value, number) || number > std::numeric_limits<u32>::max()) return false;
  out = static_cast<u32>(number);
  return true;
}
// Values that are not finite have the form that json_text.h writes.
inline bool take(simdjson::dom::element value, f64& out) {
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  std::string_view word;
  if (!take(value, word)) return value.get_double().get(out) == simdjson::SUCCESS;
  if (word == "NaN") return out = std::numeric_limits<f64>::quiet_NaN(), true;
  out = word == "Infinity" ? kInfinity : -kInfinity;
  return word == "Infinity" || word == "-Infinity";
}
// A score that JSON cannot express as a number has the form that score_json.h writes.
inline bool take_infinite(simdjson::dom::element value, f64& out) {
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  std::string_view word;
  if (!take(value, word)) return false;
  out = word == kInfiniteText ? kInfinity : -kInfinity;
  return word == kInfiniteText || word == kNegativeInfiniteText;
}
inline std::optional<Status> status_from_name(std::string_view name) {
  for (u8 k = 0; k < kStatuses; ++k)
    if (status_name(static_cast<Status>(k)) == name) return static_cast<Status>(k);
  return std::nullopt;
}
// A field of an object.
template <class Value>
bool take(simdjson::dom::object object, std::string_view name, Value& out) {
  simdjson::dom::element value;
  return object.at_key(name).get(value) == simdjson::SUCCESS && take(value, out);
}

}  // namespace komuz::engine
