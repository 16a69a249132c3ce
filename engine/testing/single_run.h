// SPDX-License-Identifier: Apache-2.0
// Runs one function on one list of arguments.
#pragma once
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "lang/cases.h"
#include "lang/code.h"
#include "vm/explain_assertion.h"

namespace komuz::engine {

class NativeTier;

struct SingleRun {
  std::vector<u64> value;  // cells; zeros where it trapped
  Trap trap = Trap::None;
  u32 place = 0, depth = 0;                // of a trap: the instruction, and live frames
  u64 fuel = 0;                            // ticks used
  std::optional<vm::Comparison> compared;  // the failed assertion's operands

  [[nodiscard]] OutcomesView view() {
    return {.values = value,
            .traps = {&trap, 1},
            .places = {&place, 1},
            .depths = {&depth, 1},
            .fuel = {&fuel, 1}};
  }
};
// `arguments`: the cells of all parameters, one behind the other, one for each of the function's slots for them. No
// parameter holds a reference. `native` as for run_case().
void run_single(const CodeView& code, u32 function, std::span<const u64> arguments, u64 fuel,
                SingleRun& out, const std::stop_token* stop = nullptr,
                NativeTier* native = nullptr);

}  // namespace komuz::engine
