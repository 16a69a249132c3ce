// SPDX-License-Identifier: Apache-2.0
#include "engine/results.h"

#include <algorithm>
#include <numeric>

namespace komuz::engine {
namespace {

// Rows of a smaller class come first, whatever their scores.
enum class RankClass : u8 { Scored, Trapped, Unranked };

RankClass rank_class(const ResultRow& row) {
  if (!was_run(row)) return RankClass::Unranked;
  return row.scored ? RankClass::Scored : RankClass::Trapped;
}

// A total order: the row's number decides at last.
class Better {
 public:
  explicit Better(const Results& results)
      : rows_(results.rows), is_larger_better_(is_larger_better(results.score)) {}

  bool operator()(u32 left, u32 right) const {
    const ResultRow& a = rows_[left];
    const ResultRow& b = rows_[right];
    const RankClass class_a = rank_class(a), class_b = rank_class(b);
    if (class_a != class_b) return class_a < class_b;
    switch (class_a) {
      case RankClass::Scored:
        if (a.score != b.score) return is_larger_better_ ? a.score > b.score : a.score < b.score;
        if (a.fuel != b.fuel) return a.fuel < b.fuel;
        if (a.code_bytes != b.code_bytes) return a.code_bytes < b.code_bytes;
        break;
      case RankClass::Trapped:
        if (a.bad_cases != b.bad_cases) return a.bad_cases < b.bad_cases;
        if (a.first_trap != b.first_trap) return a.first_trap < b.first_trap;
        break;
      case RankClass::Unranked: break;
    }
    return left < right;
  }

 private:
  const std::vector<ResultRow>& rows_;
  bool is_larger_better_;
};

}  // namespace

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

bool is_larger_better(ScoreKind kind) {
  switch (kind) {
    case ScoreKind::Exact:
    case ScoreKind::RSquared:
    case ScoreKind::Maximize: return true;
    case ScoreKind::AbsoluteError:
    case ScoreKind::SquaredError:
    case ScoreKind::RelativeError:
    case ScoreKind::Minimize: break;
  }
  return false;
}

std::optional<ScoreKind> score_from_name(std::string_view name) {
  const auto* const found = std::ranges::find(kScoreNames, name);
  if (found == std::end(kScoreNames)) return std::nullopt;
  return static_cast<ScoreKind>(found - std::begin(kScoreNames));
}

namespace {

// What a list of details, by row, has of a row or of its representative; null: nothing.
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

std::span<const f64> Results::case_scores_of(u32 row) const {
  const CaseScoresRow* const found = find_details(*this, case_scores, row);
  return found == nullptr ? std::span<const f64>() : found->scores;
}

bool is_better(const Results& results, u32 row, u32 other) { return Better(results)(row, other); }

OutcomeCounts count_outcomes(const Results& results) {
  OutcomeCounts counts;
  for (const ResultRow& row : results.rows) {
    ++counts.by_status[static_cast<size_t>(row.status)];
    counts.fixed += row.fixed;
    counts.pareto += row.pareto;
    counts.duplicates += row.duplicate_of != kNone;
    if (!was_run(row) || row.duplicate_of != kNone) continue;
    ++counts.programs;
    counts.behaviours += row.same_behaviour_as == kNone;
  }
  return counts;
}

void rank(Results& results) {
  results.ranking.resize(results.rows.size());
  std::iota(results.ranking.begin(), results.ranking.end(), 0u);
  std::sort(results.ranking.begin(), results.ranking.end(), Better(results));
  u32 place = 0;
  for (const u32 row : results.ranking) {
    const bool ranked = rank_class(results.rows[row]) != RankClass::Unranked;
    results.rows[row].rank = ranked ? ++place : 0;
  }
  mark_pareto_front(results);
}

}  // namespace komuz::engine
