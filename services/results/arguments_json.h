// SPDX-License-Identifier: Apache-2.0
// Arguments by name as JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "services/counterexample.h"

namespace komuz::services {

// Adds "arguments", whose values have the style Json. As in a report of candidates, a long value is null, with its
// beginning in "cut".
void add_arguments(nlohmann::ordered_json& object, std::span<const ParameterValue> values);

}  // namespace komuz::services
