// SPDX-License-Identifier: Apache-2.0
// The functions of bound code: those of the sketch's code without its spaces, whose expressions take slots in the
// frames of the functions that they stand in. Behind a function's own slots lie, for each space that it takes
// expressions from, itself or in other spaces:
//
//   | the space's parameters, where arguments are stored | its variables, of an expression | of one nested in it | … depth + 1 times
//
// Expressions of one space that stand one after the other share them. None is in use while another one that is not
// nested in it is evaluated: a space leads back to itself by its name alone, and arguments are stored when all of
// them are known.
#pragma once
#include <vector>

#include "lang/code.h"
#include "lang/sketch.h"

namespace komuz::engine {

struct BoundFunctions {
  struct Space {
    u32 function = 0;  // of the sketch's code
    u32 parameter_slots = 0, variable_slots = 0;
    bool stores_arguments = false;  // somewhere
    std::vector<u32> takes;         // the spaces that its alternatives take expressions from
    [[nodiscard]] u32 stored_slots() const { return stores_arguments ? parameter_slots : 0; }
  };

  // What of a space's slots its expressions need to know.
  struct SpaceSlots {
    u32 parameters = 0, variables = 0;
    u32 stored = 0;  // of the parameters
  };

  std::vector<u32> space_of;            // by function of the sketch's code; kNoSpace
  std::vector<u16> number_of;           // likewise, of the others: the number in bound code
  std::vector<Space> spaces;            // as in the sketch
  std::vector<std::vector<u32>> takes;  // by function of the sketch's code: spaces
  // By function of bound code. No function's code is known yet, nor its stack.
  std::vector<Function> headers;
  std::vector<u8> slot_types;
  std::vector<u16> first_slots;         // by function and space: where the space's slots are
  std::vector<SpaceSlots> space_slots;  // as in the sketch
  // Of function f: [callee_begins[f], callee_begins[f + 1]). In the sketch, also by the spaces that it takes
  // expressions from.
  std::vector<u16> callees;
  std::vector<u32> callee_begins{0};
  std::vector<u16> callees_first;  // functions, each behind those that it calls, but for cycles
  bool fits = true;                // frames are not too large
};

// Which functions are spaces; numbers of the others.
[[nodiscard]] BoundFunctions number_functions(const Code& code, const Sketch& sketch);
// The rest. `takes` and `stores_arguments` are known.
void lay_out_functions(const Code& code, const Sketch& sketch, u32 stack_limit,
                       BoundFunctions& out);

}  // namespace komuz::engine
