// SPDX-License-Identifier: Apache-2.0
// Modules that candidates bring: they belong to the candidate, and are dropped with it.
#include <algorithm>
#include <map>

#include "frontend_gpu/device/batch.h"
#include "frontend_gpu/expand.h"
#include "mend/mend.h"
#include "tests/engine/log/logged_runs.h"
#include "tests/engine/module_files.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using namespace test;

frontend::Compilation compiled(ModuleLoader& modules, std::string_view source) {
  modules.load(source);
  frontend::Compilation out;
  frontend::Compiler({.library = &modules.library()}).compile(source, out);
  return out;
}
std::string messages(const frontend::Compilation& out) {
  std::string text;
  for (const Diagnostic& d : out.diagnostics)
    text +=
        std::string(diagnostic_row(d.code()).code) + " " + diagnostic_message(d, out.text) + "\n";
  return text;
}

std::string module_name(u32 k) { return "m" + std::to_string(k); }
// Modules m0, m1, …, each with a number of its own.
Files numbered(u32 count) {
  Files files;
  for (u32 k = 0; k < count; ++k)
    files.texts[module_name(k)] =
        "use std.math.{gcd};\npub fn f(n: i64) -> i64 { gcd(n, n) * 0 + n / (n - 3) * 0 + n + " +
        std::to_string(k) + " }";
  return files;
}
std::string uses(u32 begin, u32 end) {
  std::string text;
  for (u32 k = begin; k < end; ++k) text += "use " + module_name(k) + ";\n";
  return text;
}

// A program has at most 64 `use` items: five modules that use so many others; what uses them all.
std::string add_groups(Files& files, u32 modules) {
  std::string groups;
  for (u32 k = 0; k < 5; ++k) {
    const std::string name = "g" + std::to_string(k), first = module_name(50 * k);
    files.texts[name] = uses(50 * k, k < 4 ? 50 * k + 50 : modules) + "pub fn f(n: i64) -> i64 { " +
                        first + ".f(n) }";
    groups += "use " + name + ";\n";
  }
  return groups;
}
void load_all(ModuleLoader& modules, u32 count) {
  for (u32 k = 0; k < count; k += 50) modules.load(uses(k, k + 50));
}

TEST(CandidateModules, AProgramMayNeedSoMany) {
  Files files = numbered(300);
  // With `std.math` these are 255.
  const std::string groups = add_groups(files, 249);
  for (const bool is_full : {false, true}) {
    ModuleLoader modules(&files);
    if (is_full) load_all(modules, 300);
    const std::string f = "pub fn f(n: i64) -> i64 { g0.f(n) + g4.f(n) }";
    EXPECT_EQ(messages(compiled(modules, groups + f)), "");
    EXPECT_FALSE(modules.needs_too_many());
    for (const std::string& many :
         {groups + "use m249;\n", groups + "use m299;\n", groups + uses(245, 300)}) {
      modules.load(many + f);
      EXPECT_TRUE(modules.needs_too_many()) << many.substr(0, 20) << many.size();
    }
    // Of two limits that are exceeded the nearer one is said, and once.
    for (const u32 own : {256u, 300u, 400u}) {
      EXPECT_EQ(
          messages(compiled(modules, uses(0, own) + "fn f(n: i64) -> i64 { m0.f(m255.f(n)) }")),
          "K0193 a program has at most 255 `use` items\n")
          << own;
      EXPECT_TRUE(modules.needs_too_many()) << "with those that they need";
    }
  }
}

TEST(CandidateModules, AHarnessIsOneOfThem) {
  Files files = numbered(300);
  for (const u32 own : {230u, 248u, 249u}) {
    const std::string groups = add_groups(files, own);
    ModuleLoader modules(&files);
    static_cast<void>(modules.load_harness(
        "rank", {"rank.komuz", groups + "pub fn f() -> i64;\npub fn score() -> i64 { f() }"}));
    EXPECT_EQ(modules.needs_too_many(), own == 249) << "with std.math, five groups and itself";
    modules.load(groups + "fn f() -> i64 { 1 }");
    EXPECT_EQ(modules.needs_too_many(), own == 249);
    modules.load("use m253;\nfn f() -> i64 { 1 }");
    EXPECT_EQ(modules.needs_too_many(), own > 247);
  }
}

