// SPDX-License-Identifier: Apache-2.0
#include "engine/results/results.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace komuz::engine {

std::string_view status_name(Status status) {
  switch (status) {
    case Status::Ok: return "ok";
    case Status::Wrong: return "wrong";
    case Status::Trap: return "trap";
    case Status::CompileError: return "compile_error";
    case Status::Refused: return "refused";
    case Status::Unscored: return "unscored";
  }
  return "refused";
}

std::optional<ScoreKind> score_from_name(std::string_view name) {
  const auto* const found = std::ranges::find(kScoreNames, name);
  if (found == std::end(kScoreNames)) return std::nullopt;
  return static_cast<ScoreKind>(found - std::begin(kScoreNames));
}

namespace {

// The element of a list of details, ordered by row, for a row or its representative; null if there is none.
template <class Details>
const Details* find_details(const Results& results, const std::deque<Details>& list, u32 row) {
  if (results.rows[row].duplicate_of != kNone) row = results.rows[row].duplicate_of;
  const auto found = std::ranges::lower_bound(list, row, {}, &Details::row);
  return found != list.end() && found->row == row ? &*found : nullptr;
}

}  // namespace

const FixedSource* Results::fixed_source(u32 row) const {
  const FixedRow* const found = find_details(*this, fixed, row);
  return found == nullptr ? nullptr : &found->source;
}

const Results::WorstRow* Results::worst_of(u32 row) const {
  const auto found = std::ranges::lower_bound(worst, row, {}, &WorstRow::row);
  return found != worst.end() && found->row == row ? &*found : nullptr;
}

const HeldOutResult* Results::held_out_of(u32 row) const {
  const auto found = std::ranges::lower_bound(held_out_rows, row, {}, &HeldOutRow::row);
  return found != held_out_rows.end() && found->row == row ? &found->result : nullptr;
}

std::optional<ScoreLine> Results::line_of(u32 row) const {
  if (row >= lines.size() || !rows[row].scored || !lines[row].is_finite()) return std::nullopt;
  return lines[row];
}

std::span<const f64> Results::case_scores_of(u32 row) const {
  const CaseScoresRow* const found = find_details(*this, case_scores, row);
  return found == nullptr ? std::span<const f64>() : found->scores;
}

OutcomeCounts count_outcomes(const Results& results) {
  if (results.summary) return results.summary->counts;
  OutcomeCounts counts;
  for (const ResultRow& row : results.rows) {
    ++counts.by_status[static_cast<size_t>(row.status)];
    counts.fixed += row.fixed;
    counts.pareto += row.pareto;
    counts.duplicates += row.duplicate_of != kNone;
    counts.over_budget += is_over_budget(row);
    if (!was_run(row) || row.duplicate_of != kNone) continue;
    ++counts.programs;
    counts.behaviours += row.same_behaviour_as == kNone;
  }
  return counts;
}

std::vector<u64> count_copies(const Results& results) {
  if (results.summary) return results.summary->copies;
  std::vector<u64> copies(results.rows.size());
  for (const ResultRow& row : results.rows)
    if (row.duplicate_of != kNone) ++copies[row.duplicate_of];
  return copies;
}

namespace {

bool is_before(const Results& results, u32 a, u32 b) {
  const RankKey key_a = rank_key(results.score, results.rows[a]),
                key_b = rank_key(results.score, results.rows[b]);
  return key_a == key_b ? a < b : key_a < key_b;
}

// The ranking holds all rows. What mostly decides is copied to one place, since rows are far apart.
void sort_quickly(Results& results) {
  struct Place {
    u64 first;
    u32 row;
  };
  std::vector<Place> places;
  places.reserve(results.rows.size());
  for (const ResultRow& row : results.rows)
    places.push_back({rank_key(results.score, row).first, static_cast<u32>(places.size())});
  std::ranges::sort(places, [&](const Place& a, const Place& b) {
    return a.first != b.first ? a.first < b.first : is_before(results, a.row, b.row);
  });
  for (size_t i = 0; i < places.size(); ++i) results.ranking[i] = places[i].row;
}

}  // namespace

void rank(Results& results) {
  results.ranking.resize(results.rows.size());
  try {
    sort_quickly(results);
  } catch (const std::bad_alloc&) {
    std::iota(results.ranking.begin(), results.ranking.end(), 0);
    std::ranges::sort(results.ranking, [&](u32 a, u32 b) { return is_before(results, a, b); });
  }
  u32 rank = 0;
  for (const u32 number : results.ranking) {
    ResultRow& row = results.rows[number];
    row.rank = has_rank(rank_key(results.score, row)) ? ++rank : 0;
  }
  mark_pareto_front(results);
}

void rank_all(Results& results) {
  if (!results.head) return;
  results.head.reset();
  rank(results);
  if (!results.best.actual.empty()) results.best.row = results.ranking.front();
}

}  // namespace komuz::engine
