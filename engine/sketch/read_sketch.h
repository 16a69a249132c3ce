// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

#include "frontend_gpu/frontend.h"
#include "lang/sketch.h"

namespace komuz::engine {

// The holes and spaces of a program; none: it has errors. Empty where it has no holes.
[[nodiscard]] std::optional<Sketch> read_sketch(std::string_view source,
                                                const frontend::Options& options);

// Is anything of it to be decided? Holes that are free are not.
[[nodiscard]] bool has_decisions(const Sketch& sketch);

}  // namespace komuz::engine