TEST(CandidateModules, PlacesAreOfTheModulesOfTheirProgram) {
  Files files = numbered(600);
  ModuleLoader modules(&files);
  load_all(modules, 600);
  const std::string source = "use m599;\nuse m3;\npub fn g(n: i64) -> i64 { m3.f(n) + m599.f(n) }";
  const frontend::Compilation out = compiled(modules, source);
  ASSERT_EQ(messages(out), "");
  std::vector<std::string> paths;
  frontend::Compiler compiler({.library = &modules.library()});
  for (const Function& f : out.code.functions) {
    const Module* const module =
        frontend::module_of_place(f.place, compiler, source, modules.library());
    paths.push_back(module == nullptr ? "" : module->path);
    const std::string_view text = module == nullptr ? source : std::string_view(module->text);
    const std::string_view name = out.code.view().name(f);
    EXPECT_EQ(text.substr(offset_of(f.place), name.size()), name);
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"", "m3", "m599", "std.math"}));
}

// What is said of a program does not follow from what others have loaded.
TEST(CandidateModules, MessagesAreOfTheProgramAlone) {
  Files files;
  files.texts = {{"other", "pub type T = T(x: i64);"},
                 {"bad", "pub fn f() -> i64 { 1.5 }"},
                 {"a", "use b;\npub fn f() -> i64 { b.f() }"},
                 {"b", "use a;\npub fn f() -> i64 { a.f() }"},
                 {"beginning", "use bad;"}};
  const std::vector<std::string> programs = {
      "use std.math;\npub fn g(n: i64) -> i64 { let x: other.T = 1; n }",
      "use std.math;\npub fn g(n: i64) -> i64 { let x: bad.T = 1; n }",
      "use std.math;\npub fn g(n: i64) -> i64 { let x: othr.T = 1; n }",
      "use bad;\npub fn g(n: i64) -> i64 { n }",
      "use  a ;\npub fn g(n: i64) -> i64 { n }",
      "use b;\npub fn g(n: i64) -> i64 { n }",
      "use othr;\npub fn g(n: i64) -> i64 { n }"};
  std::vector<std::string> alone;
  for (const std::string& program : programs) {
    ModuleLoader modules(&files);
    alone.push_back(messages(compiled(modules, program)));
  }
  EXPECT_EQ(alone[0], "K0230 there is no module `other`\n");
  EXPECT_EQ(alone[1], "K0230 there is no module `bad`\n");
  EXPECT_EQ(alone[4], "K0231 the module `a` has errors; `komuz check` shows them\n");
  EXPECT_EQ(alone[6], "K0230 there is no module `othr`; did you mean `other`?\n");
  for (const bool is_reversed : {false, true}) {
    ModuleLoader modules(&files);
    modules.load("use beginning;\nuse other;\nuse missing;");
    if (is_reversed) modules.load("use b;");
    for (size_t k = 0; k < programs.size(); ++k)
      EXPECT_EQ(messages(compiled(modules, programs[k])), alone[k]) << programs[k];
  }
}

// A pool in which each has a module of its own, one is nonsense that names as many as it may, and one needs too many.
struct Pool {
  static constexpr u32 kAll = 3000;

