// SPDX-License-Identifier: Apache-2.0
// Candidates with different parameters on one table: columns go to parameters by name.
#include "engine/candidates/own_signatures.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "engine/log/merge_logs.h"
#include "engine/results/failure_text.h"
#include "tests/engine/log/logged_runs.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using namespace test;

constexpr const char* kTable =
    "v1,v2,v3,name,expected\n1,10,0.5,ab,11\n2,20,1.5,c,22\n3,30,2.5,,33\n-4,40,3.5,d,36\n";

const std::vector<Candidate> kPool = {
    {"sum", "pub fn f(v1: f64, v2: f64) -> f64 { v1 + v2 }", {}},
    {"turned", "pub fn f(v2: f64, v1: f64) -> f64 { v1 + 1.0 * v2 }", {}},
    {"v1", "pub fn f(v1: f64) -> f64 { 11.0 * v1 }", {}},
    {"v2", "pub fn f(v2: f64) -> f64 { 1.1 * v2 }", {}},
    {"v3", "pub fn f(v3: f64) -> f64 { 22.0 * v3 }", {}},
    {"constant", "pub fn f() -> f64 { 22.0 }", {}},
    {"integer", "pub fn f(v1: i64) -> f64 { f64(11 * v1) }", {}},
    {"text", "pub fn f(name: [u8], v1: f64) -> f64 { 11.0 * v1 + 0.0 * f64(name.len()) }", {}},
    {"traps", "pub fn f(v1: i64) -> f64 { f64(100 / (v1 - 2)) }", {}},
    {"same", "pub fn f(v1:f64)->f64{11.0*v1}", {}},
    {"v4", "pub fn f(v4: f64) -> f64 { v4 }", {}},
    {"misfit", "pub fn f(v3: i64) -> f64 { f64(v3) }", {}},
    {"other result", "pub fn f(v1: i64) -> i64 { 11 * v1 }", {}},
};

std::string refusal_of(const Results& results, u32 row) {
  const ResultRow& of = results.rows[row];
  return of.status == Status::Refused ? results.diagnostics[of.diagnostics_begin].message : "";
}
std::string arguments_of(const Results& results, u32 row) {
  const FindingsText findings = findings_of(results, row);
  std::string text;
  if (findings.failure)
    for (const std::string& argument : findings.failure->arguments) text += argument + "; ";
  return text;
}

TEST(OwnSignatures, ColumnsGoToParametersByName) {
  const Results results = evaluate_all(kPool, {}, kTable);
  const auto passed = [&](u32 row) { return results.rows[row].passed; };
  EXPECT_EQ(results.signature, "(v1: f64, v2: f64) -> f64");
  EXPECT_EQ(passed(0), 4u);
  EXPECT_EQ(passed(1), 4u) << "in another order";
  EXPECT_EQ(passed(2), 3u);
  EXPECT_EQ(passed(4), 1u);
  EXPECT_EQ(passed(5), 1u) << "none at all";
  EXPECT_EQ(passed(6), 3u) << "the same column as another type";
  EXPECT_EQ(passed(7), 3u);
  EXPECT_EQ(results.rows[8].status, Status::Wrong);
  // Of equal text only; of equal values, whatever they were made of.
  EXPECT_EQ(results.rows[9].duplicate_of, 2u);
  EXPECT_EQ(results.rows[3].duplicate_of, kNone);
  EXPECT_EQ(results.rows[1].same_behaviour_as, 0u);
  EXPECT_EQ(results.rows[6].same_behaviour_as, 2u);
  EXPECT_EQ(results.rows[7].same_behaviour_as, 2u);
}

TEST(OwnSignatures, WhatDoesNotFitIsRefusedWithItsPlace) {
  const Results results = evaluate_all(kPool, {}, kTable);
  EXPECT_EQ(refusal_of(results, 10),
            "the cases do not fit its entry: cases.csv:1: the cases have no column for the "
            "parameter `v4`, but `v1`, `v2`, `v3` and `name` (the entry is (v4: f64) -> f64); did "
            "you mean `v1`?");
  EXPECT_EQ(refusal_of(results, 11),
            "the cases do not fit its entry: cases.csv:2:6: `v3`: `0.5` is no i64; write an "
            "integer such as 42 or 0x2A");
  EXPECT_EQ(refusal_of(results, 12),
            "its entry is (v1: i64) -> i64, but the first that the cases fit is (v1: f64, v2: "
            "f64) -> f64; `--signature 'fn(v1: i64) -> i64'` runs such candidates instead");
  ASSERT_EQ(results.other_signatures.size(), 1u) << "others lack columns, whatever is stated";
  EXPECT_EQ(results.other_signatures[0].signature, "(v1: i64) -> i64");
}

