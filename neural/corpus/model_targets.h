// SPDX-License-Identifier: Apache-2.0
// Targets that a model gives for its own training: the cheapest code among its candidates that is proved, or draws of it
// with what each was worth.
#pragma once
#include <stop_token>
#include <vector>

#include "neural/corpus/corpus.h"

namespace komuz::neural {

// The cheapest of the model's candidates and of what rules make of these, if it is proved equal to `lone` and cheaper
// than what rules make of that; else the latter.
[[nodiscard]] Code cheapest_of_model(const CodeView& lone, const CorpusOptions& options,
                                     const std::stop_token& stop);

// A program that the model drew, once for all the times that it did.
struct DrawnTarget {
  std::vector<u8> words;  // END last
  f32 advantage = 0;
};
// `options.draws` draws for a source. The reward of a draw that is right is 1 and the share of the source's cost that it
// saves (what costs more saves less than nothing), of one that is not right 0; its advantage is the reward less the
// mean of the others, times how often it was drawn over all draws. Draws that are all worth the same teach nothing,
// and none is given. Right is what no guided input refutes (kFirstInputs).
[[nodiscard]] std::vector<DrawnTarget> draw_targets(const CodeView& lone, const Source& source,
                                                    const WordLine& line,
                                                    const CorpusOptions& options,
                                                    const std::stop_token& stop);

}  // namespace komuz::neural