  Pool() {
    sources.push_back(uses(0, 64) + "nonsense");
    sources.push_back(add_groups(files, 249) + "use m300;\npub fn g(n: i64) -> i64 { n }");
    for (u32 k = 0; k < kAll; ++k) {
      std::string text = "use ";
      text += module_name(k) + ";\nuse std.math;\n";
      text += k % 17 == 5 ? "use absent" + std::to_string(k % 40) + ";\n" : "";
      text += "pub fn g(n: i64) -> i64 { math.gcd(n, n) * 0 + " + module_name(k) + ".f(n) }";
      sources.push_back(std::move(text));
    }
    for (const std::string& source : sources) run.candidates.push_back({{}, source, {}});
    run.options.ranking.score = ScoreKind::AbsoluteError;
    run.options.machines.threads = 2;
  }
  // With a log at `path`, where there is one.
  Shown show(Open open = Open::None, const std::string& path = "") {
    CandidateList source(run.candidates);
    ModuleLoader modules(&files);
    files.library = &modules.library();
    EvaluateOptions options = run.options;
    options.programs.modules = &modules;
    ResultLog log;
    Problem error;
    if (open == Open::Create) error = log.create(path, run.header());
    if (open == Open::Resume) error = log.resume(path, run.header());
    options.details.log = open == Open::None ? nullptr : &log;
    Results results;
    LinesSink sink;
    if (!error) error = evaluate(source, run.cases, options, results, &sink);
    EXPECT_FALSE(error) << error.text();
    files.library = nullptr;
    return {report_of(results, {}), sink.lines};
  }

  std::vector<std::string> sources;
  Files files = numbered(kAll);
  LoggedRun run{{}, table_of("n,expected\n1,700\n5,705\n3,703\n"), {}};
};

TEST(CandidateModules, NoCandidateTakesTheRoomOfOthers) {
  Pool pool;
  const Shown whole = pool.show();
  EXPECT_EQ(whole.report.find("there is no module `m"), std::string::npos);
  EXPECT_NE(whole.report.find(R"("refused": 1)"), std::string::npos) << "it needs too many";
  EXPECT_NE(whole.report.find(R"("file": "m2999.komuz", "line": 2)"), std::string::npos)
      << "where it trapped";
  EXPECT_NE(whole.stream.find("it needs more modules than the 255 that a program may have"),
            std::string::npos);
  // How many are read at once does not matter, nor do threads.
  for (const u32 epoch : {7u, 300u, 4096u}) {
    pool.run.options.machines.epoch = epoch;
    pool.run.options.machines.threads = epoch % 3 + 1;
    EXPECT_TRUE(pool.show() == whole) << epoch;
  }
  pool.run.options.machines.epoch = 1024;
  frontend::BatchCompiler compiler(frontend::emulated_device(3, 2));
  const auto warps = vm::emulated_warp_device();
  pool.run.candidates.resize(300);
  const Shown some = pool.show();
  pool.run.options.machines.compiler = &compiler;
  pool.run.options.machines.device = warps.get();
  EXPECT_TRUE(pool.show() == some);
}

TEST(CandidateModules, MemoryIsOfTheCandidatesThatAreLookedAt) {
  Pool pool;
  pool.run.options.machines.epoch = 64;
  static_cast<void>(pool.show());
  EXPECT_GT(pool.files.most_modules, 256u);
  EXPECT_LE(pool.files.most_modules, 2 * 256 + 2 * 64u);
}