TEST(OwnSignatures, AFailureShowsTheArgumentsThatTheCandidateTook) {
  const Results results = evaluate_all(kPool, {}, kTable);
  EXPECT_EQ(arguments_of(results, 0), "");
  EXPECT_EQ(arguments_of(results, 4), "v3 = 1.5; ");
  EXPECT_EQ(arguments_of(results, 5), "");
  EXPECT_EQ(arguments_of(results, 7), "name = \"d\"; v1 = -4.0; ");
  EXPECT_EQ(arguments_of(results, 8), "v1 = 1; ");
  const std::string report = report_of(results);
  EXPECT_NE(
      report.find(R"("first_failure": {"case": 1, "line": 3, "signature": "(v3: f64) -> f64", )"
                  R"("args": {"v3": 1.5}, "expected": 22.0, "actual": 33.0})"),
      std::string::npos)
      << report;
}

TEST(OwnSignatures, ThreadsEpochsAndDevicesDoNotMatter) {
  std::vector<Candidate> pool;
  for (u32 k = 0; k < 40; ++k) pool.push_back(kPool[k * 7 % kPool.size()]);
  const std::string report = report_of(evaluate_all(pool, {}, kTable));
  const auto device = vm::emulated_warp_device();
  for (const u32 threads : {1u, 3u})
    for (const u32 epoch : {1u, 7u, 1024u})
      for (const bool on_device : {false, true}) {
        EvaluateOptions options;
        options.machines.threads = threads;
        options.machines.epoch = options.machines.device_epoch = epoch;
        options.machines.device = on_device ? device.get() : nullptr;
        EXPECT_EQ(report_of(evaluate_all(pool, options, kTable)), report)
            << threads << " " << epoch;
      }
}

TEST(OwnSignatures, LogsAreResumedAndShardsMerged) {
  const Folder folder;
  LoggedRun run{kPool, table_of(kTable), {}};
  run.options.machines.epoch = 4;
  for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::AbsoluteError}) {
    run.options.ranking.score = score;
    run.options.programs.shard = {};
    const std::string kind = std::to_string(static_cast<int>(score)), path = folder.file(kind);
    const Shown whole = run.show(Open::None), logged = run.show(Open::Create, path);
    EXPECT_EQ(logged.report, whole.report);
    const std::string bytes = content(path);
    for (size_t at = bytes.find('\n') + 1; at < bytes.size(); at = bytes.find('\n', at) + 1) {
      put(path, std::string_view(bytes).substr(0, at));
      EXPECT_EQ(run.show(Open::Resume, path), logged) << at;
      EXPECT_EQ(content(path), bytes);
    }
    std::vector<std::string> paths;
    for (u32 index = 0; index < 3; ++index) {
      run.options.programs.shard = {index, 3};
      paths.push_back(folder.file(kind + "-" + std::to_string(index)));
      static_cast<void>(run.show(Open::Create, paths.back()));
    }
    Results merged;
    MergedLogs logs;
    const Problem error = logs.read(paths, merged);
    ASSERT_FALSE(error) << error.text();
    EXPECT_EQ(report_of(logs, merged), whole.report);
  }
}

TEST(OwnSignatures, TheBestIsRunOnWhatIsHeldOut) {
  const CasesTable held_out = table_of("v3,v2,v1,name,expected\n0.5,10,1,x,11\n1.5,20,2,x,23\n");
  EvaluateOptions options;
  options.ranking.held_out = &held_out;
  options.ranking.score = ScoreKind::AbsoluteError;
  const std::vector<Candidate> pool = {{"first", "pub fn f(v1: f64) -> f64 { v1 }", {}},
                                       kPool[1],
                                       {"none", "pub fn f(v4: f64) -> f64 { v4 }", {}}};
  const Results results = evaluate_all(pool, options, kTable);
  ASSERT_TRUE(results.held_out);
  EXPECT_EQ(results.held_out->id, "turned");
  EXPECT_EQ(results.held_out->row.score, 1);
  const std::optional<FailureText> failure = held_out_failure(results);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->arguments, (std::vector<std::string>{"v2 = 20.0", "v1 = 2.0"}));
  // Nobody is ranked by what is held out: who cannot be run on it is refused there.
  const CasesTable narrow = table_of("v1,expected\n1,11\n");
  options.ranking.held_out = &narrow;
  const Results ranked = evaluate_all(pool, options, kTable);
  EXPECT_EQ(ranked.ranking, results.ranking);
  ASSERT_TRUE(ranked.held_out);
  EXPECT_EQ(ranked.held_out->id, "turned");
  EXPECT_EQ(ranked.held_out->row.status, Status::Refused);
}

