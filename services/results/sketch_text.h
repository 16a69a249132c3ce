// SPDX-License-Identifier: Apache-2.0
// What is to be decided in a sketch: its decisions, spaces and free holes.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/sketch/variants.h"

namespace komuz::services {

// Is it said where decisions stand?
enum class SketchPlaces : u8 { No, Yes };
// `source`: the text that the plan's sketch was made of; places are of it. Lines for people.
[[nodiscard]] std::string sketch_text(std::string_view source, const engine::VariantPlan& plan,
                                      SketchPlaces places = SketchPlaces::Yes);
// As docs/sketches.md says of `komuz sketch --json`.
[[nodiscard]] nlohmann::ordered_json sketch_json(std::string_view source,
                                                 const engine::VariantPlan& plan);

}  // namespace komuz::services
