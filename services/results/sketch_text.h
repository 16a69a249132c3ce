// SPDX-License-Identifier: Apache-2.0
// The open decisions of a sketch: its decisions, spaces and free holes.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/sketch/variants.h"

namespace komuz::services {

// The written form of the place of a byte of the source.
using PlaceText = std::function<std::string(u32 byte)>;
// Lines for people. `source`: the text of the plan's sketch. `place`: for callers that know where parts of the source
// come from; without it places are lines and columns of the source.
[[nodiscard]] std::string sketch_text(std::string_view source, const engine::VariantPlan& plan,
                                      const PlaceText& place = {});
// The output of `komuz sketch --json`, described in docs/sketches.md.
[[nodiscard]] nlohmann::ordered_json sketch_json(std::string_view source,
                                                 const engine::VariantPlan& plan);

}  // namespace komuz::services
