// SPDX-License-Identifier: Apache-2.0
// A pure operation as a term, chosen at run time: as eval_cells.h, with terms in the place of cells. A bool is a term
// of one bit, and any other cell one of as many bits as its type has.
#pragma once
#include "neural/proof/terms/terms.h"

namespace komuz::neural {

// The value, and whether it traps: no term where a trap cannot be. What ends in both ends in the first one.
struct EvaluatedTerm {
  Term value = kNoTerm;
  Term first = kNoTerm, second = kNoTerm;
  Trap first_trap = Trap::None, second_trap = Trap::None;
};

// The term of a pure operation of checked code on its operands, the deepest first. Terms are made where the TermWriter (bits.h) of
// this thread says.
[[nodiscard]] EvaluatedTerm evaluate(Instruction i, const Term* operands);

// The operations on references (op_eval.h), which are 64 bits.
[[nodiscard]] EvaluatedTerm refer(Term count, u64 slots, u64 address);
[[nodiscard]] EvaluatedTerm part_of(Term whole, Term low, Term high);
[[nodiscard]] EvaluatedTerm rest_of(Term whole, Term offset, u64 least);

// Bits of a cell of this type; a reference has 64.
[[nodiscard]] u32 cell_bits(Scalar type);
// A cell of code as a term of its type.
[[nodiscard]] Term cell_term(Terms& terms, Scalar type, u64 cell);
// The cell whose low bits are these.
[[nodiscard]] u64 cell_of_bits(Scalar type, u64 bits);

}  // namespace komuz::neural
