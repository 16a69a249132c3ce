// SPDX-License-Identifier: Apache-2.0
// Other names for what programs name: every use of it and nothing else, and nothing that would change a meaning.
#include "services/editor/rename.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "engine/candidates/load_modules.h"
#include "services/editor/item_tokens.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

using services::TextRename;

// The text with another name for what stands behind the `^`, which is no part of it; or why it cannot have it.
std::string renamed(std::string text, const std::string& name) {
  const size_t mark = text.find('^');
  text.erase(mark, 1);
  engine::ModuleLoader loader;
  loader.load(text);
  const Library& library = loader.library();
  const auto found = services::prepare_rename(text, library, static_cast<u32>(mark));
  if (found.problem()) return found.problem().text();
  if (Problem problem = services::check_new_name(name)) return problem.text();
  TextRename rename(text, found.value().name, name);
  services::Analysis analysis(&library, services::Examples::Tests);
  if (Problem problem = rename.find(analysis, found.value().begin)) return problem.text();
  if (Problem problem = rename.check(analysis)) return problem.text();
  return rename.renamed();
}

TEST(Rename, FunctionsConstantsAndTypes) {
  EXPECT_EQ(renamed("fn ^f(x: f64) -> f64 { x }\nfn g(f: f64) -> f64 { f(f) + f.f() }\n", "h"),
            "fn h(x: f64) -> f64 { x }\nfn g(f: f64) -> f64 { h(f) + f.h() }\n");
  EXPECT_EQ(renamed("const most: i64 = 3;\nfn f(x: [i64; 3]) -> i64 { x[0] + ^most }\n", "least"),
            "const least: i64 = 3;\nfn f(x: [i64; 3]) -> i64 { x[0] + least }\n");
  EXPECT_EQ(renamed("type ^V = V(x: f64);\nfn f(v: V) -> V { V(..v, x: 1.0) }\n", "W"),
            "type W = W(x: f64);\nfn f(v: W) -> W { W(..v, x: 1.0) }\n");
}
TEST(Rename, FieldsOfOneType) {
  EXPECT_EQ(renamed("type A = A(x: f64);\ntype B = B(x: f64);\n"
                    "fn f(a: A, b: B) -> f64 { a.^x + b.x + A(x: 1.0).x }\n",
                    "y"),
            "type A = A(y: f64);\ntype B = B(x: f64);\n"
            "fn f(a: A, b: B) -> f64 { a.y + b.x + A(y: 1.0).y }\n");
}
TEST(Rename, BothSidesOfAPattern) {
  EXPECT_EQ(renamed("type S = A(x: f64) | B(x: f64);\n"
                    "fn f(s: S) -> f64 { match s { A(^n) | B(n) => n + 1.0 } }\n",
                    "m"),
            "type S = A(x: f64) | B(x: f64);\n"
            "fn f(s: S) -> f64 { match s { A(m) | B(m) => m + 1.0 } }\n");
}
TEST(Rename, HolesOfOneDecision) {
  EXPECT_EQ(renamed("fn f(x: f64) -> f64 { ?^c[1.0, x] * ?c[2.0, 3.0] + ?d[1.0, 2.0] }\n", "k"),
            "fn f(x: f64) -> f64 { ?k[1.0, x] * ?k[2.0, 3.0] + ?d[1.0, 2.0] }\n");
  EXPECT_EQ(
      renamed("space ^s(x: f64) -> f64 depth 1 { x, s + s }\nfn f(x: f64) -> f64 { ?s(x) }\n", "t"),
      "space t(x: f64) -> f64 depth 1 { x, t + t }\nfn f(x: f64) -> f64 { ?t(x) }\n");
}
TEST(Rename, ExamplesAlsoFarAboveTheirItem) {
  EXPECT_EQ(renamed("fn a() -> i64 { 1 }\n\n/// >>> f(1) == 2\n\n// f of x\n"
                    "fn ^f(x: i64) -> i64 { x + a() }\n",
                    "g"),
            "fn a() -> i64 { 1 }\n\n/// >>> g(1) == 2\n\n// f of x\n"
            "fn g(x: i64) -> i64 { x + a() }\n");
}

