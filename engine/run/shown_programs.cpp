// SPDX-License-Identifier: Apache-2.0
#include "engine/run/shown_programs.h"

#include <algorithm>
#include <cmath>

#include "engine/values/packed_cells.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

// At least as good in score, fuel and size.
bool covers(const RankKey& a, const RankKey& b) {
  return a.first <= b.first && a.fuel <= b.fuel && a.code_bytes <= b.code_bytes;
}

// The row of the program with this key and id that no program before has taken; rows of one key are in input order.
u32 find_row(const Results& results, const RankKey& key, std::string_view id, u32 after) {
  const auto key_of = [&](u32 row) { return rank_key(results.score, results.rows[row]); };
  const auto equal = std::ranges::equal_range(results.ranking, key, {}, key_of);
  for (const u32 row : equal)
    if (results.rows[row].duplicate_of == kNone && results.id(row) == id &&
        (after == kNone || row > after))
      return row;
  return kNone;
}

// Of one number that was expected: nobody looks for the cause of such an error. An infinite one is none of rounding.
bool differs_by_rounding(const Suite& suite, const Failure& failure) {
  if (suite.result_types.size() != 1 || failure.trap != Trap::None ||
      suite.expected_traps[failure.case_index] != Trap::None)
    return false;
  const Scalar type = suite.result_types[0];
  const std::vector<u64> cells = unpack_cells(failure.actual.cells);
  const f64 actual = cell_as_f64(type, cells[0]);
  const f64 expected = cell_as_f64(type, suite.expected_cell(0, failure.case_index));
  const f64 rounding = type == Scalar::F32 ? 0x1p-20 : 0x1p-49;
  const f64 size = std::max(std::fabs(actual), std::fabs(expected));
  return is_float(type) && std::isfinite(size) && std::fabs(actual - expected) <= rounding * size;
}

void run_on(CandidateRunner& runner, const Candidate& candidate, const Suite& suite,
            const std::stop_token& stop, CandidateResult& out) {
  if (runner.take(candidate, suite, stop, out))
    runner.run_alone(out.compiled_text(candidate.source), suite, {}, stop, out);
}

}  // namespace

Candidate ShownPrograms::candidate_of(const Program& program) const {
  Candidate out{program.id, program.source, {}, program.decisions, program.number};
  if (out.is_variant()) out.source = sketch_;
  return out;
}

bool ShownPrograms::gets_among_best(const Program& program) const {
  if (options_.shown_each_behaviour) {
    const auto same = by_behaviour_.find(program.behaviour);
    if (same != by_behaviour_.end()) return program.key < same->second.first;
  }
  return best_.size() < options_.shown_best || program.key < best_.rbegin()->first.first;
}

bool ShownPrograms::gets_on_front(const RankKey& key) const {
  return options_.shown_front && std::ranges::none_of(front_, [&](const auto& one) {
           return covers(one.first.first, key);
         });
}

void ShownPrograms::add_to_best(const Place& place, const ProgramRef& program) {
  if (options_.shown_each_behaviour) {
    const auto [same, is_new] = by_behaviour_.try_emplace(program->behaviour, place);
    if (!is_new) best_.erase(std::exchange(same->second, place));
  }
  best_.emplace(place, program);
  if (best_.size() <= options_.shown_best) return;
  const auto last = std::prev(best_.end());
  if (options_.shown_each_behaviour) by_behaviour_.erase(last->second->behaviour);
  best_.erase(last);
}

void ShownPrograms::add_to_front(const Place& place, const ProgramRef& program) {
  std::erase_if(front_, [&](const auto& one) { return covers(place.first, one.first.first); });
  front_.emplace(place, program);
}

