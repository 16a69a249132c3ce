// SPDX-License-Identifier: Apache-2.0
// Sessions: what an input leaves behind; a failed one leaves nothing.
#include "repl/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

#include "repl/repl.h"

namespace komuz::repl {
namespace {

// The output of an input, including errors.
std::string told(Session& session, std::string_view text) {
  AnswerText shown;
  render_answer(session.evaluate({text, "input"}), {}, shown);
  return shown.out + shown.err;
}

TEST(Session, TheValueIsItAndTheOneBeforeIt2) {
  Session session;
  EXPECT_EQ(told(session, "1 + 2"), "3\n");
  EXPECT_EQ(told(session, "it * 2"), "6\n");
  EXPECT_EQ(told(session, "it2 + it"), "9\n");
}

TEST(Session, ValuesOfAllTypesAreKept) {
  Session session;
  EXPECT_EQ(told(session, "type P = P(x: f32, n: Option[u8])"), "");
  EXPECT_EQ(told(session, "let p = P(0.5, Some(7))"), "p = P(x: 0.5, n: Some(7))\n");
  EXPECT_EQ(told(session, "let (a, b) = ([1.5, 2.5], \"hi\")"), "a = [1.5, 2.5]\nb = \"hi\"\n");
  EXPECT_EQ(told(session, "let l: List[i64, 4] = [9, 8].list(4)"), "l = [9, 8]\n");
  EXPECT_EQ(told(session, "(p.n, a[1], b[0], l.len(), p.x)"), "(Some(7), 2.5, 104, 2, 0.5)\n");
}

// The output of inputs of a Repl, as on a terminal with so many columns.
std::string shown_by_repl(std::string_view inputs, std::optional<u32> columns = {}) {
  std::string shown;
  const auto show = [&](std::string_view text) { shown += text; };
  ReplOptions options;
  options.shown.columns = columns;
  Repl repl(nullptr, {}, options, {show, show});
  repl.add(inputs, "input");
  repl.end("input");
  return shown;
}

TEST(Session, StatementsBehindItemsAreAnInputOfTheirOwn) {
  EXPECT_EQ(shown_by_repl("use std.geom; geom.Vec2(1.0, 2.0)\nit.x"),
            "Vec2(x: 1.0, y: 2.0)\n1.0\n");
  EXPECT_EQ(shown_by_repl("fn f(n: i64) -> i64 { n * 2 } let a = f(2); var b = f(a)\nb + 1"),
            "a = 4\nb = 8\n9\n");
  EXPECT_EQ(shown_by_repl("test \"t\" { assert 1 < 2; } 1 + 2"), "1 test passed\n3\n");
  EXPECT_EQ(shown_by_repl("fn f(n: i64) -> i64 { n } f(?[1, 2])"),
            "#0  1  f(1)\n#1  2  f(2)\n2 variants\n");
  // Definitions that an item breaks are reported beside the statements' value.
  const std::string broken =
      shown_by_repl("fn a() -> i64 { 1 }\nfn b() -> i64 { a() }\nfn a() -> f64 { 1.0 } a()");
  EXPECT_NE(broken.find("K0301"), std::string::npos) << broken;
  EXPECT_TRUE(broken.ends_with("1.0\n")) << broken;
  // Places are those of the line, and what is wrong in an item is said alone.
  EXPECT_EQ(shown_by_repl("fn f(n: i64) -> i64 { 1 / n } f(0)").substr(0, 22),
            "input:1:25: trap DIV_Z");
  EXPECT_NE(shown_by_repl("fn f(n: i64) -> i64 { n } f(true)").find("input:1:29: error[K0301]"),
            std::string::npos);
  EXPECT_NE(shown_by_repl("fn f(n: i64) -> i64 { m } f(1)").find("there is no `m`"),
            std::string::npos);
}

// A key applies all edits that the input's messages offer, also those that show only after the first edits.
TEST(Session, AnInputIsOfferedAsItIsMended) {
  const auto offered = [](std::string_view inputs) {
    std::string shown;
    const auto show = [&](std::string_view text) { shown += text; };
    ReplOptions options;
    options.offers_fixes = true;
    Repl repl(nullptr, {}, options, {show, show});
    repl.add(inputs, "input");
    repl.end("input");
    std::string fix = repl.take_fix();
    EXPECT_EQ(shown.find("Right takes the input as it is mended\n") != std::string::npos,
              !fix.empty())
        << shown;
    EXPECT_EQ(repl.take_fix(), "");
    return fix;
  };
  EXPECT_EQ(offered("let n = 2\nsqrt(n)"), "sqrt(f64(n))");
  EXPECT_EQ(offered("let n = 2\n(n == 2) and sqrt(n) > 1.0"), "(n == 2) && sqrt(f64(n)) > 1.0");
  EXPECT_EQ(offered("fn f(n: i64) -> f64 { n }"), "fn f(n: i64) -> f64 { f64(n) }");
  EXPECT_EQ(offered("let n = 2\nsqrt(n) * ?[1.0, 2.0]"), "sqrt(f64(n)) * ?[1.0, 2.0]");
  // No edit is made in other definitions, nor if none is offered.
  EXPECT_EQ(offered("fn f(n: i64) -> i64 { n }\nfn g() -> i64 { f(1) }\nfn f(n: f64) -> f64 { n }"),
            "");
  EXPECT_EQ(offered("1 + wholly_unknown"), "");
  EXPECT_EQ(offered("sqrt(2.0)"), "");
}

TEST(Session, AlternativesStandBehindComments) {
  EXPECT_EQ(
      shown_by_repl(":{\ntype S = // round\n  Circle(r: f64)\n  // nothing = at all |\n  | Dot;\n"
                    ":}\nCircle(1.0)\nDot"),
      "Circle(r: 1.0)\nDot\n");
}

TEST(Session, ItemsTakeThePlaceOfVariables) {
  EXPECT_EQ(shown_by_repl("let v = 1\nconst v: i64 = 3\nv\nlet v = 4\nv"), "v = 1\n3\nv = 4\n4\n");
}

TEST(Session, ValuesOutliveFunctionsOfAnyName) {
  EXPECT_EQ(shown_by_repl("type P = P(value: i64)\nfn value(x: i64) -> i64 { x }\nlet p = P(3)\n"
                          "fn g() -> i64 { 1 }\nfn g() -> i64 { 2 }\np.value\n"
                          "type P = P(other: i64)\np.other"),
            "p = P(value: 3)\n3\nforgotten, as the type is another one now: `p`\n"
            "input:8:1: error[K0201]: there is no `p` here\n  8 | p.other\n    | ^\n");
}

// More functions than a program has.
TEST(Session, LargeSessionsSayWhatBreaksAndAreSaved) {
  Session session;
  told(session, "fn user(n: i64) -> i64 { base(n) }\nfn base(n: i64) -> i64 { n }");
  told(session, "fn other() -> i64 { user(1) }");
  told(session, "fn base(n: i64) -> i64 { n + 1 }");
  for (u32 k = 0; k < 70; ++k)
    told(session, "fn h" + std::to_string(k) + "() -> i64 { " + std::to_string(k) + " }");
  EXPECT_EQ(told(session, "other() + h69()"), "71\n");
  Repl replayed(nullptr, {}, {},
                {[](std::string_view) {}, [](std::string_view text) { ADD_FAILURE() << text; }});
  replayed.add(session.replay_text(), "saved");
  replayed.end("saved");
  EXPECT_EQ(told(replayed.session(), "other() + h69()"), "71\n");
  const std::string broken = told(session, "fn base() -> i64 { 1 }");
  EXPECT_NE(broken.find("base(n)"), std::string::npos);
  EXPECT_EQ(broken.find("K0131"), std::string::npos);
  EXPECT_EQ(broken.find("other"), std::string::npos);
}

TEST(Session, LinesThatAreNoTextEndTheirInput) {
  const std::string shown = shown_by_repl("(\n1 + \"\xff\")\n1 + 1\n :fuel");
  EXPECT_NE(shown.find("K0003"), std::string::npos);
  EXPECT_TRUE(shown.ends_with("\n2\n1,000,000 ticks\n")) << shown;
}

// Texts of modules that change.
struct OneModule final : engine::ModuleFiles {
  std::optional<std::string> text;
  std::optional<engine::ModuleText> read(std::string_view) override {
    return text ? std::optional(engine::ModuleText{"lib.komuz", *text}) : std::nullopt;
  }
  std::vector<std::string> list() override { return {}; }
};
TEST(Session, ModulesAreReadAnew) {
  OneModule files;
  Session session(&files);
  EXPECT_NE(told(session, "use lib;").find("K0230"), std::string::npos);
  files.text = "pub fn b() -> i64 { 1 }";
  EXPECT_EQ(told(session, "use lib;"), "");
  EXPECT_EQ(told(session, "lib.b()"), "1\n");
  EXPECT_FALSE(session.modules().forget_changed());
  files.text = "pub fn b() -> i64 { 2 }";
  EXPECT_TRUE(session.modules().forget_changed());
  EXPECT_EQ(told(session, "lib.b()"), "2\n");
}

TEST(Session, InputsThatChangeAndGiveSayBoth) {
  Session session;
  told(session, "var c = 1");
  const auto answer = answer_json(session.evaluate({"c += 1; c * 2", "input"}), 2);
  EXPECT_EQ(answer["value"], 4);
  EXPECT_EQ(answer["changed"]["c"], 2);
}

TEST(Session, FloatsAreShownAsTheyAreTyped) {
  EXPECT_EQ(shown_by_repl("(1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0)\n[INF, NAN]"),
            "(INF, -INF, NAN)\n[INF, NAN]\n");
}

TEST(Session, LongValuesAreCutOnTerminals) {
  const std::string all = shown_by_repl("[7; 2000]"), cut = shown_by_repl("[7; 2000]", 80);
  EXPECT_EQ(all.size(), 3 * 2000u + 1);
  EXPECT_EQ(cut.substr(0, 24 * 80 - 1), all.substr(0, 24 * 80 - 1));
  EXPECT_EQ(cut.substr(24 * 80 - 1),
            "…\nwhat ends in `…` is whole in a pipe, with `--json`, and by `:save FILE`\n");
  EXPECT_EQ(shown_by_repl("[7; 600]", 80), shown_by_repl("[7; 600]"));
}

TEST(Session, AnEmptyStringIsAValue) {
  Session session;
  EXPECT_EQ(told(session, "\"\""), "\"\"\n");
  EXPECT_EQ(told(session, "it.len()"), "0\n");
  EXPECT_EQ(told(session, "let (e, n) = (\"\", 3)"), "e = \"\"\nn = 3\n");
  EXPECT_EQ(told(session, "(e, \"\")"), "(\"\", \"\")\n");
}

// `Vec2` is of a module, and then an alternative of the session's own type; and the other way round.
TEST(Session, ImpliedImportsGiveWayToConstructors) {
  Session session;
  told(session, "use std.geom;");
  EXPECT_EQ(told(session, "let p = geom.polar(1.0, 0.0)"), "p = Vec2(x: 1.0, y: 0.0)\n");
  EXPECT_EQ(told(session, "type Shape = Vec2(a: i64) | Other;"),
            "forgotten, as the type is another one now: `p`\n");
  EXPECT_EQ(told(session, "Vec2(3)"), "Vec2(a: 3)\n");
  EXPECT_NE(told(session, "geom.polar(1.0, 0.0)").find("is something else in the session"),
            std::string::npos);
  EXPECT_EQ(told(session, "Vec2(4)"), "Vec2(a: 4)\n");
}

TEST(Session, WhatOnlyLooksLikeAnExampleIsNone) {
  Session session;
  EXPECT_EQ(told(session, "fn text() -> Bytes[14] { \"/// >>> 1 == 2\" }"), "");
}

TEST(Session, AnInputThatIsTooLargeIsCalledByItsText) {
  Session session;
  const std::string shown = told(session, "[0.5; 4100]");
  EXPECT_NE(shown.find("a call of `[0.5; 4100]` needs"), std::string::npos) << shown;
  EXPECT_EQ(shown.find("snippet_"), std::string::npos) << shown;
}

TEST(Session, WhatFailsChangesNothing) {
  Session session;
  EXPECT_EQ(told(session, "let x = 5"), "x = 5\n");
  for (const char* const wrong : {"let x = 1 / 0", "let x = y", "let x = ", "fn x( { }", "1 +", ")",
                                  "fn f() -> i64 { x }", "\xff", "let x = \"", "}", "{"}) {
    const Answer answer = session.evaluate({wrong, "input"});
    EXPECT_TRUE(answer.is_failure()) << wrong;
    EXPECT_EQ(told(session, "x"), "5\n") << wrong;
  }
  EXPECT_TRUE(session.definitions().all().empty());
}

TEST(Session, VarsAreAssignedTo) {
  Session session;
  EXPECT_EQ(told(session, "var (c, xs) = (3, [1, 2].list(4))"), "c = 3\nxs = [1, 2]\n");
  EXPECT_EQ(told(session, "c = c + 1"), "c = 4\n");
  EXPECT_EQ(told(session, "xs.push(c); xs[0] = 9"), "xs = [9, 2, 4]\n");
  EXPECT_EQ(told(session, "{ c *= 10; c + 1 }"), "41\n");
  EXPECT_EQ(told(session, "(c, it)"), "(40, 41)\n");
  EXPECT_EQ(told(session, "c += 2; let d = c"), "d = 42\nc = 42\n");
  EXPECT_EQ(told(session, "let c = c + 1"), "c = 43\n");
  EXPECT_NE(told(session, "c = 1").find("`c` does not change"), std::string::npos);
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(told(session, "for i in 0..3 { c += i }"), "c = 45\n");
  EXPECT_EQ(told(session, "if c > 100 { c = 0 }"), "");
  EXPECT_NE(told(session, "c = 1 / 0").find("DIV_ZERO"), std::string::npos);
  EXPECT_NE(told(session, "c = true").find("expected `i64`"), std::string::npos);
  EXPECT_EQ(told(session, "c"), "45\n");
  EXPECT_NE(session.replay_text().find("var c: i64 = 45\n"), std::string::npos);
}

TEST(Session, WordsThatMeanNoDefinitionDoNotAskForIt) {
  Session session;
  told(session, "fn f(x: i64) -> i64 { x }");
  told(session, "fn g() -> i64 { f(1) }");
  told(session, "fn f(x: f64) -> f64 { x }");  // `g` has errors now
  told(session, "var n = 1");
  EXPECT_EQ(told(session, "[1, 2].map(g => g + n).sum()"), "5\n");
}

TEST(Session, ASavedSessionNeedsNoOrder) {
  Session session;
  told(session, "fn b() -> i64 { 1 }");
  told(session, "fn a() -> i64 { b() }");
  told(session, "fn b() -> i64 { 2 }");
  told(session,
       "fn even(n: i64) -> bool rec 100 { n == 0 || odd(n - 1) }\nfn odd(n: i64) -> bool rec 100 { "
       "n != 0 && even(n - 1) }");
  Repl replayed(nullptr, {}, {},
                {[](std::string_view) {}, [](std::string_view text) { ADD_FAILURE() << text; }});
  replayed.add(session.replay_text(), "saved");
  replayed.end("saved");
  EXPECT_EQ(told(replayed.session(), "(a(), even(10))"), "(2, true)\n");
}

TEST(Session, DefinitionsTakeThePlaceOfEarlierOnes) {
  Session session;
  EXPECT_EQ(told(session, "fn f(n: i64) -> i64 { n + 1 }\nfn g(n: i64) -> i64 { f(n) * 10 }"), "");
  EXPECT_EQ(told(session, "g(1)"), "20\n");
  EXPECT_EQ(told(session, "fn f(n: i64) -> i64 { n + 2 }"), "");
  EXPECT_EQ(told(session, "g(1)"), "30\n");
  // One that its users do not fit is taken, and that is said.
  EXPECT_NE(told(session, "fn f(s: bool) -> bool { !s }").find("input:2:"), std::string::npos);
  EXPECT_EQ(told(session, "f(true)"), "false\n");
  EXPECT_NE(told(session, "g(1)").find("error"), std::string::npos);
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(told(session, "g(1)"), "30\n");
}

TEST(Session, ValuesOfATypeThatIsDefinedAnewAreForgotten) {
  Session session;
  told(session, "type In = In(x: f64)\ntype Out = Out(inner: In)");
  told(session, "let (o, k) = (Out(In(1.0)), 3)");
  told(session, "type In = In(x: f64, y: f64)");
  EXPECT_NE(told(session, "o").find("there is no `o`"), std::string::npos);
  EXPECT_EQ(told(session, "k"), "3\n");
}

// The type of a value tells nothing of aliases and lengths.
TEST(Session, ValuesWhoseTypeMeansSomethingElseAreForgotten) {
  Session session;
  told(session, "type M = [f64; 2]");
  told(session, "type Q = Q(m: M)");
  told(session, "const N: i64 = 2");
  told(session, "type L = L(xs: [i64; N])");
  told(session, "let (q, l, k) = (Q(m: [1.0, 2.0]), L([1, 2]), 3)");
  told(session, "type M = [i64; 2]");
  EXPECT_NE(told(session, "q").find("there is no `q`"), std::string::npos);
  EXPECT_EQ(told(session, "l"), "L(xs: [1, 2])\n");
  told(session, "const N: i64 = 4");
  EXPECT_NE(told(session, "l").find("there is no `l`"), std::string::npos);
  EXPECT_EQ(told(session, "k"), "3\n");
}

TEST(Session, ModulesMayBeImportedAgain) {
  Session session;
  EXPECT_EQ(told(session, "use std.math;"), "");
  EXPECT_EQ(told(session, "use std.math.{lerp};"), "");
  EXPECT_EQ(told(session, "use std.math;"), "");
  EXPECT_EQ(told(session, "math.lerp(0.0, 2.0, 0.5) + lerp(0.0, 2.0, 0.5)"), "2.0\n");
}

TEST(Session, ExamplesOfDefinitionsAreRun) {
  Session session;
  EXPECT_EQ(told(session, "/// >>> half(6) == 3\nfn half(n: i64) -> i64 { n / 2 }"),
            "1 test passed\n");
  EXPECT_EQ(told(session,
                 "/// >>> twice(1) == 2\n/// >>> twice(half(7)) == 7\n"
                 "fn twice(n: i64) -> i64 { n + n }\ntest \"t\" { assert twice(half(1)) == 0; }"),
            "FAILED input: twice\n"
            "  input:2:1: trap ASSERT: an assertion is false: 6 == 7\n"
            "  2 | /// >>> twice(half(7)) == 7\n"
            "    | ^~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
            "2 passed, 1 failed\n");
  EXPECT_EQ(told(session, "twice(4)"), "8\n");
  // An example that is wrong leaves the definition, too: what it names may come later.
  const std::string wrong = told(session, "/// >>> later(1) == twice(1)\nfn k() -> i64 { 1 }");
  EXPECT_TRUE(wrong.starts_with("input:1:9: error[K0202]: there is no function `later`")) << wrong;
  EXPECT_EQ(told(session, "k()"), "1\n");
  EXPECT_EQ(told(session, "/// >>> k() + half(2) == 2\nfn uses_it() -> i64 { k() }"),
            "1 test passed\n");
  // A trap in what was defined before has its place there.
  static_cast<void>(session.evaluate({"\nfn seventh(n: i64) -> i64 { 7 / n }", "lib.komuz", 3}));
  EXPECT_EQ(told(session, "test \"trap\" { assert seventh(0) == 1; }"),
            "FAILED input: trap\n"
            "  lib.komuz:4:31: trap DIV_ZERO: division by zero\n"
            "  4 | fn seventh(n: i64) -> i64 { 7 / n }\n"
            "    |                               ^\n"
            "0 passed, 1 failed\n");
}

TEST(Session, ValuesOfTypesOfModulesAreKept) {
  Session session;
  told(session, "use std.geom;");
  EXPECT_EQ(told(session, "let v = geom.Vec2(1.0, 2.0)"), "v = Vec2(x: 1.0, y: 2.0)\n");
  EXPECT_EQ(told(session, "geom.Segment(v, geom.scale(v, 2.0))"),
            "Segment(a: Vec2(x: 1.0, y: 2.0), b: Vec2(x: 2.0, y: 4.0))\n");
  EXPECT_EQ(told(session, "it.b.x + v.y"), "4.0\n");
  EXPECT_EQ(told(session, "var (k, r) = ([geom.Vec2(0.0, 0.0)].list(4), Some(v))"),
            "k = [Vec2(x: 0.0, y: 0.0)]\nr = Some(Vec2(x: 1.0, y: 2.0))\n");
  EXPECT_EQ(told(session, "k.push(v); k.len()"), "2\n");
  EXPECT_EQ(told(session, "let w: geom.Vec2 = Vec2(3.0, 4.0)"), "w = Vec2(x: 3.0, y: 4.0)\n");
  // A saved session can be built again.
  const std::string saved = session.replay_text();
  std::string shown;
  const auto show = [&](std::string_view text) { shown += text; };
  Repl repl(nullptr, {}, {}, {show, show});
  repl.add(saved, "saved", {});
  EXPECT_EQ(shown,
            "v = Vec2(x: 1.0, y: 2.0)\nk = [Vec2(x: 0.0, y: 0.0), Vec2(x: 1.0, y: 2.0)]\n"
            "r = Some(Vec2(x: 1.0, y: 2.0))\nw = Vec2(x: 3.0, y: 4.0)\n");
  // The import that nobody wrote gives way.
  EXPECT_EQ(told(session, "use std.geom.{Vec2, add};"), "");
  EXPECT_EQ(told(session, "add(v, w)"), "Vec2(x: 4.0, y: 6.0)\n");
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(told(session, "it"), "Vec2(x: 4.0, y: 6.0)\n");
  EXPECT_EQ(told(session, "type Vec2 = Vec2(z: f64)"),
            "forgotten, as the type is another one now: `v`, `it`, `it2`, `k`, `r`, `w`\n");
  EXPECT_NE(told(session, "v").find("there is no `v` here"), std::string::npos);
  EXPECT_EQ(told(session, "Vec2(5.0)"), "Vec2(z: 5.0)\n");
  EXPECT_EQ(told(session, "geom.Vec2(1.0, 2.0)"),
            "input:1: error: a value of this has the type `Vec2` of `std.geom`, and `Vec2` is "
            "something else here\n");
  EXPECT_EQ(
      told(session, "geom.polar(1.0, 0.0)"),
      "Vec2(x: 1.0, y: 0.0)\nnot kept: the type `Vec2` is of `std.geom`, and `Vec2` is something "
      "else in the session\n");
  EXPECT_EQ(told(session, "it"), "Vec2(z: 5.0)\n");
}

TEST(Session, TypesHaveNamesOfTheirOwn) {
  Session session;
  EXPECT_EQ(told(session, "type Pair = (i64, i64);\nfn pair(a: i64) -> Pair { (a, a) }"), "");
  EXPECT_EQ(told(session, "fn Pair(a: i64) -> Pair { (a, 1) }"), "");
  EXPECT_EQ(told(session, "pair(2)"), "(2, 2)\n");
}

TEST(Session, WordsThatMeanNoDefinitionNeedNone) {
  Session session;
  told(session, "fn b(n: i64) -> i64 { n }\nfn a(n: i64) -> i64 { b(n) }");
  told(session, "fn b(s: f64) -> f64 { s }");
  EXPECT_EQ(told(session, "[1, 2].map(a => a).sum()"), "3\n");
  EXPECT_EQ(told(session, "\"a\""), "\"a\"\n");
  EXPECT_EQ(told(session, "3 // a"), "3\n");
}

TEST(Session, UndoLeavesItAlone) {
  Session session;
  for (const char* const text : {"let x = 1", "5", "let y = 2", "6", "7"}) told(session, text);
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(told(session, "it + it2"), "13\n");
  EXPECT_NE(told(session, "y").find("there is no `y`"), std::string::npos);
  EXPECT_EQ(session.measure({"x + 1", "input"}).fuel, 1u);
  EXPECT_EQ(told(session, "it"), "13\n");
}

TEST(Session, UndoTakesBackChangesOneByOne) {
  Session session;
  constexpr u32 kSteps = 110, kMost = 100;
  for (u32 k = 0; k < kSteps; ++k) {
    told(session, "let n = " + std::to_string(k));
    told(session, "let x" + std::to_string(k) + " = n");
  }
  EXPECT_EQ(told(session, "fn f() -> i64 { 1 }\ntype T = T(x: i64)"), "");
  EXPECT_EQ(told(session, "let t = T(f())"), "t = T(x: 1)\n");
  const std::string before = session.replay_text();
  session.reset();
  EXPECT_EQ(session.replay_text(), "");
  ASSERT_TRUE(session.undo());
  EXPECT_EQ(session.replay_text(), before);
  EXPECT_EQ(told(session, "n"), "109\n");
  // `it` did not change with the steps, and does not with their undoing.
  for (u32 k = 0; k < kMost - 1; ++k) ASSERT_TRUE(session.undo());
  EXPECT_FALSE(session.undo());
  EXPECT_EQ(told(session, "(n, it)"), "(61, 109)\n");
  EXPECT_EQ(told(session, "x60"), "60\n");
  EXPECT_NE(told(session, "x61").find("there is no `x61`"), std::string::npos);
  EXPECT_NE(told(session, "f()").find("there is no"), std::string::npos);
}

// Processor time of so many new variables and functions, the least of some tries.
f64 time_of_lines(Session& session, u32 first, u32 count) {
  f64 least = 1e9;
  for (u32 at = first; at < first + 3 * count; at += count) {
    const std::clock_t begin = std::clock();
    for (u32 k = at; k < at + count; ++k) {
      const std::string n = std::to_string(k);
      told(session, "let x" + n + " = " + n);
      told(session, "fn f" + n + "(x: i64) -> i64 { x + " + n + " }");
    }
    least = std::min(least, static_cast<f64>(std::clock() - begin));
  }
  return least;
}

TEST(Session, ALineCostsTheSameBehindManyOthers) {
  Session session;
  constexpr u32 kLines = 300, kMany = 4000;
  const f64 at_first = time_of_lines(session, 0, kLines);
  time_of_lines(session, 3 * kLines, kMany);
  const f64 behind_many = time_of_lines(session, 3 * (kLines + kMany), kLines);
  EXPECT_LT(behind_many, 4 * at_first);
  EXPECT_EQ(told(session, "f1(x2) + f12000(x11000)"), "23003\n");
}

TEST(Session, AnInterruptedTestHasNotPassed) {
  Session session;
  std::stop_source stop;
  stop.request_stop();
  const Answer answer = session.evaluate(
      {"fn f() -> i64 { 1 }\ntest \"t\" { assert f() == 1 }", "input"}, stop.get_token());
  EXPECT_EQ(answer.kind, AnswerKind::Stopped);
  EXPECT_TRUE(session.definitions().all().empty());
}

TEST(Session, WhatIsSavedMakesTheSameSession) {
  Session session;
  told(session, "type Shape = Circle(r: f64)\n  | Square(side: f64)\n  | Empty;");
  told(session, "const BIG: i64 =\n  3;");
  told(session, "use std.math.{lerp};");
  told(session, "/// Half of it.\nfn half(x: f64) -> f64 { lerp(0.0, x, 0.5) }");
  told(session, "let (s, z) = (\"a\\\"b\\n\", -0.0)");
  told(session, "let n: Option[i8] = None");
  Repl replayed(nullptr, {}, {},
                {[](std::string_view) {}, [](std::string_view text) { ADD_FAILURE() << text; }});
  replayed.add(session.replay_text(), "saved");
  replayed.end("saved");
  EXPECT_EQ(replayed.session().replay_text(), session.replay_text());
  EXPECT_EQ(told(replayed.session(), "half(3.0)"), "1.5\n");
}

TEST(Session, PlacesInDefinitionsAreThoseOfTheirFiles) {
  Session session;
  AnswerText shown;
  render_answer(session.evaluate({"// two\nfn g(n: i64) -> i64 { n }\n\nfn f(n: i64) -> i64 {\n    "
                                  "8 / n\n}",
                                  "lib.komuz", 10}),
                {}, shown);
  EXPECT_EQ(shown.err, "");
  EXPECT_NE(told(session, "f(0)").find("lib.komuz:14:7: trap DIV_ZERO"), std::string::npos);
  EXPECT_NE(
      told(session, "fn g() -> i64 { 1 }\nfn h() -> i64 { g(f(1)) }").find("input:2:17: error"),
      std::string::npos);
  told(session, "fn h(n: i64) -> i64 { g(f(n)) }");
  EXPECT_NE(told(session, "fn g() -> i64 { 1 }").find("input:1:23: error"), std::string::npos);
}

TEST(Session, PlacesAreThoseOfTheInput) {
  Session session;
  told(session, "fn f(n: i64) -> i64 {\n    8 / n\n}");
  const std::string trap = told(session, "f(0)");
  EXPECT_NE(trap.find("input:2:7: trap DIV_ZERO"), std::string::npos) << trap;
  const Answer wrong = session.evaluate({"1 +\n  true", "file", 7});
  ASSERT_EQ(wrong.sources.size(), 1u);
  const auto json = answer_json(wrong, 1);
  EXPECT_EQ(json["diagnostics"][0]["file"], "file");
  EXPECT_GE(json["diagnostics"][0]["line"], 7);
  EXPECT_LE(json["diagnostics"][0]["line"], 8);
}

TEST(Session, WhatBreaksTheProgramAroundAnInputIsMarkedInIt) {
  Session session;
  const auto error = [&](std::string_view text) {
    const std::string shown = told(session, text);
    const size_t next = shown.find("error", shown.find("error") + 1);
    EXPECT_EQ(next, std::string::npos) << shown;  // one is enough
    return shown.substr(0, shown.find('\n'));
  };
  EXPECT_EQ(error("}"), "input:1:1: error[K0103]: `}` closes nothing");
  EXPECT_EQ(error("1 }"), "input:1:3: error[K0103]: `}` closes nothing");
  EXPECT_EQ(error("{ 1 } }; 1"), "input:1:7: error[K0103]: `}` closes nothing");
  EXPECT_EQ(error("sqrt("), "input:1:5: error[K0102]: `(` is never closed");
  EXPECT_EQ(error("[1,"), "input:1:1: error[K0102]: `[` is never closed");
  EXPECT_EQ(error("match 3 {"), "input:1:9: error[K0102]: `{` is never closed");
  EXPECT_EQ(error("use"), "input:1:1: error[K0114]: `use` cannot stand here");
  EXPECT_EQ(error("let a, b = 1, 2"),
            "input:1:13: error[K0114]: `,` cannot stand here; a tuple is written in parentheses: "
            "`(a, b) = (1, 2)`");
  EXPECT_EQ(error("(1 +\n2]"), "input:2:2: error[K0104]: `]` does not close the `(` of line 1");
  EXPECT_EQ(error("3 % 2.0"),
            "input:1:3: error[K0321]: `%` is of integers; of floats write `fmod(a, b)`");
}

TEST(Session, InterruptsStopARun) {
  Session session;
  session.set_fuel(u64{1} << 60);
  std::stop_source stop;
  stop.request_stop();
  const Answer answer =
      session.evaluate({"{ var k = 0; while true { k = k +% 1; } k }", "input"}, stop.get_token());
  EXPECT_EQ(answer.kind, AnswerKind::Stopped);
}

// Inputs of a text that comes in pieces of some bytes.
std::vector<std::string> inputs_of(std::string_view text, size_t piece) {
  InputReader reader;
  std::vector<std::string> inputs;
  std::string_view input;
  u32 line = 0;
  for (size_t at = 0; at < text.size(); at += piece) {
    reader.add(text.substr(at, piece));
    while (reader.next(input, line))
      inputs.push_back(std::to_string(line) + ":" + std::string(input));
  }
  reader.end();
  while (reader.next(input, line))
    inputs.push_back(std::to_string(line) + ":" + std::string(input));
  return inputs;
}

TEST(InputReader, LinesAreCountedPastWhatIsDropped) {
  InputReader reader;
  std::string_view text;
  u32 line = 0;
  reader.add("1\nfn g(\n");
  EXPECT_TRUE(reader.next(text, line));
  EXPECT_FALSE(reader.next(text, line));
  EXPECT_TRUE(reader.is_open());
  reader.drop();
  EXPECT_FALSE(reader.is_open());
  reader.add("2\n");
  EXPECT_TRUE(reader.next(text, line));
  EXPECT_EQ(text, "2\n");
  EXPECT_EQ(line, 3u);
}

TEST(InputReader, LinesGoOnWhileABracketIsOpen) {
  const std::string_view text =
      "1 + 2\nf(\")\", // (\n  ']')\n/// Doc.\nfn f() -> i64 {\n  1\n}\n\n:type (\n}\n[1,\r\n2]";
  const std::vector<std::string> wanted = {"1:1 + 2\n",
                                           "2:f(\")\", // (\n  ']')\n",
                                           "4:/// Doc.\nfn f() -> i64 {\n  1\n}\n",
                                           "8:\n",
                                           "9::type (\n",
                                           "10:}\n",
                                           "11:[1,\r\n2]"};
  for (const size_t piece : {1, 2, 3, 7, 1000}) EXPECT_EQ(inputs_of(text, piece), wanted) << piece;
  // An open input at the end counts, too.
  for (const char* const open : {"f(\n1", "f(\n1\n", "fn f() {\n"})
    EXPECT_EQ(inputs_of(open, 2), std::vector<std::string>{"1:" + std::string(open)});
  EXPECT_EQ(inputs_of("1\n:{\nconst A: i64 =\n  3\n:}\n2", 3),
            (std::vector<std::string>{"1:1\n", "3:const A: i64 =\n  3\n", "6:2"}));
  // A byte order mark says what the file is, and is no part of it.
  for (const size_t piece : {1, 2, 4, 100})
    EXPECT_EQ(inputs_of("\xEF\xBB\xBF:help\n1\n", piece),
              (std::vector<std::string>{"1::help\n", "2:1\n"}));
  for (const size_t piece : {1, 2, 3}) {
    EXPECT_EQ(inputs_of("7", piece), std::vector<std::string>{"1:7"});
    EXPECT_EQ(inputs_of("\xEF\xBB\xBF\n7", piece), (std::vector<std::string>{"1:\n", "2:7"}));
  }
}

}  // namespace
}  // namespace komuz::repl