TEST(CandidateModules, LogsAndShardsAreTheWholeRun) {
  const Folder folder;
  Pool pool;
  const Shown whole = pool.show(Open::Create, folder.file("whole"));
  const std::string log = content(folder.file("whole"));
  const auto count = [&](std::string_view text) {
    u64 found = 0;
    for (size_t at = log.find(text); at != std::string::npos; at = log.find(text, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("{\"module\": "), Pool::kAll) << "each once";
  for (const u32 epoch : {50u, 2000u}) {
    pool.run.options.machines.epoch = epoch;
    const std::string path = folder.file("log" + std::to_string(epoch));
    static_cast<void>(pool.show(Open::Create, path));
    EXPECT_TRUE(content(path) == log);
    put(path, std::string_view(log).substr(0, log.size() / 2));
    EXPECT_TRUE(pool.show(Open::Resume, path) == whole);
    EXPECT_TRUE(content(path) == log);
  }
  std::vector<std::string> paths;
  for (const u32 index : {0u, 1u}) {
    pool.run.options.programs.shard = {index, 2};
    paths.push_back(folder.file("shard" + std::to_string(index)));
    static_cast<void>(pool.show(Open::Create, paths.back()));
  }
  Results merged;
  MergedLogs logs;
  const Problem error = logs.read(paths, merged);
  ASSERT_FALSE(error) << error.text();
  EXPECT_TRUE(report_of(logs, merged) == whole.report);
}

// Candidates of other shards that come before there is a signature need theirs, too.
TEST(CandidateModules, OtherShardsMayGiveTheSignature) {
  Pool pool;
  for (u32 k = 0; k < Shard::kBlock + 400; ++k) pool.run.candidates[k].source = pool.sources[0];
  const Shown whole = pool.show();
  const Folder folder;
  std::vector<std::string> paths;
  for (const u32 index : {0u, 1u, 2u}) {
    pool.run.options.programs.shard = {index, 3};
    paths.push_back(folder.file("shard" + std::to_string(index)));
    static_cast<void>(pool.show(Open::Create, paths.back()));
  }
  Results merged;
  MergedLogs logs;
  const Problem error = logs.read(paths, merged);
  ASSERT_FALSE(error) << error.text();
  EXPECT_TRUE(report_of(logs, merged) == whole.report);
}

// A candidate that would have another module if it were evaluated alone does not silently have that of the others.
TEST(CandidateModules, AnotherFileBesideACandidateIsAnError) {
  Files files;
  files.texts = {{"lib.m", "pub fn f(n: i64) -> i64 { n }"},
                 {"user", "use lib.m;\npub fn g(n: i64) -> i64 { m.f(n) }"}};
  files.other = "other/c.komuz";
  constexpr const char* kUses = "use user;\npub fn h(n: i64) -> i64 { user.g(n) }";
  LoggedRun run{{{"a.komuz", kUses, {}},
                 {"other/c.komuz", kUses, {}},
                 {"other/c.komuz", "pub fn h(n: i64) -> i64 { n }", {}}},
                table_of("n,expected\n1,1\n"),
                {}};
  ModuleLoader modules(&files);
  run.options.programs.modules = &modules;
  CandidateList source(run.candidates);
  Results results;
  const Problem error = evaluate(source, run.cases, run.options, results);
  ASSERT_FALSE(error) << error.text();
  EXPECT_EQ(results.rows[0].status, Status::Ok);
  EXPECT_EQ(results.rows[2].status, Status::Ok) << "it uses none";
  ASSERT_EQ(results.rows[1].status, Status::Refused);
  EXPECT_EQ(results.diagnostics[results.rows[1].diagnostics_begin].message,
            "the module `user` is user.komuz for all candidates of this run, and beside this one "
            "is another, other/user.komuz; evaluate it without those of the other folder, or give "
            "the modules different names");
}

// A module whose file changes while the run goes on would be another one for the candidates behind.
TEST(CandidateModules, AChangeInTheMidstIsAnError) {
  class Changing final : public ModuleFiles {
   public:
    std::optional<ModuleText> read(std::string_view path) override {
      const std::string text = "pub fn f(n: i64) -> i64 { n }";
      const bool changes = path == "m0" && was_read_;
      was_read_ = was_read_ || path == "m0";
      return ModuleText{std::string(path), changes ? "// new\n" + text : text};
    }
    std::vector<std::string> list() override { return {}; }

   private:
    bool was_read_ = false;
  };
  Changing files;
  ModuleLoader modules(&files);
  Pool pool;
  pool.run.candidates.resize(1000);
  pool.run.candidates.back().source = pool.sources[2];  // which uses m0
  EvaluateOptions options = pool.run.options;
  options.programs.modules = &modules;
  options.machines.epoch = 64;
  CandidateList source(pool.run.candidates);
  Results results;
  const Problem error = evaluate(source, pool.run.cases, options, results);
  ASSERT_TRUE(error);
  EXPECT_EQ(error.text(), "the module `m0` has changed since candidates used it; evaluate again");
}

}  // namespace
}  // namespace komuz::engine
