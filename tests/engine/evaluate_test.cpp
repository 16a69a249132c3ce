// SPDX-License-Identifier: Apache-2.0
// The whole path: source texts and cases in, a ranking out.
#include "engine/run/evaluate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "engine/results/report.h"
#include "engine/values/packed_cells.h"
#include "frontend_gpu/device/cuda/cuda_device.h"
#include "frontend_gpu/device/packed.h"
#include "tests/engine/evaluations.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using namespace test;

// Edits that a test knows the results of.
FixedSource double_it(frontend::Compiler&, std::string_view source, const std::stop_token&) {
  const size_t at = source.find("twice");
  if (at == std::string_view::npos) return {};
  std::string text(source);
  return {text.replace(at, 5, "2 *  "), {{"K0001", 1, "no word"}}};
}

TEST(Evaluate, CompilesWhatIsMadeOfCandidatesWithErrors) {
  const std::vector<Candidate> candidates = {
      {"good", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
      {"mended", "pub fn f(n: i64) -> i64 { twice n }", {}},
      {"again", "pub fn f(n: i64) -> i64 { twice  n }", {}},
      {"still broken", "pub fn f(n: i64) -> i64 { twice }", {}},
      {"broken", "pub fn f(n: i64) -> i64 { n + }", {}},
      {"traps", "pub fn f(n: i64) -> i64 { twice n / 0 }", {}},
  };
  const Results plain = evaluate_all(candidates);
  EXPECT_FALSE(plain.fixes);
  EXPECT_EQ(plain.rows[1].status, Status::CompileError);
  EXPECT_EQ(report_of(plain).find("fixe"), std::string::npos);
  for (const u32 threads : {1u, 3u}) {
    EvaluateOptions options;
    options.programs.fix = double_it;
    options.machines.threads = threads;
    const Results results = evaluate_all(candidates, options);
    EXPECT_EQ(results.rows[1].status, Status::Ok);
    EXPECT_EQ(results.rows[2].duplicate_of, 1u);
    EXPECT_EQ(results.rows[3].status, Status::CompileError);
    EXPECT_EQ(results.rows[4].status, Status::CompileError);
    EXPECT_EQ(results.rows[5].status, Status::Trap);
    EXPECT_EQ(results.failures[results.rows[5].first_failure].column, 35u);  // of the edited text
    ASSERT_NE(results.fixed_source(2), nullptr);
    EXPECT_EQ(results.fixed_source(2)->text, "pub fn f(n: i64) -> i64 { 2 *   n }");
    EXPECT_EQ(results.fixed_source(0), nullptr);
    EXPECT_EQ(results.fixed_source(4), nullptr);
    const std::string report = report_of(results);
    EXPECT_NE(report.find(R"(, "fixed": 4})"), std::string::npos);
    EXPECT_NE(report.find(R"("fixes": [{"code": "K0001", "line": 1, "message": "no word"}], )"
                          R"("fixed_source": "pub fn f(n: i64) -> i64 { 2 *   n }")"),
              std::string::npos);
    EXPECT_NE(report.find(R"("fixes": [], "fixed_source": null)"), std::string::npos);
  }
}

// What a stop leaves half edited has no row, though it has errors as it is.
TEST(Evaluate, AStopWhileACandidateIsEditedLeavesItOut) {
  std::stop_source stop;
  EvaluateOptions options;
  options.machines.threads = 1;
  options.programs.fix = [&](frontend::Compiler&, std::string_view, const std::stop_token& token) {
    stop.request_stop();
    EXPECT_TRUE(token.stop_requested());
    return FixedSource{};
  };
  const std::vector<Candidate> candidates = {kCandidates[2], kCandidates[1], kCandidates[0]};
  CandidateList source(candidates);
  Results results;
  ASSERT_FALSE(
      evaluate(source, table_of(kCases), options, results, nullptr, nullptr, stop.get_token()));
  EXPECT_FALSE(results.complete);
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].status, Status::Ok);
}

