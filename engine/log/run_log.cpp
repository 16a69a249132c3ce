// SPDX-License-Identifier: Apache-2.0
#include "engine/log/run_log.h"

#include "engine/candidates/load_modules.h"
#include "engine/results/added_row.h"
#include "engine/results/read_details.h"
#include "engine/results/report.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "engine/support/json_text.h"

namespace komuz::engine {
namespace {

constexpr const char* kGiveCandidates = "give the candidates that the log was begun with";

// True if they are the same once bytes that are no UTF-8 are removed.
bool is_logged_text(std::string_view text, std::string_view logged) {
  if (text == logged) return true;
  std::string json, logged_json;
  append_json_string(json, text);
  append_json_string(logged_json, logged);
  return json == logged_json;
}

}  // namespace

RunLog::RunLog(const EvaluateOptions& options)
    : log_(options.details.log),
      modules_(options.programs.modules),
      sketch_(options.programs.sketch),
      programs_(options.details.programs),
      takes_rows_(options.details.case_scores != CaseScores::ForSink) {
  if (modules_ != nullptr) own_modules_ = modules_->library().size();
  if (log_ != nullptr && options.ranking.best_rows != 0) log_->forget_places();
}

void RunLog::begin_epoch() {
  taken_.clear();
  seen_ = 0;
  new_modules_.clear();
  modules_in_log_ = 0;
}

void RunLog::see(const Candidate& candidate, bool is_own) {
  if (log_ == nullptr) return;
  if (sketch_ == nullptr)
    for (const std::string_view text : {candidate.id, candidate.source, candidate.error})
      add_text(input_, text);
  if (is_own) {
    note_modules();
    ++seen_;
  }
}

// Modules that are loaded before any candidate are noted with the first one.
void RunLog::note_modules() {
  if (modules_ == nullptr) return;
  if (!has_own_modules_)
    for (u32 module = 0; module < own_modules_; ++module) note_module(module);
  has_own_modules_ = true;
  if (sketch_ == nullptr && !modules_->needs_too_many())
    for (const u32 module : modules_->named()) note_module(module);
}

// Notes a module after all that it needs, in the order of its own loading, whatever others loaded before.
void RunLog::note_module(u32 module) {
  struct Step {
    u32 module;
    size_t next = 0;
  };
  const Library& library = modules_->library();
  std::vector<Step> stack;
  const auto open = [&](u32 number) {
    Hash128 path;
    add_text(path, library[number].path);
    if (known_modules_.insert(path).second) stack.push_back({number});
  };
  open(module);
  while (!stack.empty()) {
    Step& step = stack.back();
    const std::vector<u32>& named = modules_->named_by(step.module);
    if (step.next < named.size()) {
      open(named[step.next++]);
      continue;
    }
    new_modules_.push_back({seen_, step.module});
    stack.pop_back();
  }
}

void RunLog::set_signature(const Results& results, u32 row) {
  signature_ = {results.signature, results.scale};
  signature_row_ = row;
}

Problem RunLog::take_rows(std::span<const Candidate> candidates) {
  std::optional<ResultLog::Taken> next;
  while (log_ != nullptr && takes_rows_ && taken_.size() < candidates.size()) {
    if (Problem error = log_->take_row(next)) return error;
    if (!next) break;
    if (Problem error = check(candidates[taken_.size()], *next)) return error;
    taken_.push_back(std::move(*next));
  }
  return {};
}

Problem RunLog::check(const Candidate& candidate, const ResultLog::Taken& taken) const {
  const LoggedRow& logged = taken.row;
  if (!is_logged_text(candidate.id, logged.id))
    return input_problem({log_->path(), taken.line},
                         "the log has the candidate " + shown(logged.id) + " where " +
                             shown(candidate.id) + " comes now",
                         kGiveCandidates);
  if (!logged.source || is_logged_text(candidate.source, *logged.source)) return {};
  return input_problem({log_->path(), taken.line},
                       "the candidate " + shown(candidate.id) + " is not what it was",
                       kGiveCandidates);
}

Problem RunLog::other_candidate(const Candidate& candidate) const {
  return input_problem({log_->path()},
                       "the candidate " + shown(candidate.id) + " is not what it was",
                       kGiveCandidates);
}

// The log holds the arguments as JSON, without types.
bool RunLog::restore_arguments(OwnSignatures& own, const std::stop_token& stop,
                               CandidateResult& out) {
  if (!out.has_failure || out.failure.signature.empty()) return true;
  const Result<Signature> signature = read_signature(out.failure.signature);
  if (signature.problem()) return false;
  const auto match = own.find(signature.value(), stop);
  if (match == nullptr || !match->problem.empty()) return false;
  keeper_.keep(match->arguments, out.failure);
  return true;
}

Problem RunLog::restore_details(size_t i, bool is_duplicate, const Suite* suite, OwnSignatures& own,
                                const std::stop_token& stop, CandidateResult& out) {
  const ResultLog::Taken& taken = taken_[i];
  // Nothing was run before there was a signature.
  const bool is_possible = suite != nullptr || !was_run(taken.row.row);
  if (taken.row.is_duplicate == is_duplicate && is_possible &&
      (is_duplicate ||
       (read_details(taken.details, suite, out) && (suite != nullptr || !out.has_failure) &&
        restore_arguments(own, stop, out))))
    return {};
  if (stop.stop_requested()) return stopped();
  return input_problem({log_->path(), taken.line},
                       "the log is damaged where it speaks of the candidate " + shown(taken.row.id),
                       "cut it before that line, and go on by `--resume`");
}

Problem RunLog::add_before(size_t i, u32 row) {
  for (; modules_in_log_ < new_modules_.size() && new_modules_[modules_in_log_].candidate <= i;
       ++modules_in_log_) {
    const Module& module = modules_->library()[new_modules_[modules_in_log_].module];
    if (module.path.starts_with(kStandardPrefix)) continue;  // the version fixes its text
    if (Problem error = log_->add_module(module)) return error;
  }
  if (!signature_ || row < signature_row_) return {};
  const LoggedSignature signature = *std::exchange(signature_, std::nullopt);
  return log_->add_signature(signature);
}

Problem RunLog::add_row(size_t i, const Results& results, const AddedRow& added,
                        const frontend::TextHash& program, const Candidate& candidate) {
  if (log_ == nullptr) return {};
  if (Problem error = add_before(i, added.number)) return error;
  if (i < taken_.size()) return {};
  std::optional<std::string_view> source;
  if (sketch_ == nullptr) source = candidate.source;
  return log_->add_row(results, added.row, added.first_id, program, source);
}

Problem RunLog::end_epoch() { return log_ == nullptr ? Problem() : log_->flush(); }

std::vector<std::pair<std::string, std::string>> RunLog::best_variants(
    const Results& results) const {
  std::vector<std::pair<std::string, std::string>> out;
  if (sketch_ == nullptr) return out;
  Fill fill(sketch_->source, sketch_->plan);
  Decisions decisions;
  std::string text;
  for (const u32 row : results.ranking) {
    if (out.size() == programs_ || results.rows[row].rank == 0) break;
    if (results.rows[row].duplicate_of != kNone) continue;
    const std::string id(results.id(row));
    if (!read_variant_name(sketch_->plan, id, decisions) && fill.write(decisions, text))
      out.emplace_back(id, text);
  }
  return out;
}

Problem RunLog::end_run(const Results& results) {
  if (log_ == nullptr) return {};
  const BestCases& best = results.best;
  const std::string id(best.row == kNone ? "" : results.id(best.row));
  LogEnd end{results.candidates(),   input_, id, best.expected, best.actual,
             best_variants(results), {},     {}};
  if (const Results::WorstRow* const worst =
          results.ranking.empty() ? nullptr : results.worst_of(results.ranking.front()))
    write_worst_json(end.worst, results, *worst);
  if (results.held_out) write_held_out_json(end.held_out, results.score, *results.held_out);
  return log_->add_end(end);
}

}  // namespace komuz::engine
