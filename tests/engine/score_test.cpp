// SPDX-License-Identifier: Apache-2.0
#include "engine/results/score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.h"
#include "tests/engine/scored_outcomes.h"

namespace komuz::engine {
namespace {

using test::cell_of;
using test::csv_suite;
using test::make_signature;
using test::Outcomes;
using test::score;
using test::suite_of;

u32 passed(Scalar type, const std::string& expected, u64 actual, f64 tolerance = 0) {
  std::string csv = "n,expected\n0," + expected + "\n";
  const Suite suite = csv_suite(csv, make_signature({{"n", Scalar::U8}}, {type}));
  Outcomes outcomes({actual});
  return score(suite, outcomes, ScoreKind::Exact, tolerance).passed;
}

TEST(Score, ExactIsEqualityByDefault) {
  EXPECT_EQ(passed(Scalar::I64, "-5", static_cast<u64>(-5)), 1u);
  EXPECT_EQ(passed(Scalar::I64, "-5", static_cast<u64>(-6)), 0u);
  EXPECT_EQ(passed(Scalar::Bool, "true", 1), 1u);
  EXPECT_EQ(passed(Scalar::Bool, "true", 0), 0u);
  EXPECT_EQ(passed(Scalar::F64, "0.3", cell_of(0.3)), 1u);
  EXPECT_EQ(passed(Scalar::F64, "0.3", cell_of(0.1 + 0.2)), 0u);
  EXPECT_EQ(passed(Scalar::F64, "0", cell_of(-0.0)), 1u);
  EXPECT_EQ(passed(Scalar::F32, "0.5", cell_of(0.5f)), 1u);
}

TEST(Score, LargeIntegersAreNotComparedAsFloats) {
  EXPECT_EQ(passed(Scalar::I64, "9007199254740993", 9007199254740992), 0u);
  EXPECT_EQ(passed(Scalar::U64, "18446744073709551615", ~u64{0} - 1), 0u);
  // Also when another case brought the tolerances in.
  const Suite suite = csv_suite("x,expected,tol\n0,9007199254740993,\n0,1,0.1\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::I64}));
  Outcomes outcomes({9007199254740992, 1});
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact).passed, 1u);
}

TEST(Score, ToleranceIsRelativeToTheLarger) {
  EXPECT_EQ(passed(Scalar::F64, "1000", cell_of(1009.0), 0.01), 1u);
  EXPECT_EQ(passed(Scalar::F64, "1000", cell_of(1011.0), 0.01), 0u);
  EXPECT_EQ(passed(Scalar::F64, "0.001", cell_of(0.00101), 0.01), 1u);
  EXPECT_EQ(passed(Scalar::F64, "0.001", cell_of(0.0109), 0.01), 0u);
  EXPECT_EQ(passed(Scalar::F64, "-0.5", cell_of(-0.48), 0.01), 0u);
  EXPECT_EQ(passed(Scalar::I64, "100", 101, 0.01), 1u);
  EXPECT_EQ(passed(Scalar::I64, "-100", static_cast<u64>(-102), 0.01), 0u);
  EXPECT_EQ(passed(Scalar::F32, "2", cell_of(2.015f), 0.01), 1u);
}

TEST(Score, NoToleranceBridgesInfinityOrNan) {
  const f64 infinity = INFINITY;
  EXPECT_EQ(passed(Scalar::F64, "Infinity", cell_of(infinity), 0.5), 1u);
  EXPECT_EQ(passed(Scalar::F64, "Infinity", cell_of(-infinity), 0.5), 0u);
  EXPECT_EQ(passed(Scalar::F64, "1", cell_of(infinity), 0.5), 0u);
  EXPECT_EQ(passed(Scalar::F64, "Infinity", cell_of(1.0), 0.5), 0u);
  EXPECT_EQ(passed(Scalar::F64, "1", kCanonicalNan64, 100), 0u);
  EXPECT_EQ(passed(Scalar::F64, "NaN", cell_of(1.0), 100), 0u);
  EXPECT_EQ(passed(Scalar::F64, "NaN", kCanonicalNan64), 1u);
  EXPECT_EQ(passed(Scalar::F32, "NaN", kCanonicalNan32), 1u);
  EXPECT_EQ(passed(Scalar::F32, "1", kCanonicalNan32), 0u);
}

TEST(Score, ACaseMayHaveItsOwnTolerance) {
  const Suite suite = csv_suite("x,expected,tol\n0,10,0.1\n0,10,\n0,10,0\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  Outcomes outcomes({cell_of(10.9), cell_of(10.9), cell_of(10.0)});
  const Tally tally = score(suite, outcomes, ScoreKind::Exact);
  EXPECT_EQ(tally.passed, 2u);
  EXPECT_EQ(tally.first_failure, 1u);
  Outcomes again({cell_of(10.9), cell_of(10.009), cell_of(10.009)});
  EXPECT_EQ(score(suite, again, ScoreKind::Exact, 0.001).passed, 2u);
}

TEST(Score, TrapsFailUnlessExpected) {
  const Suite suite =
      csv_suite("x,expected,trap\n0,0,\n0,,DIV_ZERO\n0,,DIV_ZERO\n0,,DIV_ZERO\n0,0,\n",
                make_signature({{"x", Scalar::U8}}, {Scalar::I64}));
  Outcomes outcomes({0, 0, 0, 0, 0});
  outcomes.traps = {Trap::Fuel, Trap::DivZero, Trap::Overflow, Trap::None, Trap::None};
  const Tally tally = score(suite, outcomes, ScoreKind::Exact);
  EXPECT_EQ(tally.passed, 2u);  // the second, and the last
  EXPECT_EQ(tally.first_failure, 0u);
  EXPECT_EQ(tally.fuel, 15u);
  const Tally errors = score(suite, outcomes, ScoreKind::AbsoluteError);
  EXPECT_EQ(errors.bad_cases, 3u);
  EXPECT_EQ(errors.first_bad, 0u);
  EXPECT_EQ(errors.first_bad_trap, Trap::Fuel);
}

TEST(Score, TuplesNeedEveryCell) {
  const Suite suite = csv_suite("x,expected\n0,\"[1, true]\"\n0,\"[2, false]\"\n0,\"[3, true]\"\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::F64, Scalar::Bool}));
  Outcomes outcomes({cell_of(1.0), cell_of(2.5), cell_of(3.0), 1, 0, 0}, 2);
  const Tally tally = score(suite, outcomes, ScoreKind::AbsoluteError);
  EXPECT_EQ(tally.passed, 1u);
  EXPECT_EQ(tally.first_failure, 1u);
  EXPECT_EQ(tally.error_sum, 1.5);
  EXPECT_EQ(score(suite, outcomes, ScoreKind::SquaredError).error_sum, 1.25);
  EXPECT_EQ(score(suite, outcomes, ScoreKind::RelativeError).error_sum, 1.25);
}

// Three cases of a List[f64, 2]: as expected, within the tolerance, and of another length.
TEST(Score, ListsNeedTheirLengthAndEveryCell) {
  Signature signature = make_signature({{"x", Scalar::U8}}, {});
  signature.result_type = {kListCode, 2, 0, static_cast<char>(Scalar::F64)};
  const Suite suite = csv_suite("x,expected\n0,\"[1, 2]\"\n0,[1]\n0,[1]\n", signature);
  Outcomes outcomes({2, 1, 2, cell_of(1.0), cell_of(1.5), cell_of(1.0), cell_of(2.0), 0, 0}, 3);
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact).passed, 1u);
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact, 1.0).passed, 2u)
      << "a length has no tolerance";
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact, 1.0).first_failure, 2u);
}

