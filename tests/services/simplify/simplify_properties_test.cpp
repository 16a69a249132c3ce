// SPDX-License-Identifier: Apache-2.0
// What is simplified does what it did: to the bit on special values, to rounding within the error that rounding alone
// explains, and without protections on the cases that were asked.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "engine/cases/read_cases.h"
#include "engine/values/value_text.h"
#include "lang/cases.h"
#include "services/simplify/rules.h"
#include "services/simplify/simplify.h"
#include "services/simplify/unprotect.h"
#include "tests/services/import/formula_runner.h"
#include "tests/services/simplify/random_formula.h"

namespace komuz::services {
namespace {

constexpr std::string_view kForms[] = {"($ + $)",
                                       "($ - $)",
                                       "($ * $)",
                                       "($ / $)",
                                       "(-$)",
                                       "($ - -$)",
                                       "($ * 1.0)",
                                       "($ + 0.0)",
                                       "($ ** 2)",
                                       "abs($)",
                                       "min($, $)",
                                       "max($, $)",
                                       "div0($, $)",
                                       "sqrt0($)",
                                       "log0($)",
                                       "sqrt($)",
                                       "exp($)",
                                       "sin($)",
                                       "($ * 0.5 * 2.0)",
                                       "(if $ < $ { $ } else { $ })",
                                       "(if $ == $ { $ } else { $ })",
                                       "({ let t = $; t * t + $ })",
                                       "({ let t = $; let u = t; u - $ })"};

// --- To the bit ---

constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
constexpr f64 kEdges[] = {0.0,
                          -0.0,
                          1.0,
                          -1.0,
                          0.5,
                          2.0,
                          4.9e-324,
                          -2.2e-308,
                          1.7976931348623157e308,
                          -1e200,
                          kInfinity,
                          -kInfinity,
                          std::numeric_limits<f64>::quiet_NaN()};

TEST(SimplifyProperties, ToTheBitEdgesOfArgumentsGiveTheSame) {
  u32 changed = 0;
  for (u64 seed = 1; seed <= 200; ++seed) {
    const std::string program = random_program(seed, kForms);
    const Simplified made = simplify(program);
    ASSERT_EQ(made.why_not, "") << program;
    if (made.rewritings == 0) continue;
    ++changed;
    FormulaRunner before, after;
    ASSERT_TRUE(before.compile(program) && after.compile(made.text)) << made.text;
    for (const f64 x : kEdges)
      for (const f64 y : kEdges) {
        const f64 point[] = {x, y, seed % 2 == 0 ? y : 3.0};
        ASSERT_EQ(before.outcome(point), after.outcome(point)) << x << " " << y << "\n"
                                                               << program << made.text;
      }
  }
  EXPECT_GT(changed, 60u);
}

// Integers end in traps, of the same kind and for the same fuel.
TEST(SimplifyProperties, ToTheBitTrapsStay) {
  constexpr std::string_view kIntegers[] = {"($ + $)",
                                            "($ - $)",
                                            "($ * $)",
                                            "($ / $)",
                                            "($ % $)",
                                            "(-$)",
                                            "abs($)",
                                            "div0($, $)",
                                            "($ + 0)",
                                            "($ * 1)",
                                            "min($, $)",
                                            "(if $ < $ { $ } else { $ })",
                                            "({ let t = $; t * t + $ })"};
  constexpr i64 kIntegerEdges[] = {0,
                                   1,
                                   -1,
                                   2,
                                   7,
                                   std::numeric_limits<i64>::max(),
                                   std::numeric_limits<i64>::min(),
                                   3'037'000'500};
  u32 changed = 0, trapped = 0;
  for (u64 seed = 1; seed <= 200; ++seed) {
    std::string body = random_formula(seed, kIntegers);
    for (const std::string_view number : {"2.5", "0.1", "-3.0", "1e-3"})
      for (size_t at = body.find(number); at != std::string::npos; at = body.find(number))
        body.replace(at, number.size(), number == "2.5" ? "2" : number == "-3.0" ? "-3" : "5");
    const std::string program = "pub fn f(x: i64, y: i64, a: i64) -> i64 { " + body + " }\n";
    const Simplified made = simplify(program);
    ASSERT_EQ(made.why_not, "") << program;
    if (made.rewritings == 0) continue;
    ++changed;
    FormulaRunner before, after;
    ASSERT_TRUE(before.compile(program) && after.compile(made.text)) << made.text;
    for (const i64 x : kIntegerEdges)
      for (const i64 y : kIntegerEdges) {
        const f64 point[] = {std::bit_cast<f64>(x), std::bit_cast<f64>(y), std::bit_cast<f64>(y)};
        const FormulaRunner::Outcome wanted = before.outcome(point);
        trapped += wanted.trap != Trap::None ? 1 : 0;
        ASSERT_EQ(wanted, after.outcome(point)) << x << " " << y << "\n" << program << made.text;
      }
  }
  EXPECT_GT(changed, 30u);
  EXPECT_GT(trapped, 100u);
}

// --- To rounding ---

// Both sides of a rule, in more digits than f64 has.
struct Wide {
  long double value = 0, largest = 0;  // largest: of all steps
};
Wide value_of(const neural::Rule& rule, u8 at, const std::vector<long double>& variables) {
  const neural::PatternNode& p = rule.nodes[at];
  const auto leaf = [](long double value) { return Wide{value, std::abs(value)}; };
  if (neural::is_variable(p.kind)) return leaf(variables[p.variable]);
  if (p.kind == neural::PatternKind::Constant) return leaf(engine::cell_as_f64(p.type, p.cell));
  Wide a = value_of(rule, p.operand[0], variables), b;
  if (p.operands > 1) b = value_of(rule, p.operand[1], variables);
  Wide out;
  switch (p.instruction.op) {
    case Op::Add: out.value = a.value + b.value; break;
    case Op::Sub: out.value = a.value - b.value; break;
    case Op::Mul: out.value = a.value * b.value; break;
    case Op::Div: out.value = a.value / b.value; break;
    case Op::Neg: out.value = -a.value; break;
    case Op::Abs: out.value = std::abs(a.value); break;
    case Op::Sqrt: out.value = std::sqrt(a.value); break;
    case Op::Exp: out.value = std::exp(a.value); break;
    case Op::Log: out.value = std::log(a.value); break;
    case Op::Sin: out.value = std::sin(a.value); break;
    case Op::Cos: out.value = std::cos(a.value); break;
    case Op::Tanh: out.value = std::tanh(a.value); break;
    case Op::Lt: out.value = a.value < b.value; break;
    case Op::Gt: out.value = a.value > b.value; break;
    default: ADD_FAILURE() << op_row(p.instruction.op).mnemonic << " is not evaluated here"; break;
  }
  out.largest = std::max({a.largest, b.largest, std::abs(out.value)});
  return out;
}

TEST(SimplifyProperties, RulesToRoundingAreIdentities) {
  const size_t rows = written_rows(Exactness::ToRounding).size();
  ASSERT_GT(rows, 50u);
  for (u32 row = 0; row < rows; ++row) {
    const WrittenRow& written = written_rows(Exactness::ToRounding)[row];
    const std::string name = std::string(written.from) + " -> " + std::string(written.to);
    std::string problem;
    const std::vector<WrittenRule> rules = written_rules(row, problem, Exactness::ToRounding);
    ASSERT_EQ(problem, "") << name;
    Random random(row + 1);
    for (const WrittenRule& each : rules) {
      u32 compared = 0;
      for (u32 k = 0; k < 300; ++k) {
        std::vector<long double> variables;
        for (u32 v = 0; v < each.rule.variables; ++v) {
          const f64 size = 0.2 + static_cast<f64>(random.next() >> 11) * 0x1p-53 * 4;
          variables.push_back(random.next() % 3 == 0 ? -size : size);
        }
        if (each.rule.condition != neural::kNoPattern &&
            value_of(each.rule, each.rule.condition, variables).value == 0)
          continue;
        const Wide from = value_of(each.rule, each.rule.from, variables),
                   to = value_of(each.rule, each.rule.to, variables);
        if (!std::isfinite(from.value)) continue;
        ++compared;
        ASSERT_LE(std::abs(from.value - to.value), 1e-17L * std::max(from.largest, to.largest))
            << name << " " << testing::PrintToString(variables);
      }
      EXPECT_GT(compared, 50u) << name;
    }
  }
}

// A random formula, its value, and a bound of the error that rounding may make on the way, also where its sums and
// products are taken in another order: each input has an error of its own for that.
struct Rounded {
  std::string text;
  long double value = 0, error = 0;
};
Rounded random_rounded(u64 seed, std::span<const f64> point) {
  constexpr long double kUnit = 0x1p-53L;
  Random random(seed);
  std::vector<Rounded> parts;
  for (u32 k = 0; k < 3; ++k)
    parts.push_back({std::string(1, "xya"[k]), point[k], std::abs(point[k]) * kUnit});
  for (const char* number : {"2.5", "0.1", "3.0", "7.0"}) {
    const f64 value = std::strtod(number, nullptr);
    parts.push_back({number, value, value * kUnit});
  }
  for (u64 count = 3 + random.next() % 9; count > 0; --count) {
    const Rounded a = parts[random.next() % parts.size()], b = parts[random.next() % parts.size()];
    Rounded out;
    const auto infix = [&](const char* op) { return "(" + a.text + op + b.text + ")"; };
    const auto call = [&](const char* function) { return function + ("(" + a.text + ")"); };
    switch (random.next() % 10) {
      case 0: out = {infix(" + "), a.value + b.value, a.error + b.error}; break;
      case 1: out = {infix(" - "), a.value - b.value, a.error + b.error}; break;
      case 2:
      case 3:
        out = {infix(" * "), a.value * b.value,
               std::abs(a.value) * b.error + std::abs(b.value) * a.error};
        break;
      case 4:
        out = {infix(" / "), a.value / b.value, 0};
        out.error = (a.error + std::abs(out.value) * b.error) / std::abs(b.value);
        break;
      case 5: out = {"(-" + a.text + ")", -a.value, a.error}; break;
      case 6:
        out = {call("exp"), std::exp(a.value), 0};
        out.error = out.value * a.error;
        break;
      case 7: out = {call("log"), std::log(a.value), a.error / std::abs(a.value)}; break;
      case 8:
        out = {call("sqrt"), std::sqrt(a.value), 0};
        out.error = a.error / out.value;
        break;
      default: out = {call("sin"), std::sin(a.value), a.error}; break;
    }
    out.error += 2 * kUnit * std::abs(out.value);
    parts.push_back(std::move(out));
  }
  return parts.back();
}

TEST(SimplifyProperties, ToRoundingTheErrorIsThatOfRounding) {
  constexpr f64 kPoints[][3] = {{1.25, 0.75, 2.0}, {3.0, 0.1, 0.7}, {0.3, 5.5, 1.1}};
  u32 compared = 0, changed = 0;
  for (u64 seed = 1; seed <= 300; ++seed) {
    const std::string body = random_rounded(seed, kPoints[0]).text;
    const std::string program = "pub fn f(x: f64, y: f64, a: f64) -> f64 { " + body + " }\n";
    const Simplified made = simplify(program, nullptr, Exactness::ToRounding);
    ASSERT_EQ(made.why_not, "") << program;
    changed += made.rewritings == 0 ? 0 : 1;
    FormulaRunner runner;
    ASSERT_TRUE(runner.compile(made.text)) << made.text;
    for (const auto& point : kPoints) {
      const Rounded wanted = random_rounded(seed, point);
      // What overflows or has lost all digits on its way says nothing.
      if (!(std::abs(wanted.value) < 1e100L) || !(wanted.error < 1e-3L * std::abs(wanted.value)))
        continue;
      ++compared;
      const long double found = runner.run(point);
      ASSERT_LE(std::abs(found - wanted.value), 16 * wanted.error)
          << program << made.text << "\n"
          << static_cast<f64>(wanted.value) << ", and " << static_cast<f64>(found);
    }
  }
  EXPECT_GT(compared, 400u);
  EXPECT_GT(changed, 100u);
}

// --- Without protections ---

TEST(SimplifyProperties, WithoutProtectionsTheCasesThatWereAskedGiveTheSame) {
  constexpr std::string_view kProtected[] = {"div0($, $)",
                                             "sqrt0($)",
                                             "log0($)",
                                             "($ + $)",
                                             "($ * $)",
                                             "abs($)",
                                             "(if $ < $ { $ } else { $ })"};
  u32 written = 0, kept = 0;
  for (u64 seed = 1; seed <= 60; ++seed) {
    const std::string program = random_program(seed, kProtected);
    Random random(seed + 1000);
    std::string csv = "x,y,a\n";
    std::vector<std::vector<f64>> rows;
    for (u32 k = 0; k < 12; ++k) {
      std::vector<f64>& row = rows.emplace_back();
      for (u32 i = 0; i < 3; ++i) {
        // Halves, so that quotients by 0 and logarithms of 0 come up; in every third table all are above 0.
        const f64 half = static_cast<f64>(static_cast<i64>(random.next() % 13) - 6) / 2;
        row.push_back(seed % 3 == 0 ? std::abs(half) + 0.5 : half);
        csv += (i == 0 ? "" : ",") + std::to_string(row.back());
      }
      csv += "\n";
    }
    engine::CasesTable table;
    engine::CaseFields fields;
    fields.has_expectations = false;
    ASSERT_FALSE(engine::read_cases("c.csv", csv, fields, table));
    const engine::CasesTable* const tables[] = {&table};
    const Result<Unprotected> made =
        unprotect(program, {.entry = {}, .tables = tables, .fuel = kDefaultFuel, .stop = {}});
    ASSERT_FALSE(made.problem()) << made.problem().text() << program;
    FormulaRunner before, after;
    ASSERT_TRUE(before.compile(program) && after.compile(made.value().text)) << made.value().text;
    for (const std::vector<f64>& row : rows)
      ASSERT_EQ(before.outcome(row), after.outcome(row)) << testing::PrintToString(row) << "\n"
                                                         << program << made.value().text;
    for (const UnprotectedKind& kind : made.value().kinds) {
      written += kind.written;
      kept += kind.kept;
      // A protection stays only where some case needs it.
      EXPECT_EQ(kind.kept != 0, kind.needed_by != 0) << kind.name << "\n" << program;
    }
  }
  EXPECT_GT(written, 10u);
  EXPECT_GT(kept, 10u);
}

}  // namespace
}  // namespace komuz::services