TEST(Evaluate, OutcomesStayApart) {
  const Results results = evaluate_all(kCandidates);
  const std::vector<Status> wanted = {
      Status::Wrong, Status::CompileError, Status::Ok,      Status::Ok,      Status::Ok,
      Status::Trap,  Status::Refused,      Status::Refused, Status::Refused, Status::Refused};
  for (u32 i = 0; i < wanted.size(); ++i) EXPECT_EQ(results.rows[i].status, wanted[i]) << i;
  EXPECT_EQ(results.ranking, (std::vector<u32>{2, 4, 3, 5, 0, 1, 6, 7, 8, 9}));
  EXPECT_EQ(results.rows[2].passed, 4u);
  EXPECT_EQ(results.rows[2].fuel, 4u);
  EXPECT_EQ(results.rows[3].fuel, 8u);
  EXPECT_EQ(results.rows[4].duplicate_of, 2u);
  EXPECT_EQ(results.id(results.ranking[0]), "good");
}

TEST(Evaluate, ReasonsOfRefusals) {
  const Results results = evaluate_all(kCandidates);
  const auto reason = [&](u32 row) {
    return results.diagnostics[results.rows[row].diagnostics_begin].message;
  };
  EXPECT_EQ(reason(6),
            "its entry is (n: f64) -> f64, but the first that the cases fit is (n: i64) -> i64; "
            "`--signature 'fn(n: f64) -> f64'` runs such candidates instead");
  EXPECT_EQ(reason(7), "there are several `pub fn`: f, g; name one with --entry");
  EXPECT_EQ(reason(8), "there is no `pub fn`: mark the entry with `pub`, or name it with --entry");
  EXPECT_EQ(reason(9), "no such file");
  EXPECT_GE(results.rows[1].diagnostics, 1u);
}

TEST(Evaluate, TheFirstFailureIsKept) {
  const Results results = evaluate_all(kCandidates);
  const Failure& wrong = results.failures[results.rows[0].first_failure];
  EXPECT_EQ(wrong.case_index, 0u);
  EXPECT_EQ(wrong.trap, Trap::None);
  EXPECT_EQ(unpack_cells(wrong.actual.cells), (std::vector<u64>{1}));
  const Failure& trap = results.failures[results.rows[5].first_failure];
  EXPECT_EQ(trap.case_index, 0u);
  EXPECT_EQ(trap.trap, Trap::DivZero);
  EXPECT_EQ(trap.line, 1u);
  EXPECT_EQ(trap.column, 37u);
  EXPECT_EQ(trap.depth, 1u);
  EXPECT_EQ(trap.function, "f");
  EXPECT_EQ(results.rows[2].first_failure, kNone);
}

TEST(Evaluate, AnEntryByName) {
  EvaluateOptions options;
  options.programs.entry = "g";
  const Results results = evaluate_all(
      {{"a", "fn g(n: i64) -> i64 { 2 * n }\npub fn f() -> i64 { 1 }", {}}, kCandidates[2]},
      options);
  EXPECT_EQ(results.rows[0].status, Status::Ok);
  EXPECT_EQ(results.rows[1].status, Status::Refused);
  EXPECT_EQ(results.diagnostics[0].message, "there is no function `g`");
}

