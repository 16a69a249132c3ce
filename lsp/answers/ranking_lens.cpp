// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/ranking_lens.h"

#include "lsp/answers/ranking_shapes.h"
#include "lsp/answers/shapes.h"
#include "services/editor/head_lines.h"

namespace komuz::lsp {

void add_ranking_lens(const Question& question, const Document& document, Json& lenses) {
  const RankingRef ranking = question.rankings.find(document.uri);
  if (ranking == nullptr) return;
  const services::HeadLines head = services::read_head(document.text);
  const services::HeadLine* const cases = head.find(services::HeadKey::Cases);
  // Cases may also have been sent.
  const ByteRange place = cases == nullptr ? ByteRange() : ByteRange{cases->begin, cases->end};
  lenses.push_back({{"range", range_json(document, place, question.client.encoding)},
                    {"command",
                     {{"title", ranking_title(*ranking, document)},
                      {"command", "komuz.showRanking"},
                      {"arguments", Json::array({document.uri})}}}});
}

}  // namespace komuz::lsp
