// SPDX-License-Identifier: Apache-2.0
// Epochs that are dealt out to several devices: whatever their speeds, the report, the stream and the log have the bytes of one device
// and of the CPU. Then a device that fails.
#include "engine/run/device_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "engine/device.h"
#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "frontend_gpu/device/cuda/cuda_device.h"
#include "tests/engine/log/logged_runs.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using test::LinesSink;

// An emulated device, or that of a GPU, that does something before each run, and may fail there.
class TeamWarps final : public vm::WarpDevice {
 public:
  explicit TeamWarps(std::function<Problem()> before, std::unique_ptr<vm::WarpDevice> device)
      : before_(std::move(before)), device_(std::move(device)) {}

  Problem load_cases(const CasesView& cases) override { return device_->load_cases(cases); }
  Problem run(const vm::WarpBatch& batch, const vm::WarpRun& run) override {
    ++runs;
    return before_().then([&] { return device_->run(batch, run); });
  }
  Problem run(const vm::ResidentPrograms& programs, const vm::WarpRun& run) override {
    ++runs;
    return before_().then([&] { return device_->run(programs, run); });
  }
  OutcomesView outcomes(const vm::WarpBatch& batch, u32 program) override {
    return device_->outcomes(batch, program);
  }
  vm::ResidentOutcomes resident() override { return device_->resident(); }
  [[nodiscard]] int gpu() const override { return device_->gpu(); }

  std::atomic<u32> runs = 0;

 private:
  std::function<Problem()> before_;
  std::unique_ptr<vm::WarpDevice> device_;
};

class CountedCompiler final : public frontend::BatchDevice {
 public:
  explicit CountedCompiler(std::atomic<u32>& programs) : programs_(programs) {}
  Problem run(const frontend::PackedPrograms& packed, frontend::DeviceAnswer& answer) override {
    programs_ += static_cast<u32>(packed.programs.size());
    return device_->run(packed, answer);
  }
  Problem run_there(const frontend::ResidentSources& sources,
                    frontend::ResidentResults& out) override {
    return device_->run_there(sources, out);
  }

 private:
  std::atomic<u32>& programs_;
  std::unique_ptr<frontend::BatchDevice> device_ = frontend::emulated_device(11, 2);
};

// So many devices, of which each is slower than the one before.
struct Team {
  struct Member {
    std::unique_ptr<TeamWarps> warps;
    std::unique_ptr<frontend::BatchCompiler> compiler;
    std::atomic<u32> compiled = 0;
  };
  std::vector<std::unique_ptr<Member>> members;

  explicit Team(u32 size) {
    for (u32 k = 0; k < size; ++k) {
      const auto pause = [k]() -> Problem {
        std::this_thread::sleep_for(std::chrono::milliseconds(k));
        return {};
      };
      add(pause, vm::emulated_warp_device(k + 1));
    }
  }
  Team() = default;
  void add(std::function<Problem()> before, std::unique_ptr<vm::WarpDevice> device) {
    Member& member = *members.emplace_back(std::make_unique<Member>());
    member.warps = std::make_unique<TeamWarps>(std::move(before), std::move(device));
    member.compiler = std::make_unique<frontend::BatchCompiler>(
        std::make_unique<CountedCompiler>(member.compiled));
  }

  void join(MachineOptions& machines) const {
    machines.compiler = members[0]->compiler.get();
    machines.device = members[0]->warps.get();
    machines.device_name = "cuda:0";
    for (size_t k = 1; k < members.size(); ++k)
      machines.more_devices.push_back(
          {members[k]->compiler.get(), members[k]->warps.get(), "cuda:" + std::to_string(k)});
  }
};

struct Shown {
  std::string report, stream;
  bool operator==(const Shown&) const = default;
};
Shown shown(CandidateSource& source, const CasesTable& cases, const EvaluateOptions& options) {
  Results results;
  LinesSink sink;
  const Problem error = evaluate(source, cases, options, results, &sink);
  EXPECT_FALSE(error) << error.text();
  EXPECT_TRUE(results.complete);
  return {test::report_of(results), sink.lines};
}

std::string csv() {
  std::string text = "n,x,expected\n";
  for (u32 k = 0; k < 150; ++k)
    text += std::to_string(k % 7) + "," + std::to_string(k % 5) + ".5," + std::to_string(k % 5) +
            ".75\n";
  return text;
}

