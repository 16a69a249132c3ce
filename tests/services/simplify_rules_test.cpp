// SPDX-License-Identifier: Apache-2.0
// Both sides of each rule of the simplifier are computed, on all special values and on random ones.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "engine/values/value_text.h"
#include "lang/ops/eval_cells.h"
#include "neural/teacher/evaluate.h"
#include "services/simplify/rules.h"

namespace komuz::services {
namespace {

using neural::PatternKind;
using neural::PatternNode;
using neural::ValueOutcome;

ValueOutcome value_of(const neural::Rule& rule, u8 at, const std::vector<u64>& variables) {
  const PatternNode& p = rule.nodes[at];
  if (neural::is_variable(p.kind)) return {variables[p.variable], Trap::None};
  if (p.kind == PatternKind::Constant) return {p.cell, Trap::None};
  ValueOutcome first = value_of(rule, p.operand[0], variables);
  if (first.trap != Trap::None) return first;
  switch (p.kind) {
    case PatternKind::If: return value_of(rule, p.operand[first.cell != 0 ? 1 : 2], variables);
    case PatternKind::And: return first.cell == 0 ? first : value_of(rule, p.operand[1], variables);
    case PatternKind::Or: return first.cell != 0 ? first : value_of(rule, p.operand[1], variables);
    default: break;
  }
  u64 cells[3] = {first.cell, 0, 0};
  for (u32 k = 1; k < p.operands; ++k) {
    const ValueOutcome operand = value_of(rule, p.operand[k], variables);
    if (operand.trap != Trap::None) return operand;
    cells[k] = operand.cell;
  }
  return neural::evaluate_cells(p.instruction, cells);
}

std::vector<u64> values_of(Scalar type, u32 random_ones, Random& random) {
  std::vector<u64> out;
  if (type == Scalar::Bool) return {0, 1};
  if (type == Scalar::U8 && random_ones > 64) {
    for (u64 k = 0; k < 256; ++k) out.push_back(k);
    return out;
  }
  if (is_float(type)) {
    constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
    for (const f64 x : {0.0, 1.0, 0.5, 2.0, 3.0, 0.1, 1e-300, 4.9e-324, 1.7976931348623157e308,
                        1e200, 1e-40, 3.4e38, kInfinity})
      for (const f64 sign : {1.0, -1.0})
        out.push_back(type == Scalar::F64 ? std::bit_cast<u64>(x * sign)
                                          : std::bit_cast<u32>(static_cast<f32>(x * sign)));
    out.push_back(type == Scalar::F64 ? kCanonicalNan64 : kCanonicalNan32);
  } else {
    const u64 top = u64{1} << (scalar_bits(type) - 1);
    for (const u64 x : {u64{0}, u64{1}, u64{2}, u64{3}, ~u64{0}, ~u64{1}, top, top - 1, top + 1})
      out.push_back(canonical_cell(type, x));
  }
  for (u32 k = 0; k < random_ones; ++k) out.push_back(canonical_cell(type, random.next()));
  return out;
}

bool has_fact(const WrittenRule& rule, Scalar type, u64 cell) {
  if (rule.fact == WantedFact::None) return true;
  const f64 x = engine::cell_as_f64(type, cell);
  const bool is_minus_zero = x == 0 && std::signbit(x);
  switch (rule.fact) {
    case WantedFact::None: return true;
    case WantedFact::NeverMinusZero: return !is_minus_zero;
    case WantedFact::NeverNegative: return !(x < 0);
    case WantedFact::Unsigned: return !(x < 0) && !is_minus_zero;
    case WantedFact::Positive: return x > 0 || std::isnan(x);
  }
  return false;
}

class SimplifyRules : public testing::TestWithParam<u32> {};
TEST_P(SimplifyRules, GiveTheSame) {
  const WrittenRow& row = written_rows()[GetParam()];
  std::string problem;
  const std::vector<WrittenRule> rules = written_rules(GetParam(), problem);
  const std::string name =
      std::string(row.types) + ": " + std::string(row.from) + " -> " + std::string(row.to);
  ASSERT_EQ(problem, "") << name;
  ASSERT_FALSE(rules.empty()) << name;
  Random random(GetParam() + 1);
  for (const WrittenRule& written : rules) {
    const neural::Rule& rule = written.rule;
    EXPECT_EQ(rule.copied, 0) << name;
    std::vector<Scalar> types(rule.variables, Scalar::None);
    for (const PatternNode& p : rule.nodes)
      if (neural::is_variable(p.kind)) types[p.variable] = p.type;
    std::vector<std::vector<u64>> values;
    for (const Scalar type : types)
      values.push_back(values_of(type, rule.variables < 3 ? 200 : 20, random));
    u32 compared = 0;
    std::vector<size_t> at(rule.variables, 0);
    for (bool is_done = false; !is_done;) {
      std::vector<u64> cells;
      for (size_t v = 0; v < at.size(); ++v) cells.push_back(values[v][at[v]]);
      const bool holds =
          rule.condition == neural::kNoPattern || value_of(rule, rule.condition, cells).cell != 0;
      const bool is_fact =
          cells.empty() || has_fact(written, types[written.variable], cells[written.variable]);
      if (holds && is_fact) {
        ++compared;
        ASSERT_EQ(value_of(rule, rule.from, cells), value_of(rule, rule.to, cells))
            << name << ", " << scalar_name(rule.root().type) << " "
            << testing::PrintToString(cells);
      }
      is_done = true;
      for (size_t v = 0; v < at.size(); ++v) {
        if (++at[v] != values[v].size()) {
          is_done = false;
          break;
        }
        at[v] = 0;
      }
    }
    EXPECT_GT(compared, 0u) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(Row, SimplifyRules,
                         testing::Range(0u, static_cast<u32>(written_rows().size())));

}  // namespace
}  // namespace komuz::services
