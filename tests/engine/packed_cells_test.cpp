// SPDX-License-Identifier: Apache-2.0
// Packed cells of failures, and failures whose values are too long.
#include "engine/values/packed_cells.h"

#include "base/random.h"
#include "engine/results/failure_text.h"
#include "engine/results/read_details.h"
#include "tests/engine/log/logged_runs.h"

namespace komuz::engine {
namespace {

using namespace test;

std::string packed(std::span<const u64> cells) {
  std::string out;
  pack_cells(cells, out);
  return out;
}

TEST(PackedCells, AreTheCells) {
  Random random(7);
  std::vector<std::vector<u64>> lists = {{},        {0},          {1},         {0, 0},
                                         {~u64{0}}, {0, 0, 0, 5}, {5, 0, 0, 0}};
  for (u32 k = 0; k < 2000; ++k) {
    std::vector<u64>& cells = lists.emplace_back(random.below(300));
    const u64 most = 1 + random.below(5);
    for (u64& cell : cells)
      if (random.below(4) < most) cell = random.next() >> random.below(64);
  }
  for (const std::vector<u64>& cells : lists) ASSERT_EQ(unpack_cells(packed(cells)), cells);
}

TEST(PackedCells, ZerosTakeNothing) {
  std::vector<u64> cells(8001);
  EXPECT_EQ(packed(cells).size(), 3u);
  cells[0] = 2, cells[1] = 9, cells[2] = 300;
  EXPECT_LE(packed(cells).size(), 13u);
}

// Two that fail: with a list that is short, in much room, and with one that is long; in a long case, too.
LoggedRun long_values() {
  std::string cases = "xs,expected\n\"[1, 2]\",\"[3]\"\n\"[";
  for (u32 k = 0; k < 2000; ++k) cases += std::to_string(k) + ", ";
  cases += "7]\",\"[";
  for (u32 k = 0; k < 1500; ++k) cases += std::to_string(k) + ", ";
  cases += "7]\"\n";
  return {{{"short",
            "pub fn f(xs: List[i64, 2600]) -> List[i64, 2600] { if xs.len() == 2 { [3] } "
            "else { [4, 5] } }",
            {}},
           {"long",
            "pub fn f(xs: List[i64, 2600]) -> List[i64, 2600] {\n  var out: List[i64, 2600] "
            "= [];\n  for k in 0..2600 { out.push(k); }\n  out\n}",
            {}},
           {"traps",
            "pub fn f(xs: List[i64, 2600]) -> List[i64, 2600] { if xs.len() == 2 { [3] } "
            "else { [1 / (xs.len() - xs.len())] } }",
            {}}},
          table_of(cases),
          {}};
}

TEST(LongValues, AreWrittenAsTheyBegin) {
  const LoggedRun run = long_values();
  const Shown shown = run.show(Open::None);
  EXPECT_LT(shown.report.size(), 6000u);
  EXPECT_NE(shown.report.find(R"("case": 0, "line": 2, "args": {"xs": [1, 2]}, "expected": [3], )"
                              R"("actual": null, "cut": [{"of": "actual", "bytes": 14490, )"
                              R"("begin": "[0, 1, 2, 3, )"),
            std::string::npos)
      << shown.report;
  EXPECT_NE(shown.report.find(R"("args": {"xs": null}, "expected": null, "actual": [4, 5], "cut": )"
                              R"([{"of": "args.xs", "bytes": 10893, "begin": "[0, 1, 2, )"),
            std::string::npos)
      << shown.report;
}

TEST(LongValues, LogsHaveThemAsReports) {
  const Folder folder;
  LoggedRun run = long_values();
  run.options.machines.epoch = 1;
  const Shown shown = run.show(Open::None);
  const std::string path = folder.file("log");
  EXPECT_EQ(run.show(Open::Create, path), shown);
  const std::string log = content(path);
  EXPECT_LT(log.size(), 10'000u);
  EXPECT_EQ(run.show(Open::Resume, path), shown);
  for (const size_t lines : {3u, 4u, 5u}) {
    size_t end = 0;
    for (size_t k = 0; k < lines; ++k) end = log.find('\n', end) + 1;
    put(path, std::string_view(log).substr(0, end));
    EXPECT_EQ(run.show(Open::Resume, path), shown) << lines;
    EXPECT_EQ(content(path), log) << lines;
  }
  Results merged;
  MergedLogs logs;
  ASSERT_FALSE(logs.read({{path}}, merged));
  EXPECT_EQ(report_of(logs, merged), shown.report);
}

TEST(LongValues, PeopleSeeHowTheyBegin) {
  const LoggedRun run = long_values();
  const Folder folder;
  CandidateList source(run.candidates);
  Results results;
  ASSERT_FALSE(evaluate(source, run.cases, run.options, results));
  const FindingsText found = findings_of(results, 1), of_case = findings_of(results, 0);
  ASSERT_TRUE(found.failure && of_case.failure);
  EXPECT_LT(found.failure->actual.size(), 250u);
  EXPECT_TRUE(found.failure->actual.starts_with("… at [")) << found.failure->actual;
  EXPECT_TRUE(found.failure->actual.ends_with("…"));
  EXPECT_LT(of_case.failure->arguments[0].size(), 250u);
  EXPECT_TRUE(of_case.failure->expected.ends_with("…"));
  // As a log has it.
  for (const u32 row : {0u, 1u}) {
    std::string details;
    write_details_json(details, results, row);
    FindingsText read;
    ASSERT_TRUE(read_findings(details, read));
    const FailureText& kept = *(row == 0 ? of_case : found).failure;
    EXPECT_EQ(read.failure->actual, kept.actual);
    EXPECT_EQ(read.failure->expected, kept.expected);
    EXPECT_EQ(read.failure->arguments, kept.arguments);
  }
}

}  // namespace
}  // namespace komuz::engine
