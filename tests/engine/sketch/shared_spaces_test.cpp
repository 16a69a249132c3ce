// SPDX-License-Identifier: Apache-2.0
// Spaces of modules: a sketch that takes expressions from them is one that has them itself.
#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "engine/cases/read_cases.h"
#include "engine/cases/signature.h"
#include "engine/run/evaluate.h"
#include "engine/sketch/sketch_candidates.h"
#include "mend/mend.h"
#include "tests/engine/module_files.h"
#include "tests/engine/sketch/sketches.h"

namespace komuz::engine::test {
namespace {

// A module with all that a space may need: functions that are not public, constants, types, other spaces, other
// modules, holes of its own, and names that a program may have, too.
constexpr std::string_view kCurves = R"(use lib.scale;
use lib.scale.{twice, Unit};
const SHIFT: f64 = 0.5;
pub const LIMIT: i64 = 3;
pub type Point = Point(x: f64, y: f64);
type Side = Left | Right(by: f64);
fn helper(x: f64) -> f64 { moved(x, Right(SHIFT)) + scale.half(x) }
fn moved(x: f64, side: Side) -> f64 { match side { Left => x, Right(by) => x + by } }
pub fn shown(x: f64) -> f64 { x * x }
fn tuned(x: f64) -> f64 { x * ?k[1.0, 2.0, 3.0] }
pub space curve(x: f64) -> f64 depth 1 { x, helper(x), x.shown(), twice(x) + SHIFT, ?part(x), curve + curve }
space part(x: f64) -> f64 depth 1 { ?unit(x), part * part }
pub space tuned_curve(x: f64) -> f64 depth 0 { tuned(x), -x }
pub space placed(p: Point) -> f64 depth 0 { p.x, Point(..p, x: SHIFT).x + f64(LIMIT), ?choice[p.y, -p.y] }
space hidden(x: f64) -> f64 depth 0 { x }
)";
constexpr std::string_view kScale = R"(pub type Unit = Unit(by: f64);
pub fn half(x: f64) -> f64 { x / 2.0 }
pub fn twice(x: f64) -> f64 { x * 2.0 }
)";
constexpr std::string_view kUnits = R"(use lib.scale;
pub space unit(x: f64) -> f64 depth 0 { scale.Unit(x).by, scale.Unit(by: 2.0 * x).by }
)";

struct Modules {
  Files files;
  ModuleLoader loader{&files};

  Modules() {
    files.texts["lib.curves"] = "use lib.units.{unit};\n" + std::string(kCurves);
    files.texts["lib.scale"] = kScale;
    files.texts["lib.units"] = kUnits;
  }
  std::optional<SketchProgram> read(const std::string& source) {
    loader.load(source);
    return read_sketch(source, {.library = &loader.library()});
  }
  // What the compiler says, one line a diagnostic.
  std::string said(const std::string& source) {
    loader.load(source);
    frontend::Compilation out;
    frontend::Compiler({.library = &loader.library()}).compile(source, out);
    const std::string& text = out.text.empty() ? source : out.text;
    std::string lines;
    for (const Diagnostic& d : out.diagnostics)
      lines +=
          std::string(diagnostic_row(d.code()).code) + " " + diagnostic_message(d, text) + "\n";
    return lines;
  }
};

std::vector<std::string> filled(const SketchProgram& sketch) {
  std::vector<std::string> out;
  Fill fill(sketch.source, sketch.plan);
  for (u64 n = 0; n < sketch.plan.count().exact; ++n) {
    Decisions decisions;
    EXPECT_TRUE(sketch.plan.unrank(n, decisions));
    EXPECT_TRUE(fill.write(decisions, out.emplace_back()));
  }
  return out;
}

TEST(SharedSpaces, VariantsArePrograms) {
  Modules modules;
  const std::string source =
      "use lib.curves.{curve, Point, placed};\nuse lib.units.{unit};\n"
      "fn helper(x: f64) -> f64 { 100.0 }\nconst SHIFT: f64 = 7.0;\n"
      "pub fn f(x: f64) -> f64 { helper(x) + ?curve(x) + SHIFT + ?placed(Point(x, 1.0)) + ?unit(x) "
      "}\n";
  const std::optional<SketchProgram> sketch = modules.read(source);
  ASSERT_TRUE(sketch) << modules.said(source);
  EXPECT_EQ(sketch->own_size, source.size());
  EXPECT_EQ(sketch->source.substr(source.find("fn helper"), 21), "fn helper(x: f64) -> ")
      << sketch->source;
  // unit 2, part 2 + 2 · 2 …
  const u64 unit = 2, part = unit + unit * unit, leaves = 4 + part,
            curve = leaves + leaves * leaves;
  EXPECT_EQ(sketch->plan.count().exact, curve * 4 * unit);
  frontend::Compiler compiler({.library = &modules.loader.library()});
  for (const std::string& text : filled(*sketch)) {
    frontend::Compilation program;
    compiler.compile(text, program);
    ASSERT_TRUE(program.ok) << diagnostic_message(program.diagnostics.at(0), text) << "\n" << text;
    EXPECT_EQ(std::ranges::count(program.code.instructions, Op::LoadHole, &Instruction::op), 0);
  }
}