// Programs that are right, wrong, trap, have errors, and where not all are `distinct`, never end or are those of an earlier one.
std::vector<std::string> texts(bool distinct = false) {
  std::vector<std::string> list;
  for (u32 k = 0; k < 101; ++k) {
    const std::string number = std::to_string(distinct ? k : k % 37);
    const std::string body = k % 11 == 5                ? "x + " + number + " }"
                             : k % 13 == 7              ? "f64(n / (n - " + number + "))"
                             : k % 29 == 3 && !distinct ? "while true { } x"
                                                        : "x * " + number + ".25 + f64(n)";
    list.push_back("pub fn f(n: i64, x: f64) -> f64 { " + body + " }");
  }
  return list;
}

TEST(DeviceTeam, TextsAreDealtOutWithTheSameBytes) {
  const CasesTable cases = test::table_of(csv());
  const std::vector<std::string> sources = texts();
  std::vector<Candidate> candidates;
  for (const std::string& source : sources) candidates.push_back({"c", source, {}});
  EvaluateOptions options;
  options.ranking.score = ScoreKind::AbsoluteError;
  options.limits.fuel = 2000;
  options.machines.threads = 3;
  CandidateList plain(candidates);
  const Shown wanted = shown(plain, cases, options);
  for (const u32 size : {1u, 2u, 3u}) {
    for (const u32 epoch : {1u, 9u, 1000u}) {
      SCOPED_TRACE(std::to_string(size) + " devices, epochs of " + std::to_string(epoch));
      const Team team(size);
      EvaluateOptions own = options;
      own.machines.device_epoch = epoch;
      team.join(own.machines);
      CandidateList list(candidates);
      EXPECT_EQ(shown(list, cases, own), wanted);
      for (const auto& member : team.members) {
        EXPECT_GT(member->compiled, 0u);
        EXPECT_GT(member->warps->runs, 0u);
      }
    }
  }
}

// A device waits in its run for the other to begin one, so both have to run at the same time.
TEST(DeviceTeam, AllWorkAtTheSameTime) {
  std::mutex mutex;
  std::condition_variable came;
  u32 there = 0;
  const auto meet = [&]() -> Problem {
    std::unique_lock lock(mutex);
    ++there;
    came.notify_all();
    const bool met = came.wait_for(lock, std::chrono::minutes(2), [&] { return there >= 2; });
    return met ? Problem() : device_problem("the other one has not begun");
  };
  Team team;
  for (u32 k = 0; k < 2; ++k) team.add(meet, vm::emulated_warp_device());
  EvaluateOptions options;
  team.join(options.machines);
  const std::vector<Candidate> candidates = {{"a", "pub fn f(n: i64) -> i64 { n * 2 }", {}},
                                             {"b", "pub fn f(n: i64) -> i64 { n * 3 }", {}}};
  test::evaluate_all(candidates, options);
  EXPECT_EQ(there, 2u);
}

constexpr const char* kTeamSketch =
    "pub fn f(n: i64, x: f64) -> f64 {\n"
    "    ?a[x * ?(0.0..2.0, steps: 12), f64(n / ?(-1..3)), ?e(x), sqrt(x)] + ?b[0.0, x]\n"
    "}\n"
    "space e(x: f64) -> f64 depth 1 { x, ?(0.5..2.5, steps: 4), e * e }\n";

// Bound, expanded, and bred: devices make them from their numbers, compile their texts, and run generations of them.
TEST(DeviceTeam, VariantsAreDealtOutWithTheSameBytes) {
  const CasesTable cases = test::table_of(csv());
  const std::optional<SketchProgram> sketch = read_sketch(kTeamSketch, {});
  ASSERT_TRUE(sketch);
  EvaluateOptions options;
  options.programs.sketch = &*sketch;
  options.ranking.score = ScoreKind::SquaredError;
  options.machines.device_epoch = 17;
  const Team team(3);
  for (const bool expands : {false, true}) {
    SCOPED_TRACE(expands ? "expanded" : "bound");
    options.programs.expands_variants = expands;
    EvaluateOptions own = options;
    team.join(own.machines);
    SketchCandidates plain(sketch->source, sketch->plan, {}),
        dealt(sketch->source, sketch->plan, {});
    const Shown wanted = shown(plain, cases, options);
    EXPECT_EQ(shown(dealt, cases, own), wanted);
  }
  options.programs.expands_variants = false;
  SearchOptions search{.population = 20, .generations = 4};
  const auto searched = [&](EvaluateOptions own) {
    own.machines.epoch = own.machines.device_epoch = search.population;
    settle(sketch->plan, search, own);
    LinesSink sink;
    SearchCandidates candidates(sketch->source, sketch->plan, search, &sink);
    Results results;
    const Problem error = evaluate(candidates, cases, own, results, &candidates);
    EXPECT_FALSE(error) << error.text();
    return Shown{test::report_of(results), sink.lines};
  };
  EvaluateOptions own = options;
  team.join(own.machines);
  EXPECT_EQ(searched(own), searched(options));
  for (const auto& member : team.members) EXPECT_GT(member->warps->runs, 0u);
}

