// SPDX-License-Identifier: Apache-2.0
// Outcomes without a program, and their score on every instruction set and as on a device.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "engine/results/score.h"
#include "tests/engine/device/device_tally.h"
#include "tests/engine/suite_builder.h"

namespace komuz::engine::test {

inline u64 cell_of(f64 value) { return std::bit_cast<u64>(value); }
inline u64 cell_of(f32 value) { return std::bit_cast<u32>(value); }

// Outcomes that own their columns.
struct Outcomes {
  std::vector<u64> values;
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  std::vector<u64> fuel;

  explicit Outcomes(std::vector<u64> cells, size_t result_cells = 1) : values(std::move(cells)) {
    const size_t rows = result_cells == 0 ? 1 : values.size() / result_cells;
    traps.resize(rows, Trap::None);
    places.resize(rows);
    depths.resize(rows);
    fuel.assign(rows, 3);
  }
  OutcomesView view() { return {values, traps, places, depths, fuel}; }
};

// Of what each case brought, with one NaN.
inline std::vector<u64> bits_of(const std::vector<f64>& scores) {
  std::vector<u64> bits;
  for (const f64 score : scores)
    bits.push_back(score == score ? std::bit_cast<u64>(score) : kCanonicalNan64);
  return bits;
}

// On every instruction set of this processor and as on a device; all must agree.
inline Tally score(const Suite& suite, Outcomes& outcomes, ScoreKind kind, f64 tolerance = 0) {
  Tally first;
  ScoreLine line;
  for (const SimdLevel level : kSimdLevels) {
    if (!simd_level_supported(level)) continue;
    Scorer scorer(suite, kind, tolerance, level);
    scorer.begin();
    scorer.add(suite.count, outcomes.view());
    const Tally tally = scorer.finish();
    if (level == SimdLevel::Portable) {
      first = tally;
      line = scorer.score_line();
    }
    EXPECT_EQ(tally, first) << simd_level_name(level);
    EXPECT_EQ(std::bit_cast<u64>(scorer.score_line().slope), std::bit_cast<u64>(line.slope));
    EXPECT_EQ(std::bit_cast<u64>(scorer.score_line().intercept),
              std::bit_cast<u64>(line.intercept));
  }
  EXPECT_EQ(tally_on_device(suite, kind, tolerance, outcomes.view()), first);
  Scorer keeper(suite, kind, tolerance);
  keeper.keep_case_scores();
  keeper.begin();
  keeper.add(suite.count, outcomes.view());
  EXPECT_EQ(keeper.finish(), first);
  EXPECT_EQ(bits_of(case_scores_on_device(suite, kind, tolerance, outcomes.view())),
            bits_of(keeper.case_scores()));
  return first;
}

// A suite of one result column and one argument that does not matter.
inline Suite suite_of(Scalar type, const std::vector<std::string>& expected) {
  std::string csv = "x,expected\n";
  for (const std::string& value : expected) csv += "0," + value + "\n";
  return csv_suite(csv, make_signature({{"x", Scalar::U8}}, {type}));
}

}  // namespace komuz::engine::test
