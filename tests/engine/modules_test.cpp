// SPDX-License-Identifier: Apache-2.0
// Loading and linking modules, and harnesses with their candidates.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/engine.h"
#include "frontend_gpu/device/batch.h"
#include "lang/check/check_code.h"
#include "lang/link/link.h"
#include "lang/standard_modules.h"
#include "mend/mend.h"
#include "tests/engine/module_files.h"
#include "vm/cuda/warp_device.h"

namespace komuz::engine {
namespace {

using frontend::Compilation;
using frontend::Compiler;
using test::Files;

Compilation compile(ModuleLoader& modules, std::string_view source) {
  modules.load(source);
  Compilation out;
  Compiler({.library = &modules.library()}).compile(source, out);
  return out;
}
std::string messages(const Compilation& out) {
  std::string text;
  for (const Diagnostic& d : out.diagnostics)
    text +=
        std::string(diagnostic_row(d.code()).code) + " " + diagnostic_message(d, out.text) + "\n";
  return text;
}

TEST(Modules, EachIsReadOnceForAllPrograms) {
  Files files;
  files.texts = {{"a", "use b;\nuse c;\npub fn f(n: i64) -> i64 { b.f(n) + c.f(n) }"},
                 {"b", "use c;\npub fn f(n: i64) -> i64 { c.f(n) * 10 }"},
                 {"c", "pub fn f(n: i64) -> i64 { n }"}};
  ModuleLoader modules(&files);
  for (int k = 0; k < 3; ++k) {
    const Compilation out =
        compile(modules, "use a;\nuse c;\npub fn f() -> i64 { a.f(2) + c.f(1) }");
    EXPECT_TRUE(out.ok) << messages(out);
  }
  EXPECT_EQ(files.reads, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(modules.library().size(), 3u);
}

TEST(Modules, ANameBehindAPathIsOneOfItsModule) {
  Files files;
  files.texts = {{"lib.a", "pub fn twice(n: i64) -> i64 { n * 2 }"}};
  ModuleLoader modules(&files);
  const Compilation out =
      compile(modules, "use lib.a.twice;\nuse lib.b.thrice;\npub fn f(n: i64) -> i64 { twice(n) }");
  EXPECT_EQ(messages(out),
            "K0250 the names that a module gives stand in braces; write `use lib.a.{twice};`\n"
            "K0230 there is no module `lib.b.thrice`\n");
  const std::optional<Edit> edit = diagnostic_fix(out.diagnostics[0], out.text);
  ASSERT_TRUE(edit);
  EXPECT_EQ(edit->text, "use lib.a.{twice};");
  const Compilation without_mark =
      compile(modules, "use lib.a.twice\npub fn f(n: i64) -> i64 { twice(n) }");
  const std::optional<Edit> rest = diagnostic_fix(without_mark.diagnostics[0], without_mark.text);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->end, 15u) << "the line's end stays";
}

TEST(Modules, OnlyWhatIsReachedIsLinked) {
  Files files;
  files.texts = {{"m",
                  "const A: i64 = 7;\n"
                  "pub fn used(n: i64) -> i64 { n / helper(n) + A }\n"
                  "fn helper(n: i64) -> i64 { n - 3 }\n"
                  "pub fn unused(n: i64) -> i64 { n * 12345 }\n"
                  "test \"of m\" { assert used(4) == 11; }"}};
  ModuleLoader modules(&files);
  const Compilation out =
      compile(modules, "use m;\npub fn f(n: i64) -> i64 { m.used(n) + m.used(n + 1) }");
  ASSERT_TRUE(out.ok) << messages(out);
  std::vector<std::string> names;
  for (const Function& f : out.code.functions) names.emplace_back(out.code.view().name(f));
  EXPECT_EQ(names, (std::vector<std::string>{"f", "used", "helper"}));
  EXPECT_EQ(std::ranges::count(out.code.constants, u64{12345}), 0);
  EXPECT_TRUE(out.code.functions[0].is_public);
  EXPECT_FALSE(out.code.functions[1].is_public) << "it is no entry of the program";
  // Places of the module say so, and those of the program are offsets.
  const Function &f = out.code.functions[0], &used = out.code.functions[1];
  EXPECT_EQ(out.code.places[f.code_begin] >> kOffsetBits, 0u);
  EXPECT_EQ(file_of(used.place), 1u);
  EXPECT_EQ(offset_of(used.place), files.texts["m"].find("used"));
  for (u32 k = used.code_begin; k < used.code_end; ++k) EXPECT_EQ(file_of(out.code.places[k]), 1u);
}

TEST(Modules, TypesAreTheSameByEveryWay) {
  Files files;
  files.texts = {
      {"geometry", "pub type P = P(x: f64);\npub fn twice(p: P) -> P { P(p.x * 2.0) }"},
      {"other", "use geometry.{P};\npub fn make(x: f64) -> P { P(x) }\npub const O: P = P(1.0);"}};
  ModuleLoader modules(&files);
  const Compilation out = compile(modules,
                                  "use geometry;\nuse other;\npub fn f() -> f64 { "
                                  "geometry.twice(other.make(2.0)).x + other.O.x }");
  EXPECT_TRUE(out.ok) << messages(out);
}

TEST(Modules, TypesOfOneNameInTwoModulesDiffer) {
  Files files;
  files.texts = {{"a", "pub type P = P(x: f64);"},
                 {"b", "pub type P = P(x: f64);\npub fn g(p: P) -> f64 { p.x }"}};
  ModuleLoader modules(&files);
  const Compilation out = compile(modules, "use a;\nuse b;\nfn f() -> f64 { b.g(a.P(1.0)) }");
  EXPECT_EQ(messages(out).substr(0, 5), "K0301");
}

TEST(Modules, WhatIsMissingIsNamedWithItsNeighbours) {
  Files files;
  files.texts = {
      {"lib.packing", "pub fn best_fit(n: i64) -> i64 { n }\nfn inner(n: i64) -> i64 { n }"}};
  ModuleLoader modules(&files);
  EXPECT_EQ(messages(compile(modules, "use lib.pakcing;\nfn f() -> i64 { 1 }")),
            "K0230 there is no module `lib.pakcing`; did you mean `lib.packing`?\n");
  EXPECT_EQ(messages(compile(modules, "use std.mth;\nfn f() -> i64 { 1 }")),
            "K0230 there is no module `std.mth`; did you mean `std.math`?\n");
  // That its uses name nothing, either, only follows.
  EXPECT_EQ(messages(compile(modules, "use lib.packing.{bestfit};\nfn f() -> i64 { bestfit(1) }")),
            "K0233 there is no `bestfit` in the module `lib.packing`; did you mean `best_fit`?\n");
  EXPECT_EQ(messages(compile(modules, "use lib.packing;\nfn f() -> i64 { packing.inner(1) }")),
            "K0234 `inner` is private in the module `lib.packing`; write `pub` before it there\n");
}

TEST(Modules, CyclesAndBrokenModulesAreErrorsWhereTheyAreUsed) {
  Files files;
  files.texts = {{"a", "use b;\npub fn f() -> i64 { b.f() }"},
                 {"b", "use a;\npub fn f() -> i64 { a.f() }"},
                 {"c", "use c;\npub fn f() -> i64 { 1 }"},
                 {"bad", "pub fn f() -> i64 { 1.5 }"}};
  ModuleLoader modules(&files);
  EXPECT_EQ(messages(compile(modules, "use a;\nfn f() -> i64 { a.f() }")),
            "K0231 the module `a` has errors; `komuz check` shows them\n");
  const Library& library = modules.library();
  const Module& b = library[library.find("b")];
  ASSERT_FALSE(b.diagnostics.empty());
  EXPECT_EQ(b.diagnostics[0].code(), DiagnosticCode::CyclicModule);
  EXPECT_FALSE(compile(modules, "use c;\nfn f() -> i64 { c.f() }").ok);
  EXPECT_EQ(library[library.find("c")].diagnostics[0].code(), DiagnosticCode::CyclicModule);
  // Programs that are themselves in the cycle get this error.
  EXPECT_EQ(messages(compile(modules, files.texts["c"])).substr(0, 5), "K0232");
  EXPECT_EQ(messages(compile(modules, files.texts["a"])).substr(0, 5), "K0232");
  EXPECT_EQ(messages(compile(modules, "use bad.{f};\nfn g() -> i64 { f() }")),
            "K0231 the module `bad` has errors; `komuz check` shows them\n");
  files.texts["rank"] = "pub fn f() -> i64;\npub fn score() -> i64 { f() }";
  EXPECT_EQ(messages(compile(modules, "use rank.{score};\nfn f() -> i64 { 1 }")),
            "K0230 there is no module `rank`; it is a harness, which `--harness` names\n");
}

TEST(Modules, StackOfModulesCounts) {
  Files files;
  files.texts = {
      {"m", "pub fn deep(n: i64) -> i64 rec 1600 { if n == 0 { 0 } else { deep(n - 1) + 1 } }"}};
  ModuleLoader modules(&files);
  const Compilation out =
      compile(modules,
              "use m;\npub fn f(n: i64) -> i64 rec 1600 { if n == 0 { m.deep(3) } else { f(n - 1) "
              "} }");
  ASSERT_FALSE(out.ok);
  EXPECT_EQ(out.diagnostics[0].code(), DiagnosticCode::StackLimit);
}

TEST(Modules, TheStandardLibraryPassesItsTests) {
  ModuleLoader modules(nullptr);
  for (const StandardModule& module : standard_modules()) {
    modules.load(module.text);
    Compilation out;
    Compiler({.examples = true, .library = &modules.library()}).compile(module.text, out);
    ASSERT_TRUE(out.ok) << module.name << "\n" << messages(out);
    const std::vector<TestResult> results = run_tests(out.code.view());
    // Of a module of spaces tests/engine/search/standard_spaces_test.cpp says what it finds.
    EXPECT_NE(results.empty(), module.text.find("pub fn ") != std::string_view::npos)
        << module.name;
    for (const TestResult& result : results)
      EXPECT_TRUE(result.passed) << module.name << describe(result);
  }
}

TEST(Linker, WhatHasNoDefinitionIsNamed) {
  Library library;
  Compilation out;
  Compiler({.library = &library, .is_harness = true})
      .compile("pub fn open(n: i64) -> i64;\npub fn f(n: i64) -> i64 { open(n) }", out);
  ASSERT_TRUE(out.ok);
  const CodeView code = out.code.view();
  EXPECT_TRUE(is_open(code));
  std::vector<Function> functions = out.code.functions;
  EXPECT_TRUE(check_code(code, functions)) << "code that is not linked does not run";
  Code linked;
  EXPECT_EQ(Linker().link({code, {}}, library, linked), "`open`");
}

// --- harnesses

constexpr std::string_view kHarness =
    "pub type Item = Item(weight: f64);\n"
    "pub fn value(i: Item) -> f64;\n"
    "pub const UNIT: f64 = 2.0;\n"
    "pub fn half(x: f64) -> f64 { x / UNIT }\n"
    "pub fn score(weight: f64) -> f64 { value(Item(weight)) }\n"
    "pub fn count(n: i64) -> i64 { i64(value(Item(f64(n)))) / n }\n";

class Harness : public testing::Test {
 protected:
  Harness() : modules(&files) {
    harness = modules.load_harness("scale", {"scale.komuz", std::string(kHarness)});
  }
  Results evaluate_all(const std::vector<std::string>& sources, std::string_view cases,
                       ScoreKind kind, const std::string& entry = "score", bool on_device = false) {
    CasesTable table = single_case();
    CaseFields fields;
    fields.has_expectations = false;
    if (!cases.empty()) {
      EXPECT_FALSE(read_cases("cases.csv", std::string(cases), fields, table));
    }
    EvaluateOptions options;
    options.ranking.score = kind;
    options.programs.modules = &modules;
    options.programs.harness = harness;
    options.programs.entry = entry;
    const CodeView code = modules.library()[harness].code.view();
    options.programs.signature = signature_of(code, code.functions[code.find_function(entry)]);
    frontend::BatchCompiler compiler(frontend::emulated_device(3, 2));
    const auto warps = vm::emulated_warp_device();
    if (on_device) options.machines.compiler = &compiler, options.machines.device = warps.get();
    std::vector<Candidate> candidates;
    for (const std::string& source : sources) candidates.push_back({"", source, ""});
    CandidateList list(candidates);
    Results results;
    const Problem error = evaluate(list, table, options, results);
    EXPECT_FALSE(error) << error.text();
    return results;
  }

