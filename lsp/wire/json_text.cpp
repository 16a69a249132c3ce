// SPDX-License-Identifier: Apache-2.0
#include "lsp/wire/json_text.h"

#include <algorithm>

namespace komuz::lsp {
namespace {

// How deep brackets nest outside of strings, whether they fit each other or not.
u32 depth_of(std::string_view text) {
  u32 depth = 0, most = 0;
  bool in_string = false;
  for (size_t k = 0; k < text.size(); ++k) {
    const char byte = text[k];
    if (in_string) {
      if (byte == '\\') ++k;
      in_string = byte != '"';
      continue;
    }
    in_string = byte == '"';
    if (byte == '[' || byte == '{') most = std::max(most, ++depth);
    if ((byte == ']' || byte == '}') && depth > 0) --depth;
  }
  return most;
}

}  // namespace

ReadJson read_json(std::string_view text) {
  if (depth_of(text) > kMostDepth)
    return {nullptr, "a message nests at most " + std::to_string(kMostDepth) + " levels deep"};
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) return {nullptr, "the message is no JSON text in UTF-8"};
  return {std::move(value), ""};
}

const Json& member(const Json& value, std::string_view name) {
  static const Json nothing;
  if (!value.is_object()) return nothing;
  const auto found = value.find(name);
  return found == value.end() ? nothing : *found;
}

std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace komuz::lsp
