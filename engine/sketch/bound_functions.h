// SPDX-License-Identifier: Apache-2.0
// The functions of bound code: those of the sketch's code without its spaces. Expressions from spaces take slots in
// the frames of the functions in which they stand. Behind a function's own slots lie, for each space from which it
// takes expressions, directly or through other spaces:
//
//   | the space's parameters, where arguments are stored | its variables, of an expression | of a nested one | …
//
// with depth + 1 sets of variables. Consecutive expressions of one space share these slots. No expression's slots are
// in use while an expression that is not nested in it is evaluated: a space leads back to itself only by its name,
// and arguments are stored after all of them are known.
#pragma once
#include <vector>

#include "lang/code.h"
#include "lang/sketch.h"

namespace komuz::engine {

struct BoundFunctions {
  struct Space {
    u32 function = 0;  // of the sketch's code
    u32 parameter_slots = 0, variable_slots = 0;
    bool stores_arguments = false;  // in some expression
    std::vector<u32> takes;         // spaces whose expressions its alternatives take
    [[nodiscard]] u32 stored_slots() const { return stores_arguments ? parameter_slots : 0; }
  };

  // What a space's expressions need to know of its slots.
  struct SpaceSlots {
    u32 parameters = 0, variables = 0;
    u32 stored = 0;  // of the parameters
  };

  std::vector<u32> space_of;            // by function of the sketch's code; kNoSpace
  std::vector<u16> number_of;           // likewise, for the others: the number in bound code
  std::vector<Space> spaces;            // as in the sketch
  std::vector<std::vector<u32>> takes;  // by function of the sketch's code: spaces
  // By function of bound code. The code and stack of functions are not known yet.
  std::vector<Function> headers;
  std::vector<u8> slot_types;
  std::vector<u16> first_slots;         // by function and space: the space's slots
  std::vector<SpaceSlots> space_slots;  // as in the sketch
  // The callees of function f are [callee_begins[f], callee_begins[f + 1]), including the sketch's calls from the
  // spaces whose expressions it takes.
  std::vector<u16> callees;
  std::vector<u32> callee_begins{0};
  std::vector<u16> callees_first;  // functions, each behind those that it calls, except in cycles
  bool fits = true;                // no frame is too large
};

// Finds the functions that are spaces, and numbers the others.
[[nodiscard]] BoundFunctions number_functions(const Code& code, const Sketch& sketch);
// Fills in the rest. `takes` and `stores_arguments` are known.
void lay_out_functions(const Code& code, const Sketch& sketch, u32 stack_limit,
                       BoundFunctions& out);

}  // namespace komuz::engine