// What a device ranks by itself, the first one does alone.
TEST(DeviceTeam, TheFirstRanksAlone) {
  const CasesTable cases = test::table_of(csv());
  const std::optional<SketchProgram> sketch = read_sketch(kTeamSketch, {});
  EvaluateOptions options;
  options.programs.sketch = &*sketch;
  options.ranking.best_rows = 5;
  options.details.keep_details = false;
  const auto best = [&](const EvaluateOptions& own) {
    SketchCandidates candidates(sketch->source, sketch->plan, {});
    Results results;
    EXPECT_FALSE(evaluate(candidates, cases, own, results));
    std::string ids;
    for (const u32 row : results.ranking) ids += std::string(results.id(row)) + " ";
    return ids;
  };
  const std::string wanted = best(options);
  const Team team(2);
  team.join(options.machines);
  EXPECT_EQ(best(options), wanted);
  EXPECT_GT(team.members[0]->warps->runs, 0u);
  EXPECT_EQ(team.members[1]->warps->runs, 0u);
}

// The second of three fails in its third run, that of the third epoch: the run ends, names it, and says what to do. The log has the epochs before, and another
// run goes on from there, without that device, to the same bytes.
TEST(DeviceTeam, ADeviceThatFailsInTheMiddleIsNamed) {
  const CasesTable cases = test::table_of(csv());
  const std::vector<std::string> sources = texts(true);
  std::vector<Candidate> candidates;
  for (const std::string& source : sources) candidates.push_back({"c", source, {}});
  const test::Folder folder;
  EvaluateOptions options;
  options.machines.device_epoch = 5;
  const auto logged = [&](EvaluateOptions own, const std::string& path) -> Problem {
    ResultLog log;
    EXPECT_FALSE(log.resume(path, make_header("1.0", "eval", own, cases, {})));
    own.details.log = &log;
    CandidateList list(candidates);
    Results results;
    return evaluate(list, cases, own, results);
  };
  ASSERT_FALSE(logged(options, folder.file("cpu.jsonl")));
  const std::string wanted = test::content(folder.file("cpu.jsonl"));

  u32 runs = 0;
  Team team;
  team.add([] { return Problem(); }, vm::emulated_warp_device());
  team.add([&] { return ++runs == 3 ? device_problem("it has burnt") : Problem(); },
           vm::emulated_warp_device());
  team.add([] { return Problem(); }, vm::emulated_warp_device());
  EvaluateOptions own = options;
  team.join(own.machines);
  const std::string path = folder.file("devices.jsonl");
  const Problem failed = logged(own, path);
  EXPECT_TRUE(failed.is(ProblemKind::Device));
  EXPECT_EQ(failed.text(), "cuda:1: it has burnt; leave cuda:1 out, or use `--device cpu`");
  const std::string before = test::content(path);
  EXPECT_TRUE(wanted.starts_with(before));
  // Two epochs of 15 candidates, the line of the run, and that of the signature.
  EXPECT_EQ(std::ranges::count(before, '\n'), 32);

  team.members.erase(team.members.begin() + 1);
  own = options;
  team.join(own.machines);
  EXPECT_FALSE(logged(own, path));
  EXPECT_EQ(test::content(path), wanted);
}

// Where there are two GPUs and more.
TEST(DeviceTeam, OnAllGpusOfThisMachine) {
  Result<Devices> opened = open_devices({.kind = DeviceKind::Cuda, .gpus = {}, .takes_all = true});
  if (opened.problem()) GTEST_SKIP() << "no GPU: " << opened.problem().text();
  if (opened.value().gpus.size() < 2) GTEST_SKIP() << "one GPU alone";
  const CasesTable cases = test::table_of(csv());
  const std::vector<std::string> sources = texts();
  std::vector<Candidate> candidates;
  for (const std::string& source : sources) candidates.push_back({"c", source, {}});
  EvaluateOptions options;
  CandidateList plain(candidates), dealt(candidates);
  const Shown wanted = shown(plain, cases, options);
  options.machines.device_epoch = 10;
  use_devices(opened.value(), options.machines);
  EXPECT_EQ(shown(dealt, cases, options), wanted);
}

// --- which GPUs are meant

