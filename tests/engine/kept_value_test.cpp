// SPDX-License-Identifier: Apache-2.0
// Values of failures: values that are too long are shown at their difference.
#include "engine/values/kept_value.h"

#include <gtest/gtest.h>

#include "engine/log/merge_logs.h"
#include "engine/results/failure_text.h"
#include "tests/engine/log/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

std::string shown(std::string_view a, std::string_view b) {
  const std::optional<Difference> difference = first_difference(a, b);
  if (!difference) return "the same";
  EXPECT_EQ(difference_at(a, difference->at).element, difference->element) << a;
  EXPECT_EQ(difference_at(b, difference->at).element, difference->element) << b;
  return difference->element + " " + std::string(part_at(a, difference->at)) + " | " +
         std::string(part_at(b, difference->at));
}

TEST(KeptValue, TheFirstDifferenceIsAnElement) {
  EXPECT_EQ(shown("[1, 2, 3]", "[1, 2, 3]"), "the same");
  EXPECT_EQ(shown("[1, 27, 3]", "[1, 28, 3]"), "[1] 27, 3] | 28, 3]");
  EXPECT_EQ(shown("[1, 2]", "[1, 23]"), "[1] 2] | 23]");
  EXPECT_EQ(shown("[]", "[5]"), "[0] ] | 5]");
  EXPECT_EQ(shown("[1, 2]", "[1, 2, 3]"), "[2] ] | , 3]");
  EXPECT_EQ(shown("[[1], [2, 3]]", "[[1], [2, 4]]"), "[1][1] 3]] | 4]]");
  EXPECT_EQ(shown("[[1], [2]]", "[[1], [2], [3]]"), "[2] ] | , [3]]");
  EXPECT_EQ(shown("[[1, 2], 3]", "[[1], 3]"), "[0][1] , 2], 3] | ], 3]");
  EXPECT_EQ(shown(R"({"x": 1, "ys": [1, 2]})", R"({"x": 1, "ys": [1, 3]})"), ".ys[1] 2]} | 3]}");
  EXPECT_EQ(shown(R"({"x": 1, "y": 2})", R"({"x": 3, "y": 2})"), R"(.x 1, "y": 2} | 3, "y": 2})");
  EXPECT_EQ(shown(R"([1, {"Circle": 1}])", R"([1, {"Cube": 1}])"),
            R"([1] {"Circle": 1}] | {"Cube": 1}])");
  EXPECT_EQ(shown(R"(["Empty", null])", R"(["Empty", 1])"), "[1] null] | 1]");
  EXPECT_EQ(shown(R"("abc")", R"("abd")"), R"([2] "c" | "d")");
  EXPECT_EQ(shown(R"("abc")", R"("abcd")"), R"([3] "" | "d")");
  EXPECT_EQ(shown(R"("a\n\u00e9x")", R"("a\n\u00e8x")"), R"([2] "\u00e9x" | "\u00e8x")");
  EXPECT_EQ(shown("\"aäb\"", "\"aöb\""), "[1] \"äb\" | \"öb\"");
  EXPECT_EQ(shown("12", "13"), " 12 | 13");
}

// Characters in a text neither end a list nor separate its elements.
TEST(KeptValue, ADifferenceInATextIsNoElement) {
  std::string a(5000, 'a'), b = a;
  a.replace(4000, 2, "]b");
  b.replace(4000, 2, ", ");
  for (std::string* const text : {&a, &b}) *text = "\"" + *text + "\"";
  const std::optional<Difference> difference = first_difference(a, b);
  ASSERT_TRUE(difference);
  const std::string behind(98, 'a');
  EXPECT_EQ(cut_text(part_of(a, difference), difference->element),
            "… at [4000]: \"]b" + behind + "…");
  EXPECT_EQ(cut_text(part_of(b, difference), difference->element),
            "… at [4000]: \", " + behind + "…");
}

