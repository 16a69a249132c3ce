// SPDX-License-Identifier: Apache-2.0
// What is to be decided in a sketch: its decisions, spaces and free holes.
#pragma once
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/sketch/variants.h"

namespace komuz::services {

// How the place of a byte of the source is written.
using PlaceText = std::function<std::string(u32 byte)>;
// `source`: the text that the plan's sketch was made of. Lines for people. `place`: for who knows where parts of the source come
// from; without it places are lines and columns of the source.
[[nodiscard]] std::string sketch_text(std::string_view source, const engine::VariantPlan& plan,
                                      const PlaceText& place = {});
// As docs/sketches.md says of `komuz sketch --json`.
[[nodiscard]] nlohmann::ordered_json sketch_json(std::string_view source,
                                                 const engine::VariantPlan& plan);

}  // namespace komuz::services
