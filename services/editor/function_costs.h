// SPDX-License-Identifier: Apache-2.0
// What the functions of a text cost, as their code says: bytes, stack, depth, ticks. And that code, as `komuz dump`
// shows it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/candidates/load_modules.h"

namespace komuz::services {

struct FunctionCost {
  std::string name;
  u32 begin = 0, end = 0;            // of the item in the text, with the comments above it
  u32 name_begin = 0, name_end = 0;  // … and of its name
  u32 code_bytes = 0;                // of its instructions
  u32 stack_bytes = 0;               // for a call of it and all that it calls, in each lane
  u32 depth = 0;                     // how deep its recursion may go; 0: it calls itself by no way
  // The most ticks of fuel that a call of it takes, with its own (tick_bounds.h). None: what they depend on, in words: "`n`",
  // "`while` in line 4".
  std::optional<u64> ticks;
  std::vector<std::string> depends_on;
  std::string text;  // its code
};
// In the order of the text; nothing where it has errors. Loads the modules that it names.
[[nodiscard]] std::vector<FunctionCost> list_function_costs(std::string_view text,
                                                            engine::ModuleLoader& modules);

// "96 bytes of code · stack 48 bytes · fuel ≤ 3", "… · fuel depends on `n` and `helper`"
[[nodiscard]] std::string cost_text(const FunctionCost& cost);

}  // namespace komuz::services
