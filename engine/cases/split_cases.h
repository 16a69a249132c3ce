// SPDX-License-Identifier: Apache-2.0
// Takes some of the cases out of a table, drawn by a seed: the same ones on every machine.
#pragma once
#include "engine/cases/cases_table.h"

namespace komuz::engine {

// How many of so many cases are a share of them: rounded, at least one, and at least one is left. `cases`: two or more.
[[nodiscard]] size_t cases_in_share(size_t cases, f64 share);
// Moves so many cases to a table of their own. The cases of both stay in their order, and keep their lines. What was left out of the
// table before is said of neither: a share of it would be of nothing that is there.
[[nodiscard]] CasesTable split_cases(CasesTable& cases, size_t moved, u64 seed);

}  // namespace komuz::engine