TEST(Evaluate, NamesCountOnlyWhereTheCasesUseThem) {
  const std::vector<Candidate> candidates = {{"a", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
                                             {"b", "pub fn f(k: i64) -> i64 { k * 2 }", {}}};
  EXPECT_EQ(evaluate_all(candidates).rows[1].status, Status::Refused);
  CasesTable table;
  ASSERT_FALSE(read_jsonl_cases("c", "{\"args\": [2], \"expected\": 4}", {}, table));
  CandidateList source(candidates);
  Results results;
  ASSERT_FALSE(evaluate(source, table, {}, results));
  EXPECT_EQ(results.rows[1].status, Status::Ok);
}

// Each candidate makes the type itself; where name or fields differ it is another signature.
TEST(Evaluate, RecordsAreTheSameTypeByTheirNames) {
  const std::string cases = R"({"args": {"v": {"y": 2, "x": 1}}, "expected": {"x": 2, "y": 1}})"
                            "\n"
                            R"({"args": {"v": {"x": 3, "y": 3}}, "expected": {"x": 3, "y": 3}})";
  const auto candidate = [](std::string_view type, std::string_view body) {
    return "pub fn f(v: V) -> V { " + std::string(body) + " }\ntype V = " + std::string(type) + ";";
  };
  const std::string swap = candidate("V(x: i64, y: i64)", "V(y: v.x, x: v.y)"),
                    same = candidate("V(x: i64, y: i64)", "v"),
                    field = candidate("V(x: i64, z: i64)", "v"),
                    name = "type W = W(x: i64, y: i64);\npub fn f(v: W) -> W { v }";
  const std::vector<Candidate> candidates = {
      {"swap", swap, {}}, {"same", same, {}}, {"field", field, {}}, {"name", name, {}}};
  CandidateList source(candidates);
  CasesTable table;
  ASSERT_FALSE(read_jsonl_cases("cases.jsonl", cases, {}, table));
  Results results;
  ASSERT_FALSE(evaluate(source, table, {}, results));
  EXPECT_EQ(results.rows[0].passed, 2u);
  EXPECT_EQ(results.rows[1].passed, 1u);
  EXPECT_EQ(results.rows[2].status, Status::Refused);
  EXPECT_EQ(results.rows[3].status, Status::Refused);
}

TEST(Evaluate, CasesThatDoNotFitAreAnErrorThatNamesTheCandidate) {
  CandidateList source(kCandidates);
  const CasesTable table = table_of("m,expected\n1,2\n");
  Results results;
  const Problem error = evaluate(source, table, {}, results);
  ASSERT_TRUE(error);
  EXPECT_EQ(
      error.text(),
      "cases.csv:1: the cases have no column for the parameter `n`, but `m` (the entry is (n: "
      "i64) -> "
      "i64) [the signature is that of the candidate `wrong`]; name the columns after the "
      "parameters, or say which columns are the inputs, as `--input m`");
}

// A first candidate with another signature does not decide for the others.
TEST(Evaluate, TheFirstSignatureThatTheCasesFitIsTheOne) {
  const Results results = evaluate_all({{"name", "pub fn f(y: f64) -> f64 { y }", {}},
                                        {"type", "pub fn f(x: i64) -> i64 { x }", {}},
                                        {"again", "pub fn f(y: f64) -> f64 { y + 1.0 }", {}},
                                        {"right", "pub fn f(x: f64) -> f64 { x }", {}},
                                        {"later", "pub fn f(x: i64) -> i64 { x + 1 }", {}}},
                                       {}, "x,expected\n1.5,1.5\n2,2\n");
  EXPECT_TRUE(results.typed);
  for (const u32 refused : {0u, 1u, 2u, 4u})
    EXPECT_EQ(results.rows[refused].status, Status::Refused);
  EXPECT_EQ(results.rows[3].status, Status::Ok);
  EXPECT_EQ(results.rows[3].rank, 1u);
  EXPECT_EQ(
      results.diagnostics[results.rows[0].diagnostics_begin].message,
      "the cases do not fit its entry: cases.csv:1: the cases have no column for the parameter "
      "`y`, but `x` (the entry is (y: f64) -> f64); name the columns after the parameters, or "
      "say which columns are the inputs, as `--input x`");
}

// What a refusal shows reads back to the same.
TEST(Evaluate, ASignatureIsReadAsItIsShown) {
  for (const std::string text :
       {"() -> ()", "(n: i64) -> i64", "(x: f64, flag: bool) -> (f64, (u8,))",
        "(pair: ((i32, u32), f32), rest: ()) -> u64"}) {
    for (const char* const head : {"fn", " pub fn f ", "fn steps"}) {
      const Result<Signature> read = read_signature(head + text);
      EXPECT_EQ(read.problem().text(), "") << head << text;
      EXPECT_EQ(read.value().text(), text);
    }
  }
  for (const char* const wrong :
       {"", "fn", "fn()", "fn() ->", "fn(f64) -> f64", "fn(x: f64 -> f64", "fn(x: real) -> f64",
        "fn(x: f64) -> f64 {", "fn(x: f64) -> f64, f64"})
    EXPECT_NE(read_signature(wrong).problem().text(), "") << wrong;
}

TEST(Evaluate, AStatedSignatureCountsWhateverComesFirst) {
  const std::vector<Candidate> candidates = {{"a", "pub fn f(n: i64) -> i64 { n }", {}},
                                             {"b", "pub fn f(n: f64) -> f64 { n }", {}}};
  const std::string cases = "n,expected\n1,1\n2,2\n";
  EvaluateOptions options;
  const auto status = [&](u32 row) {
    return evaluate_all(candidates, options, cases).rows[row].status;
  };
  EXPECT_EQ(status(0), Status::Ok);
  EXPECT_EQ(status(1), Status::Refused);
  options.programs.signature = read_signature("fn(n: f64) -> f64").value();
  EXPECT_EQ(status(0), Status::Refused);
  EXPECT_EQ(status(1), Status::Ok);
  options.programs.signature = read_signature("(m: f64) -> f64").value();
  CandidateList source(candidates);
  Results results;
  const Problem error = evaluate(source, table_of(cases), options, results);
  ASSERT_TRUE(error);
  EXPECT_NE(error.text().find("`m`"), std::string::npos) << error.text();
  EXPECT_NE(error.text().find("--signature"), std::string::npos) << error.text();
  EXPECT_FALSE(results.typed);
}

TEST(Evaluate, NothingCompiles) {
  const Results results = evaluate_all({{"a", "pub fn", {}}, {"b", "pub fn f(", {}}});
  EXPECT_FALSE(results.typed);
  EXPECT_EQ(results.rows[0].status, Status::CompileError);
  EXPECT_EQ(results.rows[1].status, Status::CompileError);
  EXPECT_EQ(results.rows[0].rank, 0u);
}

TEST(Evaluate, NoCandidates) {
  const Results results = evaluate_all({});
  EXPECT_TRUE(results.ranking.empty());
}

// Many candidates of all kinds, with duplicates far apart.
struct Population {
  std::vector<std::string> sources, ids;
  std::vector<Candidate> candidates;

  explicit Population(u32 count) {
    for (u32 i = 0; i < count; ++i) {
      const std::string k = std::to_string(i % 97), m = std::to_string(i % 13);
      sources.push_back(i % 11 == 5   ? "pub fn f(n: i64) -> i64 { n + " + k + " }}"
                        : i % 7 == 3  ? "pub fn f(n: i64) -> i64 { n / (n - " + k + ") }"
                        : i % 17 == 4 ? "pub fn f(m: i64) -> i64 { " + k + " }"
                        : i % 5 == 1  ? "pub fn f(n: i64) -> i64 { var s = 0; for i in 0.." + m +
                                           " { s += n; }\n s }"
                                     : "pub fn f(n: i64) -> i64 { n * " + m + " + " + k + " }");
      ids.push_back("c" + std::to_string(i));
    }
    for (u32 i = 0; i < count; ++i) candidates.push_back({ids[i], sources[i], {}});
  }
};

// Threads come to the same program at the same time, also to the later one first. Places tell whose result it
// is: blanks are no tokens.
TEST(Evaluate, DuplicatesSideBySideAreTheFirstOnes) {
  std::vector<std::string> sources, ids;
  std::vector<Candidate> candidates;
  for (u32 i = 0; i < 600; ++i) {
    const std::string blanks(i % 31, ' '), k = std::to_string(i / 6);
    sources.push_back("pub fn f(n: i64) -> i64 { " + blanks +
                      (i / 6 % 2 == 0 ? "missing + " + k : "n / (n - n) + " + k) + " }");
    ids.push_back(std::to_string(i));
  }
  for (u32 i = 0; i < 600; ++i) candidates.push_back({ids[i], sources[i], {}});
  EvaluateOptions options;
  options.machines.threads = 1;
  const std::string wanted = report_of(evaluate_all(candidates, options));
  for (u32 round = 0; round < 20; ++round) {
    options.machines.threads = 2 + round % 6;
    const Results results = evaluate_all(candidates, options);
    ASSERT_EQ(report_of(results), wanted);
    for (u32 i = 0; i < 600; ++i)
      ASSERT_EQ(results.rows[i].duplicate_of, i % 6 == 0 ? kNone : i / 6 * 6);
  }
}

TEST(Evaluate, TheReportDoesNotDependOnThreadsEpochsOrMachine) {
  const Population population(700);
  EvaluateOptions options;
  options.machines.threads = 1;
  const std::string wanted = report_of(evaluate_all(population.candidates, options));
  for (const u32 threads : {1u, 2u, 7u}) {
    for (const u32 epoch : {1u, 16u, 1000u}) {
      for (const MachineKind machine : {MachineKind::Batch, MachineKind::Reference}) {
        options.machines.threads = threads;
        options.machines.epoch = epoch;
        options.machines.machine = machine;
        EXPECT_EQ(report_of(evaluate_all(population.candidates, options)), wanted)
            << threads << " threads, epochs of " << epoch;
      }
    }
  }
}

// The same programs on warps, emulated and, where there is one, of a GPU.
TEST(Evaluate, TheReportDoesNotDependOnTheDevice) {
  const Population population(300);
  const std::string wanted = report_of(evaluate_all(population.candidates));
  std::vector<std::unique_ptr<vm::WarpDevice>> devices;
  devices.push_back(vm::emulated_warp_device());
  if (auto opened = vm::open_cuda_device(); !opened.problem())
    devices.push_back(std::move(opened.value().device));
  for (const auto& device : devices) {
    for (const u32 threads : {1u, 3u}) {
      for (const u32 epoch : {7u, 1000u}) {
        EvaluateOptions options;
        options.machines.threads = threads;
        options.machines.device_epoch = epoch;
        options.machines.device = device.get();
        EXPECT_EQ(report_of(evaluate_all(population.candidates, options)), wanted)
            << threads << " threads, epochs of " << epoch;
      }
    }
  }
}

// A device of the emulator that tells how many programs it was given.
class CountingDevice final : public frontend::BatchDevice {
 public:
  explicit CountingDevice(size_t& programs) : programs_(programs) {}
  Problem run(const frontend::PackedPrograms& packed, frontend::DeviceAnswer& answer) override {
    programs_ += packed.programs.size();
    return device_->run(packed, answer);
  }
  Problem run_there(const frontend::ResidentSources& sources,
                    frontend::ResidentResults& out) override {
    programs_ += sources.count;
    return device_->run_there(sources, out);
  }

 private:
  size_t& programs_;
  std::unique_ptr<frontend::BatchDevice> device_ = frontend::emulated_device(11, 2);
};

// Candidates of every kind, also such as no device takes, and what stands far apart is the same.
struct AllKinds {
  Population population{40};
  std::vector<std::string> sources{"pub fn f(n: i64) -> i64 { \xFF }",
                                   "pub fn f(n: i64) -> i64 {\n \xFF }",
                                   "",
                                   "// nothing but this",
                                   ";",
                                   "pub fn f(n: i64) -> i64 { n + n }" + std::string(300'000, '\n'),
                                   "pub fn f(n: i64) -> i64 { f(n) }",
                                   "fn g(n: i64) -> i64 rec 4096 { let a = n; g(a) + a }\n"
                                   "pub fn f(n: i64) -> i64 { g(n) }",
                                   "pub fn f(n: i64) -> i64 { x + y + n.z }",
                                   "pub fn f(n: i64) -> i64 { n + n }"};
  std::vector<Candidate> candidates = kCandidates;

  AllKinds() {
    for (const std::string& source : sources) candidates.push_back({"hostile", source, {}});
    for (const Candidate& candidate : population.candidates) candidates.push_back(candidate);
    for (const Candidate& candidate : kCandidates) candidates.push_back(candidate);
  }
};

// Compiled on a device too, under the emulator and, where there is one, on a GPU.
TEST(Evaluate, TheReportDoesNotDependOnWhereProgramsAreCompiled) {
  const AllKinds kinds;
  const Results on_cpu = evaluate_all(kinds.candidates);
  const std::string wanted = report_of(on_cpu);
  size_t programs = 0;
  std::vector<std::unique_ptr<frontend::BatchCompiler>> compilers;
  compilers.push_back(
      std::make_unique<frontend::BatchCompiler>(std::make_unique<CountingDevice>(programs)));
  if (auto opened = frontend::open_device_compiler(); !opened.problem())
    compilers.push_back(std::move(opened.value().compiler));
  const auto warps = vm::emulated_warp_device();
  for (const auto& compiler : compilers) {
    for (const u32 epoch : {7u, 1000u}) {
      for (vm::WarpDevice* const device : {static_cast<vm::WarpDevice*>(nullptr), warps.get()}) {
        EvaluateOptions options;
        options.machines.threads = 3;
        options.machines.epoch = 5;  // of no meaning where there is a device
        options.machines.device_epoch = epoch;
        options.machines.compiler = compiler.get();
        options.machines.device = device;
        EXPECT_EQ(report_of(evaluate_all(kinds.candidates, options)), wanted)
            << "epochs of " << epoch << (device == nullptr ? "" : ", run by warps");
      }
    }
  }
  // Each text once: no duplicate, nothing that is no text, nothing that is too long.
  size_t distinct = 0;
  for (const ResultRow& row : on_cpu.rows) distinct += row.duplicate_of == kNone;
  constexpr size_t kUnread = 2, kNoText = 2, kTooLong = 1, kRuns = 4;
  EXPECT_EQ(programs, (distinct - kUnread - kNoText - kTooLong) * kRuns);
}

TEST(Evaluate, AStackLimitHoldsOnADevice) {
  frontend::BatchCompiler compiler(frontend::emulated_device(2, 2));
  EvaluateOptions options;
  options.limits.stack_limit = 16;
  const std::string wanted = report_of(evaluate_all(kCandidates, options));
  options.machines.compiler = &compiler;
  EXPECT_EQ(report_of(evaluate_all(kCandidates, options)), wanted);
}

// Texts without an identity are no duplicates of each other.
TEST(Evaluate, EachBadTextHasItsOwnPlace) {
  const Results results = evaluate_all({{"a", std::string_view("fn\0", 3), {}},
                                        {"b", std::string_view("\n fn\0", 5), {}},
                                        {"c", "pub fn f(n: i64) -> i64 { n * 2 }", {}}});
  EXPECT_EQ(results.rows[1].duplicate_of, kNone);
  ASSERT_EQ(results.diagnostics.size(), 2u);
  EXPECT_EQ(results.diagnostics[0].begin.line, 1u);
  EXPECT_EQ(results.diagnostics[1].begin.line, 2u);
}

// What a device says of itself is the answer.
void expect_device_error(const EvaluateOptions& options, const std::string& text) {
  CandidateList source(kCandidates);
  Results results;
  const Problem error = evaluate(source, table_of(kCases), options, results);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.text(), text);
  EXPECT_TRUE(error.is(ProblemKind::Device));
}

class BrokenCompiler final : public frontend::BatchDevice {
 public:
  Problem run(const frontend::PackedPrograms&, frontend::DeviceAnswer&) override {
    return device_problem("it compiles nothing");
  }
  Problem run_there(const frontend::ResidentSources&, frontend::ResidentResults&) override {
    return device_problem("it compiles nothing");
  }
};
TEST(Evaluate, ADeviceThatDoesNotCompileIsAnError) {
  frontend::BatchCompiler compiler(std::make_unique<BrokenCompiler>());
  EvaluateOptions options;
  options.machines.compiler = &compiler;
  expect_device_error(options, "it compiles nothing; use `--device cpu`");
}

class BrokenDevice final : public vm::WarpDevice {
 public:
  Problem load_cases(const CasesView&) override { return {}; }
  Problem run(const vm::WarpBatch&, const vm::WarpRun&) override {
    return device_problem("it is broken");
  }
  Problem run(const vm::ResidentPrograms&, const vm::WarpRun&) override {
    return device_problem("it is broken");
  }
  OutcomesView outcomes(const vm::WarpBatch&, u32) override { return {}; }
  vm::ResidentOutcomes resident() override { return {}; }
};
TEST(Evaluate, AFailingDeviceIsAnError) {
  BrokenDevice device;
  EvaluateOptions options;
  options.machines.device = &device;
  expect_device_error(options, "it is broken; use `--device cpu`");
}

std::string content_of(const std::string& path) {
  std::ifstream file(std::string(KOMUZ_SOURCE_DIR) + "/" + path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Evaluate, TheRegressionExampleFromItsFiles) {
  const std::string candidates = content_of("examples/regression/candidates.jsonl");
  CasesTable table;
  ASSERT_FALSE(read_cases("cases.csv", content_of("examples/regression/cases.csv"), {}, table));
  std::string wanted;
  for (const u32 threads : {1u, 2u, 16u}) {
    size_t at = 0;
    JsonlCandidates source("candidates.jsonl", [&](std::span<char> buffer) {
      const size_t count = std::min(buffer.size(), candidates.size() - at);
      std::copy_n(candidates.data() + at, count, buffer.data());
      at += count;
      return count;
    });
    EvaluateOptions options;
    options.machines.threads = threads;
    options.ranking.score = ScoreKind::SquaredError;
    Results results;
    ASSERT_FALSE(evaluate(source, table, options, results));
    ASSERT_EQ(results.rows.size(), 10'000u);
    // The formula itself is among them.
    EXPECT_EQ(results.rows[results.ranking[0]].score, 0.0);
    EXPECT_EQ(results.rows[results.ranking[0]].passed, 256u);
    const std::string report = report_of(results);
    if (wanted.empty()) wanted = report;
    EXPECT_TRUE(report == wanted) << threads << " threads";
  }
}

TEST(Evaluate, ManyCasesRunInSlices) {
  std::string csv = "n,expected\n";
  for (int i = 0; i < 3000; ++i) csv += std::to_string(i) + "," + std::to_string(2 * i) + "\n";
  const Results results = evaluate_all(
      {{"good", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
       {"late", "pub fn f(n: i64) -> i64 { if n < 2500 { n * 2 } else { 7 / 0 } }", {}}},
      {}, csv);
  EXPECT_EQ(results.rows[0].passed, 3000u);
  EXPECT_EQ(results.rows[0].fuel, 3000u);
  EXPECT_EQ(results.rows[1].passed, 2500u);
  EXPECT_EQ(results.failures[results.rows[1].first_failure].case_index, 2500u);
}

// A program that uses up its fuel on every case, millions of ticks each, is left between two slices.
TEST(Evaluate, AStopIsSeenInsideALongProgram) {
  std::string csv = "n,expected\n";
  for (int i = 0; i < 20'000; ++i) csv += "1,1\n";
  const std::vector<Candidate> candidates = {
      {"fast", "pub fn f(n: i64) -> i64 { n }", {}},
      {"endless", "pub fn f(n: i64) -> i64 { var k = n; while k > 0 { k = n; }\n k }", {}}};
  CandidateList source(candidates);
  const CasesTable table = table_of(csv);
  EvaluateOptions options;
  options.machines.threads = 1;
  options.limits.candidate_budget = u64{1} << 50;  // only the stop ends it
  std::stop_source stop;
  std::jthread interrupt([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  Results results;
  ASSERT_FALSE(evaluate(source, table, options, results, nullptr, nullptr, stop.get_token()));
  const std::chrono::duration<f64> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_FALSE(results.complete);
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.rows[0].passed, 20'000u);
  // All of it would take 20,000 million ticks.
  EXPECT_LT(seconds.count(), 10.0);
}

class Recorder final : public ResultSink, public ProgressSink {
 public:
  void on_result(const Results& results, u32 row) override {
    EXPECT_EQ(row, lines.size());
    EXPECT_EQ(results.rows[row].rank, 0u);
    write_row_json(lines.emplace_back(), results, row);
    if (stop_after != 0 && lines.size() == stop_after) stop.request_stop();
  }
  void on_progress(u64 done, std::optional<u64> total) override {
    EXPECT_GE(done, last_done);
    last_done = done;
    last_total = total;
  }
  std::vector<std::string> lines;
  u64 last_done = 0;
  std::optional<u64> last_total;
  size_t stop_after = 0;
  std::stop_source stop;
};

TEST(Evaluate, SinksHearOfEveryRowInOrder) {
  const Population population(300);
  CandidateList source(population.candidates);
  const CasesTable table = table_of(kCases);
  Results results;
  Recorder recorder;
  EvaluateOptions options;
  options.machines.epoch = 32;
  options.machines.threads = 3;
  ASSERT_FALSE(evaluate(source, table, options, results, &recorder, &recorder));
  EXPECT_EQ(recorder.lines.size(), 300u);
  EXPECT_EQ(recorder.last_done, 300u);
  EXPECT_EQ(recorder.last_total, 300u);
}

TEST(Evaluate, WithoutDetailsTheSinkStillSeesThem) {
  const Population population(300);
  const CasesTable table = table_of(kCases);
  Recorder with, without;
  Results kept, dropped;
  EvaluateOptions options;
  CandidateList first(population.candidates), second(population.candidates);
  ASSERT_FALSE(evaluate(first, table, options, kept, &with));
  options.details.keep_details = false;
  ASSERT_FALSE(evaluate(second, table, options, dropped, &without));
  for (size_t i = 0; i < with.lines.size(); ++i) {
    if (kept.rows[i].duplicate_of == kNone) {
      EXPECT_EQ(with.lines[i], without.lines[i]);
    }
  }
  EXPECT_TRUE(dropped.failures.empty());
  EXPECT_TRUE(dropped.diagnostics.empty());
  EXPECT_EQ(kept.ranking, dropped.ranking);
}

TEST(Evaluate, AStopGivesTheRowsOfTheFirstCandidates) {
  const Population population(300);
  const CasesTable table = table_of(kCases);
  CandidateList all(population.candidates), again(population.candidates);
  Results whole, part;
  EvaluateOptions options;
  options.machines.epoch = 50;
  options.machines.threads = 1;
  Recorder every, stopped;
  ASSERT_FALSE(evaluate(all, table, options, whole, &every));
  stopped.stop_after = 60;  // in the second epoch, of which twenty are done by then
  ASSERT_FALSE(evaluate(again, table, options, part, &stopped, nullptr, stopped.stop.get_token()));
  EXPECT_FALSE(part.complete);
  ASSERT_EQ(part.rows.size(), 70u);
  EXPECT_EQ(part.ranking.size(), part.rows.size());
  for (size_t i = 0; i < part.rows.size(); ++i) EXPECT_EQ(stopped.lines[i], every.lines[i]);
}

// What a stop cuts a read short of is no candidate.
TEST(Evaluate, AStopInTheMiddleOfAReadGivesWhatWasBeforeIt) {
  class Interrupted final : public CandidateSource {
   public:
    std::stop_source stop;
    void read(CandidateBatch& batch, size_t) override {
      batch.rows.push_back(kCandidates[2]);
      if (reads_++ == 0) return;
      batch.rows.push_back({"half", "", "this line is not valid JSON"});
      stop.request_stop();
    }

   private:
    int reads_ = 0;
  } source;
  Results results;
  ASSERT_FALSE(
      evaluate(source, table_of(kCases), {}, results, nullptr, nullptr, source.stop.get_token()));
  EXPECT_FALSE(results.complete);
  ASSERT_EQ(results.rows.size(), 1u);
  EXPECT_EQ(results.id(0), "good");
}

TEST(Evaluate, AStopBeforeTheStartGivesNothing) {
  std::stop_source stop;
  stop.request_stop();
  CandidateList source(kCandidates);
  const CasesTable table = table_of(kCases);
  Results results;
  ASSERT_FALSE(evaluate(source, table, {}, results, nullptr, nullptr, stop.get_token()));
  EXPECT_FALSE(results.complete);
  EXPECT_TRUE(results.rows.empty());
}

}  // namespace
}  // namespace komuz::engine
