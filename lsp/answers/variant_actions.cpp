// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/variant_actions.h"

#include <algorithm>

#include "lsp/answers/line_edit.h"
#include "lsp/answers/ranking_shapes.h"
#include "lsp/answers/shapes.h"
#include "services/display_text.h"
#include "services/variants/kept_variant.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kRewrite = "refactor.rewrite", kExtract = "refactor.extract";

Json action_of(std::string title, std::string_view kind) {
  return {{"title", std::move(title)}, {"kind", kind}};
}

class VariantActions {
 public:
  VariantActions(const Question& question, const Document& document,
                 const services::RankedSketch& ranked, Json& actions)
      : question_(question), document_(document), ranked_(ranked), actions_(actions) {}

  void add_at(u32 hole) {
    const auto best = ranked_.best();
    services::VariantTexts texts(*ranked_.sketch, ranked_.own_size);
    if (best && !texts.choose(ranked_.results.id(*best))) {
      const std::string name(ranked_.results.id(*best));
      add_fill_one(texts.holes(), hole);
      add_fill_all(texts, name);
      add_keep(texts, name);
    }
    add_command("search for 10 s", "komuz.search", Json::array({document_.uri, 10}));
    if (question_.client.shows_rankings)
      add_command("fill from the ranking …", "komuz.showRanking", Json::array({document_.uri}));
  }

 private:
  // Also in the other places that are decided together with it.
  void add_fill_one(const std::vector<services::HoleContent>& holes, u32 number) {
    const engine::VariantPlan& plan = ranked_.sketch->plan;
    std::vector<u32> together{number};
    for (const u32 decision : plan.program().decisions)
      if (const auto& places = plan.decision(decision).holes;
          std::ranges::find(places, number) != places.end())
        together = places;
    Json edits = Json::array();
    std::string shown;
    for (const services::HoleContent& hole : holes) {
      if (std::ranges::find(together, hole.hole) == together.end()) continue;
      if (hole.hole == number) shown = hole.text;
      edits.push_back(
          text_edit_json(document_, {hole.begin, hole.end, hole.text}, question_.client.encoding));
    }
    if (shown.empty()) return;
    constexpr u32 kMostColumns = 50;
    add_edits("fill with the best: `" + services::fitted(shown, kMostColumns) + "`", kRewrite,
              std::move(edits));
  }
  void add_fill_all(const services::VariantTexts& texts, const std::string& name) {
    const std::string program = texts.program(question_.workspace.analyse(document_).library());
    if (const auto edit =
            line_edit(document_.text, has_crlf(document_.text) ? with_crlf(program) : program))
      add_edits("fill all holes with the best, " + name, kRewrite,
                Json::array({text_edit_json(document_, *edit, question_.client.encoding)}));
  }
  void add_keep(const services::VariantTexts& texts, const std::string& name) {
    const Library* const library = question_.workspace.analyse(document_).library();
    const auto kept = services::keep_variant(*ranked_.sketch, texts.whole_program(), *library);
    if (!kept) return;
    const auto end = static_cast<u32>(document_.text.size());
    const std::string gap = document_.text.ends_with('\n') ? "\n" : "\n\n";
    add_edits("keep the best, " + name + ", as `" + kept->name + "`", kExtract,
              Json::array({text_edit_json(document_, {end, end, gap + kept->items},
                                          question_.client.encoding)}));
  }
  void add_edits(std::string title, std::string_view kind, Json edits) {
    Json action = action_of(std::move(title), kind);
    action["edit"] = workspace_edit_json(question_, document_, std::move(edits));
    actions_.push_back(std::move(action));
  }
  void add_command(std::string title, std::string_view command, Json arguments) {
    Json action = action_of(title, kRewrite);
    action["command"] = {
        {"title", std::move(title)}, {"command", command}, {"arguments", std::move(arguments)}};
    actions_.push_back(std::move(action));
  }

  const Question& question_;
  const Document& document_;
  const services::RankedSketch& ranked_;
  Json& actions_;
};

}  // namespace

void add_variant_actions(const Question& question, const Document& document, ByteRange range,
                         Json& actions) {
  const RankingRef ranking = question.rankings.find(document.uri);
  if (ranking == nullptr || !ranking->is_of(document) || ranking->ranked->sketch == nullptr) return;
  const Sketch& sketch = ranking->ranked->sketch->plan.sketch();
  // That which is filled as a whole.
  const auto found = std::ranges::find_if(sketch.holes, [&](const Hole& hole) {
    return hole.within == kNoSpace && hole.form != HoleForm::Free && hole.span.begin <= range.end &&
           range.begin <= hole.span.end;
  });
  if (found == sketch.holes.end()) return;
  VariantActions(question, document, *ranking->ranked, actions)
      .add_at(static_cast<u32>(found - sketch.holes.begin()));
}

}  // namespace komuz::lsp
