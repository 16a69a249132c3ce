// SPDX-License-Identifier: Apache-2.0
// Cheaper code does not show in results: places and depths of traps are those of the code as it is, whenever a program moves. Who finds
// it is tested elsewhere (tests/neural/tier_test.cpp); here it is what a test says.
#include "engine/native/cheaper_code.h"

#include <map>

#include "frontend_gpu/frontend.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/native/tier_programs.h"

namespace komuz::engine::test {
namespace {

// Gives the code of another text for that of a text.
class OtherTexts final : public CheaperCode {
 public:
  OtherTexts(std::map<std::string, std::string> texts, bool for_all, f64 notice_ns = 1)
      : is_for_all_(for_all), notice_ns_(notice_ns) {
    frontend::Compiler compiler;
    for (const auto& [text, other] : texts) {
      frontend::Compilation from, to;
      compiler.compile(text, from);
      compiler.compile(other, to);
      EXPECT_TRUE(from.ok && to.ok) << text;
      pairs_.push_back({std::move(from.code), std::make_shared<const Code>(std::move(to.code))});
    }
  }
  bool is_for_all() const override { return is_for_all_; }
  f64 notice_ns() const override { return notice_ns_; }
  CheaperAnswer find(const RunToCome& run, const std::stop_token&) override {
    ++asked;
    asked_ns = run.asked_ns;
    waiting_ns = run.waiting_ns;
    if (faults != 0) return {};
    for (const auto& [from, to] : pairs_)
      if (std::ranges::equal(from.instructions, run.code.instructions) &&
          std::ranges::equal(from.constants, run.code.constants))
        return {to, {.reason = 7, .saved_share = 0.1}};
    return {};
  }
  void note_fault(const RunToCome&) override { ++faults; }
  void tell(std::string_view id, const CheaperUse& use) override {
    told.push_back(std::string(id));
    uses.push_back(use);
  }

  u64 asked = 0, faults = 0;
  f64 asked_ns = -1, waiting_ns = -1;
  std::vector<std::string> told;
  std::vector<CheaperUse> uses;

 private:
  const bool is_for_all_;
  const f64 notice_ns_;
  std::vector<std::pair<Code, std::shared_ptr<const Code>>> pairs_;
};

constexpr const char* kTraps = "pub fn f(n: i64) -> i64 { n * 2 + 0 / (n - 700) }";
// The same values, traps and ticks, with the traps at other places.
constexpr const char* kSameTraps = "pub fn f(n: i64) -> i64 { 0 / (n - 700) + n * 2 }";
constexpr const char* kDeep =
    "fn g(n: i64, d: i64) -> i64 rec 9 { if d == 0 { 7 / (n - 500) } else { g(n, d - 1) } }\n"
    "pub fn f(n: i64) -> i64 { g(n, 6) }";
constexpr const char* kSameDeep =
    "fn g(n: i64, d: i64) -> i64 rec 9 { if d != 0 { g(n, d - 1) } else { 7 / (n - 500) } }\n"
    "pub fn f(n: i64) -> i64 { g(n, 6) }";
constexpr const char* kLoop =
    "pub fn f(n: i64) -> i64 { var t = 0; for i in 0..(n % 40) * 50 { t = (t + i) % 97; } t }";
constexpr const char* kSameLoop =
    "pub fn f(n: i64) -> i64 { var t = 0; for i in 0..50 * (n % 40) { t = (i + t) % 97; } t }";
const std::map<std::string, std::string> kOthers = {
    {kTraps, kSameTraps}, {kDeep, kSameDeep}, {kLoop, kSameLoop}};

std::string report(const std::vector<Candidate>& candidates, EvaluateOptions options,
                   CheaperCode* cheaper) {
  options.machines.cheaper = cheaper;
  return report_of(evaluate_all(candidates, options, many_cases(1500)));
}

TEST(CheaperCode, ShowsInNoReport) {
  const std::vector<Candidate> candidates = {
      {"traps", kTraps, {}}, {"deep", kDeep, {}}, {"loop", kLoop, {}}};
  for (const u64 fuel : {u64{1'000'000}, u64{400}, u64{3}})
    for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::AbsoluteError})
      for (const u32 threads : {1u, 2u}) {
        EvaluateOptions options;
        options.limits.fuel = fuel;
        options.ranking.score = score;
        options.machines.threads = threads;
        const std::string wanted = report(candidates, options, nullptr);
        for (const bool for_all : {false, true}) {
          OtherTexts source(kOthers, for_all);
          EXPECT_EQ(report(candidates, options, &source), wanted) << fuel << " " << for_all;
          EXPECT_EQ(source.faults, 0u);
          ASSERT_EQ(source.told, (std::vector<std::string>{"traps", "deep", "loop"}));
          for (const CheaperUse& use : source.uses) {
            EXPECT_TRUE(use.was_run);
            // With little fuel some are over after a slice.
            if (fuel < 1'000'000) continue;
            EXPECT_TRUE(use.is_cheaper);
            EXPECT_EQ(use.way.reason, 7u);
            EXPECT_NE(use.cheaper_cases, 0u);
            EXPECT_TRUE(!for_all || use.cases == 0);
          }
          // Nothing is known of the first one before it has run.
          EXPECT_EQ(source.uses[0].cases == 0, for_all);
        }
      }
}