void ShownPrograms::see(const ResultRow& row, const Candidate& candidate) {
  if (!are_wanted() || !row.scored) return;
  const Place place{rank_key(options_.score, row), seen_++};
  Program program{place.first, row.behaviour, {}, {}, {}, candidate.number};
  const bool is_best = gets_among_best(program), is_on_front = gets_on_front(place.first);
  if (!is_best && !is_on_front) return;
  program.id = candidate.id;
  if (!candidate.is_variant())
    program.source = candidate.source;
  else if (sketch_.empty())
    sketch_ = candidate.source;
  program.decisions.assign(candidate.decisions.begin(), candidate.decisions.end());
  const auto kept = std::make_shared<const Program>(std::move(program));
  if (is_best) add_to_best(place, kept);
  if (is_on_front) add_to_front(place, kept);
}

Problem ShownPrograms::run(const Runners& runners, const LoadModules& load,
                           const std::stop_token& stop, Results& results) const {
  Ranked all = best_;
  all.insert(front_.begin(), front_.end());
  u64 of_best = 0;
  RankKey last;
  u32 after = kNone;
  for (const auto& [place, program] : all) {
    if (stop.stop_requested()) break;
    if (place.first != last) after = kNone;
    last = place.first;
    const u32 row = find_row(results, place.first, program->id, after);
    if (row == kNone) continue;
    after = row;
    const Candidate candidate = candidate_of(*program);
    if (Problem error = load(candidate.source)) return error;
    if (results.held_out) hold_out(candidate, row, runners, stop, results);
    if (worst_cases_ != 0 && best_.contains(place) && of_best++ < worst_rows_)
      find_worst(candidate, row, runners.scored, stop, results);
  }
  std::ranges::sort(results.held_out_rows, {}, &Results::HeldOutRow::row);
  std::ranges::sort(results.worst, {}, &Results::WorstRow::row);
  return {};
}

void ShownPrograms::hold_out(const Candidate& candidate, u32 row, const Runners& runners,
                             const std::stop_token& stop, Results& results) const {
  HeldOut& held_out = *results.held_out;
  if (fits_line(results.score)) {
    CandidateResult unused;
    run_on(runners.trained, candidate, results.suite, stop, unused);
    if (!unused.done || !was_run(unused.row)) return;
    runners.held_out.scorer().use_line(runners.trained.scorer().fitted_line());
  }
  CandidateResult result;
  run_on(runners.held_out, candidate, held_out.suite, stop, result);
  if (!result.done) return;
  HeldOutResult out;
  out.row = result.row;
  if (result.has_failure) out.failure = result.failure;
  if (!was_run(result.row) && !result.diagnostics.empty())
    out.problem = result.diagnostics.front().message;
  if (row == results.ranking.front()) {
    static_cast<HeldOutResult&>(held_out) = out;
    held_out.id = candidate.id;
  }
  results.held_out_rows.push_back({row, std::move(out)});
}

void ShownPrograms::find_worst(const Candidate& candidate, u32 row, CandidateRunner& runner,
                               const std::stop_token& stop, Results& results) const {
  CandidateResult result;
  run_on(runner, candidate, results.suite, stop, result);
  if (!result.done || !result.row.scored) return;
  // What is left of the errors of a perfect fit is rounding.
  if (compares_with_mean(results.score) && result.row.score >= 1) return;
  const std::string text(result.compiled_text(candidate.source));
  Results::WorstRow out{row, {}, {}};
  // Others take the places of those that are left out; after so many nobody looks on.
  const u32 looked_at = std::max<u32>(worst_cases_, std::min<u32>(4 * worst_cases_, 256));
  for (const u32 number : worst_cases(results.score, result.case_scores, looked_at)) {
    if (out.cases.size() == worst_cases_) break;
    Results::WorstCase one{{}, result.case_scores[number]};
    runner.show_case(text, results.suite, number, one.failure);
    // A class is no value that a result comes near to.
    const bool is_value = !fits_line(results.score) && !expects_classes(results.score);
    if (is_value && differs_by_rounding(results.suite, one.failure)) continue;
    out.cases.push_back(std::move(one));
  }
  results.worst.push_back(std::move(out));
}

}  // namespace komuz::engine
