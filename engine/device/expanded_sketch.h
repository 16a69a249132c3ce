// SPDX-License-Identifier: Apache-2.0
// What all expanded variants of a sketch share. With the sketch it is all that a device needs to make a variant's
// code from its decisions.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/sketch/sketch_program.h"
#include "lang/library.h"

namespace komuz::engine {

// A function that is added behind each variant's code, such as the one that takes slices (slice_entry.h). Its
// LOAD_CONST instructions count its own constants.
struct AddedFunction {
  std::vector<Instruction> instructions;
  std::vector<u64> constants;
  std::vector<u8> slot_types;
  Function header;  // as left by the checker
};

struct ExpandedSketch {
  const SketchProgram* sketch = nullptr;
  // The entry in linked code. An added function calls it, and is then the entry itself.
  u32 entry = 0;
  std::optional<AddedFunction> added;
  // The text that follows the text of each variant, and the modules that the variant names (expand.h).
  std::string interfaces;
  std::vector<u32> heads;
  const Library* library = nullptr;  // null: there are no modules
  u32 harness = kNoModule;           // the harness whose function is the entry
  u32 harness_entry = 0;             // number of that function in the harness
  u32 stack_limit = kDefaultStackLimit;
  // The code of one variant. Others are assumed to have about its size.
  Code example;
};

// The last function of checked code.
[[nodiscard]] AddedFunction last_function(const Code& code);

}  // namespace komuz::engine
