// SPDX-License-Identifier: Apache-2.0
// Entries with slices: their form in cases; and the function that calls such an entry does not show.
#include "engine/cases/slice_entry.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/run/candidate_scorer.h"
#include "lang/check/check_code.h"
#include "lang/text/code_text.h"

namespace komuz::engine {
namespace {

// The sum of scale * x, a tick each; then `tail`, the last of some pairs.
constexpr std::string_view kCode = R"(
constant 0
constant 1
constant 2
pub fn sum(xs: [i64], scale: i64) -> i64 place=10
  slots i64 &i64 i64 i64 i64 i64 i64
    LOAD_CONST i64 #0
    STORE_VAR i64 6
    LOAD_CONST i64 #0
    STORE_VAR i64 3
    LOAD_VAR i64 0
    STORE_VAR i64 4
    LOOP ->end
    FOR_NEXT i64 3 0
    TICK
    LOAD_VAR &i64 1
    LOAD_VAR i64 5
    LOAD_REF i64 1
    LOAD_VAR i64 2
    BINARY_MUL i64 @77
    LOAD_VAR i64 6
    BINARY_ADD i64
    STORE_VAR i64 6
  end:
    END ->6
    LOAD_VAR i64 6
    RETURN
fn tail(n: i64, xs: [(u8, [f32; 2])], b: Bytes[2]) -> (i64, u8, [f32; 2], Bytes[2])
  slots i64 i64 &u8 &f32 i64 u8 u8
    LOAD_VAR i64 0
    LOAD_VAR &u8 2
    LOAD_VAR i64 1
    LOAD_CONST i64 #1
    BINARY_SUB i64
    LOAD_REF u8 1
    LOAD_VAR &f32 3
    LOAD_VAR i64 1
    LOAD_CONST i64 #1
    BINARY_SUB i64
    LOAD_CONST i64 #2
    BINARY_MUL i64
    LOAD_REF f32 2
    LOAD_VARS 4 3
    RETURN
)";

struct CasesRun {
  Code code;
  Suite suite;
  u32 entry = 0;
  std::vector<u64> values, fuel;
  std::vector<Trap> traps;
  std::vector<u32> places, depths;
  Tally tally;

