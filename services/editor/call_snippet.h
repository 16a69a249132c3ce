// SPDX-License-Identifier: Apache-2.0
// The parts of a call that a completion can write: what stands between its parentheses.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "services/complete.h"

namespace komuz::services {

// The names of what a function, an operation or a constructor takes, by its signature, `fn lerp(a: f64, b: f64) -> f64`. Nothing: the
// completion is not called, or is wanted in the place of a lambda, or listed by a `use`, or parentheses follow already. The receiver of
// `x.f` is left out.
[[nodiscard]] std::optional<std::vector<std::string>> arguments_to_write(
    std::string_view text, const Completions& known, const Completion& completion);

}  // namespace komuz::services
