// SPDX-License-Identifier: Apache-2.0
// Bytecode whose entry takes and returns compound values: cases in, outcomes scored, the failure in the report.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/results/score.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"

namespace komuz::engine {
namespace {

// The first element of a list, and the list.
constexpr std::string_view kFirst = R"(
constant 0
constant 1
pub fn first(xs: List[i64, 3]) -> (Option[i64], List[i64, 3])
  slots i64 i64 i64 i64
    LOAD_VAR i64 0
    LOAD_CONST i64 #0
    COMPARE_EQ i64
    JUMP_IF_FALSE 1 ->some
    LOAD_CONST u8 #0
    LOAD_CONST i64 #0
    JUMP 2 ->merge
  some:
    LOAD_CONST u8 #1
    LOAD_VAR i64 1
  merge:
    LOAD_VARS 0 4
    RETURN
)";
constexpr std::string_view kCases = R"({"xs": [7, 8], "expected": [7, [7, 8]]}
{"xs": [], "expected": [null, []]}
{"xs": [0], "expected": [null, [0]]}
{"xs": [1, 2, 3], "expected": [1, [1, 2]]}
)";

TEST(CompoundRun, FromCasesToTheReport) {
  Code code;
  ASSERT_FALSE(assemble(kFirst, code));
  ASSERT_EQ(check_code(code.view(), code.functions).reason, "");
  CasesTable table;
  ASSERT_FALSE(read_jsonl_cases("c.jsonl", std::string(kCases), {}, table));
  Results results;
  const Signature signature = signature_of(code.view(), code.functions[0]);
  EXPECT_EQ(signature.text(), "(xs: List[i64, 3]) -> (Option[i64], List[i64, 3])");
  const Problem error = make_suite(table, signature, results.suite);
  ASSERT_FALSE(error) << error.text();
  const Suite& suite = results.suite;

  std::vector<ArgumentColumn> columns;
  std::vector<u64> values(suite.result_types.size() * suite.count), fuel(suite.count);
  std::vector<Trap> traps(suite.count);
  std::vector<u32> places(suite.count), depths(suite.count);
  const OutcomesView outcomes{values, traps, places, depths, fuel};
  vm::run_reference({code.view(), 0, suite.view(0, suite.count, columns), kDefaultFuel}, outcomes);
  Scorer scorer(suite, ScoreKind::Exact, 0);
  scorer.begin();
  scorer.add(suite.count, outcomes);
  const Tally tally = scorer.finish();
  EXPECT_EQ(tally.passed, 2u);
  ASSERT_EQ(tally.first_failure, 2u);

  Failure failure;
  failure.case_index = tally.first_failure;
  std::vector<u64> cells;
  for (size_t cell = 0; cell < suite.result_types.size(); ++cell)
    cells.push_back(values[cell * suite.count + failure.case_index]);
  failure.actual.keep(suite.signature.result_type, cells);
  results.failures.push_back(failure);
  results.rows.emplace_back().first_failure = 0;
  results.rows[0].status = Status::Wrong;
  results.add_id("a");
  std::string json;
  write_row_json(json, results, 0);
  EXPECT_NE(json.find(R"({"case": 2, "line": 3, "args": {"xs": [0]}, "expected": [null, [0]], )"
                      R"("actual": [0, [0]]})"),
            std::string::npos)
      << json;
}

}  // namespace
}  // namespace komuz::engine
