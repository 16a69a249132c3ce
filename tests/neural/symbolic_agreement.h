// SPDX-License-Identifier: Apache-2.0
// Runs code on terms, gives variables their values, and compares the outcome with that of the reference interpreter.
#pragma once
#include <string>

#include "neural/proof/terms/bits.h"
#include "neural/proof/terms/domain.h"
#include "neural/proof/terms/execute.h"
#include "neural/proof/terms/pure_terms.h"
#include "tests/vm/code_builder.h"

namespace komuz::test {

// The bits of a cell that a term of its type has.
inline u64 bits_of_cell(Scalar type, u64 cell) {
  return cell & neural::low_bits(neural::cell_bits(type));
}

// An outcome as values: of terms whose variables have these values.
struct ValuesOfOutcome {
  Trap trap = Trap::None;
  u64 fuel = 0;
  std::vector<u64> cells;
};
inline ValuesOfOutcome values_of(const neural::Terms& terms, const neural::SymbolicOutcome& outcome,
                                 const std::vector<Scalar>& types, std::span<const u64> variables) {
  std::vector<neural::Term> wanted(outcome.traps.begin(), outcome.traps.end());
  wanted.push_back(outcome.ticks);
  for (const neural::Term t : outcome.cells) wanted.push_back(t);
  const std::vector<u64> values = neural::term_values(terms, variables, wanted);
  ValuesOfOutcome found;
  u32 true_traps = 0;
  for (u32 t = 0; t < kTrapCount; ++t)
    if (values[t] != 0) ++true_traps, found.trap = static_cast<Trap>(t);
  EXPECT_EQ(true_traps, 1u) << "a run ends in one way";
  found.fuel = values[kTrapCount];
  for (size_t k = 0; k < outcome.cells.size(); ++k)
    found.cells.push_back(
        found.trap == Trap::None ? neural::cell_of_bits(types[k], values[kTrapCount + 1 + k]) : 0);
  return found;
}

enum class Arguments : u8 { Constants, Variables };

// Compares all cases of a run that has been made; rows[p][c] are its arguments. Returns how many were compared: where fuel has ended
// a run, there is nothing to compare. Zero also where the terms grow too large.
inline u32 expect_terms_agree(const Code& code, u32 function,
                              const std::vector<std::vector<u64>>& rows, u64 budget,
                              Arguments how) {
  CaseRun wanted(code, rows, function, 1, budget);
  if (!wanted.is_checked()) return 0;
  wanted.reference();
  const CodeView view = wanted.job().code;
  const Function& f = view.functions[function];
  std::vector<Scalar> types;
  for_each_cell(view.result_type(f), [&](Scalar type) { types.push_back(type); });
  const u32 cases = rows.empty() ? 1 : static_cast<u32>(rows[0].size());
  const auto type_of = [&](u32 p) {
    return static_cast<Scalar>(view.slot_types[f.slots_begin + p]);
  };
  u32 compared = 0;
  neural::Terms shared;
  neural::SymbolicOutcome shared_outcome;
  if (how == Arguments::Variables) {
    const std::vector<neural::Term> arguments = neural::argument_variables(shared, view, f);
    neural::StepCount count;
    shared_outcome = neural::execute(shared, {view, function, arguments}, count);
    if (!shared_outcome.why.empty()) return 0;
  }
  for (u32 c = 0; c < cases; ++c) {
    if (wanted.traps[c] == Trap::Fuel) continue;
    std::vector<u64> bits;
    for (u32 p = 0; p < f.parameter_slots; ++p)
      bits.push_back(bits_of_cell(type_of(p), rows[p][c]));
    ValuesOfOutcome found;
    if (how == Arguments::Variables) {
      found = values_of(shared, shared_outcome, types, bits);
    } else {
      neural::Terms terms;
      std::vector<neural::Term> arguments;
      for (u32 p = 0; p < f.parameter_slots; ++p)
        arguments.push_back(terms.constant(neural::cell_bits(type_of(p)), bits[p]));
      neural::StepCount count;
      const neural::SymbolicOutcome outcome =
          neural::execute(terms, {view, function, arguments}, count);
      if (!outcome.why.empty()) continue;
      EXPECT_TRUE(terms.is_constant(outcome.ticks)) << "a run of constants has no variables";
      found = values_of(terms, outcome, types, {});
    }
    ++compared;
    EXPECT_EQ(trap_name(found.trap), trap_name(wanted.traps[c])) << "case " << c;
    EXPECT_EQ(found.fuel, wanted.fuel[c]) << "case " << c;
    for (u32 k = 0; k < types.size(); ++k)
      EXPECT_EQ(found.cells[k], wanted.value(c, k)) << "case " << c << ", cell " << k;
    if (::testing::Test::HasFailure()) return compared;
  }
  return compared;
}

}  // namespace komuz::test