TEST(GpuChoice, NamesAndNumbersAreRead) {
  const auto read = [](std::string_view text) {
    Result<DeviceChoice> choice = read_device_choice("--device", text);
    EXPECT_FALSE(choice.problem()) << choice.problem().text();
    return std::move(choice).value();
  };
  EXPECT_EQ(read("auto"), DeviceChoice());
  EXPECT_EQ(read("cpu"), (DeviceChoice{.kind = DeviceKind::Cpu, .gpus = {}}));
  EXPECT_EQ(read("cuda"), (DeviceChoice{.kind = DeviceKind::Cuda, .gpus = {}}));
  EXPECT_EQ(read("cuda:1"), (DeviceChoice{.kind = DeviceKind::Cuda, .gpus = {1}}));
  EXPECT_EQ(read("cuda:2,0,1"), (DeviceChoice{.kind = DeviceKind::Cuda, .gpus = {2, 0, 1}}));
  EXPECT_EQ(read("cuda:all"),
            (DeviceChoice{.kind = DeviceKind::Cuda, .gpus = {}, .takes_all = true}));
}

TEST(GpuChoice, WhatIsWrongIsNamed) {
  const std::pair<const char*, const char*> kWrong[] = {
      {"cuda:",
       "`--device` has `cuda:`, which names no GPU; write `cuda:0`, `cuda:0,1` or "
       "`cuda:all`"},
      {"cuda:0,0", "`--device` has `cuda:0,0`, which names GPU 0 twice; name each once"},
      {"cuda:0,",
       "`--device` has `cuda:0,`, where a number is missing; write `cuda:0`, `cuda:0,1` or "
       "`cuda:all`"},
      {"cuda:-1",
       "`--device` has `cuda:-1`, where `-1` is no number of a GPU; write `cuda:0`, "
       "`cuda:0,1` or `cuda:all`"},
      {"cuda:0,all",
       "`--device` has `cuda:0,all`, where `all` is no number of a GPU; write "
       "`cuda:0`, `cuda:0,1` or `cuda:all`"},
      {"cuda:99999999999",
       "`--device` has `cuda:99999999999`, where `99999999999` is no number of "
       "a GPU; write `cuda:0`, `cuda:0,1` or `cuda:all`"},
      {"gpu",
       "`--device` takes auto, cpu, cuda, or GPUs such as `cuda:0,1`, not `gpu`; `komuz devices` "
       "shows them"},
      {"",
       "`--device` takes auto, cpu, cuda, or GPUs such as `cuda:0,1`, not ``; `komuz devices` "
       "shows them"},
  };
  for (const auto& [text, wanted] : kWrong) {
    const Result<DeviceChoice> choice = read_device_choice("--device", text);
    EXPECT_EQ(choice.problem().text(), wanted);
    EXPECT_TRUE(choice.problem().is(ProblemKind::Option));
  }
}

TEST(GpuChoice, WhatIsNotThereIsNamed) {
  gpu::Devices found;
  const auto add = [&](const char* name, u32 major, bool is_usable) {
    gpu::Device& device = found.devices.emplace_back();
    device.name = name;
    device.major = major;
    device.is_usable = is_usable;
  };
  add("old", 7, false);
  add("one", 9, true);
  add("two", 9, true);
  const auto chosen = [&](std::string_view text) {
    return chosen_gpus(read_device_choice("--device", text).value(), found);
  };
  EXPECT_EQ(chosen("cuda").value(), (std::vector<u32>{1}));
  EXPECT_EQ(chosen("auto").value(), (std::vector<u32>{1}));
  EXPECT_EQ(chosen("cuda:all").value(), (std::vector<u32>{1, 2}));
  EXPECT_EQ(chosen("cuda:2,1").value(), (std::vector<u32>{2, 1}));
  const Problem far = chosen("cuda:1,7").problem();
  EXPECT_EQ(far.text(),
            "there is no GPU 7: this machine has 3 GPUs, of which GPUs 1 and 2 can be used");
  EXPECT_TRUE(far.is(ProblemKind::Device));
  EXPECT_EQ(chosen("cuda:0").problem().text(),
            "GPU 0 cannot be used: old has compute capability 7.0; of this machine GPUs 1 and 2 "
            "can");
  found.devices.pop_back();
  EXPECT_EQ(chosen("cuda:2").problem().text(),
            "there is no GPU 2: this machine has 2 GPUs, of which GPU 1 can be used");
  found.problem = device_problem("there is no NVIDIA driver");
  EXPECT_EQ(chosen("cuda:0").problem().text(), "there is no NVIDIA driver");
}

TEST(GpuChoice, SeveralAreNamedByTheirNumbers) {
  Devices devices;
  EXPECT_EQ(devices.name(), "");
  devices.gpus.push_back({nullptr, nullptr, "A", 1});
  EXPECT_EQ(devices.name(), "A");
  devices.gpus.push_back({nullptr, nullptr, "A", 0});
  devices.gpus.push_back({nullptr, nullptr, "B", 3});
  EXPECT_EQ(devices.name(), "A (cuda:1), A (cuda:0) and B (cuda:3)");
}

}  // namespace
}  // namespace komuz::engine
