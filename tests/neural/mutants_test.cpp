// SPDX-License-Identifier: Apache-2.0
// Nothing wrong is proved. Programs are compared with others in which one instruction or constant is not the same.
// KOMUZ_SEEDS: how many programs.
#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "gen/gen.h"
#include "tests/neural/changed_code.h"
#include "tests/neural/proof_questions.h"
#include "tests/neural/rewritten_code.h"
#include "tests/vm/random_code.h"

namespace komuz::test {
namespace {

using neural::FuelRule;
using neural::Proof;

constexpr u64 kResources = 300'000;

u64 seeds(u64 usual) {
  const char* const given = std::getenv("KOMUZ_SEEDS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
}

struct Tally {
  u32 proved = 0, refuted = 0, unknown = 0;
};

// Asks about both, and shows by runs on these rows that the answer is right.
void expect_right(const ProofPair& pair, const std::vector<std::vector<u64>>& rows, FuelRule rule,
                  Tally& tally) {
  neural::ProofQuestion question = pair.question(rule);
  question.resources = kResources;
  const neural::ProofAnswer answer = opened_prover()->prove(question, nullptr);
  if (answer.proof == Proof::Unknown) {
    ++tally.unknown;
    return;
  }
  // Runs as long as these have an end that the terms have, too.
  constexpr u64 kBudget = 2'000'000;
  if (answer.proof == Proof::Refuted) {
    ++tally.refuted;
    EXPECT_TRUE(pair.differ(answer.arguments, rule)) << "the arguments show nothing";
    return;
  }
  ++tally.proved;
  CaseRun a(pair.a, rows, pair.a_function, 1, kBudget),
      b(pair.b, rows, pair.b_function, 1, kBudget);
  a.on(Machine::Portable);
  b.on(Machine::Portable);
  for (size_t c = 0; c < a.traps.size(); ++c) {
    // Without a rule for fuel, a run may end early in one of both.
    if (rule != FuelRule::Same && (a.traps[c] == Trap::Fuel || b.traps[c] == Trap::Fuel)) continue;
    EXPECT_EQ(a.traps[c], b.traps[c]) << "case " << c << ", " << answer.method;
    if (rule == FuelRule::Same) {
      EXPECT_EQ(a.fuel[c], b.fuel[c]) << "case " << c << ", " << answer.method;
    }
    if (rule == FuelRule::Less) {
      EXPECT_LE(b.fuel[c], a.fuel[c]) << "case " << c << ", " << answer.method;
    }
    for (size_t at = c; at < a.values.size(); at += a.traps.size())
      EXPECT_EQ(a.values[at], b.values[at]) << "case " << c << ", " << answer.method;
    if (::testing::Test::HasFailure()) return;
  }
}

// All arguments of bools and bytes; empty: there are too many.
std::vector<std::vector<u64>> all_arguments(const Code& code, const Function& f) {
  std::vector<u64> sizes;
  u64 count = 1;
  for (u32 p = 0; p < f.parameter_slots; ++p) {
    const auto type = static_cast<Scalar>(code.slot_types[f.slots_begin + p]);
    sizes.push_back(type == Scalar::Bool ? 2 : type == Scalar::U8 ? 256 : 0);
    count *= sizes.back();
    if (count == 0 || count > 1u << 16) return {};
  }
  std::vector<std::vector<u64>> rows(sizes.size());
  for (u64 c = 0; c < count; ++c) {
    u64 rest = c;
    for (size_t p = 0; p < sizes.size(); ++p) {
      rows[p].push_back(rest % sizes[p]);
      rest /= sizes[p];
    }
  }
  return rows;
}

bool is_checked(Code& code) { return !check_code(code.view(), code.functions); }

TEST(Mutants, OfBytesAreNeverProvedEqualIfAnyArgumentShowsADifference) {
  KOMUZ_NEEDS_PROVER();
  Tally tally;
  const u64 count = seeds(600);
  for (u64 seed = 0; seed < count && !HasFailure(); ++seed) {
    GeneratedCode made = generate_code(seed, 24);
    if (!is_checked(made.code)) continue;
    const auto rows = all_arguments(made.code, made.code.functions[made.entry]);
    if (rows.empty()) continue;
    Random random(seed);
    for (u32 turn = 0; turn < 4; ++turn) {
      Code other = made.code;
      const u32 function = random.below(other.functions.size());
      if (!change_code(other, made.code.functions[function], random) || !is_checked(other))
        continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", turn " + std::to_string(turn));
      ProofPair pair(made.code, other, made.entry);
      for (const FuelRule rule : {FuelRule::Same, FuelRule::Any, FuelRule::Less})
        expect_right(pair, rows, rule, tally);
    }
  }
  EXPECT_GT(tally.refuted, tally.unknown);
  RecordProperty("proved", static_cast<int>(tally.proved));
  RecordProperty("refuted", static_cast<int>(tally.refuted));
  RecordProperty("unknown", static_cast<int>(tally.unknown));
}

TEST(Mutants, OfProgramsAreNeverProvedEqualIfAnyCaseShowsADifference) {
  KOMUZ_NEEDS_PROVER();
  Tally tally;
  const u64 count = seeds(120);
  for (u64 seed = 0; seed < count && !HasFailure(); ++seed) {
    gen::Options options;
    options.functions = static_cast<u32>(1 + seed % 4);
    options.statements = static_cast<u32>(1 + seed % 3);
    options.depth = 3;
    options.tests = false;
    options.containers = seed % 3 == 0;
    const std::string source = gen::generate_program(seed, options);
    const Code code = compiled(source);
    const u32 entry = entry_of(code);
    const Function& f = code.functions[entry];
    const CodeView view = code.view();
    if (takes_slices(code, entry)) continue;
    const auto rows =
        transposed(gen::generate_values(seed, view.parameter_types(f), 300), f.parameter_slots);
    Random random(seed);
    for (u32 turn = 0; turn < 3; ++turn) {
      Code other = code;
      const u32 function = random.below(other.functions.size());
      if (!change_code(other, code.functions[function], random) || !is_checked(other)) continue;
      SCOPED_TRACE("seed " + std::to_string(seed) + ", turn " + std::to_string(turn) + "\n" +
                   source);
      expect_right(ProofPair(code, other, entry), rows, FuelRule::Same, tally);
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source);
    const Code plain = compiled(source, true);
    expect_right(ProofPair(code, plain, entry), rows, FuelRule::Same, tally);
  }
  EXPECT_GT(tally.proved, count / 2);
  EXPECT_GT(tally.refuted, tally.unknown);
}

TEST(Mutants, ThatDoTheSameAreProvedEqual) {
  KOMUZ_NEEDS_PROVER();
  Tally tally;
  u32 asked = 0;
  const u64 count = seeds(150);
  for (u64 seed = 0; seed < count && !HasFailure(); ++seed) {
    gen::Options options;
    options.functions = static_cast<u32>(1 + seed % 4);
    options.statements = static_cast<u32>(1 + seed % 3);
    options.depth = 3;
    options.tests = false;
    options.containers = seed % 3 == 0;
    const std::string source = gen::generate_program(seed, options);
    const Code code = compiled(source);
    const u32 entry = entry_of(code);
    if (takes_slices(code, entry)) continue;
    Random random(seed);
    Rewriter rewriter(code, random);
    Code other = rewriter.run();
    if (rewriter.replaced == 0 || !is_checked(other)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + source);
    const auto rows = transposed(
        gen::generate_values(seed, code.view().parameter_types(code.functions[entry]), 50),
        code.functions[entry].parameter_slots);
    ++asked;
    expect_right(ProofPair(code, other, entry), rows, FuelRule::Same, tally);
  }
  EXPECT_GT(asked, count / 2);
  EXPECT_EQ(tally.refuted, 0u);
  EXPECT_GT(tally.proved * 20, asked * 19) << tally.unknown << " are unknown";
}

}  // namespace
}  // namespace komuz::test
