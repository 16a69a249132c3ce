// SPDX-License-Identifier: Apache-2.0
// The result of one candidate as a row of numbers, and the comparison of rows. Devices that rank use the same code.
#pragma once
#include <compare>

#include "engine/scores/score_kinds.h"
#include "lang/traps.h"

namespace komuz::engine {

enum class Status : u8 {
  Ok,     // every case as expected; with an error score: scored
  Wrong,  // the first failing case gave a wrong value
  Trap,   // the first failing case trapped; with an error score: some case trapped, or gave a NaN
  CompileError,  // the program has errors
  Refused,       // it was not run: no entry, another signature, or not readable
  Unscored,  // it was stopped: it could not get among the best any more, or its budget was used up
};
inline constexpr size_t kStatuses = 6;

inline constexpr u32 kNone = ~u32{0};

// One candidate's result. A duplicate has its representative's, including places in the source.
struct ResultRow {
  f64 score = 0;       // of a scored row
  u64 fuel = 0;        // ticks of all cases
  u64 behaviour = 0;   // if it was run: a hash of its outcomes on all cases (score.h)
  u32 code_bytes = 0;  // 0: it did not compile
  u32 passed = 0;      // cases
  // With an error score: cases that trapped or gave a NaN unexpectedly, or were not run because an earlier case did.
  u32 bad_cases = 0;
  u32 cases_run = 0;
  u32 duplicate_of = kNone;  // the row of the same program with the smallest number
  // The first row with the same outcomes on all cases, if it is an earlier row with another program.
  u32 same_behaviour_as = kNone;
  u32 first_failure = kNone;  // in Results::failures
  u32 diagnostics_begin = 0;  // in Results::diagnostics
  u32 rank = 0;               // from 1, set by rank(); 0: none
  u8 diagnostics = 0;         // how many of them
  Status status = Status::Refused;
  komuz::Trap first_trap = komuz::Trap::None;  // of the first bad case; None: a NaN
  bool scored = false;                         // it ran on every case, and `score` says how well
  bool fixed = false;                          // its text was edited before it was compiled
  bool pareto = false;                         // on the front, set by rank()
  // A case took long (block_budget.h). With Status::Unscored, the candidate was stopped for that.
  bool slow = false;
};
static_assert(sizeof(ResultRow) == 72);
// True if it was stopped because it had used up its budget.
[[nodiscard]] HD bool is_over_budget(const ResultRow& row) {
  return row.status == Status::Unscored && row.slow;
}
// True if it ran to its end. Other rows have no score, fuel or behaviour.
[[nodiscard]] HD bool was_run(const ResultRow& row) {
  return row.status == Status::Ok || row.status == Status::Wrong || row.status == Status::Trap;
}

// What the ranking compares: rows with smaller keys come first, and rows with equal keys are in input order.
struct RankKey {
  u64 first = 0;  // whether there is a score, and which; else bad cases and the first trap
  u64 fuel = 0;   // of a scored row
  u32 code_bytes = 0;
  auto operator<=>(const RankKey&) const = default;
};
inline constexpr u64 kUnranked = ~u64{0};

// A mapping that keeps the order of numbers; none is a NaN.
[[nodiscard]] HD u64 in_order(f64 number) {
  constexpr u64 kSign = u64{1} << 63;
  const u64 bits = __builtin_bit_cast(u64, number + 0.0);  // zeros of both signs are equal
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
// The inverse of in_order().
[[nodiscard]] HD f64 number_in_order(u64 order) {
  constexpr u64 kSign = u64{1} << 63;
  return __builtin_bit_cast(f64, (order & kSign) != 0 ? order ^ kSign : ~order);
}
[[nodiscard]] HD RankKey rank_key(ScoreKind kind, const ResultRow& row) {
  // With a score, the first part of the key is the loss. Rows without one come behind all of these.
  constexpr u64 kInfinity = u64{0x7FF} << 52;
  constexpr u64 kTrapped = kInfinity + (u64{1} << 63) + 1;
  if (!was_run(row)) return {kUnranked};
  if (row.scored) return {in_order(loss_of(kind, row.score)), row.fuel, row.code_bytes};
  return {kTrapped + (u64{row.bad_cases} << 8) + static_cast<u64>(row.first_trap)};
}
[[nodiscard]] HD bool has_rank(const RankKey& key) { return key.first != kUnranked; }

}  // namespace komuz::engine
