// SPDX-License-Identifier: Apache-2.0
// What the variants of a sketch that are expanded have in common: all that a device needs to make the code of one from its
// decisions but the sketch itself.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/sketch/sketch_program.h"
#include "lang/library.h"

namespace komuz::engine {

// A function that comes behind the code of each, such as the one that takes slices (slice_entry.h). Its LOAD_CONST count
// its own constants.
struct AddedFunction {
  std::vector<Instruction> instructions;
  std::vector<u64> constants;
  std::vector<u8> slot_types;
  Function header;  // as the checker has left it
};

struct ExpandedSketch {
  const SketchProgram* sketch = nullptr;
  // Of linked code; what it calls if a function is added, which is the entry then.
  u32 entry = 0;
  std::optional<AddedFunction> added;
  // What stands behind the text of each variant, and the modules that it names (expand.h).
  std::string interfaces;
  std::vector<u32> heads;
  const Library* library = nullptr;  // null: there are no modules
  u32 harness = kNoModule;           // whose function is the entry …
  u32 harness_entry = 0;             // … by its number there
  u32 stack_limit = kDefaultStackLimit;
  // How large the code of one of the variants is; others are taken to be of about that size.
  Code example;
};

// The last function of checked code.
[[nodiscard]] AddedFunction last_function(const Code& code);

}  // namespace komuz::engine
