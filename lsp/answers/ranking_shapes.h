// SPDX-License-Identifier: Apache-2.0
// Rankings in the shapes of the messages `komuz/…` (docs/lsp.md), and in words.
#pragma once
#include <optional>
#include <string>

#include "lsp/answers/question.h"
#include "services/variants/variant_texts.h"

namespace komuz::lsp {

// "running", "done" or "failed".
[[nodiscard]] std::string_view ranking_state(const Ranking& ranking, const Document& now);
// Why there are no rows yet, with what can be done. Null: nothing has asked for a ranking.
[[nodiscard]] std::string why_not_ranked(const Ranking* ranking);
// A number, or a text where JSON has none for it.
[[nodiscard]] Json score_json(f64 score);
// "72" of `#72`; the decisions of a sketch with too many variants for numbers, as they are.
[[nodiscard]] std::string variant_number(const services::RankedSketch& ranked, u32 row);
// How many variants there are, in digits; of a number that has too many for that, `about 2^81.3`.
[[nodiscard]] std::string variants_count(const services::RankedSketch& ranked);
[[nodiscard]] Json best_json(const services::RankedSketch& ranked, std::optional<u32> row);
// Parameters of `komuz/rankingChanged`. `ranking`: null, there is none any more.
[[nodiscard]] Json ranking_change_json(const Document& document, const RankingRef& ranking);
// "1,251 variants · best #72 · 0.00077"
[[nodiscard]] std::string ranking_title(const Ranking& ranking, const Document& now);

}  // namespace komuz::lsp
