// SPDX-License-Identifier: Apache-2.0
// Checks that the front end and its yardstick make the same code of a batch.
#pragma once
#include <optional>
#include <string>

#include "bench/programs.h"

namespace komuz::bench {

// Compares instructions, places, constants, slot types, signatures and names of each program, and runs the checker
// on the yardstick's code. Returns the first difference as text, with the program; none if all agree.
[[nodiscard]] std::optional<std::string> first_difference(const Sources& sources);

}  // namespace komuz::bench