TEST(Rename, WhatIsNoName) {
  const std::string text = "fn ^f(x: f64) -> f64 { x }\n";
  for (const char* const name : {"", "2x", "a b", "a-b", "_", "é", "?x", "while", "fn", "a.b"})
    EXPECT_NE(services::check_new_name(name).text(), "") << name;
  EXPECT_EQ(services::check_new_name("rec").text(), "");
  EXPECT_NE(renamed("fn f(x: ^f64) -> f64 { x }\n", "g").find("is built in"), std::string::npos);
  EXPECT_NE(renamed("use std.^math;\nfn f(x: f64) -> f64 { x }\n", "g").find("is a module"),
            std::string::npos);
  EXPECT_NE(renamed("use std.math.{^gcd};\nfn f(x: i64) -> i64 { gcd(x, 2) }\n", "g")
                .find("standard library"),
            std::string::npos);
}
TEST(Rename, WhatOtherTextsDefine) {
  EXPECT_NE(renamed("pub fn ^f(x: f64) -> f64;\nfn g(x: f64) -> f64 { f(x) }\n", "h")
                .find("is left to candidates"),
            std::string::npos);
  EXPECT_EQ(renamed("pub fn f(x: f64) -> f64;\nfn ^g(x: f64) -> f64 { f(x) }\n", "h"),
            "pub fn f(x: f64) -> f64;\nfn h(x: f64) -> f64 { f(x) }\n");
}
TEST(Rename, WhatWouldCollideOrMeanSomethingElse) {
  // Two functions of one name.
  EXPECT_NE(renamed("fn ^f() -> i64 { 1 }\nfn g() -> i64 { 2 }\n", "g").find("cannot be called"),
            std::string::npos);
  // The parameter would take the place of the constant.
  EXPECT_NE(renamed("const k: i64 = 1;\nfn f(^x: i64) -> i64 { x + k }\n", "k")
                .find("would mean something else"),
            std::string::npos);
  // The constant would be hidden.
  EXPECT_NE(renamed("const ^k: i64 = 1;\nfn f(x: i64) -> i64 { x + k }\n", "x")
                .find("would mean something else"),
            std::string::npos);
  // A function of the program hides a built-in one.
  EXPECT_NE(renamed("fn ^f(x: f64) -> f64 { x }\nfn g(x: f64) -> f64 { sqrt(x) + f(x) }\n", "sqrt")
                .find("would mean something else"),
            std::string::npos);
  // Two decisions would be one.
  EXPECT_NE(renamed("fn f() -> i64 { ?^a[1, 2] + ?b[3, 4] }\n", "b").find("would be one"),
            std::string::npos);
  // Two variables of one name: what is used is the later one.
  EXPECT_NE(renamed("fn f() -> i64 { let ^a = 1; let b = 2; a + b }\n", "b")
                .find("would mean something else"),
            std::string::npos);
  // Nothing is hidden here, since the first is used no more.
  EXPECT_EQ(renamed("fn f() -> i64 { let a = 1; let ^b = a; b + 1 }\n", "a"),
            "fn f() -> i64 { let a = 1; let a = a; a + 1 }\n");
  // A constructor has a capital.
  EXPECT_NE(
      renamed("type S = ^A(x: i64) | B;\nfn f(s: S) -> i64 { match s { A(x) => x, B => 0 } }\n",
              "a"),
      "type S = a(x: i64) | B;\nfn f(s: S) -> i64 { match s { a(x) => x, B => 0 } }\n");
}
TEST(Rename, ANameInABrokenItemIsNotGuessed) {
  // The line is left out where the item is mended.
  const std::string text =
      "fn ^f(x: f64) -> f64 { x }\nfn g(x: f64) -> f64 {\n    f(x) * * 2.0\n}\n";
  EXPECT_NE(renamed(text, "h").find("3:5: what `f` means here is not known"), std::string::npos)
      << renamed(text, "h");
  // What can be mended is known.
  EXPECT_EQ(renamed("fn ^f(x: f64) -> f64 { x }\nfn g(x: f64) -> f64 {\n    f(x) + (\n}\n", "h"),
            "fn h(x: f64) -> f64 { x }\nfn g(x: f64) -> f64 {\n    h(x) + (\n}\n");
  // What is broken elsewhere is no matter.
  EXPECT_EQ(renamed("fn ^f(x: f64) -> f64 { x }\nfn g( {\n", "h"),
            "fn h(x: f64) -> f64 { x }\nfn g( {\n");
}

// Every name of every program of the repository takes a new name, which is then the only change, and takes it back.
TEST(Rename, EveryNameOfTheCorpusThereAndBack) {
  u32 renames = 0, refusals = 0;
  for (const auto& path : corpus()) {
    const std::string text = read_text(path);
    engine::ModuleLoader loader;
    loader.load(text);
    const Library& library = loader.library();
    services::Analysis analysis(&library), own(&library, services::Examples::Tests);
    analysis.read(text);
    if (!analysis.is_sound()) continue;
    Random random(text.size());
    for (u32 k = 0; k < 6; ++k) {
      const u32 place = random.below(text.size());
      const auto found = services::prepare_rename(text, library, place);
      if (found.problem()) continue;
      const std::string& old_name = found.value().name;
      TextRename there(text, old_name, "Quite_another_name");
      ASSERT_EQ(there.find(own, found.value().begin).text(), "") << path << " byte " << place;
      if (there.check(own)) {
        // Names of what other texts define, or that need small letters.
        ++refusals;
        continue;
      }
      ++renames;
      const std::string changed = there.renamed();
      analysis.read(changed);
      EXPECT_TRUE(analysis.is_sound()) << path << ": " << old_name;
      const auto uses = there.uses();
      TextRename back(changed, "Quite_another_name", old_name);
      ASSERT_EQ(back.find(own, uses.front().begin).text(), "") << path << ": " << old_name;
      EXPECT_EQ(back.check(own).text(), "") << path << ": " << old_name;
      EXPECT_EQ(back.renamed(), text) << path << ": " << old_name;
      analysis.read(text);
    }
  }
  EXPECT_GT(renames, 100u);
  EXPECT_LT(refusals, renames / 4);
}

TEST(KeptItems, OnlyWhatNamesNeedIsLeft) {
  frontend::Compiler lexer;
  const std::string text =
      "use std.math;\ntype V = V(x: f64);\nfn g(v: V) -> f64 { v.x + h(1.0) }\n"
      "fn h(x: f64) -> f64 { x }\nfn f(v: V) -> f64 { g(v) }\nfn other() -> i64 { 1 }\n";
  const services::KeptText kept = services::keep_items_naming(lexer, text, {"f"});
  EXPECT_EQ(kept.text,
            "type V = V(x: f64);\nfn g(v: V) -> f64 {?             }\n"
            "\nfn f(v: V) -> f64 { g(v) }\n");
  EXPECT_EQ(kept.modules, std::vector<std::string>{"std.math"});
  const auto place = static_cast<u32>(text.find("g(v) }"));
  const auto there = kept.in_kept(place);
  ASSERT_TRUE(there);
  EXPECT_EQ(kept.text.substr(*there, 4), "g(v)");
  EXPECT_EQ(kept.in_text(*there), place);
  EXPECT_FALSE(kept.in_kept(static_cast<u32>(text.find("other"))));
}

}  // namespace
}  // namespace komuz::test