TEST(Score, AlternativesAndOptionsAreExact) {
  Signature signature = make_signature({{"x", Scalar::U8}}, {});
  signature.result_type = {kOptionCode, static_cast<char>(Scalar::I64)};
  const Suite suite = csv_suite("x,expected\n0,null\n0,Some(0)\n0,Some(7)\n0,Some(7)\n", signature);
  Outcomes outcomes({0, 0, 1, 1, 0, 0, 7, 8}, 2);
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact).passed, 2u) << "None is not Some(0)";
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact, 10.0).passed, 2u);
}

TEST(Score, UnitResultsAlwaysPass) {
  const Suite suite = csv_suite("x,expected\n0,[]\n", make_signature({{"x", Scalar::U8}}, {}));
  Outcomes outcomes({}, 0);
  EXPECT_EQ(score(suite, outcomes, ScoreKind::Exact).passed, 1u);
}

TEST(Score, ErrorsOfIntegersAreExactDifferences) {
  const Suite suite = suite_of(Scalar::I64, {"-9223372036854775808", "9007199254740993"});
  Outcomes outcomes({0x7FFF'FFFF'FFFF'FFFF, 9007199254740992});
  EXPECT_EQ(score(suite, outcomes, ScoreKind::AbsoluteError).error_sum, 0x1p64 + 1);
  const Suite bytes = suite_of(Scalar::U64, {"18446744073709551615"});
  Outcomes near({~u64{0} - 2});
  EXPECT_EQ(score(bytes, near, ScoreKind::AbsoluteError).error_sum, 2);
}

TEST(Score, ANanIsABadCaseForErrors) {
  const Suite suite = suite_of(Scalar::F64, {"1", "NaN", "NaN", "Infinity"});
  Outcomes outcomes({kCanonicalNan64, kCanonicalNan64, cell_of(0.0), cell_of(f64{INFINITY})});
  const Tally tally = score(suite, outcomes, ScoreKind::AbsoluteError);
  EXPECT_EQ(tally.bad_cases, 2u);
  EXPECT_EQ(tally.first_bad, 0u);
  EXPECT_EQ(tally.first_bad_trap, Trap::None);
  EXPECT_EQ(tally.passed, 2u);
}

TEST(Score, OfAnErrorScoreTheFirstBadCaseIsTheOneToShow) {
  const Suite suite = csv_suite("x,expected\n0,1\n0,1\n0,1\n0,1\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  Outcomes outcomes({cell_of(2.0), cell_of(1.0), kCanonicalNan64, kCanonicalNan64});
  Scorer scorer(suite, ScoreKind::AbsoluteError, 0);
  scorer.begin();
  scorer.add(4, outcomes.view());
  EXPECT_EQ(scorer.first_failure_in_slice(), 2u);
  EXPECT_EQ(scorer.finish().first_failure, 0u);
}

TEST(Score, AnInfiniteErrorIsAScore) {
  const Suite suite = suite_of(Scalar::F64, {"Infinity", "1"});
  Outcomes outcomes({cell_of(0.0), cell_of(1.0)});
  const Tally tally = score(suite, outcomes, ScoreKind::SquaredError);
  EXPECT_EQ(tally.bad_cases, 0u);
  EXPECT_EQ(tally.error_sum, INFINITY);
}

TEST(Score, RelativeErrorsAreDividedByWhatIsExpected) {
  const f64 infinity = INFINITY;
  const auto error = [](const std::string& expected, f64 actual) {
    const Suite suite = suite_of(Scalar::F64, {expected});
    Outcomes outcomes({cell_of(actual)});
    const Tally tally = score(suite, outcomes, ScoreKind::RelativeError);
    EXPECT_EQ(tally.bad_cases, 0u);
    EXPECT_EQ(tally.score, tally.error_sum);
    return tally.error_sum;
  };
  EXPECT_EQ(error("8", 6), 0.25);
  EXPECT_EQ(error("-8", 6), 1.75);
  EXPECT_EQ(error("0.5", 1), 1.0);
  EXPECT_EQ(error("0", 0), 0.0);
  EXPECT_EQ(error("0", -0.0), 0.0);
  EXPECT_EQ(error("0", -2), 0x1p53);
  EXPECT_EQ(error("1e-300", 2e-300), 1.0);
  EXPECT_EQ(error("1", infinity), infinity);
  EXPECT_EQ(error("Infinity", 1), infinity);
  EXPECT_EQ(error("Infinity", -infinity), infinity);
  EXPECT_EQ(error("Infinity", infinity), 0.0);
  const Suite integers = suite_of(Scalar::I64, {"-4", "100"});
  Outcomes outcomes({static_cast<u64>(-5), 50});
  EXPECT_EQ(score(integers, outcomes, ScoreKind::RelativeError).error_sum, 0.75);
  const Suite nans = suite_of(Scalar::F64, {"NaN", "NaN", "1"});
  Outcomes some({kCanonicalNan64, cell_of(1.0), kCanonicalNan64});
  EXPECT_EQ(score(nans, some, ScoreKind::RelativeError).bad_cases, 2u);
}

TEST(Score, SymmetricErrorsLieBetween0And2) {
  const f64 infinity = INFINITY, largest = 0x1.FFFFFFFFFFFFFp1023;
  const auto error = [](const std::string& expected, f64 actual) {
    const Suite suite = suite_of(Scalar::F64, {expected});
    Outcomes outcomes({cell_of(actual)});
    const Tally tally = score(suite, outcomes, ScoreKind::SymmetricError);
    EXPECT_EQ(tally.bad_cases, 0u);
    EXPECT_EQ(tally.score, tally.error_sum);
    return tally.error_sum;
  };
  EXPECT_EQ(error("3", 5), 0.5);
  EXPECT_EQ(error("5", 3), 0.5) << "it is symmetric";
  EXPECT_EQ(error("-3", -5), 0.5);
  EXPECT_EQ(error("-3", 5), 2.0) << "of different signs";
  EXPECT_EQ(error("0", 0), 0.0);
  EXPECT_EQ(error("0", -0.0), 0.0);
  EXPECT_EQ(error("0", 5e-324), 2.0);
  EXPECT_EQ(error("5e-324", 0), 2.0);
  EXPECT_EQ(error("5e-324", 1.5e-323), 1.0);
  EXPECT_DOUBLE_EQ(error("3e-300", 5e-300), 0.5);
  EXPECT_EQ(error("1.7976931348623157e308", largest), 0.0);
  EXPECT_DOUBLE_EQ(error("1.7976931348623157e308", largest / 2), 2.0 / 3) << "the sum overflows";
  EXPECT_EQ(error("1.7976931348623157e308", -largest / 4), 2.0) << "the distance overflows";
  EXPECT_EQ(error("1", infinity), 2.0);
  EXPECT_EQ(error("Infinity", 1), 2.0);
  EXPECT_EQ(error("Infinity", -infinity), 2.0);
  EXPECT_EQ(error("-Infinity", -infinity), 0.0);
  const Suite nans = suite_of(Scalar::F64, {"NaN", "NaN", "1"});
  Outcomes some({kCanonicalNan64, cell_of(1.0), kCanonicalNan64});
  EXPECT_EQ(score(nans, some, ScoreKind::SymmetricError).bad_cases, 2u);
  // The distance of these is rounded up, the sum of their sizes down.
  const Suite integers = suite_of(Scalar::I64, {"9007199254740993"});
  Outcomes far({static_cast<u64>(-9007199254740994)});
  EXPECT_EQ(score(integers, far, ScoreKind::SymmetricError).score, 2.0);
}

// What each case brought, and the tally, which must be the one of a scorer that keeps nothing.
std::vector<f64> case_scores(const Suite& suite, Outcomes& outcomes, ScoreKind kind) {
  Scorer scorer(suite, kind, 0);
  scorer.keep_case_scores();
  std::vector<f64> first;
  for (u32 round = 0; round < 2; ++round) {
    scorer.begin();
    scorer.add(suite.count, outcomes.view());
    EXPECT_EQ(scorer.finish(), score(suite, outcomes, kind));
    first = scorer.case_scores();
  }
  EXPECT_EQ(first.size(), suite.count);
  return first;
}

// Over all cases, also those that expect a trap, and all parts of a result.
TEST(Score, SymmetricErrorsAreAveraged) {
  const Suite suite = suite_of(Scalar::F64, {"3", "0", "7", "1"});
  Outcomes outcomes({cell_of(5.0), cell_of(2.0), cell_of(7.0), cell_of(-1.0)});
  const Tally tally = score(suite, outcomes, ScoreKind::SymmetricError);
  EXPECT_EQ(tally.error_sum, 4.5);
  EXPECT_EQ(tally.score, 1.125);
  EXPECT_EQ(tally.passed, 1u);
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::SymmetricError),
            (std::vector<f64>{0.5, 2, 0, 2}));
  const Suite pairs = csv_suite("x,expected\n0,\"[1, 3]\"\n0,\"[0, 3]\"\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::F64, Scalar::I64}));
  Outcomes both({cell_of(-1.0), cell_of(0.0), 5, 3}, 2);
  EXPECT_EQ(score(pairs, both, ScoreKind::SymmetricError).score, 2.5 / 4);
  const Suite traps = csv_suite("x,expected,trap\n0,3,\n0,,INDEX\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  Outcomes trapped({cell_of(5.0), 0});
  trapped.traps[1] = Trap::Index;
  EXPECT_EQ(score(traps, trapped, ScoreKind::SymmetricError).score, 0.25);
}

TEST(Score, R2ComparesWithTheMean) {
  const Suite suite = suite_of(Scalar::F64, {"1", "2", "3", "6"});
  const auto r2 = [&](const Suite& of, const std::vector<f64>& actual) {
    std::vector<u64> cells;
    for (const f64 value : actual) cells.push_back(cell_of(value));
    Outcomes outcomes(std::move(cells));
    return score(of, outcomes, ScoreKind::RSquared).score;
  };
  EXPECT_EQ(spread_of(suite, 1).basis.total_squares, 14.0);
  EXPECT_EQ(r2(suite, {1, 2, 3, 6}), 1.0);
  EXPECT_EQ(r2(suite, {3, 3, 3, 3}), 0.0);
  EXPECT_EQ(r2(suite, {1, 2, 3, 13}), 1 - 49.0 / 14);
  EXPECT_EQ(r2(suite, {1, 2, 3, INFINITY}), -INFINITY);
  // A trap or a NaN that is expected is no number: the mean is that of the others.
  const Suite others = csv_suite("x,expected,trap\n0,1,\n0,,INDEX\n0,NaN,\n0,3,\n",
                                 make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  EXPECT_EQ(spread_of(others, 1).basis.total_squares, 2.0);
  Outcomes outcomes({cell_of(1.0), 0, kCanonicalNan64, cell_of(2.0)});
  outcomes.traps[1] = Trap::Index;
  EXPECT_EQ(score(others, outcomes, ScoreKind::RSquared).score, 0.5);
  outcomes.traps[1] = Trap::None;
  EXPECT_EQ(score(others, outcomes, ScoreKind::RSquared).bad_cases, 1u);
}

// 0.1 three times: their sum, and so the mean, is rounded.
TEST(Score, EqualNumbersHaveNoR2) {
  for (const char* const csv : {"x,expected\n0,0.1\n0,0.1\n0,0.1\n", "x,expected\n0,0.1\n",
                                "x,expected\n0,NaN\n0,NaN\n", "x,expected\n0,0.1\n0,NaN\n"})
    EXPECT_NE(spread_of(csv_suite(csv, make_signature({{"x", Scalar::U8}}, {Scalar::F64})), 1).kind,
              ExpectedSpread::Kind::Varies);
  const auto kind = [](const std::vector<std::string>& expected) {
    return spread_of(suite_of(Scalar::F64, expected), 1).kind;
  };
  EXPECT_EQ(kind({"NaN", "NaN"}), ExpectedSpread::Kind::NoNumbers);
  EXPECT_EQ(kind({"0.1", "NaN", "0.1"}), ExpectedSpread::Kind::Equal);
  EXPECT_EQ(kind({"1", "1.0000000000000002"}), ExpectedSpread::Kind::Rounded);
  EXPECT_EQ(kind({"1", "1.00000000000001"}), ExpectedSpread::Kind::Varies);
  EXPECT_EQ(kind({"1", "Infinity"}), ExpectedSpread::Kind::NotFinite);
}

// The order of additions is part of the contract; this is it, written down once more.
f64 contract_sum(const std::vector<f64>& errors) {
  f64 partials[64] = {};
  for (size_t i = 0; i < errors.size(); ++i) partials[i % 64] += errors[i];
  for (size_t half = 32; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i) partials[i] += partials[i + half];
  return partials[0];
}

TEST(Score, SumsFollowTheContractHoweverTheCasesAreSliced) {
  std::vector<std::string> expected;
  std::vector<u64> cells;
  std::vector<f64> errors;
  for (int i = 0; i < 1000; ++i) {
    expected.emplace_back("0");
    errors.push_back(std::ldexp(1.0 + i * 0.001, i % 60 - 30));
    cells.push_back(cell_of(i % 2 == 0 ? errors.back() : -errors.back()));
  }
  const Suite suite = suite_of(Scalar::F64, expected);
  const f64 wanted = contract_sum(errors);
  Outcomes whole(cells);
  const u64 behaviour = score(suite, whole, ScoreKind::AbsoluteError).behaviour;
  for (const u32 slice : {64u, 128u, 640u, 1024u}) {
    Scorer scorer(suite, ScoreKind::AbsoluteError, 0);
    scorer.begin();
    for (u32 begin = 0; begin < 1000; begin += slice) {
      const u32 rows = std::min(slice, 1000 - begin);
      Outcomes part({cells.begin() + begin, cells.begin() + begin + rows});
      scorer.add(rows, part.view());
      EXPECT_EQ(scorer.first_failure_in_slice(), begin == 0 ? 0u : kNone);
    }
    const Tally tally = scorer.finish();
    EXPECT_EQ(tally.error_sum, wanted);
    EXPECT_EQ(tally.behaviour, behaviour);
  }
}

TEST(Score, EveryInstructionSetGivesTheSameBits) {
  u64 state = 3;
  const auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (const Scalar type : {Scalar::Bool, Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U32,
                            Scalar::U64, Scalar::F32, Scalar::F64}) {
    Suite suite =
        suite_of(type, std::vector<std::string>(203, type == Scalar::Bool ? "true" : "1"));
    std::vector<u64> actual(suite.count);
    for (u32 i = 0; i < suite.count; ++i) {
      const u64 one = suite.expected_cell(0, 0);
      // Near the expected value, far away, special, and any bits at all.
      const u64 bits = type == Scalar::F32 ? random() >> 32 : random();
      actual[i] = i % 4 == 0 ? one : i % 4 == 1 ? one + (random() >> 60) : i % 4 == 2 ? 0 : bits;
      if (is_float(type) && cell_as_f64(type, actual[i]) != cell_as_f64(type, actual[i]))
        actual[i] = type == Scalar::F32 ? kCanonicalNan32 : kCanonicalNan64;
    }
    Outcomes outcomes(actual);
    outcomes.traps[100] = Trap::Index;
    for (const ScoreKind kind :
         {ScoreKind::Exact, ScoreKind::AbsoluteError, ScoreKind::SquaredError,
          ScoreKind::RelativeError, ScoreKind::SymmetricError, ScoreKind::Huber, ScoreKind::LogCosh,
          ScoreKind::Quantile, ScoreKind::Logistic, ScoreKind::Hinge})
      for (const f64 tolerance : {0.0, 1e-15, 0.5}) {
        const Tally tally = score(suite, outcomes, kind, tolerance);
        EXPECT_GE(tally.passed, 50u);
        EXPECT_LT(tally.passed, 203u);
      }
  }
}

// Values of one cell without traps and tolerances go a way of their own; a tolerance of 0 for each case says the
// same, but takes the other.
TEST(Score, OneCellIsScoredAsAnyOther) {
  u64 state = 5;
  const auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (const Scalar type : {Scalar::Bool, Scalar::I32, Scalar::I64, Scalar::U8, Scalar::U32,
                            Scalar::U64, Scalar::F32, Scalar::F64}) {
    const std::string one = type == Scalar::Bool ? "true" : "1";
    std::string csv = "x,expected,tol\n";
    for (u32 i = 0; i < 203; ++i) csv += "0," + one + ",0\n";
    const Suite alone = suite_of(type, std::vector<std::string>(203, one));
    const Suite tolerant = csv_suite(csv, make_signature({{"x", Scalar::U8}}, {type}));
    ASSERT_EQ(tolerant.tolerances.size(), 203u);
    for (const bool has_nan : {false, true}) {
      // The first failure comes late in one round, and there is none in another.
      for (const u32 equal : {0u, 130u, 203u}) {
        std::vector<u64> actual(203);
        for (u32 i = 0; i < 203; ++i) {
          const u64 far = type == Scalar::F32   ? cell_of(static_cast<f32>(random() >> 40))
                          : type == Scalar::F64 ? cell_of(static_cast<f64>(random() >> 30))
                                                : random() >> 57;
          actual[i] = i < equal || i % 3 == 0 ? alone.expected_cell(0, 0) : far;
        }
        if (has_nan && is_float(type))
          actual[150] = type == Scalar::F32 ? kCanonicalNan32 : kCanonicalNan64;
        for (const ScoreKind kind :
             {ScoreKind::Exact, ScoreKind::AbsoluteError, ScoreKind::SquaredError,
              ScoreKind::RelativeError, ScoreKind::SymmetricError, ScoreKind::Huber,
              ScoreKind::LogCosh, ScoreKind::Quantile, ScoreKind::Logistic, ScoreKind::Hinge}) {
          Outcomes outcomes(actual);
          EXPECT_EQ(score(alone, outcomes, kind), score(tolerant, outcomes, kind))
              << scalar_name(type) << ", " << score_name(kind) << ", " << equal;
        }
      }
    }
  }
}

u64 behaviour(const Suite& suite, Outcomes outcomes) {
  return score(suite, outcomes, ScoreKind::Exact).behaviour;
}

TEST(Score, ABehaviourIsWhatAProgramDidOnEachCase) {
  const Suite suite = suite_of(Scalar::I64, {"1", "2", "3"});
  const u64 one = behaviour(suite, Outcomes({7, 8, 0}));
  EXPECT_EQ(one, behaviour(suite, Outcomes({7, 8, 0})));
  EXPECT_NE(one, behaviour(suite, Outcomes({8, 7, 0})));
  EXPECT_NE(one, behaviour(suite, Outcomes({7, 0, 8})));
  Outcomes trapped({7, 8, 0}), other = trapped, elsewhere = trapped;
  trapped.traps[2] = Trap::Index;
  other.traps[2] = Trap::Overflow;
  elsewhere.traps[2] = Trap::Index;
  elsewhere.fuel[0] = elsewhere.places[2] = elsewhere.depths[2] = 9;
  EXPECT_NE(one, behaviour(suite, trapped));
  EXPECT_NE(behaviour(suite, other), behaviour(suite, trapped));
  EXPECT_EQ(behaviour(suite, elsewhere), behaviour(suite, trapped));
  // The kind of score says nothing of it.
  for (const ScoreKind kind : {ScoreKind::AbsoluteError, ScoreKind::RSquared, ScoreKind::Maximize})
    EXPECT_EQ(score(suite, trapped, kind).behaviour, behaviour(suite, trapped));
  const Suite pairs = csv_suite("x,expected\n0,\"[1, 2]\"\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::I64, Scalar::I64}));
  EXPECT_NE(behaviour(pairs, Outcomes({1, 2}, 2)), behaviour(pairs, Outcomes({2, 1}, 2)));
}

// Bits that are hard for a sum of products: small numbers, and floats that differ in few of their highest bits.
TEST(Score, BehavioursThatDifferInFewBitsStayApart) {
  constexpr u32 kCases = 16;
  const Suite suite = suite_of(Scalar::F64, std::vector<std::string>(kCases, "1"));
  for (const auto& [zero, one] : {std::pair<u64, u64>{0, 1},
                                  {cell_of(1.0), cell_of(-1.0)},
                                  {cell_of(1.0), cell_of(2.0)},
                                  {cell_of(0.0), cell_of(-0.0)}}) {
    std::set<u64> found;
    for (u32 mask = 0; mask < 1u << kCases; ++mask) {
      std::vector<u64> cells;
      for (u32 i = 0; i < kCases; ++i) cells.push_back((mask >> i & 1) != 0 ? one : zero);
      Outcomes outcomes(std::move(cells));
      Scorer scorer(suite, ScoreKind::Exact, 0);
      scorer.begin();
      scorer.add(kCases, outcomes.view());
      found.insert(scorer.finish().behaviour);
    }
    EXPECT_EQ(found.size(), size_t{1} << kCases);
  }
}

TEST(Score, CaseScoresAreWhatEachCaseBrought) {
  const Suite suite = suite_of(Scalar::I64, {"1", "2", "4"});
  Outcomes outcomes({1, 5, 2});
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::Exact), (std::vector<f64>{1, 0, 0}));
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::AbsoluteError), (std::vector<f64>{0, 3, 2}));
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::SquaredError), (std::vector<f64>{0, 9, 4}));
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::RelativeError), (std::vector<f64>{0, 1.5, .5}));
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::RSquared), (std::vector<f64>{0, 9, 4}));
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::Minimize), (std::vector<f64>{1, 5, 2}));
  outcomes.traps[1] = Trap::Index;
  outcomes.values[1] = 0;
  EXPECT_EQ(case_scores(suite, outcomes, ScoreKind::Exact), (std::vector<f64>{1, 0, 0}));
  for (const ScoreKind kind : {ScoreKind::AbsoluteError, ScoreKind::Maximize}) {
    const std::vector<f64> scores = case_scores(suite, outcomes, kind);
    EXPECT_TRUE(std::isnan(scores[1]));
    EXPECT_EQ(scores[2], 2.0);
  }
  const Suite traps = csv_suite("x,expected,trap\n0,1,\n0,,INDEX\n0,NaN,\n",
                                make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  Outcomes some({kCanonicalNan64, 0, kCanonicalNan64});
  some.traps[1] = Trap::Index;
  const std::vector<f64> scores = case_scores(traps, some, ScoreKind::AbsoluteError);
  EXPECT_TRUE(std::isnan(scores[0]));
  EXPECT_EQ(scores[1], 0.0);
  EXPECT_EQ(scores[2], 0.0);
}

