// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/variant_findings.h"

#include "lsp/answers/findings.h"
#include "lsp/answers/shapes.h"
#include "lsp/text/uri.h"
#include "services/editor/head_lines.h"

namespace komuz::lsp {
namespace {

std::string case_text(const services::WorstCase& worst) {
  std::string text;
  for (const std::string& argument : worst.arguments) text += (text.empty() ? "" : ", ") + argument;
  if (!text.empty()) text += ": ";
  if (!worst.expected.empty()) text += "expected " + worst.expected + ", ";
  return text + "found " + worst.actual;
}

void add_worst_case(const Question& question, const Document& document, const Ranking& ranking,
                    ByteRange head_place, Json& findings) {
  const services::RankedSketch& ranked = *ranking.ranked;
  const services::WorstCase& worst = *ranked.worst;
  const auto& holes = ranked.sketch->plan.sketch().holes;
  const std::string words = case_text(worst);
  const std::string place = ranking.cases + ":" + std::to_string(worst.line);
  // Of a program without holes it stands at the line that names the cases.
  const bool is_program = ranked.has_no_holes();
  const ByteRange at =
      is_program ? head_place : ByteRange{holes.front().span.begin, holes.front().span.end};
  const std::string of = is_program ? "" : " of " + std::string(ranked.results.id(*ranked.best()));
  Json finding = finding_json(question, document, at, FindingSeverity::Information, kWorstCode,
                              "the worst case" + of + " is " + place + ", " + words);
  if (question.client.diagnostics.related && !ranking.cases_path.empty() && worst.line != 0) {
    // All of the line, however long it is: clients cut a range to it.
    constexpr u32 kLineEnd = 1 << 20;
    const auto line = static_cast<u32>(worst.line - 1);
    finding["relatedInformation"] = Json::array(
        {{{"location",
           {{"uri", uri_of_path(ranking.cases_path)},
            {"range",
             {{"start", position_json({line, 0})}, {"end", position_json({line, kLineEnd})}}}}},
          {"message", words}}});
  }
  findings.push_back(std::move(finding));
}

}  // namespace

void add_variant_findings(const Question& question, const Document& document, Json& findings) {
  const services::HeadLines head = services::read_head(document.text);
  for (const services::HeadFinding& one : head.findings)
    findings.push_back(finding_json(question, document, {one.begin, one.end},
                                    FindingSeverity::Warning, kHeadCode, one.message));
  const RankingRef ranking = question.rankings.find(document.uri);
  const services::HeadLine* const cases = head.find(services::HeadKey::Cases);
  if (ranking == nullptr || ranking->document->text != document.text) return;
  // Cases may also have been sent.
  const ByteRange place =
      cases == nullptr ? ByteRange() : ByteRange{cases->value_begin, cases->value_end};
  // What is wrong with the text itself is told at its place.
  const bool is_told = ranking->problem.empty() || ranking->has_errors;
  if (!is_told)
    findings.push_back(finding_json(question, document, place, FindingSeverity::Warning, kHeadCode,
                                    ranking->problem));
  if (ranking->is_done(document) && ranking->ranked->worst)
    add_worst_case(question, document, *ranking, place, findings);
}

}  // namespace komuz::lsp
