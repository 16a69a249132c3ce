// SPDX-License-Identifier: Apache-2.0
// Candidates whose entry has a signature that an option states: which of their functions it is, and the edits for
// candidates that do not state it.
#include "mend/stated_entry.h"

#include <gtest/gtest.h>

#include "engine/cases/signature.h"
#include "services/apply_edits.h"
#include "tests/engine/evaluations.h"

namespace komuz::engine {
namespace {

using namespace test;

constexpr std::string_view kSignature = "pub fn f(x: f64, y: f64) -> f64";

std::string stated(std::string_view source, EntryName name = EntryName::Any) {
  const auto entry = with_stated_entry(source, kSignature, name);
  return entry ? entry->text : "";
}

TEST(StatedEntry, AFunctionGetsTheTypes) {
  EXPECT_EQ(stated("def g(a, b):\n    return a + b"),
            "def g(a: f64, b: f64) -> f64:\n    return a + b");
  EXPECT_EQ(stated("fn g(x, y) { x }"), "fn g(x: f64, y: f64) -> f64 { x }");
  EXPECT_EQ(stated("fn g(n) { g(n - 1) }"), "") << "others in number";
  EXPECT_EQ(stated("fn g(y, x) { x }"), "") << "in another order";
  EXPECT_EQ(stated("fn g(x: f64, y: f64) -> f64 { x }"), "") << "as it is";
  EXPECT_EQ(stated("fn g(x, y) { x }\nfn h(x, y) { g(x, y) }"), "") << "which one?";
}
TEST(StatedEntry, AFunctionGetsTheNameWhereThatCounts) {
  EXPECT_EQ(stated("pub fn g(x: f64, y: f64) -> f64 { x }", EntryName::Stated),
            "pub fn f(x: f64, y: f64) -> f64 { x }");
  EXPECT_EQ(stated("fn g(x, y) { if x > 0.0 { g(x - 1.0, y) } else { y } }", EntryName::Stated),
            "fn f(x: f64, y: f64) -> f64 { if x > 0.0 { f(x - 1.0, y) } else { y } }");
}
TEST(StatedEntry, AnExpressionBecomesTheBody) {
  EXPECT_EQ(stated("x + y"), "pub fn f(x: f64, y: f64) -> f64 { x + y }\n");
  EXPECT_EQ(stated("let t = x + y;\nt * t\n"),
            "pub fn f(x: f64, y: f64) -> f64 {\nlet t = x + y;\nt * t\n}\n");
  EXPECT_EQ(stated("lambda a, b: a + b"), "pub fn f(a: f64, b: f64) -> f64 { a + b }\n");
  EXPECT_EQ(stated("(a, b) => a + b"), "pub fn f(a: f64, b: f64) -> f64 { a + b }\n");
  EXPECT_EQ(stated("lambda a: a"), "") << "others in number";
  EXPECT_EQ(stated("const K: f64 = 1;"), "");
  EXPECT_EQ(stated(""), "");
}

TEST(StatedEntry, IsTakenWithoutAWordWhereItIsCertain) {
  EvaluateOptions options;
  options.programs.signature = read_signature("fn(x: f64, y: f64) -> f64").value();
  const std::vector<Candidate> pool = {
      {"alone", "fn g(x: f64, y: f64) -> f64 { x + y }", {}},
      {"of two", "fn h(t: f64) -> f64 { t }\nfn g(x: f64, y: f64) -> f64 { h(x) + y }", {}},
      {"of two public",
       "pub fn h(t: f64) -> f64 { t }\npub fn g(x: f64, y: f64) -> f64 { x + y }",
       {}},
      {"which", "fn h(x: f64, y: f64) -> f64 { x }\nfn g(x: f64, y: f64) -> f64 { x + y }", {}},
  };
  const Results results = evaluate_all(pool, options, "x,y,expected\n1,2,3\n2,3,5\n");
  for (const u32 row : {0u, 1u, 2u}) EXPECT_EQ(results.rows[row].status, Status::Ok) << row;
  EXPECT_EQ(results.rows[3].status, Status::Refused);
}

TEST(StatedEntry, IsMendedWithTheOtherErrors) {
  EvaluateOptions options;
  options.programs.signature = read_signature("fn(x: f64, y: f64) -> f64").value();
  options.programs.fix = [](frontend::Compiler& compiler, std::string_view source,
                            const std::stop_token& stop) {
    services::Fixed fixed = services::fix_source(compiler, source, services::FixKind::All, stop);
    FixedSource out{std::move(fixed.text), {}};
    for (services::AppliedFix& fix : fixed.fixes)
      out.fixes.push_back({diagnostic_row(fix.code).code, fix.line, std::move(fix.message)});
    return out;
  };
  const std::vector<Candidate> pool = {
      {"def", "def g(a, b):\n    return a + b", {}},
      {"expression", "Max(x, y) + np.minimum(x, y)", {}},
      {"lambda", "lambda x, y: x + y", {}},
      {"lost", "x + z", {}},
  };
  const Results results = evaluate_all(pool, options, "x,y,expected\n1,2,3\n2,3,5\n");
  for (const u32 row : {0u, 1u, 2u}) {
    EXPECT_EQ(results.rows[row].status, Status::Ok) << row;
    EXPECT_TRUE(results.rows[row].fixed) << row;
  }
  EXPECT_EQ(results.rows[3].status, Status::CompileError);
}

}  // namespace
}  // namespace komuz::engine
