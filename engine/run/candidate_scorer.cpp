// SPDX-License-Identifier: Apache-2.0
#include "engine/run/candidate_scorer.h"

#include "engine/candidates/load_modules.h"
#include "engine/cases/slice_entry.h"
#include "frontend_gpu/expand.h"

namespace komuz::engine {
namespace {

// Makes the row of a candidate that ran to its end or was cut off, unless it was left to others.
void fill_row(const Tally& tally, ScoreKind kind, CandidateResult& out) {
  out.set_aside = tally.is_left;
  out.done = !tally.is_left;
  if (tally.is_left) {
    out.has_failure = false;
    return;
  }
  write_row(tally, kind, out.has_failure, out.failure.trap, out.row);
  if (tally.is_cut_off) out.has_failure = false;
}

// The statement from `at` up to its end, on one line.
std::string assertion_text(std::string_view source, u32 at) {
  constexpr size_t kMost = 200;
  std::string text;
  u32 depth = 0;
  bool is_string = false;
  for (size_t k = at; k < source.size() && text.size() < kMost; ++k) {
    const char c = source[k];
    if (c == '"' && (k == at || source[k - 1] != '\\')) is_string = !is_string;
    if (!is_string) {
      if (c == '(' || c == '[' || c == '{') ++depth;
      const bool closes = c == ')' || c == ']' || c == '}';
      if (depth == 0 && (closes || c == ';')) break;
      if (closes) --depth;
    }
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank || !text.ends_with(' ')) text += is_blank ? ' ' : c;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text.size() < kMost ? text : text + "…";
}

}  // namespace

void CandidateResult::clear() {
  row = {};
  has_failure = done = set_aside = false;
  line = {};
  slow_case = kNone;
  cheaper = {};
  failure.clear();
  diagnostics.clear();
  other_signature.signature.clear();
  other_signature.options.clear();
  other_signature.programs = 0;
  fixed.text.clear();
  fixed.fixes.clear();
  case_scores.clear();
}

void leave_stopped(CandidateResult& out) {
  out.clear();
  out.row.status = Status::Unscored;
  out.done = true;
  DiagnosticText& why = out.diagnostics.emplace_back();
  why.code = kStoppedCode;
  why.message = "it takes long, and was stopped before it came to its end";
}

void refuse(std::string reason, CandidateResult& out) {
  out.row.status = Status::Refused;
  DiagnosticText& diagnostic = out.diagnostics.emplace_back();
  diagnostic.code = kRefusedCode;
  diagnostic.message = std::move(reason);
  out.done = true;
}

// The function that takes slices is the last one.
void CandidateScorer::hide_added_entry(const CodeView& code, const OutcomesView& outcomes) {
  hide_slice_entry(code, static_cast<u32>(code.functions.size()) - 1, outcomes);
}

void CandidateScorer::begin(const Suite& suite, const CaseArguments& taken,
                            const ScoreLimits& limits) {
  if (!scorer_) {
    scorer_.emplace(suite, options_.ranking.score, options_.ranking.tolerance);
    if (line_) scorer_->use_line(*line_);
    if (options_.details.case_scores != CaseScores::None) scorer_->keep_case_scores();
  }
  scorer_->begin(limits);
  has_slices_ = taken.has_slices;
  suite_ = &suite;
}

void CandidateScorer::add(const CodeView& code, std::string_view source, u32 first_case, u32 rows,
                          const OutcomesView& outcomes, CandidateResult& out,
                          const FindPlace& find_place) {
  if (has_slices_) hide_added_entry(code, outcomes);
  scorer_->add(rows, outcomes);
  const u32 row = scorer_->first_failure_in_slice();
  if (row == kNone) return;
  if (find_place && outcomes.traps[row] != Trap::None) find_place(row);
  keep_failure(code, source, *suite_, row, first_case + row, outcomes, out);
}

void CandidateScorer::finish(CandidateResult& out) {
  fill_row(scorer_->finish(), options_.ranking.score, out);
  if (fits_line(options_.ranking.score)) out.line = scorer_->score_line();
  if (options_.details.case_scores != CaseScores::None && out.done)
    out.case_scores.swap(scorer_->case_scores());
}

void CandidateScorer::take(const CodeView& code, std::string_view source, const Suite& suite,
                           const OutcomeScorer::Scored& scored, CandidateResult& out) {
  if (scored.shown != kNone) {
    if (suite.has_slices && scored.traps()) hide_added_entry(code, scored.outcome);
    keep_failure(code, source, suite, 0, scored.shown, scored.outcome, out);
  }
  fill_row(scored.tally, options_.ranking.score, out);
  out.line = scored.line;
}

void CandidateScorer::keep_failure(const CodeView& code, std::string_view source,
                                   const Suite& suite, u32 row, u32 case_index,
                                   const OutcomesView& outcomes, CandidateResult& out) {
  out.has_failure = true;
  out.failure.clear();  // drops the failure of a case that was only inexact
  out.failure.case_index = case_index;
  out.failure.trap = outcomes.traps[row];
  if (outcomes.traps[row] == Trap::None) {
    const size_t rows = outcomes.traps.size();
    cells_.clear();
    for (size_t i = row; i < outcomes.values.size(); i += rows)
      cells_.push_back(outcomes.values[i]);
    const bool is_compared =
        !is_value_score(options_.ranking.score) && suite.expected_traps[case_index] == Trap::None;
    out.failure.actual.keep(
        suite.signature.result_type, cells_,
        is_compared && cells_.size() > 1 ? suite.expected_cells(case_index) : std::vector<u64>());
    return;
  }
  const u32 instruction = outcomes.places[row];
  const u32 at = code.places[instruction];
  const Module* const module = module_at(at, source);
  const std::string_view text = module == nullptr ? source : std::string_view(module->text);
  const Place place = place_of(text, offset_of(at));
  if (outcomes.traps[row] == Trap::Assert)
    out.failure.assertion = assertion_text(text, offset_of(at));
  if (module != nullptr) out.failure.file = module->file;
  const size_t function = code.function_at(instruction);
  out.failure.line = place.line;
  out.failure.column = place.column;
  out.failure.depth = outcomes.depths[row];
  if (function < code.functions.size())
    out.failure.function = beginning_of(code.name(code.functions[function]));
}

const Module* CandidateScorer::module_at(u32 place, std::string_view source) {
  if (options_.programs.modules == nullptr || file_of(place) == 0) return nullptr;
  const Library& library = options_.programs.modules->library();
  if (!compiler_) compiler_.emplace(frontend::Options{.library = &library});
  return frontend::module_of_place(place, *compiler_, source, library, options_.programs.harness);
}

}  // namespace komuz::engine