// Numbers, traps and NaNs, expected and not, by every score, over more cases than a warp takes at once.
TEST(Score, CaseScoresOfADeviceAreThose) {
  constexpr u32 kCases = 150;
  Random random(8);
  std::string csv = "x,expected,trap\n";
  std::vector<u64> cells;
  std::vector<Trap> traps;
  for (u32 k = 0; k < kCases; ++k) {
    const bool expects_trap = random.one_in(8), expects_nan = random.one_in(8);
    csv += expects_trap  ? "0,,INDEX\n"
           : expects_nan ? "0,NaN,\n"
                         : "0," + std::to_string(random.below(9)) + ".5,\n";
    traps.push_back(random.one_in(6) ? Trap::Index : random.one_in(9) ? Trap::Hole : Trap::None);
    const u64 cell =
        random.one_in(7) ? kCanonicalNan64 : cell_of(static_cast<f64>(random.below(100)) / 7);
    cells.push_back(traps.back() == Trap::None ? cell : 0);
  }
  const Suite suite = csv_suite(csv, make_signature({{"x", Scalar::U8}}, {Scalar::F64}));
  Outcomes outcomes(cells);
  outcomes.traps = traps;
  for (size_t k = 0; k < std::size(kScoreNames); ++k) {
    const auto kind = static_cast<ScoreKind>(k);
    EXPECT_EQ(score(suite, outcomes, kind).score == 0, kind != ScoreKind::Exact);
  }
}

TEST(Score, AScorerStartsAfresh) {
  const Suite suite = suite_of(Scalar::I64, {"1", "2"});
  Scorer scorer(suite, ScoreKind::AbsoluteError, 0);
  Outcomes wrong({5, 5}), right({1, 2});
  scorer.begin();
  scorer.add(2, wrong.view());
  EXPECT_EQ(scorer.finish().error_sum, 7);
  scorer.begin();
  scorer.add(2, right.view());
  const Tally tally = scorer.finish();
  EXPECT_EQ(tally.error_sum, 0);
  EXPECT_EQ(tally.passed, 2u);
  EXPECT_EQ(tally.first_failure, kNone);
}

}  // namespace
}  // namespace komuz::engine