// Cases that are held out are for whoever is the best: what the first one takes may not be there.
TEST(OwnSignatures, HeldOutCasesNeedNotFitTheFirst) {
  const CasesTable held_out = table_of("v2,v1,expected\n10,1,11\n20,2,23\n");
  EvaluateOptions options;
  options.ranking.held_out = &held_out;
  options.ranking.score = ScoreKind::AbsoluteError;
  const std::vector<Candidate> pool = {{"first", "pub fn f(v3: f64) -> f64 { v3 }", {}}, kPool[1]};
  const Results results = evaluate_all(pool, options, kTable);
  EXPECT_EQ(results.signature, "(v3: f64) -> f64");
  ASSERT_TRUE(results.held_out);
  EXPECT_EQ(results.held_out->id, "turned");
  EXPECT_EQ(results.held_out->row.score, 1);
  const auto report_has = [](const Results& of, std::string_view text) {
    const std::string report = report_of(of);
    EXPECT_NE(report.find(text), std::string::npos) << report;
  };
  report_has(results, R"("args": {"v2": 20.0, "v1": 2.0}, "expected": 23.0, "actual": 22.0})");
  // The best is told what it lacks there.
  const Results alone = evaluate_all({pool.data(), pool.data() + 1}, options, kTable);
  ASSERT_TRUE(alone.held_out);
  EXPECT_EQ(alone.held_out->row.status, Status::Refused);
  report_has(alone,
             R"("problem": "the cases do not fit its entry: cases.csv:1: the cases have no column )"
             R"(for the parameter `v3`, but `v2` and `v1`)");
  // If all had one signature, no candidate could be run.
  options.programs.signature = read_signature("fn(v3: f64) -> f64").value();
  CandidateList source(pool);
  Results unused;
  EXPECT_TRUE(evaluate(source, table_of(kTable), options, unused));
}

// The result's type is stated, and columns go by name: who comes first is of no account.
TEST(OwnSignatures, AStatedResultLeavesParametersOpen) {
  EXPECT_EQ(without_parameters("fn(...) -> i64"), "fn() -> i64");
  EXPECT_EQ(without_parameters("(…) -> i64"), "() -> i64");
  EXPECT_EQ(without_parameters("fn(x: i64) -> i64"), "");
  EvaluateOptions options;
  options.programs.result_type = read_signature("fn() -> f64").value().result_type;
  std::vector<Candidate> pool = kPool;
  pool.insert(pool.begin(), {"odd", "pub fn f(v1: f64) -> bool { v1 > 0.0 }", {}});
  std::swap(pool[1], pool.back());
  const Results results = evaluate_all(pool, options, kTable);
  EXPECT_EQ(results.rows[0].status, Status::Refused);
  EXPECT_EQ(refusal_of(results, 1),
            "its entry is (v1: i64) -> i64, but --signature says that it gives f64");
  EXPECT_EQ(results.rows[2].passed, 4u) << "in another order";
  EXPECT_EQ(results.rows[3].passed, 3u);
  EXPECT_EQ(results.rows.back().passed, 4u);
  const Results plain = evaluate_all(kPool, {}, kTable);
  for (u32 row = 1; row < kPool.size() - 1; ++row)
    EXPECT_EQ(results.rows[row + 1].passed, plain.rows[row].passed) << row;
}

// The note on other signatures proposes options; who only lacks a column is none of these.
TEST(OwnSignatures, WhoLacksAColumnIsNotOfAnotherSignature) {
  const std::vector<Candidate> pool = {{"a", "pub fn f(x: f64) -> f64 { x }", {}},
                                       {"p", "pub fn f(p: f64) -> f64 { p }", {}},
                                       {"q", "pub fn f(q: f64) -> f64 { q }", {}},
                                       {"r", "pub fn f(r: f64) -> f64 { r }", {}}};
  CandidateList source(pool);
  Results results;
  ASSERT_FALSE(evaluate(source, table_of("x,y,expected\n1.5,2.5,1.5\n"), {}, results));
  EXPECT_EQ(results.rows[0].status, Status::Ok);
  for (const u32 row : {1u, 2u, 3u}) EXPECT_EQ(results.rows[row].status, Status::Refused);
  EXPECT_TRUE(results.other_signatures.empty());
}