// Scores and fuel of all variants, by their numbers, bound or compiled from their texts.
std::vector<std::pair<f64, u64>> scores(const SketchProgram& sketch, ModuleLoader& loader,
                                        bool expands) {
  CasesTable cases;
  EXPECT_FALSE(read_csv_cases("cases.csv", "x,expected\n-1.5,0.0\n0.25,1.0\n3.0,2.0\n", {}, cases));
  EvaluateOptions options;
  options.programs.sketch = &sketch;
  options.programs.modules = &loader;
  options.programs.expands_variants = expands;
  options.ranking.score = ScoreKind::SquaredError;
  options.machines.threads = 2;
  SketchCandidates candidates(sketch.source, sketch.plan, {});
  Results results;
  EXPECT_FALSE(evaluate(candidates, cases, options, results));
  std::vector<std::pair<f64, u64>> out;
  for (const auto& row : results.rows) {
    EXPECT_TRUE(row.scored);
    out.emplace_back(row.score, row.fuel);
  }
  return out;
}

constexpr std::string_view kOwnSpaces =
    "const SHIFT: f64 = 0.5;\n"
    "type Side = Left | Right(by: f64);\n"
    "fn half(x: f64) -> f64 { x / 2.0 }\n"
    "fn helper(x: f64) -> f64 { moved(x, Right(SHIFT)) + half(x) }\n"
    "fn moved(x: f64, side: Side) -> f64 { match side { Left => x, Right(by) => x + by } }\n"
    "fn shown(x: f64) -> f64 { x * x }\nfn twice(x: f64) -> f64 { x * 2.0 }\n"
    "space curve(x: f64) -> f64 depth 1 { x, helper(x), x.shown(), twice(x) + SHIFT, ?part(x), "
    "curve + curve }\n"
    "space part(x: f64) -> f64 depth 1 { ?unit(x), part * part }\n"
    "space unit(x: f64) -> f64 depth 0 { x, 2.0 * x }\n";

TEST(SharedSpaces, HaveTheVariantsOfTheSameSpacesInTheProgram) {
  Modules modules;
  const std::string f = "pub fn f(x: f64) -> f64 { ?curve(x) - 1.0 }\n";
  const auto shared = modules.read("use lib.curves.{curve};\n" + f);
  const auto alone = modules.read(f + std::string(kOwnSpaces));
  ASSERT_TRUE(shared && alone);
  ASSERT_EQ(shared->plan.count().exact, alone->plan.count().exact);
  EXPECT_EQ(shared->obstacle, BindObstacle::None);
  const auto expected = scores(*alone, modules.loader, false);
  EXPECT_EQ(scores(*shared, modules.loader, false), expected);
  EXPECT_EQ(scores(*shared, modules.loader, true), expected);
}

TEST(SharedSpaces, HolesOfFunctionsThatTheyCallAreDecided) {
  Modules modules;
  const auto sketch = modules.read(
      "use lib.curves.{tuned_curve};\n"
      "pub fn f(x: f64) -> f64 { ?tuned_curve(x) + ?tuned_curve(x) + ?k[0.0, 9.0] }\n");
  ASSERT_TRUE(sketch);
  // `?k` of the module is one decision, and another one than `?k` of the program.
  EXPECT_EQ(sketch->plan.count().exact, 2u * 2u * 2u * 3u);
}

TEST(SharedSpaces, AnotherTextOfTheModuleIsAnotherSketch) {
  const std::string source = "use lib.units.{unit};\npub fn f(x: f64) -> f64 { ?unit(x) }\n";
  Modules modules, others;
  others.files.texts["lib.units"] = "pub space unit(x: f64) -> f64 depth 0 { x, 3.0 * x }\n";
  const auto a = modules.read(source), b = others.read(source);
  ASSERT_TRUE(a && b);
  EXPECT_NE(a->source, b->source);
}

