// SPDX-License-Identifier: Apache-2.0
// What is known of two functions, in words and as JSON. docs/cli.md describes both.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lang/library.h"
#include "neural/equal/equality.h"
#include "services/excerpt.h"

namespace komuz::services {

// The two programs that were compared.
struct EqualityQuestion {
  std::string_view a_name, b_name;  // under which they are shown
  neural::ComparedFunction a, b;
  std::string_view a_source;  // empty: none
  const Library& library;     // the modules that `a` uses
  const neural::EqualityOptions& options;
};

// Lines such as
//   proved   b.komuz: equal to a.komuz for all inputs: all 512 were run
//   REFUTED  b.komuz: 1, but a.komuz gives 0
//     with n = 0
//   tested   b.komuz: 0 of 10,000 guided inputs (seed 0) showed a difference from a.komuz
[[nodiscard]] std::string equality_text(const EqualityQuestion& question,
                                        const neural::Equality& equality, const RenderStyle& style);
[[nodiscard]] nlohmann::ordered_json equality_json(const EqualityQuestion& question,
                                                   const neural::Equality& equality);
// Of functions that cannot be compared.
[[nodiscard]] nlohmann::ordered_json refused_comparison_json(std::string_view a_name,
                                                             std::string_view b_name,
                                                             std::string_view why);

}  // namespace komuz::services