CasesTable with_inputs(const std::vector<std::string>& inputs, std::string_view file,
                       const std::string& text) {
  CaseFields fields;
  fields.inputs = inputs;
  CasesTable table;
  const Problem error = read_cases(file, text, fields, table);
  EXPECT_FALSE(error) << error.text();
  return table;
}
Results evaluate_with(const CasesTable& table, const std::vector<Candidate>& pool) {
  CandidateList source(pool);
  Results results;
  const Problem error = evaluate(source, table, {}, results);
  EXPECT_FALSE(error) << error.text();
  return results;
}

TEST(OwnSignatures, InputsGoByNameWhereNamesFitElseInTheirOrder) {
  const std::vector<Candidate> pool = {
      {"named", "pub fn f(v2: f64, v1: f64) -> f64 { v1 + v2 }", {}},
      {"in order", "pub fn f(a: f64, b: f64) -> f64 { 11.0 * a + 0.0 * b }", {}},
      {"one", "pub fn f(v1: f64) -> f64 { 11.0 * v1 }", {}},
      {"no input", "pub fn f(v3: f64) -> f64 { v3 }", {}},
      {"mixed", "pub fn f(v1: f64, b: f64) -> f64 { v1 + b }", {}},
      {"expected", "pub fn f(expected: f64, a: f64) -> f64 { expected }", {}},
      {"too few", "pub fn f(a: f64) -> f64 { a }", {}},
      {"other names", "pub fn f(p: f64, q: f64) -> f64 { p + q }", {}}};
  const std::string jsonl =
      R"({"v1": 1, "v2": 10, "v3": 0.5, "expected": 11}
{"v1": 2, "v2": 20, "v3": 1.5, "expected": 22}
{"v1": 3, "v2": 30, "v3": 2.5, "expected": 33}
{"v1": -4, "v2": 40, "v3": 3.5, "expected": 36})";
  for (const CasesTable& table :
       {with_inputs({"v1", "v2"}, "c.csv", kTable), with_inputs({"v1", "v2"}, "c.jsonl", jsonl)}) {
    const Results results = evaluate_with(table, pool);
    const std::string start = "the cases do not fit its entry: " + table.file + ":1: ";
    EXPECT_EQ(results.rows[0].passed, 4u);
    EXPECT_EQ(results.rows[1].passed, 3u);
    EXPECT_EQ(results.rows[2].passed, 3u);
    EXPECT_EQ(results.rows[7].passed, 4u);
    EXPECT_EQ(refusal_of(results, 3),
              start +
                  "the parameter `v3` has the name of a column that is no `--input` (the entry "
                  "is (v3: f64) -> f64); add `--input v3`, or call the parameter otherwise");
    EXPECT_EQ(refusal_of(results, 4),
              start +
                  "the cases have no column for the parameter `b`, but `v1` and `v2` (the "
                  "entry is (v1: f64, b: f64) -> f64); where one parameter is named after a "
                  "column all are");
    EXPECT_EQ(refusal_of(results, 5),
              start +
                  "the parameter `expected` has the name of a column that is no `--input` (the "
                  "entry is (expected: f64, a: f64) -> f64); add `--input expected`, or call "
                  "the parameter otherwise");
    EXPECT_EQ(refusal_of(results, 6),
              start +
                  "the cases have 2 arguments, the entry takes 1 (the entry is (a: f64) -> "
                  "f64); give each case one argument for each parameter");
  }
}

// Where the first takes them in order, the names of others that do count for nothing, as before; those of columns
// count.
TEST(OwnSignatures, OrderIsOneSignature) {
  const CasesTable table = with_inputs({"v1", "v2"}, "c.csv", kTable);
  std::vector<Candidate> pool = {{"a", "pub fn f(a: f64, b: f64) -> f64 { a - b }", {}},
                                 {"p", "pub fn f(p: f64, q: f64) -> f64 { p * q }", {}},
                                 {"named", "pub fn f(v2: f64, v1: f64) -> f64 { v1 * v2 }", {}},
                                 {"v3", "pub fn f(v3: f64, v1: f64) -> f64 { v1 * v3 }", {}}};
  const Results results = evaluate_with(table, pool);
  EXPECT_EQ(results.signature, "(a: f64, b: f64) -> f64");
  EXPECT_EQ(arguments_of(results, 1), "a = 1.0; b = 10.0; ");
  EXPECT_EQ(arguments_of(results, 2), "v2 = 10.0; v1 = 1.0; ");
  EXPECT_EQ(results.rows[2].same_behaviour_as, 1u);
  EXPECT_EQ(results.rows[3].status, Status::Refused);
  // A stated signature states types then, too; a name that a column has is that column's all the same.
  EvaluateOptions options;
  options.programs.signature = read_signature("fn(a: f64, b: f64) -> f64").value();
  CandidateList source(pool);
  Results stated;
  const Problem error = evaluate(source, table, options, stated);
  ASSERT_FALSE(error) << error.text();
  EXPECT_EQ(stated.rows[1].status, Status::Wrong);
  EXPECT_EQ(stated.rows[2].status, Status::Refused);
  EXPECT_EQ(stated.rows[3].status, Status::Refused);
}