// Cut anywhere, nothing is read that is not there.
TEST(KeptValue, AnyTwoTextsHaveADifference) {
  const std::string a =
      R"([{"x": [1, 2.5, null], "s": "a\u00e9\"\\"}, {"y": {"z": []}}, "ä", [[], [3]]])";
  for (size_t k = 0; k < a.size(); ++k) {
    for (const char c : {']', '}', '"', '7', ',', '\\', '['}) {
      std::string b = a;
      b[k] = c;
      if (a == b) continue;
      const std::optional<Difference> difference = first_difference(a, b);
      ASSERT_TRUE(difference);
      EXPECT_LE(difference->at, k);
    }
    EXPECT_TRUE(first_difference(a, a.substr(0, k)));
  }
}

constexpr const char* kSwapped =
    "pub fn f(n: i64) -> List[i64, 3000] { (0..n).map(i => (if i == 812 { -7 } else { i "
    "})).list(3000) }";
constexpr const char* kShorter =
    "pub fn f(n: i64) -> List[i64, 3000] { (0..n - 1).map(i => i).list(3000) }";
constexpr const char* kShort =
    "pub fn f(n: i64) -> List[i64, 3000] { (0..3).map(i => i).list(3000) }";
constexpr const char* kTraps = "pub fn f(n: i64) -> List[i64, 3000] { [n / (n - 3000)] }";

std::string long_case() {
  std::string expected = "[0";
  for (u32 k = 1; k < 3000; ++k) expected += ", " + std::to_string(k);
  return "n,expected\n3000,\"" + expected + "]\"\n";
}

TEST(KeptValue, FailuresShowWhereLongResultsDiffer) {
  const Folder folder;
  LoggedRun run{{{"swapped", kSwapped, {}},
                 {"shorter", kShorter, {}},
                 {"short", kShort, {}},
                 {"traps", kTraps, {}}},
                table_of(long_case()),
                {}};
  const std::string path = folder.file("log");
  const Shown whole = run.show(Open::Create, path);
  const auto has = [&](std::string_view text) {
    EXPECT_NE(whole.report.find(text), std::string::npos) << text;
  };
  has(R"("differs_at": 3951, "element": "[812]", "there": "812, 813, )");
  has(R"("differs_at": 3951, "element": "[812]", "there": "-7, 813, )");
  has(R"("element": "[2999]", "there": ", 2999]"})");
  has(R"("element": "[2999]", "there": "]"})");
  has(R"("actual": [0, 1, 2], "cut": [{"of": "expected", "bytes": 16890, "begin": "[0, 1, )");
  has(R"("differs_at": 8, "element": "[3]", "there": ", 3, 4, )");
  const size_t trapped = whole.report.find("\"id\": \"traps\"");
  const std::string of_traps =
      whole.report.substr(trapped, whole.report.find('\n', trapped) - trapped);
  EXPECT_NE(of_traps.find("\"cut\": [{\"of\": \"expected\", "), std::string::npos) << of_traps;
  EXPECT_EQ(of_traps.find("differs_at"), std::string::npos) << of_traps;

  // A log tells the same, and goes on with it.
  const std::string log = content(path);
  put(path, std::string_view(log).substr(0, log.size() - 900));
  EXPECT_TRUE(run.show(Open::Resume, path) == whole);
  Results merged;
  MergedLogs logs;
  const std::vector<std::string> paths = {path};
  const Problem error = logs.read(paths, merged);
  ASSERT_FALSE(error) << error.text();
  EXPECT_TRUE(report_of(logs, merged) == whole.report);

  const Results results = evaluate_all(run.candidates, {}, long_case());
  const auto text_of = [&](u32 row) {
    const FailureText failure = *findings_of(results, row).failure;
    return failure.expected + " | " + failure.actual;
  };
  EXPECT_TRUE(text_of(0).starts_with("… at [812]: 812, 813, ")) << text_of(0);
  EXPECT_NE(text_of(0).find("… | … at [812]: -7, 813, "), std::string::npos) << text_of(0);
  EXPECT_EQ(text_of(1), "… at [2999]: 2999] | … at [2999]: nothing");
  EXPECT_TRUE(text_of(2).starts_with("… at [3]: 3, 4, ")) << text_of(2);
  EXPECT_TRUE(text_of(2).ends_with("… | [0, 1, 2]")) << text_of(2);
  EXPECT_TRUE(text_of(3).ends_with("… | trap DIV_ZERO")) << text_of(3);
}

}  // namespace
}  // namespace komuz::engine
