// SPDX-License-Identifier: Apache-2.0
// The door of the proposals for searches: a sketch and its cases go in; out come weights for the ways of its decisions
// (engine/search/way_weights.h), by what a network reads from the cases. It says nothing of sketches whose entry takes
// or gives anything but numbers.
#pragma once
#include <stop_token>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/cases/suite.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_program.h"

namespace komuz::neural {

// Weights for the ways of choices and spaces of floats; a quarter of the weights of a decision is the same for all its ways,
// so that nothing becomes impossible. `entry`: its name; empty: the only `pub fn`, which must be there. The problem
// says why there are none.
[[nodiscard]] Result<engine::WayWeights> propose_ways(const engine::SketchProgram& sketch,
                                                      std::string_view entry,
                                                      const engine::CasesTable& cases,
                                                      const std::stop_token& stop = {});

}  // namespace komuz::neural