TEST(OwnSignatures, AStatedSignatureSaysTypesOfInputs) {
  const CasesTable table = with_inputs({"v1"}, "c.csv", kTable);
  const std::vector<Candidate> pool = {{"v1", "pub fn f(v1: f64) -> f64 { v1 }", {}},
                                       {"x", "pub fn f(x: f64) -> f64 { x + 1.0 }", {}},
                                       {"v2", "pub fn f(v2: f64) -> f64 { v2 }", {}},
                                       {"i64", "pub fn f(x: i64) -> f64 { f64(x) }", {}}};
  for (const char* const stated : {"fn(v1: f64) -> f64", "fn(y: f64) -> f64"}) {
    EvaluateOptions options;
    options.programs.signature = read_signature(stated).value();
    CandidateList source(pool);
    Results results;
    const Problem error = evaluate(source, table, options, results);
    ASSERT_FALSE(error) << error.text();
    EXPECT_EQ(results.rows[0].status, Status::Wrong) << stated;
    EXPECT_EQ(results.rows[1].status, Status::Wrong) << stated;
    EXPECT_EQ(results.rows[2].status, Status::Refused) << stated;
    EXPECT_EQ(results.rows[3].status, Status::Refused) << stated;
  }
}

// Which has no more than numbers of arguments to go by.
TEST(OwnSignatures, ArgumentsWithoutNamesGoInOrder) {
  const CasesTable table = with_inputs({}, "c.jsonl", R"({"args": [1, 2], "expected": 3})");
  const Results results =
      evaluate_with(table, {{"a", "pub fn f(x: f64, y: f64) -> f64 { x + y }", {}},
                            {"b", "pub fn f(p: i64, q: f64) -> f64 { f64(p) + q }", {}},
                            {"c", "pub fn f(x: f64) -> f64 { x }", {}}});
  EXPECT_EQ(results.rows[0].passed, 1u);
  EXPECT_EQ(results.rows[1].passed, 1u);
  EXPECT_EQ(results.rows[2].status, Status::Refused);
}

TEST(OwnSignatures, AStatedSignatureIsTheOnlyOne) {
  EvaluateOptions options;
  options.programs.signature = read_signature("fn(v1: f64) -> f64").value();
  const Results results = evaluate_all(kPool, options, kTable);
  EXPECT_EQ(results.rows[0].status, Status::Refused);
  EXPECT_EQ(results.rows[2].passed, 3u);
  EXPECT_EQ(results.rows[6].status, Status::Refused);
}

// Columns are read once for each type, and one that would take too long is not read at all.
TEST(OwnSignatures, ColumnsAreShared) {
  const CasesTable table = table_of(kTable);
  OwnSignatures own(table, nullptr);
  const auto match = [&](std::string_view text) {
    return own.find(read_signature(text).value(), {});
  };
  const auto column = [](const CaseArguments& of, size_t k) {
    std::vector<ArgumentColumn> columns;
    return of.view(0, of.count, columns).columns[k].data;
  };
  const auto both = match("fn(v1: f64, v2: f64) -> f64"), one = match("fn(v2: f64) -> f64");
  EXPECT_EQ(column(both->arguments, 1), column(one->arguments, 0));
  EXPECT_EQ(match("fn(v2: f64) -> f64"), one);
  EXPECT_NE(column(match("fn(v2: i64) -> f64")->arguments, 0), column(one->arguments, 0));
  std::string many = "name,expected\n";
  for (u32 row = 0; row < 5000; ++row) many += "x,1\n";
  const CasesTable large = table_of(many);
  OwnSignatures of_large(large, nullptr);
  const auto find = [&](std::string_view text) {
    return of_large.find(read_signature(text).value(), {})->problem;
  };
  EXPECT_EQ(find("fn(name: Bytes[8]) -> f64"), "");
  EXPECT_EQ(find("fn(name: Bytes[60000]) -> f64"),
            "cases.csv:1: the type Bytes[60000] has too much room for 5,000 cases (the entry is "
            "(name: Bytes[60000]) -> f64); let it have no more than the cases need");
}

