// SPDX-License-Identifier: Apache-2.0
// Picks the inputs that a formula is looked for in, where a table has more columns than a search can make use of.
//
// What an input is worth is what it takes off the squares of the errors in boosted regression trees (Friedman,
// 2001): small trees, each of which is fitted to what the trees before leave over. Trees of several levels also see
// inputs that help only together, as the factors of a product do. The values of an input are looked at in bins of
// equal numbers of rows, so its scale and its outliers do not matter.
#pragma once
#include <span>
#include <vector>

#include "engine/fit/fit_data.h"

namespace komuz::engine {

// The numbers of so many inputs, those that are worth most first; all inputs in their order if there are no more.
// `rows`: the rows that are looked at. After a requested stop the result is meaningless.
[[nodiscard]] std::vector<u32> pick_inputs(const FitData& data, std::span<const u32> rows, u32 most,
                                           const Watch& watch = Watch());

}  // namespace komuz::engine
