// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/ranking_shapes.h"

#include <cmath>

#include "base/counts.h"
#include "services/results/ranking_text.h"

namespace komuz::lsp {

std::string_view ranking_state(const Ranking& ranking, const Document& now) {
  if (ranking.document->text != now.text || ranking.is_running) return "running";
  return ranking.problem.empty() ? "done" : "failed";
}

Json score_json(f64 score) {
  if (std::isnan(score)) return "NaN";
  if (std::isinf(score)) return score < 0 ? "-Infinity" : "Infinity";
  return score;
}

std::string variant_number(const services::RankedSketch& ranked, u32 row) {
  std::string_view name = ranked.results.id(row);
  if (name.starts_with('#')) name.remove_prefix(1);
  return std::string(name);
}

std::string variants_count(const services::RankedSketch& ranked) {
  return ranked.variants.is_exact ? std::to_string(ranked.variants.exact)
                                  : engine::count_text(ranked.variants);
}

Json best_json(const services::RankedSketch& ranked, std::optional<u32> row) {
  if (!row) return nullptr;
  return {{"variant", variant_number(ranked, *row)},
          {"score", score_json(ranked.results.rows[*row].score)}};
}

Json ranking_change_json(const Document& document, const RankingRef& ranking) {
  Json out = {{"uri", document.uri}, {"version", document.version}, {"state", "none"}};
  if (ranking == nullptr) return out;
  out["state"] = ranking_state(*ranking, document);
  if (!ranking->problem.empty()) out["problem"] = ranking->problem;
  if (ranking->ranked == nullptr) return out;
  const services::RankedSketch& ranked = *ranking->ranked;
  out["variants"] = variants_count(ranked);
  out["evaluated"] = ranked.results.candidates();
  if (const Json best = best_json(ranked, ranked.best()); !best.is_null()) out["best"] = best;
  return out;
}

std::string ranking_title(const Ranking& ranking, const Document& now) {
  if (ranking.ranked == nullptr)
    return ranking.problem.empty() ? "the variants are being ranked …"
                                   : "no ranking: " + ranking.problem;
  const services::RankedSketch& ranked = *ranking.ranked;
  const auto with_state = [&](std::string words) {
    const bool is_current = ranking.is_done(now);
    if (!is_current && ranking_state(ranking, now) == "running") return words + " · running …";
    return is_current ? words : words + " · of the text before";
  };
  if (ranked.is_plain) {
    const auto best = ranked.best();
    const std::string score =
        best ? "score " +
                   services::score_text(ranked.results.score, ranked.results.rows[*best])
             : "no score";
    return with_state(score + " on " + counted(ranked.results.cases, "case"));
  }
  const bool is_one = ranked.variants.is_exact && ranked.variants.exact == 1;
  std::string title = engine::count_text(ranked.variants) + (is_one ? " variant" : " variants");
  if (ranked.is_sample()) title += ", " + grouped(ranked.results.candidates()) + " evaluated";
  if (const auto best = ranked.best())
    title += " · best " + std::string(ranked.results.id(*best)) + " · " +
             services::score_text(ranked.results.score, ranked.results.rows[*best]);
  else
    title += " · none has a score";
  return with_state(std::move(title));
}

}  // namespace komuz::lsp