// Numbers as small as they may be have one, too.
TEST(OwnSignatures, WhyThereIsNoRSquared) {
  struct Expected {
    std::string cases, reason;
  };
  for (const auto& [cases, reason] :
       {Expected{"1,2\n2,2\n", "cases expect the same number"},
        Expected{"1,NaN\n2,NaN\n", "no case expects a number"},
        Expected{"1,1\n2,Infinity\n", "expected numbers are not finite"},
        Expected{"1,1e-200\n2,3e-200\n", ""}})
    for (const ScoreKind score : {ScoreKind::RSquared, ScoreKind::Correlation}) {
      const std::vector<Candidate> pool = {{"a", "pub fn f(x: f64) -> f64 { x }", {}}};
      CandidateList source(pool);
      EvaluateOptions options;
      options.ranking.score = score;
      Results results;
      const Problem error = evaluate(source, table_of("x,expected\n" + cases), options, results);
      ASSERT_EQ(static_cast<bool>(error), !reason.empty()) << cases;
      if (!error) continue;
      EXPECT_NE(error.text().find(" where " + reason + " ["), std::string::npos) << error.text();
    }
}

// Formulas of different variables, on more cases than a step has: expressions; loops without an end on all cases, on
// some, or behind a bad one; and one that takes long on each and is the best. `takes_both`: each takes both columns, in
// one order.
class MixedPool {
 public:
  MixedPool(u32 count, bool takes_both) : takes_both_(takes_both) {
    texts_.reserve(2 * size_t{count});
    for (u32 k = 0; k < count; ++k)
      list.push_back({texts_.emplace_back("c" + std::to_string(k)),
                      texts_.emplace_back("pub fn f(" + parameters(k) + ") -> i64 " + body(k)),
                      {}});
  }
  static constexpr u32 kBest = 200;
  std::vector<Candidate> list;

 private:
  static std::string own(u32 k) { return k % 3 == 1 ? "b" : "a"; }
  // Both are named in the first block alone.
  [[nodiscard]] std::string parameters(u32 k) const {
    if (takes_both_ || (k % 5 == 0 && k < 1024)) return "a: i64, b: i64";
    return k % 7 == 0 ? own(k) + ": i64, c: f64" : own(k) + ": i64";
  }
  static std::string body(u32 k) {
    const std::string x = own(k);
    const auto loop = [](const std::string& ticks, const std::string& value) {
      return "{ var k = 0; while k < " + ticks + " limit 4000000000 { k += 1; } " + value + " }";
    };
    if (k == kBest) return loop("300", x + " + " + x);
    if (k % 50 != 9) return "{ " + x + " * 2 + " + std::to_string(k % 190 + 1) + " }";
    const std::string value = x + " * 2 + 0 / (" + x + " - 4)";
    switch (k / 50 % 3) {
      case 0: return loop("4000000000 - 0 * " + x, value);
      case 1: return loop("(if " + x + " == 270 { 4000000000 } else { 3 })", value);
      default: return loop("(if " + x + " > 5 { 4000000000 } else { 1 })", value);
    }
  }

  bool takes_both_;
  std::vector<std::string> texts_;
};
std::string mixed_cases() {
  std::string csv = "b,c,a,expected\n";
  for (u32 n = 0; n < 300; ++n) {
    const std::string number = std::to_string(n);
    csv += number + ",0.5," + number + "," + std::to_string(2 * n) + "\n";
  }
  return csv;
}
EvaluateOptions mixed_options(ScoreKind score) {
  EvaluateOptions options;
  options.ranking.score = score;
  options.limits.fuel = 600'000;
  options.machines.threads = 2;
  return options;
}

// A budget is of a candidate among those of its block, whatever their parameters are: every row is what it is where all
// have the same ones.
TEST(OwnSignatures, BudgetsAreAsOfOneSignature) {
  const MixedPool mixed(1100, false), same(1100, true);
  for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::SquaredError}) {
    const Results results = evaluate_all(mixed.list, mixed_options(score), mixed_cases());
    const Results wanted = evaluate_all(same.list, mixed_options(score), mixed_cases());
    EXPECT_GT(count_outcomes(results).over_budget, 3u);
    EXPECT_EQ(results.id(results.ranking.front()), "c200");
    for (u32 row = 0; row < results.rows.size(); ++row) {
      const ResultRow &own = results.rows[row], &other = wanted.rows[row];
      EXPECT_EQ(own.status, other.status) << row;
      EXPECT_EQ(own.score, other.score) << row;
      EXPECT_EQ(own.fuel, other.fuel) << row;
      EXPECT_EQ(own.cases_run, other.cases_run) << row;
      EXPECT_EQ(own.behaviour, other.behaviour) << row;
    }
  }
}

