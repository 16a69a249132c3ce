// SPDX-License-Identifier: Apache-2.0
// What the numbers of formulas become once all rows are looked at. They are fitted to all of them, and lose digits that
// the rows do not determine (fit_numbers.h).
//
// Numbers that the rows do not determine go altogether. What a formula becomes without one of its numbers
// (services/simplify/fewer_numbers.h) is a formula of its own, with the others fitted again: it is added if it would be
// on the front. Where it is as good, since others made up for the number, the longer one goes. This is done again with
// what was added. On many rows all this is tried on some of them first. Parts of formulas on the front are tried in the same
// way (services/simplify/fewer_parts.h): a term that noise alone has asked for, or a function that is nearly its argument.
//
// Of two formulas of a size, more numbers have to pay for themselves: `a * x / (b + x)` stands before
// `a - b / (c + x)`.
#pragma once
#include <stop_token>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "services/fit/formula.h"
#include "services/fit/judge.h"
#include "services/fit/monotone.h"

namespace komuz::services {

// What is tried besides the numbers of formulas.
struct Shortening {
  std::vector<FitFormula> others = {};  // what else was found
  bool cuts_parts = true;               // false: formulas have units, which parts are there for
};

// Training errors are those on these cases then. `shortening`: one of the others is added where it would
// be on the front now that it is fitted, or where a shorter one of it is. Null: somebody waits for the end, and numbers that others make
// up for stay.
Problem settle_numbers(const engine::CasesTable& cases, const JudgeOptions& options,
                       const MonotoneCheck& monotone, std::vector<FitFormula>& formulas,
                       const Shortening* shortening, const std::stop_token& stop);

}  // namespace komuz::services