  OutcomesView view() { return {values, traps, places, depths, fuel}; }
  [[nodiscard]] std::string value(u32 row) const {
    std::vector<u64> cells;
    for (size_t k = 0; k < suite.result_types.size(); ++k)
      cells.push_back(values[k * suite.count + row]);
    std::string out;
    print_value(out, suite.signature.result_type, cells, ValueStyle::Text);
    return out;
  }
};

CasesRun run_cases(std::string_view entry, std::string cases, u64 budget = kDefaultFuel) {
  CasesRun run;
  EXPECT_FALSE(assemble(kCode, run.code));
  EXPECT_EQ(check_code(run.code.view(), run.code.functions).reason, "");
  run.entry = static_cast<u32>(run.code.view().find_function(entry));
  CasesTable table;
  EXPECT_FALSE(read_jsonl_cases("c.jsonl", std::move(cases), {}, table));
  const Problem error =
      make_suite(table, signature_of(run.code.view(), run.code.functions[run.entry]), run.suite);
  EXPECT_FALSE(error) << error.text();
  EXPECT_EQ(add_slice_entry(run.code, run.entry, run.suite.case_types), "");
  const u32 count = run.suite.count;
  run.values.resize(run.suite.result_types.size() * count);
  run.fuel.resize(count);
  run.traps.resize(count);
  run.places.resize(count);
  run.depths.resize(count);
  std::vector<ArgumentColumn> columns;
  vm::run_reference(
      {run.code.view(), run.entry, run.suite.view(0, count, columns), slice_entry_fuel(budget)},
      run.view());
  hide_slice_entry(run.code.view(), run.entry, run.view());
  return run;
}

TEST(SliceEntry, CasesHoldTheLongestOfTheirSlices) {
  const auto type_of = [](std::string_view type, std::vector<std::string_view> texts) {
    const std::string code =
        read_signature("fn(x: " + std::string(type) + ") -> ()").value().parameter_types;
    const CaseType found = case_type(std::string_view(code).substr(2), texts, ValueStyle::Text);
    return found.error ? std::to_string(found.text) + ": " + found.error->message
                       : type_text(found.code);
  };
  EXPECT_EQ(type_of("[i64]", {"[1]", "[1, 2, 3]", "[]"}), "List[i64, 3]");
  EXPECT_EQ(type_of("[u8]", {"\"abcd\"", "[1]"}), "Bytes[4]");
  EXPECT_EQ(type_of("[f64]", {"[]"}), "List[f64, 0]");
  EXPECT_EQ(type_of("[()]", {"[(), ()]"}), "List[(), 2]");
  EXPECT_EQ(type_of("(bool, [Bytes[2]], [i64], [u8; 1])",
                    {R"((true, ["ab", "", "c"], [], [1]))", "(true, [], [1], [2])"}),
            "(bool, List[Bytes[2], 3], List[i64, 1], [u8; 1])");
  EXPECT_EQ(type_of("V(x: [i64], y: Option[i64])", {"V(y: None, x: [1, 2])"}),
            "V(x: List[i64, 2], y: Option[i64])");
  EXPECT_EQ(type_of("[i64]", {"[1]", "[1, x]"}), "1: `x` is no i64");
  const std::string slice = {kSliceCode, static_cast<char>(Scalar::I64)};
  const std::string_view broken[] = {"[1, 2"};
  EXPECT_EQ(case_type(slice, broken, ValueStyle::Text).error->remedy, "the type is [i64]");
  EXPECT_EQ(type_of("List[i64, 9]", {"x"}), "List[i64, 9]") << "read later";
}

TEST(SliceEntry, GivesWhatTheEntryGives) {
  const CasesRun run = run_cases("sum", R"({"args": [[1, 2, 3], 10], "expected": 60}
{"args": [[], 3], "expected": 0}
{"args": [[-7, 8], 1], "expected": 1}
{"args": [[9223372036854775807, 1], 2], "trap": "OVERFLOW"}
)");
  EXPECT_EQ(type_text(run.suite.case_types), "(List[i64, 3], i64)");
  EXPECT_EQ(run.suite.signature.text(), "(xs: [i64], scale: i64) -> i64");
  EXPECT_EQ(run.values, (std::vector<u64>{60, 0, 1, 0}));
  EXPECT_EQ(run.fuel, (std::vector<u64>{4, 1, 3, 2}));
  EXPECT_EQ(run.traps[3], Trap::Overflow);
  EXPECT_EQ(run.places, (std::vector<u32>{0, 0, 0, 13}));
  EXPECT_EQ(run.depths, (std::vector<u32>{0, 0, 0, 1}));
  EXPECT_EQ(run.code.view().name(run.code.functions[run.entry]), "sum");
}

TEST(SliceEntry, ElementsOfSeveralBlocks) {
  const CasesRun run = run_cases(
      "tail", R"({"args": [5, [[1, [1, 2]], [2, [3, 4]]], "a"], "expected": [5, 2, [3, 4], "a"]}
{"args": [6, [[3, [5, 6]]], ""], "expected": [6, 3, [5, 6], ""]}
{"args": [7, [], "xy"], "trap": "INDEX"}
)");
  EXPECT_EQ(run.value(0), "(5, 2, [3.0, 4.0], \"a\")");
  EXPECT_EQ(run.value(1), "(6, 3, [5.0, 6.0], \"\")");
  EXPECT_EQ(run.traps[2], Trap::Index);
}

TEST(SliceEntry, SlicesThatAreAllEmpty) {
  const CasesRun run = run_cases("tail", R"({"args": [7, [], "xy"], "trap": "INDEX"})");
  EXPECT_EQ(type_text(run.suite.case_types), "(i64, List[(u8, [f32; 2]), 0], Bytes[2])");
  EXPECT_EQ(run.traps[0], Trap::Index);
  EXPECT_EQ(run.fuel[0], 1u);
}

TEST(SliceEntry, TheBudgetIsThatOfTheEntry) {
  for (u64 budget = 0; budget <= 5; ++budget) {
    SCOPED_TRACE(budget);
    const CasesRun run = run_cases("sum", R"({"args": [[1, 2, 3], 10], "expected": 60})", budget);
    EXPECT_EQ(run.traps[0], budget < 4 ? Trap::Fuel : Trap::None);
    EXPECT_EQ(run.fuel[0], std::min<u64>(budget, 4));
    EXPECT_EQ(run.depths[0], budget < 4 ? 1u : 0u);
    EXPECT_EQ(run.places[0], budget == 0 || budget >= 4 ? 0u : 8u) << "the tick of the loop";
  }
  EXPECT_EQ(slice_entry_fuel(~u64{0}), ~u64{0});
}

TEST(SliceEntry, WhatDoesNotFitIntoTheStackIsRefused) {
  Code code;
  ASSERT_FALSE(assemble(kCode, code));
  u32 entry = 0;
  const std::string types = {kTupleCode,
                             2,
                             kListCode,
                             0,
                             0x40,
                             static_cast<char>(Scalar::I64),
                             static_cast<char>(Scalar::I64)};
  EXPECT_NE(add_slice_entry(code, entry, types), "") << "128 KiB of 64";
  EXPECT_EQ(entry, 0u);
  ASSERT_FALSE(assemble(kCode, code));
  EXPECT_EQ(add_slice_entry(code, entry, types, 256u << 10), "");
  EXPECT_EQ(entry, 2u);
}

// As workers and devices score: outcomes of the added function become those of the entry on the way.
TEST(SliceEntry, AScorerSeesTheEntry) {
  CasesRun run = run_cases("sum", R"({"args": [[1, 2, 3], 10], "expected": 60}
{"args": [[4], 3], "expected": 13}
)");
  std::vector<ArgumentColumn> columns;
  vm::BatchMachine machine;
  machine.run({run.code.view(), run.entry, run.suite.view(0, 2, columns), slice_entry_fuel(100)},
              run.view());
  EvaluateOptions options;
  CandidateScorer scorer(options);
  CandidateResult result;
  scorer.begin(run.suite);
  scorer.add(run.code.view(), "", 0, 2, run.view(), result);
  scorer.finish(result);
  EXPECT_EQ(result.row.passed, 1u);
  EXPECT_EQ(result.row.fuel, 4u + 2u);
  EXPECT_EQ(result.failure.case_index, 1u);
}

}  // namespace
}  // namespace komuz::engine
