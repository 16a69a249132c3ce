// SPDX-License-Identifier: Apache-2.0
// Proposals for searches: the network gives the shares that PyTorch gave for it, at every SIMD level; productions of
// sketches are known by their operations; and what has no numbers to read is refused with a sentence.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include "engine/cases/read_cases.h"
#include "neural/proposals/network.h"
#include "neural/proposals/productions.h"
#include "neural/proposals/propose_ways.h"
#include "tests/neural/tensor_bytes.h"

namespace komuz::neural {
namespace {

using enum ProposedOperation;

// 64 cases of y = a b / c.
NumericCases quotients() {
  NumericCases cases;
  cases.variables.resize(3);
  for (u32 k = 0; k < 64; ++k) {
    for (u32 i = 0; i < 3; ++i)
      cases.variables[i].push_back(
          static_cast<f32>(1 + ((k * (7 + 2 * i) + 3 * i * i + k * k * (i + 1)) % 97) / 24.0));
    cases.expected.push_back(static_cast<f32>(f64{cases.variables[0][k]} * cases.variables[1][k] /
                                              cases.variables[2][k]));
  }
  return cases;
}
const ProposalNetwork& shipped() {
  static const Result<ProposalNetwork> network = find_proposal_network();
  EXPECT_FALSE(network.problem()) << network.problem().text();
  return network.value();
}
f32 share(const std::vector<f32>& shares, u32 variables, ProposalPlace place, u32 what) {
  return shares[static_cast<u32>(place) * (kProposedOperations + variables) + what];
}
constexpr u32 number(ProposedOperation operation) { return static_cast<u32>(operation); }

// neural/train/train_proposals.py gave these for the shipped file.
TEST(Proposals, GiveTheSharesOfPyTorch) {
  const std::vector<f32> shares = place_shares(shipped(), quotients(), best_simd_level());
  const struct {
    ProposalPlace place;
    u32 what;
    f64 share;
  } expected[] = {
      {ProposalPlace::Root, number(Mul), 0.48646},
      {ProposalPlace::Root, number(Div), 0.50496},
      {ProposalPlace::Root, kProposedOperations, 0},
      {ProposalPlace::Mul, kProposedOperations + 1, 0.30327},
      {ProposalPlace::Numerator, kProposedOperations, 0.28975},
      {ProposalPlace::Denominator, kProposedOperations + 2, 0.70115},
      {ProposalPlace::Asin, number(Div), 0.71443},
  };
  for (const auto& row : expected)
    EXPECT_NEAR(share(shares, 3, row.place, row.what), row.share, 2e-4)
        << static_cast<u32>(row.place) << ' ' << row.what;
  for (u32 p = 0; p < kProposalPlaces; ++p) {
    const auto row = shares.begin() + p * (kProposedOperations + 3);
    EXPECT_NEAR(std::accumulate(row, row + kProposedOperations + 3, 0.0), 1, 1e-5);
  }
}

TEST(Proposals, HaveTheSameBitsAtEveryLevel) {
  const std::vector<f32> expected = place_shares(shipped(), quotients(), SimdLevel::Portable);
  for (const SimdLevel level : kSimdLevels) {
    if (!simd_level_supported(level)) continue;
    EXPECT_EQ(place_shares(shipped(), quotients(), level), expected) << simd_level_name(level);
  }
}

// Numbers from one end of f32 to the other, and columns that are constant.
TEST(Proposals, AreSharesForAnyFiniteNumbers) {
  const std::vector<std::vector<f32>> columns = {std::vector<f32>(8, 3.0f),
                                                 {1e38f, -1e38f, 0, 1e-38f, 1, 2, 3, -3e38f},
                                                 {0, 0, 0, 0, 0, 0, 0, 1e-45f}};
  for (const auto& x : columns)
    for (const auto& y : columns) {
      NumericCases cases;
      cases.variables = {x, x};
      cases.expected = y;
      for (const f32 one : place_shares(shipped(), cases, best_simd_level()))
        EXPECT_TRUE(one >= 0 && one <= 1);
    }
}

// However the mean of equal logarithms is rounded.
TEST(Proposals, ConstantColumnsHaveNoSpread) {
  for (const f32 number : {0.0f, -0.0f, 3.0f, 0.1f})
    for (u32 count = kLeastProposalCases; count <= kMostProposalCases; ++count) {
      const std::vector<f32> features = scalar_features(std::vector<f32>(count, number));
      for (u32 k = 0; k < count; ++k)
        for (const u32 f : {0u, 1u}) EXPECT_LT(std::abs(features[k * kScalarFeatures + f]), 1e-6f);
    }
}

std::string shipped_bytes() {
  std::ifstream in(std::string(KOMUZ_SOURCE_DIR) + "/neural/models/proposals.safetensors",
                   std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::string refusal(std::string bytes) {
  const Result<TensorFile> file = read_safetensors(std::move(bytes), "p.safetensors");
  if (file.problem()) return file.problem().text();
  return read_proposal_network(file.value(), "p.safetensors").problem().text();
}
std::string with(std::string bytes, std::string_view what, std::string_view by) {
  const size_t at = bytes.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  EXPECT_EQ(what.size(), by.size());
  return bytes.replace(at, by.size(), by);
}

TEST(Proposals, FilesThatAreNoNetworkAreRefused) {
  const std::string bytes = shipped_bytes();
  ASSERT_FALSE(bytes.empty());
  EXPECT_EQ(refusal(bytes), "");
  EXPECT_NE(refusal(with(bytes, "const mul", "const pul")).find("trained for other operations"),
            std::string::npos);
  EXPECT_NE(refusal(with(bytes, "\"komuz.proposals\":\"1\"", "\"komuz.proposals\":\"2\""))
                .find("is not 1"),
            std::string::npos);
  EXPECT_NE(refusal(with(bytes, "\"d\":\"48\"", "\"d\":\"49\"")).find("no multiple of 16"),
            std::string::npos);
  EXPECT_NE(refusal(with(bytes, "\"d\":\"48\"", "\"d\":\"64\"")).find("another shape"),
            std::string::npos);
  EXPECT_NE(refusal(with(bytes, "\"trunk.bias\"", "\"trunk.bios\"")).find("no tensor"),
            std::string::npos);
  std::string infinite = bytes;
  infinite.replace(infinite.size() - 4, 4, std::string("\0\0\x80\x7f", 4));
  EXPECT_NE(refusal(infinite).find("not finite"), std::string::npos);
  for (size_t size = 0; size < bytes.size(); size += 4999)
    EXPECT_NE(refusal(bytes.substr(0, size)), "");
}

engine::SketchProgram sketch_of(std::string text) {
  std::optional<engine::SketchProgram> sketch = engine::read_sketch(std::move(text), {});
  EXPECT_TRUE(sketch);
  return std::move(*sketch);
}

TEST(Productions, AreKnownByTheirOperations) {
  const engine::SketchProgram sketch = sketch_of(
      "pub fn f(x: f64, y: f64) -> f64 { ?e(y, x) }\n"
      "space e(x: f64, y: f64) -> f64 depth 3 {\n"
      "    x, 2.5, -1.0, PI, ?[1.0, 2.0], e * e, div0(e, e), e - e, e / (e + 1.0),\n"
      "    { let s = e; s * s }, sqrt0(e), ?[exp(e), exp(-e)], abs(e), -e, exp(x) * e, x * e }\n");
  const Productions found = list_productions(sketch);
  const std::vector<Production>& of = found.of_spaces[0].of;
  const std::vector<std::vector<ProposedOperation>> operations = {
      {},         {},       {},     {}, {}, {Mul}, {Div},      {Sub},
      {Div, Add}, {Square}, {Sqrt}, {}, {}, {},    {Exp, Mul}, {Mul}};
  ASSERT_EQ(of.size(), operations.size());
  for (size_t k = 0; k < of.size(); ++k) EXPECT_EQ(of[k].operations, operations[k]) << k;
  EXPECT_EQ(of[0].parameter, 0u);
  for (const size_t k : {1u, 2u, 3u}) EXPECT_TRUE(of[k].is_constant) << k;
  for (const size_t k : {12u, 13u}) EXPECT_TRUE(of[k].is_unknown) << k;
  EXPECT_EQ(of[11].holes.size(), 1u);
  const u32 choice = of[11].holes[0];
  EXPECT_EQ(found.of_holes[choice].of[0].operations, std::vector{Exp});
  EXPECT_EQ(found.of_holes[choice].of[1].operations, std::vector{ExpNeg});

  const auto places = [&](size_t production, size_t hole) {
    return found.places[of[production].holes[hole]];
  };
  using Places = std::vector<ProposalPlace>;
  EXPECT_EQ(found.places[0], Places{ProposalPlace::Root});
  EXPECT_EQ(places(5, 1), Places{ProposalPlace::Mul});
  EXPECT_EQ(places(6, 0), Places{ProposalPlace::Numerator});
  EXPECT_EQ(places(6, 1), Places{ProposalPlace::Denominator});
  EXPECT_EQ(places(8, 0), (Places{ProposalPlace::Numerator, ProposalPlace::Add}));
  EXPECT_EQ(places(8, 1), (Places{ProposalPlace::Denominator, ProposalPlace::Add}));
  EXPECT_EQ(places(9, 0), Places{ProposalPlace::Square});
  EXPECT_EQ(places(15, 0), Places{ProposalPlace::Mul}) << "no square";
  EXPECT_EQ(places(12, 0), Places{}) << "nobody knows";
  EXPECT_EQ(found.places[found.of_holes[choice].of[1].holes[0]], Places{ProposalPlace::ExpNeg});
}

engine::CasesTable table_of(std::string text) {
  engine::CasesTable table;
  EXPECT_FALSE(engine::read_csv_cases("cases.csv", std::move(text), {}, table));
  return table;
}
engine::CasesTable quotient_table() {
  const NumericCases cases = quotients();
  std::string text = "a,b,c,expected\n";
  for (u32 k = 0; k < cases.count(); ++k) {
    for (const auto& variable : cases.variables) text += std::to_string(variable[k]) + ",";
    text += std::to_string(cases.expected[k]) + "\n";
  }
  return table_of(std::move(text));
}

// b stands for `a` in the space, and c for `b`: the names of a space's parameters say nothing.
TEST(ProposeWays, WeightsFollowTheCases) {
  const engine::SketchProgram sketch = sketch_of(
      "pub fn f(a: f64, b: f64, c: f64) -> f64 { ?e(b, c, a) * f64(?[1, 2]) }\n"
      "pub fn g(a: f64, b: f64, c: f64) -> f64 { ?e(b, c, a) }\n"
      "space e(a: f64, b: f64, c: f64) -> f64 depth 4 {\n"
      "    a, b, c, e * e, div0(e, e), abs(e), ?[sin(e), cos(e)] }\n");
  const Result<engine::WayWeights> made = propose_ways(sketch, "g", quotient_table());
  ASSERT_FALSE(made.problem()) << made.problem().text();
  const std::vector<engine::Decision>& decisions = sketch.plan.decisions();
  const auto& weights = made.value().of_decisions;
  ASSERT_EQ(weights.size(), decisions.size());
  bool has_root = false, has_denominator = false;
  const Productions productions = list_productions(sketch);
  for (size_t d = 0; d < decisions.size(); ++d) {
    if (decisions[d].form == HoleForm::Choice && weights[d].empty()) continue;  // of integers
    const std::vector<u32>& own = weights[d];
    const u64 sum = std::accumulate(own.begin(), own.end(), u64{0});
    EXPECT_NEAR(static_cast<f64>(sum), 1e6, 10);
    for (const u32 weight : own)
      EXPECT_GE(weight, 0.249e6 / static_cast<f64>(own.size())) << "nothing becomes impossible";
    const auto& places = productions.places[decisions[d].holes[0]];
    if (places == std::vector{ProposalPlace::Root}) {
      has_root = true;
      EXPECT_GT(own[3] + own[4], 600'000u) << "a product or a quotient";
    }
    if (places == std::vector{ProposalPlace::Denominator}) {
      has_denominator = true;
      EXPECT_GT(own[1], own[0] + own[2]) << "the c of the cases";
    }
  }
  EXPECT_TRUE(has_root && has_denominator);
}

TEST(ProposeWays, WhatHasNoNumbersIsRefused) {
  const auto why = [](const char* text, const char* cases) {
    return propose_ways(sketch_of(text), "", table_of(cases)).problem().message();
  };
  EXPECT_NE(why("pub fn f(b: bool) -> i64 { ?[1, 2] }", "b,expected\ntrue,1\n")
                .find("reads cases of 1 to 9 numbers that give a number, and the entry is"),
            std::string::npos);
  EXPECT_NE(why("pub fn f(x: f64) -> f64 { ?[x, 2.0] }", "x,expected\n1,1\n2,NaN\n")
                .find("8 cases or more of numbers below 3.4e38, and there are 1 such case"),
            std::string::npos);
}

}  // namespace
}  // namespace komuz::neural