TEST(OwnSignatures, BudgetsDoNotDependOnHowTheyAreRun) {
  const MixedPool pool(1300, false);
  const auto device = vm::emulated_warp_device();
  for (const ScoreKind score : {ScoreKind::Exact, ScoreKind::SquaredError}) {
    EvaluateOptions options = mixed_options(score);
    const std::string wanted = report_of(evaluate_all(pool.list, options, mixed_cases()));
    EXPECT_NE(wanted.find("\"budget\""), std::string::npos);
    options.machines.threads = 3;
    options.machines.epoch = 100;
    EXPECT_EQ(report_of(evaluate_all(pool.list, options, mixed_cases())), wanted);
    options.machines.machine = MachineKind::Reference;
    EXPECT_EQ(report_of(evaluate_all(pool.list, options, mixed_cases())), wanted) << "reference";
    options.machines.machine = MachineKind::Batch;
    options.machines.device = device.get();
    options.machines.device_epoch = 700;
    EXPECT_EQ(report_of(evaluate_all(pool.list, options, mixed_cases())), wanted) << "device";
  }
}

// The second shard has no candidate of the signature that the first of all has.
TEST(OwnSignatures, ShardsOfMixedPoolsAreTheWholeRun) {
  const Folder folder;
  const MixedPool pool(2200, false);
  LoggedRun run{pool.list, table_of(mixed_cases()), {}};
  run.options = mixed_options(ScoreKind::SquaredError);
  const Shown whole = run.show(Open::None);
  std::vector<std::string> paths;
  for (u32 index = 0; index < 2; ++index) {
    run.options.programs.shard = {index, 2};
    paths.push_back(folder.file(std::to_string(index)));
    static_cast<void>(run.show(Open::Create, paths.back()));
  }
  Results merged;
  MergedLogs logs;
  const Problem error = logs.read(paths, merged);
  ASSERT_FALSE(error) << error.text();
  EXPECT_EQ(report_of(logs, merged), whole.report);
  // A run that was killed in the middle of a block.
  const std::string bytes = content(paths[0]);
  run.options.programs.shard = {0, 2};
  for (const size_t part : {3u, 8u}) {
    put(paths[0], std::string_view(bytes).substr(0, bytes.size() * part / 9));
    static_cast<void>(run.show(Open::Resume, paths[0]));
    EXPECT_EQ(content(paths[0]), bytes) << part;
  }
}

// The arguments of a failure are kept without the room that they do not need, and printed with it.
TEST(OwnSignatures, ListsTakeWhatTheCasesHold) {
  const std::string cases = "xs,y,expected\n\"[1, 0, 3]\",0,4\n[],5,5\n";
  const std::vector<Candidate> pool = {
      {"y", "pub fn f(y: i64) -> i64 { y }", {}},
      {"long", "pub fn f(y: i64, xs: List[i64, 8000]) -> i64 { y + i64(xs.len()) }", {}},
      {"slice", "pub fn f(xs: [i64]) -> i64 { i64(xs.len()) + 1 }", {}}};
  const Results results = evaluate_all(pool, {}, cases);
  EXPECT_EQ(arguments_of(results, 1), "y = 0; xs = [1, 0, 3]; ");
  EXPECT_EQ(arguments_of(results, 2), "xs = []; ");
  const Failure failure = results.failures[results.rows[1].first_failure];
  ASSERT_EQ(failure.arguments.size(), 2u);
  EXPECT_LE(failure.arguments[1].cells.size(), 16u);
  const CasesTable table = table_of(cases);
  OwnSignatures own(table, nullptr);
  const auto match = own.find(read_signature("fn(xs: List[i64, 8000]) -> i64").value(), {});
  std::vector<ArgumentColumn> columns;
  std::set<const void*> different;
  for (const ArgumentColumn& column : match->arguments.view(0, 2, columns).columns)
    different.insert(column.data);
  EXPECT_EQ(columns.size(), 8001u);
  EXPECT_EQ(different.size(), 4u) << "a length, two elements, and what is zero in every case";
}

