// SPDX-License-Identifier: Apache-2.0
// What the fields of an instruction hold, by form, in the order in which the text of code shows them.
#pragma once
#include <span>

#include "lang/ops.h"

namespace komuz {

enum class CodeField : u8 {
  Type,           // field `type`
  NumberA,        // a
  TypeA,          // a, as a scalar type
  TrapA,          // a, as a trap
  NumberB,        // b
  ConstantB,      // b, as an index of a constant: #0
  TargetB,        // b, as an instruction of the function: ->0
  TakenAndFirst,  // b of PROJECT: two numbers
  AreaAndCells,   // b of LOAD_AT and STORE_AT: the slots of the area, and the cells of an access
};

[[nodiscard]] std::span<const CodeField> code_fields(OpForm form);

}  // namespace komuz