  Files files;
  ModuleLoader modules;
  u32 harness = kNoModule;
};

const std::vector<std::string> kCandidates = {
    "use scale.{Item};\npub fn value(i: Item) -> f64 { i.weight * 3.0 }",
    "use scale;\nuse std.math;\nfn value(item: scale.Item) -> f64 { scale.half(math.lerp(0.0, "
    "item.weight, 0.5)) }",
    "use scale.{Item};\nfn value(i: Item) -> f64 { if i.weight > 2.0 { f64(1 / 0) } else { 100.0 } "
    "}",
    "type Item = Item(weight: f64);\nfn value(i: Item) -> f64 { i.weight }\nfn score() -> i64 { 1 "
    "}",
    "use scale.{Item};\nfn value(i: Item) -> f64 { NAN * i.weight }",
    "use scale.{Item};\nfn value(i: Item) -> i64 { 1 }",
    "fn worth() -> i64 { 1 }",
    "use scale.{score, Item};\nfn value(i: Item) -> f64 { score(i.weight) }",
    "fn value(i: Item) -> f64 { half(i.weight) }",
    "use scale.{Item};\nfn value(i: Item) -> f64 { i.weight * UNIT }",
    "fn value(i: scale.Item) -> f64 { i.weight }",
    "use scale.{Item};\nfn value(i: Item) -> f64 { scale.half(i.weight) }",
    "use scale;\nfn value(i: scale.Item) -> f64 { half(i.weight) }"};

TEST_F(Harness, RanksByTheMeanOfItsScore) {
  const Results results = evaluate_all(kCandidates, "weight\n1\n2\n6\n", ScoreKind::Maximize);
  const auto& rows = results.rows;
  EXPECT_EQ(rows[0].score, 9.0);
  EXPECT_EQ(rows[1].score, 0.75);
  EXPECT_EQ(rows[2].status, Status::Trap) << "a trap never earns a score";
  EXPECT_FALSE(rows[2].scored);
  EXPECT_EQ(rows[2].passed, 2u);
  EXPECT_EQ(rows[3].score, 3.0) << "a type with the same fields and name";
  EXPECT_EQ(rows[4].bad_cases, 3u);
  EXPECT_EQ(rows[5].status, Status::CompileError);
  EXPECT_EQ(rows[6].status, Status::CompileError);
  EXPECT_EQ(rows[7].status, Status::CompileError);
  EXPECT_EQ(rows[0].rank, 1u);
  EXPECT_EQ(rows[3].rank, 2u);
  EXPECT_EQ(rows[1].rank, 3u);
  const Results least = evaluate_all(kCandidates, "weight\n1\n2\n6\n", ScoreKind::Minimize);
  EXPECT_EQ(least.rows[1].rank, 1u);
}

TEST_F(Harness, SaysWhatACandidateLacks) {
  const Results results = evaluate_all(kCandidates, "weight\n1\n", ScoreKind::Maximize);
  const auto message = [&](u32 row) {
    const DiagnosticText& d = results.diagnostics[results.rows[row].diagnostics_begin];
    return std::string(d.code) + " " + d.message;
  };
  EXPECT_EQ(
      message(5),
      "K0239 `value` is `pub fn value(i: Item) -> f64` for the harness; give it this signature");
  EXPECT_EQ(message(6), "K0238 the harness needs `pub fn value(i: Item) -> f64`; define it");
  EXPECT_EQ(message(7).substr(0, 5), "K0244") << "what needs a candidate is not for candidates";
  EXPECT_EQ(message(8), "K0249 `Item` is a name of the harness; write `use scale.{Item};`");
  EXPECT_EQ(message(9), "K0249 `UNIT` is a name of the harness; write `use scale.{Item, UNIT};`");
  EXPECT_EQ(message(10), "K0249 `scale` is a name of the harness, its own; write `use scale;`");
  // What stands behind its own name is known with it.
  EXPECT_EQ(results.rows[11].diagnostics, 1u);
  EXPECT_EQ(message(11), "K0249 `scale` is a name of the harness, its own; write `use scale;`");
  EXPECT_EQ(message(12), "K0249 `half` is a name of the harness; write `scale.half`");
}

TEST_F(Harness, EditsGiveACandidateTheNamesOfItsHarness) {
  frontend::Options options{.library = &modules.library()};
  options.harness = harness;
  options.harness_entry = "score";
  Compiler compiler(options);
  const auto mended = [&](std::string text) {
    Compilation out;
    for (u32 round = 0; round < 4; ++round) {
      modules.load(text);
      compiler.compile(text, out);
      if (out.diagnostics.empty()) break;
      const std::optional<Edit> edit = diagnostic_fix(out.diagnostics[0], out.text);
      if (!edit) break;
      text.replace(edit->begin, edit->end - edit->begin, edit->text);
    }
    EXPECT_TRUE(out.ok) << messages(out);
    return text;
  };
  EXPECT_EQ(mended("fn value(i: Item) -> f64 { half(i.weight) * UNIT }"),
            "use scale.{Item, half, UNIT};\nfn value(i: Item) -> f64 { half(i.weight) * UNIT }");
  EXPECT_EQ(mended("fn value(i: scale.Item) -> f64 { scale.half(i.weight) }"),
            "use scale;\nfn value(i: scale.Item) -> f64 { scale.half(i.weight) }");
  EXPECT_EQ(mended("use scale.{Item};\nfn value(i: Item) -> f64 { scale.half(i.weight) }"),
            "use scale;\nuse scale.{Item};\nfn value(i: Item) -> f64 { scale.half(i.weight) }");
  // Another harness, or one that is not there.
  files.texts["scale_v1"] = kHarness;
  EXPECT_EQ(mended("use scale_v1.{Item};\nfn value(i: Item) -> f64 { i.weight }"),
            "use scale.{Item};\nfn value(i: Item) -> f64 { i.weight }");
  EXPECT_EQ(mended("use harness;\nfn value(i: harness.Item) -> f64 { i.weight }"),
            "use scale;\nfn value(i: scale.Item) -> f64 { i.weight }");
  EXPECT_EQ(mended("use scales.{half, Item};\nfn value(i: Item) -> f64 { half(i.weight) }"),
            "use scale.{half, Item};\nfn value(i: Item) -> f64 { half(i.weight) }");
  EXPECT_EQ(mended("use scale;\nfn value(i: Item) -> f64 { half(i.weight) * UNIT }"),
            "use scale;\nfn value(i: scale.Item) -> f64 { scale.half(i.weight) * scale.UNIT }");
}

TEST_F(Harness, RunsOnceWithoutCases) {
  files.texts = {};
  harness = modules.load_harness(
      "once", {"once.komuz", "pub fn f(n: i64) -> i64;\npub fn score() -> i64 { f(20) }"});
  const Results results = evaluate_all(
      {"fn f(n: i64) -> i64 { n + 1 }", "fn f(n: i64) -> i64 { n * n }"}, "", ScoreKind::Maximize);
  EXPECT_EQ(results.rows[0].score, 21.0);
  EXPECT_EQ(results.rows[1].rank, 1u);
}

TEST_F(Harness, ATrapThereNamesItsFile) {
  const Results results = evaluate_all({"use scale.{Item};\nfn value(i: Item) -> f64 { i.weight }"},
                                       "n\n0\n", ScoreKind::Maximize, "count");
  ASSERT_EQ(results.failures.size(), 1u);
  EXPECT_EQ(results.failures[0].trap, Trap::DivZero);
  EXPECT_EQ(results.failures[0].file, "scale.komuz");
  EXPECT_EQ(results.failures[0].line, 6u);
}

TEST_F(Harness, DevicesGiveTheSameReport) {
  std::string wanted, found;
  write_report_json(wanted, evaluate_all(kCandidates, "weight\n1\n2\n6\n", ScoreKind::Maximize));
  write_report_json(
      found, evaluate_all(kCandidates, "weight\n1\n2\n6\n", ScoreKind::Maximize, "score", true));
  EXPECT_EQ(found, wanted);
}

TEST_F(Harness, AScoreIsANumber) {
  harness = modules.load_harness(
      "pairs", {"pairs.komuz", "pub fn f() -> i64;\npub fn score() -> bool { f() > 1 }"});
  CasesTable table = single_case();
  EvaluateOptions options;
  options.ranking.score = ScoreKind::Maximize;
  options.programs.modules = &modules;
  options.programs.harness = harness;
  options.programs.entry = "score";
  const CodeView code = modules.library()[harness].code.view();
  options.programs.signature = signature_of(code, code.functions[code.find_function("score")]);
  CandidateList list({});
  Results results;
  const Problem error = evaluate(list, table, options, results);
  ASSERT_TRUE(error);
  EXPECT_NE(error.message().find("no number"), std::string::npos);
}

}  // namespace
}  // namespace komuz::engine
