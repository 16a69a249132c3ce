// SPDX-License-Identifier: Apache-2.0
// Variants that share the values of subexpressions, against the reference, which runs each by itself.
#include "engine/run/shared_values.h"

#include <gtest/gtest.h>

#include <bit>
#include <deque>

#include "base/random.h"
#include "engine/results/report.h"
#include "engine/sketch/binder.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "tests/engine/evaluations.h"
#include "tests/vm/edge_values.h"
#include "vm/vm.h"

namespace komuz::engine::test {
namespace {

constexpr const char* kSketch =
    R"(pub fn f(x: f64, y: f64, s: f32, n: i64) -> f64 { ?e(x, y, s, n) }
space e(x: f64, y: f64, s: f32, n: i64) -> f64 depth 4 {
    x,
    y,
    ?[0.5, 3.0, -1.0],
    e + e,
    e - e,
    e * e,
    e / e,
    min(e, e),
    ?[sqrt0(e), exp(e), sin(e), abs(e), floor(e)],
    { let q = e; q * q },
    f64(?g(s)),
    f64(?k(n)),
}
space g(s: f32) -> f32 depth 2 { s, g * g, max(g, s), tanh(g) }
space k(n: i64) -> i64 depth 2 { n, k & n, k ^ k, popcount(k), ?[3, 7] }
)";

struct alignas(64) Line {
  char bytes[64];
};
// Columns of some cases: edge values, and others.
struct Cases {
  explicit Cases(u32 rows, u64 seed) : count(rows) {
    Random random(seed);
    for (const Scalar type : {Scalar::F64, Scalar::F64, Scalar::F32, Scalar::I64}) {
      const size_t width = scalar_bytes(type);
      std::vector<Line>& memory = memories.emplace_back(rows * width / sizeof(Line) + 2);
      const std::vector<u64> edges = type == Scalar::F64 ? komuz::test::float_edges<f64>()
                                     : type == Scalar::F32
                                         ? komuz::test::float_edges<f32>()
                                         : std::vector<u64>{0, 1, ~u64{0}, 1 << 9};
      for (u32 row = 0; row < rows; ++row) {
        u64 cell = edges[random.below(static_cast<u32>(edges.size()))];
        if (random.below(2) != 0 && type == Scalar::F64)
          cell = std::bit_cast<u64>(static_cast<f64>(random.below(1000)) / 64 - 5);
        std::memcpy(reinterpret_cast<char*>(memory.data()) + row * width, &cell, width);
      }
      columns.push_back({type, memory.data()});
    }
  }
  [[nodiscard]] CasesView view() const { return {columns, count}; }

  u32 count;
  std::deque<std::vector<Line>> memories;
  std::vector<ArgumentColumn> columns;
};

std::vector<u64> reference(const Code& code, const CasesView& cases) {
  std::vector<u64> cells(cases.count), fuel(cases.count);
  std::vector<Trap> traps(cases.count);
  std::vector<u32> places(cases.count), depths(cases.count);
  vm::run_reference({code.view(), 0, cases}, {cells, traps, places, depths, fuel});
  for (const Trap trap : traps) EXPECT_EQ(trap, Trap::None);
  for (const u64 ticks : fuel) EXPECT_EQ(ticks, 1u);
  return cells;
}

TEST(SharedValues, AreThoseOfEachVariantAlone) {
  const std::optional<SketchProgram> sketch = read_sketch(kSketch, {});
  ASSERT_TRUE(sketch);
  Binder binder(*sketch);
  Random random(7);
  SharedValues shared;
  for (const u32 rows : {700u, 64u, 1u, 1025u}) {
    const Cases cases(rows, rows);
    shared.use(cases.view());
    std::vector<u64> values(rows);
    for (u32 k = 0; k < (rows == 64 ? 40000 : 1000); ++k) {
      Decisions decisions;
      Code code;
      ASSERT_TRUE(sketch->plan.draw(
          DrawKind::Ways, [&] { return random.next(); }, decisions));
      ASSERT_TRUE(binder.bind(decisions, code));
      ASSERT_TRUE(shared.run(code.view(), 0, values));
      if (k % 16 != 0) continue;
      ASSERT_EQ(values, reference(code, cases.view())) << k;
    }
  }
  // Otherwise nothing would have been shared, or memory would not have run out.
  EXPECT_LT(shared.counts().computed, shared.counts().operations * 3 / 4);
  EXPECT_GT(shared.counts().evicted, 100u);
  EXPECT_GT(shared.counts().collections, 0u);
}

TEST(SharedValues, RefuseWhatIsNoStraightLine) {
  const std::optional<SketchProgram> sketch = read_sketch(
      "pub fn f(x: f64, y: f64, s: f32, n: i64) -> f64 { ?[if x < y { x } else { y }, f64(n + 1), "
      "f64(n / 2), x] }",
      {});
  ASSERT_TRUE(sketch);
  const Cases cases(100, 1);
  SharedValues shared;
  shared.use(cases.view());
  std::vector<u64> values(cases.count);
  for (u64 way = 0; way < 4; ++way) {
    Decisions decisions;
    Code code;
    ASSERT_TRUE(sketch->plan.unrank(way, decisions));
    ASSERT_TRUE(Binder(*sketch).bind(decisions, code));
    EXPECT_EQ(shared.run(code.view(), 0, values), way == 3) << way;
  }
}

// The whole way, with more cases than lanes take.
TEST(SharedValues, ReportsAreThoseOfTheReference) {
  std::string csv = "x,y,s,n,expected\n";
  for (u32 k = 0; k < 600; ++k)
    csv += std::to_string(k * 0.37 - 40) + ',' + std::to_string(k % 17) + ",0.5," +
           std::to_string(k * 7 % 23) + ',' + std::to_string(k % 13 * 1.5) + '\n';
  const std::optional<SketchProgram> sketch = read_sketch(kSketch, {});
  ASSERT_TRUE(sketch);
  const auto report = [&](MachineKind machine, ScoreKind score, f64 tolerance) {
    const VariantChoice choice{.samples = 400, .seed = 3};
    SketchCandidates candidates(sketch->source, sketch->plan, choice);
    EvaluateOptions options;
    options.programs.sketch = &*sketch;
    options.machines.machine = machine;
    options.ranking.score = score;
    options.ranking.tolerance = tolerance;
    Results results;
    const CasesTable table = table_of(csv);
    const Problem error = evaluate(candidates, table, options, results);
    EXPECT_FALSE(error) << error.text();
    return report_of(results);
  };
  for (const ScoreKind score :
       {ScoreKind::Correlation, ScoreKind::RSquared, ScoreKind::AbsoluteError, ScoreKind::Exact,
        ScoreKind::RelativeError})
    for (const f64 tolerance : {0.0, 0.25})
      EXPECT_EQ(report(MachineKind::Batch, score, tolerance),
                report(MachineKind::Reference, score, tolerance));
}

}  // namespace
}  // namespace komuz::engine::test
