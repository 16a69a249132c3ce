// SPDX-License-Identifier: Apache-2.0
#include "engine/run/collect_rows.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "base/machine/memory.h"
#include "engine/log/run_log.h"
#include "engine/run/block_budget.h"

namespace komuz::engine {

RowCollector::RowCollector(const EvaluateOptions& options, Results& results)
    : options_(options),
      results_(results),
      has_lines_(fits_line(options.ranking.score)),
      keeps_rows_(options.ranking.best_rows == 0 || options.details.sink_needs_rows ||
                  options.ranking.ranks_later),
      first_rows_(std::in_place, results.rows) {
  if (options.ranking.best_rows == 0) return;
  const u64 most = std::max(options.ranking.best_rows, options.details.programs);
  most_ranked_ = static_cast<u32>(std::min<u64>(most, kNone));
  best_.emplace(options.ranking.score, most, options.ranking.best_of_each_behaviour);
  results.summary.emplace();
}

void RowCollector::begin_row(std::string_view id) {
  // Bytes that a row takes in the ranking, and in the counts behind it.
  constexpr u64 kRankedBytes = 32;
  if (keeps_rows_ && size_ >= ranked_later_) {
    ranked_later_ = size_ + std::max(size_ / 8, 1u << 12);
    machine::keep_memory_for_end(ranked_later_ * kRankedBytes);
  }
  if (!keeps_rows_) {
    results_.rows.clear();
    results_.lines.clear();
    results_.ids.clear();
    if (options_.details.log != nullptr) ids_.add(id);
  }
  results_.add_id(id);
}

// Adds a row with all its details.
ResultRow& RowCollector::add_row(std::string_view id, CandidateResult& result) {
  begin_row(id);
  const auto number = static_cast<u32>(results_.rows.size());
  ResultRow& row = results_.rows.push_back(result.row);
  if (has_lines_) results_.lines.push_back(result.line);
  if (result.has_failure) {
    row.first_failure = static_cast<u32>(results_.failures.size());
    results_.failures.push_back(result.failure);
  }
  if (row.fixed) results_.fixed.push_back({number, std::move(result.fixed)});
  if (!result.case_scores.empty())
    results_.case_scores.push_back({number, std::move(result.case_scores)});
  constexpr size_t kMost = std::numeric_limits<decltype(row.diagnostics)>::max();
  row.diagnostics_begin = static_cast<u32>(results_.diagnostics.size());
  row.diagnostics = static_cast<u8>(std::min(result.diagnostics.size(), kMost));
  std::ranges::move(result.diagnostics, std::back_inserter(results_.diagnostics));
  return row;
}

AddedRow RowCollector::add(std::string_view id, CandidateResult& result) {
  ResultRow& row = add_row(id, result);
  // Steps that may run out of memory come first, the best rows last among them. The counts follow: they describe rows
  // that were added.
  keep_outcome(row);
  count_signature(result.other_signature);
  make_room_for_behaviour();
  if (best_) best_->add(row, id, size_, result.line);
  if (was_run(row)) note_behaviour(row);
  count(row);
  return {size_++, static_cast<u32>(results_.rows.size() - 1), {}};
}

AddedRow RowCollector::add_ranked(std::string_view id, CandidateResult& result,
                                  const RankedProgram& ranked) {
  const ResultRow& row = add_row(id, result);
  best_->add_known(row, id, ranked.row, ranked.copies, ranked.copies_before, result.line);
  return {ranked.row, static_cast<u32>(results_.rows.size() - 1), {}};
}
void RowCollector::set_counts(const SweptVariants& swept) {
  size_ = static_cast<u32>(swept.variants);
  results_.summary->counts = swept.counts;
  are_counted_ = true;
}

AddedRow RowCollector::add_duplicate(std::string_view id, u32 first) {
  begin_row(id);
  ResultRow row;
  if (keeps_rows_) {
    row = results_.rows[first];
  } else {
    row.status = outcomes_[first].status;
    row.fixed = outcomes_[first].fixed;
    row.slow = outcomes_[first].effort == kSlowEffort;
  }
  row.duplicate_of = first;
  results_.rows.push_back(row);
  if (has_lines_) results_.lines.push_back(keeps_rows_ ? results_.lines[first] : ScoreLine());
  keep_outcome(row);
  if (best_) best_->add_copy(first);
  count(row);
  const bool is_logged = options_.details.log != nullptr;
  const std::string_view first_id = keeps_rows_ ? results_.id(first) : is_logged ? ids_[first] : "";
  return {size_++, static_cast<u32>(results_.rows.size() - 1), first_id};
}

void RowCollector::count_signature(OtherSignature& other) {
  constexpr size_t kMost = 64;
  if (other.signature.empty()) return;
  std::vector<OtherSignature>& known = results_.other_signatures;
  const auto found = std::ranges::find(known, other.signature, &OtherSignature::signature);
  if (found != known.end())
    ++found->programs;
  else if (known.size() < kMost)
    known.push_back(std::move(other));
}

void RowCollector::expect(const ResultRow& row) const {
  if (best_ && !options_.ranking.ranks_later)
    behaviours_.prefetch(row.behaviour);
  else
    first_rows_->prefetch(row.behaviour);
}

void RowCollector::make_room_for_behaviour() {
  if (best_ && !options_.ranking.ranks_later)
    behaviours_.make_room();
  else
    first_rows_->make_room();
}

void RowCollector::note_behaviour(ResultRow& row) {
  if (best_ && !options_.ranking.ranks_later) {
    behaviours_.add(row.behaviour);
    ++results_.summary->counts.programs;
    return;
  }
  const u32 first = first_rows_->insert(size_);
  if (best_) ++results_.summary->counts.programs;
  if (first != size_) row.same_behaviour_as = first;
  if (best_ && first == size_) ++results_.summary->counts.behaviours;
}

void RowCollector::count(const ResultRow& row) {
  if (!best_) return;
  OutcomeCounts& counts = results_.summary->counts;
  ++counts.by_status[static_cast<size_t>(row.status)];
  counts.duplicates += row.duplicate_of != kNone;
  counts.fixed += row.fixed;
  counts.over_budget += is_over_budget(row);
}

u8 RowCollector::effort(u32 number) const {
  return keeps_rows_ ? effort_of(results_.rows[number]) : outcomes_[number].effort;
}

void RowCollector::keep_outcome(const ResultRow& row) {
  if (!best_ || keeps_rows_) return;
  const bool is_copy = row.duplicate_of != kNone;
  outcomes_.push_back({row.status, row.fixed, is_copy ? effort(row.duplicate_of) : effort_of(row)});
}

void RowCollector::drop_rows() {
  if (options_.details.rows_without_memory == 0 || options_.details.log == nullptr || best_ ||
      options_.details.sink_needs_rows)
    return;
  first_rows_
      .reset();  // frees memory for the next steps, which leave the rest as it is if that does not suffice
  HashSet behaviours;
  BlockVector<Outcome> outcomes;
  BestRows best(options_.ranking.score,
                std::max(options_.details.rows_without_memory, options_.details.programs));
  for (u32 number = 0; number < results_.rows.size(); ++number) {
    const ResultRow& row = results_.rows[number];
    const u32 program = row.duplicate_of == kNone ? number : row.duplicate_of;
    outcomes.push_back({row.status, row.fixed, effort(program)});
    if (row.duplicate_of != kNone) {
      best.add_copy(row.duplicate_of);
      continue;
    }
    best.add(row, results_.id(number), number, has_lines_ ? results_.lines[number] : ScoreLine());
    if (was_run(row)) behaviours.add(row.behaviour);
  }
  const OutcomeCounts counts = count_outcomes(results_);
  behaviours_ = std::move(behaviours);
  outcomes_ = std::move(outcomes);
  best_ = std::move(best);
  std::swap(ids_, results_.ids);
  results_.failures.clear();
  results_.diagnostics.clear();
  results_.fixed.clear();
  results_.rows.clear();
  results_.lines.clear();
  results_.summary.emplace().counts = counts;
  results_.has_dropped_rows = true;
  keeps_rows_ = false;
  options_.details.log->forget_places();
  machine::keep_memory_for_end(0);
}

// Extra entries of tables are harmless: only later candidates would see them.
void RowCollector::drop_unfinished() {
  if (!keeps_rows_) return;  // finish() writes the existing rows
  if (options_.details.log != nullptr) size_ = std::min(size_, options_.details.log->rows());
  results_.rows.cut(size_);
  if (has_lines_) results_.lines.cut(size_);
  results_.ids.cut(size_);
  const auto drop = [this](auto& details) {
    while (!details.empty() && details.back().row >= size_) details.pop_back();
  };
  drop(results_.fixed);
  drop(results_.case_scores);
}

void RowCollector::end_row() {
  if (!options_.details.keep_details) forget_details();
  if (!results_.has_case_scores) results_.case_scores.clear();
}

void RowCollector::forget_details() {
  ResultRow& row = results_.rows.back();
  row.first_failure = kNone;
  row.diagnostics_begin = row.diagnostics = 0;
  results_.failures.clear();
  results_.diagnostics.clear();
  results_.fixed.clear();
  results_.case_scores.clear();
}

void RowCollector::finish() {
  machine::keep_memory_for_end(0);  // the memory is needed now
  if (!best_) {
    rank(results_);
    return;
  }
  results_.summary->candidates = size_;
  if (!options_.ranking.ranks_later) {
    if (!are_counted_) results_.summary->counts.behaviours = behaviours_.size();
    best_->write(results_);
    return;
  }
  results_.head = std::make_unique<Results>();
  Results& head = *results_.head;
  head.score = results_.score;
  head.tolerance = results_.tolerance;
  head.weights = results_.weights;
  head.scale = results_.scale;
  head.cases = results_.cases;
  head.summary = std::exchange(results_.summary, std::nullopt);
  best_->write(head);
  for (u32 k = 0; k < head.rows.size(); ++k) {  // their details are not kept
    ResultRow& row = head.rows[k];
    row.same_behaviour_as = row.first_failure = kNone;
    row.diagnostics = 0;
  }
}

}  // namespace komuz::engine