TEST(SharedSpaces, WhatIsNotNeededIsNotCopied) {
  Modules modules;
  const auto sketch = modules.read(
      "use lib.curves.{placed, Point};\npub fn f(x: f64) -> f64 { ?placed(Point(x, 1.0)) }\n");
  ASSERT_TRUE(sketch);
  EXPECT_EQ(
      sketch->source,
      "use lib.curves.{        Point};\npub fn f(x: f64) -> f64 { ?placed(Point(x, 1.0)) }\n\n"
      "use lib.curves;\n"
      "space placed(p: curves.Point) -> f64 depth 0 { p.x, curves.Point(..p, x: SHIFT_of_curves).x "
      "+ "
      "f64(LIMIT_of_curves), ?choice[p.y, -p.y] }\n"
      "const SHIFT_of_curves: f64 = 0.5;\nconst LIMIT_of_curves: i64 = 3;\n");
  const std::string plain =
      "use lib.curves.{Point};\npub fn f(x: f64) -> f64 { x + ?[1.0, 2.0] }\n";
  EXPECT_EQ(modules.read(plain)->source, plain);
}

TEST(SharedSpaces, MistakesAreSaid) {
  Modules modules;
  const auto said = [&](const std::string& uses, const std::string& body) {
    return modules.said(uses + "\npub fn f(x: f64) -> f64 { " + body + " }\n");
  };
  EXPECT_EQ(said("use lib.curves.{hidden};", "?hidden(x)"),
            "K0234 `hidden` is private in the module `lib.curves`; write `pub` before it there\n");
  EXPECT_EQ(said("use lib.curves.{curv};", "?curv(x)"),
            "K0233 there is no `curv` in the module `lib.curves`; did you mean `curve`?\n");
  EXPECT_EQ(said("use lib.curves.{curve};", "?curve(x, x)"),
            "K0307 expected 1 argument, found 2\n");
  EXPECT_EQ(said("use lib.curves.{curve};", "?curve(3 > 2)"),
            "K0301 expected `f64`, found `bool`\n");
  EXPECT_EQ(said("use lib.curves.{curve};", "curve(x)"),
            "K0517 `curve` is a space; an expression from it is written `?curve(…)`\n");
  EXPECT_EQ(said("use lib.curves;", "?curves.curve(x)"),
            "K0524 `curve` is a space; list it, and write the hole without a path: `use "
            "lib.curves.{curve};`, `?curve(…)`\n");
  EXPECT_EQ(said("use lib.curves;", "curves.curve(x)"),
            "K0524 `curve` is a space; list it, and write the hole without a path: `use "
            "lib.curves.{curve};`, `?curve(…)`\n");
  EXPECT_EQ(said("use lib.curves.{curve};\nspace curve(x: f64) -> f64 depth 0 { x }", "?curve(x)"),
            "K0236 `curve` is imported, and also defined here; rename one of them\n");
  EXPECT_EQ(modules.said("pub space s(x: f64) -> f64 depth 1;\n"),
            "K0511 a space is `space s(x: f64) -> f64 depth 2 { x, 1.0, s + s }`\n");
  EXPECT_EQ(modules.said("pub space s(x: f64) -> f64 depth 17 { x }\n"),
            "K0512 `depth` takes a number from 0 to 16\n");
  EXPECT_EQ(modules.said("pub space s(x: f64) -> f64 depth 1 { x }\nfn s(x: f64) -> f64 { x }\n"),
            "K0205 `s` is defined twice\n");
}

TEST(SharedSpaces, BuiltInNamesMeanWhatTheyMeanInTheModule) {
  Modules modules;
  modules.files.texts["lib.waves"] =
      "fn own(x: f64) -> f64 { sin(x) }\npub space wave(x: f64) -> f64 depth 0 { x, own(x), PI * x "
      "}\n";
  const std::string f = "pub fn f(x: f64) -> f64 { ?wave(x) }\n";
  EXPECT_EQ(
      modules.said("use lib.waves.{wave};\nfn sin(x: f64) -> f64 { 0.0 }\n" + f),
      "K0523 `sin` hides the built-in of that name, which `lib.waves.own` needs; give it another "
      "name\n");
  EXPECT_EQ(
      modules.said("use lib.waves.{wave};\nconst PI: f64 = 3.0;\n" + f),
      "K0523 `PI` hides the built-in of that name, which `lib.waves.wave` needs; give it another "
      "name\n");
  EXPECT_EQ(modules.said("use lib.waves.{wave};\nfn cos(x: f64) -> f64 { 0.0 }\n" + f), "");
}

TEST(SharedSpaces, AModuleIsNoSketchOfItsOwn) {
  // Undecided, it traps as any hole does.
  Modules modules;
  const std::string source = "use lib.units.{unit};\npub fn f(x: f64) -> f64 { ?unit(x) }\n";
  modules.loader.load(source);
  frontend::Compilation out;
  frontend::Compiler({.library = &modules.loader.library()}).compile(source, out);
  ASSERT_TRUE(out.ok);
  // The entry is the program's own function alone.
  EXPECT_EQ(choose_entry(out.code.view(), "").refusal, "");
}

}  // namespace
}  // namespace komuz::engine::test
