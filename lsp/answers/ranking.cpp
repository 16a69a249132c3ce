// SPDX-License-Identifier: Apache-2.0
// The requests `komuz/ranking`, `komuz/variants` and `komuz/fill`: of the variants of a sketch, as they have been ranked so far.
#include <algorithm>

#include "lsp/answers/line_edit.h"
#include "lsp/answers/params.h"
#include "lsp/answers/ranking_shapes.h"
#include "lsp/answers/shapes.h"
#include "services/results/ranking_text.h"

namespace komuz::lsp {
namespace {

constexpr u32 kRowsAtOnce = 100, kMostRows = 10'000;
// Rows whose programs are told one by one; a text has its end.
constexpr size_t kMostLine = 400;

u32 number_of(const Json& params, std::string_view name, u32 without, u32 most) {
  const Json& value = member(params, name);
  if (value.is_number_unsigned()) return static_cast<u32>(std::min<u64>(value.get<u64>(), most));
  return without;
}

Json worst_json(const services::WorstCase& worst) {
  Json inputs = Json::array();
  for (const std::string& argument : worst.arguments) {
    constexpr std::string_view kIs = " = ";
    const size_t at = std::min(argument.find(kIs), argument.size());
    inputs.push_back({{"name", argument.substr(0, at)},
                      {"value", argument.substr(std::min(at + kIs.size(), argument.size()))}});
  }
  return {{"row", worst.number},
          {"line", worst.line},
          {"expected", worst.expected},
          {"actual", worst.actual},
          {"inputs", std::move(inputs)}};
}

Json row_json(const Ranking& ranking, services::VariantTexts& texts, u32 number,
              Encoding encoding) {
  const services::RankedSketch& ranked = *ranking.ranked;
  const engine::ResultRow& row = ranked.results.rows[number];
  Json out = {{"rank", row.rank},
              {"variant", variant_number(ranked, number)},
              {"status", engine::status_name(row.status)},
              {"score", row.scored ? score_json(row.score) : Json()},
              {"passed", row.passed},
              {"fuel", row.fuel},
              {"bytes", row.code_bytes},
              {"choices", Json::array()}};
  if (texts.choose(ranked.results.id(number))) return out;
  out["text"] = texts.line(kMostLine);
  for (const services::HoleContent& hole : texts.holes())
    out["choices"].push_back(
        {{"hole", hole.name},
         {"range", range_json(*ranking.ranked_document, {hole.begin, hole.end}, encoding)},
         {"text", hole.text}});
  return out;
}

Json charts_json(const engine::Results& results) {
  Json points = Json::array();
  for (size_t k = 0; k < results.best.expected.size() && k < results.best.actual.size(); ++k)
    points.push_back({score_json(results.best.expected[k]), score_json(results.best.actual[k])});
  return points.empty() ? Json::object() : Json{{"actualAgainstExpected", std::move(points)}};
}

// The ranking of a document; refused: there is none.
Read<RankingRef> read_ranked(const Question& question, const Document& document) {
  RankingRef ranking = question.rankings.find(document.uri);
  if (ranking == nullptr || ranking->ranked == nullptr)
    return {nullptr, Refusal{ErrorCode::RequestFailed, why_not_ranked(ranking.get())}};
  return {std::move(ranking)};
}

}  // namespace

Outcome answer_ranking(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const RankingRef ranking = question.rankings.find(document.uri);
  Json out = {{"version", document.version}, {"state", "none"}, {"rows", Json::array()}};
  if (ranking == nullptr) {
    out["problem"] = why_not_ranked(nullptr);
    return out;
  }
  out["state"] = ranking_state(*ranking, document);
  if (!ranking->problem.empty()) out["problem"] = ranking->problem;
  if (ranking->question == nullptr) return out;
  out["score"] = engine::score_name(ranking->score);
  out["lowerIsBetter"] = !engine::is_larger_better(ranking->score);
  out["top"] = ranking->top;
  out["cases"] = {{"file", ranking->cases}};
  if (ranking->ranked == nullptr) return out;
  const services::RankedSketch& ranked = *ranking->ranked;
  const engine::Results& results = ranked.results;
  out["version"] = ranking->ranked_document->version;
  out["cases"]["rows"] = results.cases;
  out["variants"] = variants_count(ranked);
  out["evaluated"] = results.candidates();
  out["isSample"] = ranked.is_sample();
  out["failed"] = engine::count_outcomes(results).of(engine::Status::Trap);
  const u32 first = number_of(question.params, "first", 0, ~u32{0});
  const u32 count = number_of(question.params, "count", kRowsAtOnce, kMostRows);
  const std::vector<u32> shown =
      services::shown_rows(results, services::TableRows::Best, results.rows.size());
  out["total"] = shown.size();
  services::VariantTexts texts(*ranked.sketch, ranked.own_size);
  for (size_t k = first; k < shown.size() && k - first < count; ++k) {
    if (question.stop.stop_requested()) return cancelled();
    Json row = row_json(*ranking, texts, shown[k], question.client.encoding);
    if (k == 0 && ranked.worst) row["worst"] = worst_json(*ranked.worst);
    out["rows"].push_back(std::move(row));
  }
  out["charts"] = charts_json(results);
  return out;
}

Outcome answer_variants(const Question& question) {
  const Read<Spot> spot = read_spot(question);
  if (!spot) return *spot.refusal;
  const Document& document = *spot.value.document;
  const Read<RankingRef> read = read_ranked(question, document);
  // A place without an answer is no fault.
  if (!read || !read.value->is_of(document)) return Json();
  const services::RankedSketch& ranked = *read.value->ranked;
  if (ranked.sketch == nullptr) return Json();
  const Sketch& sketch = ranked.sketch->plan.sketch();
  const auto number = services::hole_at(sketch, spot.value.byte);
  if (!number) return Json();
  const Hole& hole = sketch.holes[*number];
  Json alternatives = Json::array();
  for (const services::RankedAlternative& one : services::rank_alternatives(ranked, *number))
    alternatives.push_back({{"text", one.text}, {"best", best_json(ranked, one.row)}});
  return Json{
      {"range", range_json(document, {hole.span.begin, hole.span.end}, question.client.encoding)},
      {"hole", hole.name},
      {"alternatives", std::move(alternatives)}};
}

Outcome answer_fill(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  const Document& document = *read.value;
  const Read<RankingRef> ranking = read_ranked(question, document);
  if (!ranking) return *ranking.refusal;
  if (!ranking.value->is_of(document))
    return Refusal{ErrorCode::RequestFailed,
                   "the text has changed since its variants were ranked; ask again in a moment"};
  const Json& variant = member(question.params, "variant");
  if (!variant.is_string())
    return Refusal{ErrorCode::InvalidParams,
                   "`variant` is the number of one, a text such as \"72\""};
  services::VariantTexts texts(*ranking.value->ranked->sketch, ranking.value->ranked->own_size);
  if (const Problem problem = texts.choose(variant.get_ref<const std::string&>()))
    return Refusal{ErrorCode::InvalidParams, problem.message()};
  const std::string text = texts.program(question.workspace.analyse(document).library());
  Json edits = Json::array();
  const std::string with_ends = has_crlf(document.text) ? with_crlf(text) : text;
  if (const auto edit = line_edit(document.text, with_ends))
    edits.push_back(text_edit_json(document, *edit, question.client.encoding));
  return Json{{"text", text}, {"edit", workspace_edit_json(question, document, std::move(edits))}};
}

}  // namespace komuz::lsp