// As many as there are candidates fail with the same arguments, which may be long: they are kept once, and no more than
// is shown.
TEST(OwnSignatures, ArgumentsOfFailuresAreKeptOnce) {
  std::string xs = "[10000", ys = "[0";
  for (u32 k = 1; k < 1500; ++k) xs += ", " + std::to_string(10000 + k);
  for (u32 k = 1; k < 100; ++k) ys += ", " + std::to_string(k);
  const std::string cases =
      "xs,ys,n,expected\n\"" + xs + "]\",\"" + ys + "]\",0,0\n\"[1]\",\"[2]\",1,1\n";
  std::vector<Candidate> pool = {{"n", "pub fn f(n: i64) -> i64 { n }", {}}};
  std::vector<std::string> sources;
  for (u32 k = 1; k < 300; ++k)
    sources.push_back(
        "pub fn f(xs: List[i64, 1500], ys: List[i64, 100]) -> i64 { xs[0] + ys[0] + " +
        std::to_string(k) + " }");
  for (const std::string& source : sources) pool.push_back({"c", source, {}});
  const Results results = evaluate_all(pool, {}, cases);
  EXPECT_EQ(results.failures.size(), 299u);
  EXPECT_EQ(results.failures.own_texts(), 3u) << "a signature, and two arguments";
  const Failure failure = results.failures[298];
  EXPECT_TRUE(failure.arguments[0].is_cut());
  EXPECT_EQ(failure.arguments[0].bytes, xs.size() + 1);
  EXPECT_EQ(failure.arguments[0].cells, "");
  EXPECT_FALSE(failure.arguments[1].is_cut());
  EXPECT_EQ(arguments_of(results, 299), "xs = " + xs.substr(0, 200) + "…; ys = " + ys + "]; ");
  const std::string report = report_of(results);
  EXPECT_NE(report.find(R"("args": {"xs": null, "ys": [0, 1, 2,)"), std::string::npos);
  EXPECT_NE(report.find(R"("cut": [{"of": "args.xs", "bytes": )" + std::to_string(xs.size() + 1) +
                        R"(, "begin": "[10000, 10001)"),
            std::string::npos);
}

// What is known counts with all that it takes: a type with room for many elements has a pointer for each.
TEST(OwnSignatures, BytesAreThoseOfAllThatIsKnown) {
  const CasesTable table = table_of("xs,n,expected\n\"[1]\",0,0\n");
  OwnSignatures own(table, nullptr);
  const auto grows = [&](std::string_view signature) {
    const size_t before = own.bytes();
    static_cast<void>(own.find(read_signature(signature).value(), {}));
    return own.bytes() - before;
  };
  const size_t pointers = size_t{8001} * sizeof(void*);
  EXPECT_GE(grows("fn(xs: List[i64, 8000]) -> i64"), 2 * pointers) << "the column and who takes it";
  EXPECT_GE(grows("fn(xs: List[i64, 8000], n: i64) -> i64"), pointers);
  EXPECT_GE(grows("fn(no: i64) -> i64"), std::string_view("the cases have no column").size());
  EXPECT_EQ(grows("fn(no: i64) -> i64"), 0u);
}

// Who takes columns that are held out under other names is refused, and the best is run on those that it names.
TEST(OwnSignatures, ACorrelationIsHeldOutByTheLineOfItsOwnColumns) {
  const CasesTable held_out = table_of("x,y,expected\n0,51,103\n0,102,205\n0,205,411\n");
  EvaluateOptions options;
  options.ranking.held_out = &held_out;
  options.ranking.score = ScoreKind::Correlation;
  const std::vector<Candidate> pool = {
      {"x", "pub fn f(x: f64) -> f64 { x * x * x }", {}},
      {"y", "pub fn f(y: f64) -> f64 { y }", {}},
      {"both", "pub fn f(y: f64, x: f64) -> f64 { y + 0.5 * x }", {}}};
  const Results results = evaluate_all(pool, options, "x,y,expected\n1,2,5\n7,3,7\n2,5,11\n");
  ASSERT_TRUE(results.held_out);
  EXPECT_EQ(results.held_out->id, "y");
  EXPECT_EQ(results.held_out->row.score, 1);
}

TEST(OwnSignatures, AStopLeavesNothingUndecided) {
  const CasesTable table = table_of(kTable);
  OwnSignatures own(table, nullptr);
  std::stop_source stop;
  stop.request_stop();
  const Signature signature = read_signature("fn(v1: f64) -> f64").value();
  EXPECT_EQ(own.find(signature, stop.get_token()), nullptr);
  const auto match = own.find(signature, {});
  ASSERT_NE(match, nullptr);
  EXPECT_EQ(match->problem, "");
  EXPECT_EQ(match->arguments.argument_cell(0, 3), std::bit_cast<u64>(-4.0));
}

}  // namespace
}  // namespace komuz::engine
