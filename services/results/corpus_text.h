// SPDX-License-Identifier: Apache-2.0
// Pairs of a corpus, as people and programs read them.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "neural/corpus/corpus.h"

namespace komuz::services {

// The program, its source and its target, with class, family and split.
[[nodiscard]] std::string pair_text(const neural::Corpus& corpus,
                                    const neural::CorpusOptions& options, u64 pair);
[[nodiscard]] nlohmann::ordered_json pair_json(const neural::Corpus& corpus,
                                               const neural::CorpusOptions& options, u64 pair);
// How many pairs there are, of which class and split, and what became of the rest. Lines.
[[nodiscard]] std::string corpus_text(const neural::Corpus& corpus);
[[nodiscard]] nlohmann::ordered_json corpus_json(const neural::Corpus& corpus);

}  // namespace komuz::services
