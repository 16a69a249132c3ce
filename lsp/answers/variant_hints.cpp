// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/variant_hints.h"

#include "lsp/answers/ranking_shapes.h"
#include "lsp/answers/shapes.h"
#include "lsp/text/moved_places.h"
#include "services/display_text.h"

namespace komuz::lsp {

void add_variant_hints(const Question& question, const Document& document, ByteRange range,
                       Json& hints) {
  constexpr u32 kMostColumns = 40;
  const RankingRef ranking = question.rankings.find(document.uri);
  if (ranking == nullptr || ranking->ranked == nullptr || ranking->ranked->sketch == nullptr)
    return;
  const services::RankedSketch& ranked = *ranking->ranked;
  const auto best = ranked.best();
  services::VariantTexts texts(*ranked.sketch);
  if (!best || texts.choose(ranked.results.id(*best))) return;
  const bool is_done = ranking->is_done(document);
  const std::string tooltip = ranking_title(*ranking, document);
  const MovedPlaces moved(ranking->ranked_document->text, document.text);
  for (const services::HoleContent& hole : texts.holes()) {
    const auto place = moved.find({hole.begin, hole.end});
    if (!place || place->end < range.begin || place->end > range.end) continue;
    std::string label = "= " + services::fitted(hole.text, kMostColumns);
    if (!is_done) label += " …";
    hints.push_back(
        {{"position", position_json(document.position_of(place->end, question.client.encoding))},
         {"label", std::move(label)},
         {"tooltip", tooltip},
         {"paddingLeft", true}});
  }
}

}  // namespace komuz::lsp
