// SPDX-License-Identifier: Apache-2.0
// What the numbers of formulas become once all rows are looked at. A search has fitted them to some rows, and keeps
// seven digits: they are fitted again to all of them, with all digits (engine/search/refit.h). Then they lose the
// digits that the rows do not determine: those that change the loss by less than a tenth of a row's share.
//
// Numbers that the rows do not determine go altogether. What a formula becomes without one of its numbers
// (services/simplify/fewer_numbers.h) is a formula of its own, with the others fitted again: it is added if it would be
// on the front. Where it is as good, since others made up for the number, the longer one goes. This is done again with
// what was added. On many rows all this is tried on some of them first.
//
// Formulas that were given keep their numbers. So do those that would no longer be as monotone as is wanted.
#pragma once
#include <stop_token>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "services/fit/formula.h"
#include "services/fit/judge.h"
#include "services/fit/monotone.h"

namespace komuz::services {

// Training errors are those on these cases then. `others`: what else was found; shorter formulas are made of these,
// too.
Problem settle_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                       const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                       const std::vector<FitFormula>& others, const std::stop_token& stop);

}  // namespace komuz::services