TEST(CheaperCode, IsAskedWhereEnoughIsWaiting) {
  const std::vector<Candidate> one = {{"loop", kLoop, {}}};
  OtherTexts eager(kOthers, false);
  static_cast<void>(report(one, {}, &eager));
  EXPECT_EQ(eager.asked, 1u);
  EXPECT_EQ(eager.asked_ns, 0);
  EXPECT_GT(eager.waiting_ns, 0);
  OtherTexts patient(kOthers, false, 1e15);
  static_cast<void>(report(one, {}, &patient));
  EXPECT_EQ(patient.asked, 0u);
  ASSERT_EQ(patient.uses.size(), 1u);
  EXPECT_FALSE(patient.uses[0].was_asked);
  // What other machines run is no question.
  EvaluateOptions reference;
  reference.machines.machine = MachineKind::Reference;
  OtherTexts idle(kOthers, true);
  static_cast<void>(report(one, reference, &idle));
  EXPECT_EQ(idle.asked, 0u);
  EXPECT_FALSE(idle.uses[0].was_run);
}

// Programs that are as long as those before them are asked about before their first case.
TEST(CheaperCode, IsAskedFirstWhereOthersWereLong) {
  std::vector<std::string> texts;
  for (u32 k = 0; k < 20; ++k)
    texts.push_back("pub fn f(n: i64) -> i64 { var t = " + std::to_string(k) +
                    "; for i in 0..2000 { t = (t + i) % 97; } t }");
  std::vector<Candidate> candidates;
  for (const std::string& text : texts) candidates.push_back({"c", text, {}});
  EvaluateOptions options;
  options.machines.threads = 1;
  options.machines.cheaper = nullptr;
  OtherTexts source({}, false, 1000);
  options.machines.cheaper = &source;
  // A single slice, between which nothing is asked.
  static_cast<void>(evaluate_all(candidates, options, many_cases(64)));
  EXPECT_EQ(source.asked, 19u);
}

// Code that is not the same, which no proof lets through, is seen where it traps otherwise. Nothing of it counts.
TEST(CheaperCode, ThatTrapsOtherwiseIsDropped) {
  const std::vector<Candidate> candidates = {{"traps", kTraps, {}}, {"deep", kDeep, {}}};
  EvaluateOptions options;
  options.ranking.score = ScoreKind::AbsoluteError;
  options.machines.threads = 1;
  const std::string wanted = report(candidates, options, nullptr);
  for (const bool for_all : {false, true}) {
    OtherTexts source(
        {{kTraps, "pub fn f(n: i64) -> i64 { assert n != 700; n * 2 + 0 / (n - 701) }"},
         {kDeep, kSameDeep}},
        for_all);
    EXPECT_EQ(report(candidates, options, &source), wanted);
    EXPECT_EQ(source.faults, 1u);
    EXPECT_TRUE(source.uses[0].was_wrong);
  }
}

// Nothing of the wrong trap stays where the code as it is does not trap at all.
TEST(CheaperCode, ThatTrapsAloneLeavesNoFailure) {
  constexpr const char* kRight = "pub fn f(n: i64) -> i64 { n % 13 }";
  const std::vector<Candidate> candidates = {{"right", kRight, {}}};
  const std::string cases = many_cases(1500);
  EvaluateOptions options;
  for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::AbsoluteError}) {
    options.ranking.score = score;
    options.machines.cheaper = nullptr;
    const Results wanted = evaluate_all(candidates, options, cases);
    OtherTexts source({{kRight, "pub fn f(n: i64) -> i64 { assert n != 700; n % 13 }"}}, true);
    options.machines.cheaper = &source;
    const Results found = evaluate_all(candidates, options, cases);
    EXPECT_EQ(source.faults, 1u);
    EXPECT_EQ(found.rows[0].passed, 1500u);
    EXPECT_EQ(report_of(found), report_of(wanted));
  }
}

}  // namespace
}  // namespace komuz::engine::test
