// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/values_hover.h"

#include "services/display_text.h"
#include "services/variants/case_values.h"

namespace komuz::lsp {

std::string hovered_values(const Question& question, const Document& document, ByteRange range) {
  constexpr u32 kMostCases = 5, kMostColumns = 60;
  const RankingRef ranking = question.rankings.find(document.uri);
  if (ranking == nullptr || !ranking->is_of(document) || ranking->ranked->sketch == nullptr)
    return {};
  const Library* const library = question.workspace.analyse(document).library();
  const std::vector<services::ValueOnCase> values = services::values_on_cases(
      *ranking->ranked, *library, range.begin, range.end, kMostCases, question.stop);
  if (values.empty()) return {};
  const std::string by =
      ranking->ranked->has_no_holes()
          ? ""
          : ", by " + std::string(ranking->ranked->results.id(*ranking->ranked->best()));
  std::string text = "\nOn the first cases" + by + ":\n";
  for (const services::ValueOnCase& one : values)
    text += "- `" + services::fitted(one.value, kMostColumns) + "` where " +
            services::fitted(one.arguments, kMostColumns) + "\n";
  return text;
}

}  // namespace komuz::lsp
