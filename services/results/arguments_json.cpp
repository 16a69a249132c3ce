// SPDX-License-Identifier: Apache-2.0
#include "services/results/arguments_json.h"

#include <nlohmann/json.hpp>

#include "engine/results/failure_list.h"
#include "engine/values/value_text.h"

namespace komuz::services {

void add_arguments(nlohmann::ordered_json& object, std::span<const ParameterValue> values) {
  nlohmann::ordered_json& arguments = object["arguments"] = nlohmann::ordered_json::object();
  nlohmann::ordered_json cut = nlohmann::ordered_json::array();
  for (const ParameterValue& value : values) {
    const bool is_cut = value.value.size() > engine::kMostValueBytes;
    nlohmann::ordered_json& argument = arguments[value.name] = nullptr;
    if (!is_cut)
      argument = nlohmann::ordered_json::parse(value.value, nullptr, false);
    else
      cut.push_back({{"of", "arguments." + value.name},
                     {"bytes", value.value.size()},
                     {"begin", engine::beginning_of(value.value)}});
  }
  if (!cut.empty()) object["cut"] = std::move(cut);
}

}  // namespace komuz::services
