// SPDX-License-Identifier: Apache-2.0
// Which instructions name another one.
#pragma once
#include "lang/ops.h"

namespace komuz::neural {

// True if field b of an instruction is the number of another one.
[[nodiscard]] constexpr bool has_target(Op op) {
  switch (op_row(op).form) {
    case OpForm::Branch:
    case OpForm::Jump:
    case OpForm::ShortCircuit:
    case OpForm::Loop:
    case OpForm::End: return true;
    default: return false;
  }
}

}  // namespace komuz::neural
