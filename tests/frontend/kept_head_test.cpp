// SPDX-License-Identifier: Apache-2.0
// A program whose head the columns hold from the one before gives the same as alone: code, diagnostics, identity, work
// and columns. Programs with one head follow one another in every order of sound and wrong ones.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/tree/keep_heads.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {
namespace {

using frontend::Columns;

const std::string kHead = "pub fn f(x: f64, y: f64, n: i64) -> f64 {";

// What may stand behind the `{`, the closing `}` included.
const std::vector<std::string>& bodies() {
  static const std::vector<std::string> all = {
      " x }",
      " x * y + 1.0 }",
      " x * y + f64(n) }",
      "let z = x * y; z + z }",
      "\n  // a comment {\n  var s = 0.0;\n  for i in 0..n { s += x; }\n  s\n}\n",
      " if n > 0 { x } else { y } }",
      " let xs = [x, y, 1.0]; xs.map(v => v * v).sum() }",
      " let t = (x, y); t.0 }",
      " match n { 0 => x, _ => y } }",
      " x } fn g(a: f64) -> f64 { f(a, a, 1) }",
      " g(x) } fn g(x: f64) -> f64 rec 9 { if x > 1.0 { g(x - 1.0) } else { x } }",
      " if n > 0 { f(x, y, n - 1) } else { y } }",  // a note at the name of the function
      " x } fn f(x: f64) -> f64 { x }",             // another of that name
      " x }\nconst A: i64 = 3;\ntest \"t\" { assert A == 3; }",
      " p(x) }\ntype P = (a: f64);\nfn p(x: f64) -> f64 { let q = P(x); q.a }",
      " ?(0.5, 1.5) * x }",
      " ?s * x }\nspace s -> f64 { x, y }",
      "}",
      " }",
      "",
      " x",
      " (x }",
      " x) }",
      " x } }",
      " [x }",
      " x + }",
      " x y }",
      " unknown(x) }",
      " unknown + x }",
      " n }",
      " x + n }",
      " let x = 1; }",
      " let = ; x }",
      " f }",
      " traps(x) }",
      " x } test \"t\" { assert f(1.0, 2.0, 3) == traps(x); }",
      " use a::b; x }",
      " x }\nuse a::b;\n",
      " \"text }",
      " 'c }",
      " é }",
      " x // } \n",
      " fn }",
      " pub x }",
      " x }\nfn g( { }",
      " return x; y }",
      " while n limit 3 { } x }",
      " 1.5e3.5 }",
      " let f = x; f }",
      " let y = x; let x = y; x }",
      " assert x > 0.0; x }",
  };
  return all;
}

class KeptHeads : public testing::TestWithParam<const char*> {
 protected:
  KeptHeads() : kept_(make()), alone_(make()) {}

  void expect_equal(const std::string& text) {
    kept_.compile(text, kept_out_);
    alone_.compile("", alone_out_);  // nothing is left of the program before
    alone_.compile(text, alone_out_);
    EXPECT_EQ(first_difference(kept_out_, alone_out_), "") << text;
    EXPECT_EQ(kept_.work(), alone_.work()) << text;
    compare_columns(text);
    EXPECT_EQ(kept_.identify(text), alone_.identify(text)) << text;
    sound_ += kept_out_.ok;
  }
  u32 sound_ = 0;

 private:
  static frontend::Compiler make() {
    setenv("KOMUZ_SIMD", GetParam(), 1);
    frontend::Compiler compiler;
    unsetenv("KOMUZ_SIMD");
    return compiler;
  }
  void compare_columns(const std::string& text) {
    const Columns &a = kept_.columns(), &b = alone_.columns();
    ASSERT_EQ(a.tokens, b.tokens) << text;
    ASSERT_EQ(a.nodes, b.nodes) << text;
    if (a.nodes == 0) return;
    ASSERT_EQ(a.brackets, b.brackets) << text;
    ASSERT_EQ(a.items, b.items) << text;
    ASSERT_EQ(a.binds, b.binds) << text;
    ASSERT_EQ(a.uses, b.uses) << text;
    ASSERT_EQ(a.traps, b.traps) << text;
#define EXPECT_COLUMN(count, name) \
  for (u32 k = 0; k < a.count; ++k) ASSERT_EQ(a.name[k], b.name[k]) << #name << k << "\n" << text
    EXPECT_COLUMN(tokens, token_start);
    EXPECT_COLUMN(tokens, token_length);
    EXPECT_COLUMN(tokens, token_kind);
    EXPECT_COLUMN(tokens, token_hash);
    EXPECT_COLUMN(nodes, kind);
    EXPECT_COLUMN(nodes, context);
    EXPECT_COLUMN(nodes, role);
    EXPECT_COLUMN(nodes, error);
    EXPECT_COLUMN(nodes, tails);
    EXPECT_COLUMN(nodes, key);
    EXPECT_COLUMN(nodes, token);
    EXPECT_COLUMN(nodes, item);
    EXPECT_COLUMN(nodes, left);
    EXPECT_COLUMN(nodes, right);
    EXPECT_COLUMN(nodes, begin);
    EXPECT_COLUMN(nodes, end);
    EXPECT_COLUMN(nodes, order);
    EXPECT_COLUMN(nodes, rank);
    EXPECT_COLUMN(nodes, owner);
    EXPECT_COLUMN(nodes, type);
    EXPECT_COLUMN(nodes, want);
    EXPECT_COLUMN(nodes, ref);
    EXPECT_COLUMN(brackets, bracket_key);
    EXPECT_COLUMN(brackets, bracket_error);
    EXPECT_COLUMN(brackets, bracket_token);
    EXPECT_COLUMN(brackets, bracket_node);
    EXPECT_COLUMN(brackets, bracket_mate);
    EXPECT_COLUMN(binds, bind_node);
    EXPECT_COLUMN(binds, bind_kind);
    EXPECT_COLUMN(binds, bind_from);
    EXPECT_COLUMN(binds, bind_until);
    EXPECT_COLUMN(binds, bind_type);
    EXPECT_COLUMN(uses, use_node);
    EXPECT_COLUMN(items, item_node);
    EXPECT_COLUMN(items, item_kind);
    EXPECT_COLUMN(items, item_name);
    EXPECT_COLUMN(items, item_body);
    EXPECT_COLUMN(items, item_result);
    EXPECT_COLUMN(items, item_bound);
    EXPECT_COLUMN(items, item_broken);
    EXPECT_COLUMN(live_nodes, live);
#undef EXPECT_COLUMN
  }

  frontend::Compiler kept_, alone_;
  frontend::Compilation kept_out_, alone_out_;
};

// Without the level's vectors the best there are take their place.
INSTANTIATE_TEST_SUITE_P(Vectors, KeptHeads, testing::Values("avx2", "avx512"),
                         [](const auto& level) { return std::string(level.param); });

TEST_P(KeptHeads, AnyBodyBehindAnyOther) {
  for (const std::string& first : bodies())
    for (const std::string& second : bodies()) {
      for (u32 round = 0; round < 2; ++round) expect_equal(kHead + " x }");
      expect_equal(kHead + first);
      expect_equal(kHead + second);
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(sound_, 1000u);
}

// The `{` stands at every place of a block of 64 bytes.
TEST_P(KeptHeads, HeadsOfEveryLength) {
  for (u32 blanks = 0; blanks < 150; ++blanks) {
    const std::string head = "fn f(x: f64," + std::string(blanks, ' ') + " y: f64) -> f64 {";
    for (const char* body : {" x }", " x }", "x*1.25e-3+y}", "(x + }", "\"text\" }", "// }\ny}",
                             "}", " x }", "{y}}", "1 }"})
      expect_equal(head + body);
  }
  for (u32 parameters = 0; parameters < 60; ++parameters) {
    std::string list;
    for (u32 k = 0; k < parameters; ++k) list += "p" + std::to_string(k) + ": i64, ";
    const std::string head = "// {\npub fn f(" + list + "x: i64) -> i64 {";
    for (const char* body :
         {" x }", " x + 1 }", " x + 2 * x }", " (x - 1 }", " y }", " x }", " x * 3 }"})
      expect_equal(head + body);
  }
}

// Heads that are not kept, or only where all that stands behind them fits.
TEST_P(KeptHeads, OtherHeads) {
  const std::string heads[] = {
      "fn f(x: i64) -> i64 {",
      "/* no comment {",
      "// f {\nfn f(x: i64) -> i64 {",
      "/// doc { text\nfn f(x: i64) -> i64 { // more {\n",
      "fn f(x: i64, xs: [i64; 4]) -> i64 {",
      "fn f(x: i64, o: Option[i64]) -> i64 {",
      "fn f(x: i64, p: P) -> i64 {",
      "fn f(x: i64, p: (i64, f64)) -> i64 {",
      "fn f(x: i64) -> i64 rec 5 {",
      "fn f(x: i64, x: i64) -> i64 {",
      "fn f(x: i64, _: i64) -> i64 {",
      "fn f(x: int) -> i64 {",
      "fn f(x i64) -> i64 {",
      "fn f(x: i64) -> {",
      "fn (x: i64) -> i64 {",
      "pub fn max(x: i64) -> i64 {",
      "pub pub fn f(x: i64) -> i64 {",
      "test \"t\" {",
      "const x: i64 = 1; fn f() -> i64 {",
      "let x = 1; {",
      "{",
      "x {",
      "space s(x: i64) -> i64 {",
      "prop \"p\"(x: i64) {",
      "type P = (a: i64); fn f(x: i64) -> i64 {",
  };
  for (const std::string& head : heads)
    for (const char* body :
         {" x }", " x + 1 }", " x * 2 }", " (x }", " x + 3 }", " y }",
          " x + 4 }\ntype P = (a: i64);", " 1.5 }", "} }", " x + x * x }",
          " x }\nfn f(x: i64) -> i64 { 2 }", " x }\ntype f64 = (a: i64);", " x - 1 }"})
      expect_equal(head + body);
}

// Heads take turns; texts that are only identified, or too long for short columns, come between.
TEST_P(KeptHeads, TakeTurns) {
  const std::string heads[] = {kHead, "fn g(x: f64) -> f64 {",
                               "fn f(x: f64, y: f64, n: i64) -> f64 {", "{"};
  const std::string long_body = std::string(9000, ' ') + "x }";
  std::string many = " x";
  for (u32 k = 0; k < 1500; ++k) many += "+x";
  many += " }";
  constexpr u64 kSeed = 20261130;
  Random random(kSeed);
  for (u32 round = 0; round < 4000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
    const std::string& head = heads[random.one_in(6) ? random.below(4) : round / 50 % 3];
    const std::string& body = random.one_in(20)   ? long_body
                              : random.one_in(40) ? many
                                                  : random.pick(bodies());
    expect_equal(head + body);
    if (HasFatalFailure()) return;
  }
}

// Damage of every kind behind heads of generated programs.
TEST_P(KeptHeads, DamagedPrograms) {
  for (u32 seed = 0; seed < 150; ++seed) {
    gen::Options options;
    options.functions = 1 + seed % 3;
    options.constants = 0;
    options.containers = seed % 2 != 0;
    options.chains = seed % 4 == 3;
    options.tests = seed % 5 == 0;
    const std::string text = gen::generate_program(seed, options);
    expect_equal(text);
    for (u64 k = 0; k < 30; ++k) {
      if (k % 4 < 2) expect_equal(text);
      const auto kind = k % 2 == 0 ? gen::Mutation::Token : gen::Mutation::Byte;
      const size_t brace = text.find('{') + 1;
      const std::string head = text.substr(0, brace);
      expect_equal(k % 3 == 0
                       ? gen::mutate_source(text, u64{seed} * 100 + k, kind)
                       : head + gen::mutate_source(text.substr(brace), u64{seed} * 100 + k, kind));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(KeptHeads, GoldenFiles) {
  for (const std::string& text : golden_sources()) {
    for (u32 round = 0; round < 3; ++round) expect_equal(text);
    for (u64 seed = 0; seed < 8; ++seed)
      expect_equal(gen::mutate_source(text, seed, gen::Mutation::Token));
  }
}

// Of the work that a program may take nothing is left out, whatever is kept.
TEST(KeptHead, LeavesTheBudgetAlone) {
  frontend::Options options;
  options.budget.work = 9000;
  frontend::Compiler compiler(options);
  frontend::Compilation first, later;
  std::string sum = " x";
  for (u32 k = 0; k < 12; ++k) sum += " + x";
  const std::string texts[] = {kHead + " x }", kHead + sum + " }", kHead + sum + sum + sum + " }"};
  std::vector<bool> ok;
  for (const std::string& text : texts) {
    frontend::Compiler alone(options);
    alone.compile(text, first);
    ok.push_back(first.ok);
    for (u32 round = 0; round < 4; ++round) {
      compiler.compile(text, later);
      EXPECT_EQ(first_difference(first, later), "") << text;
    }
  }
  EXPECT_TRUE(ok.front());
  EXPECT_FALSE(ok.back());
}

// The third program of a head finds it.
TEST(KeptHead, IsKeptAfterTwoPrograms) {
  frontend::HeadKeeper keeper;
  frontend::Compiler compiler;
  frontend::Compilation out;
  u32 kept = 0;
  const auto see = [&](const std::string& text) {
    const frontend::KeptHead& head = keeper.begin(text);
    kept = head.bytes;
    compiler.compile(text, out);
    keeper.end(compiler.columns(), head, nullptr);
  };
  see(kHead + " x }");
  EXPECT_EQ(kept, 0u);
  see(kHead + " y }");
  EXPECT_EQ(kept, 0u);
  see(kHead + " x + y }");
  EXPECT_EQ(kept, kHead.size());
  see(kHead + " unknown }");  // an error behind it
  EXPECT_EQ(kept, kHead.size());
  see(kHead + " if n > 0 { f(x, y, n - 1) } else { y } }");  // a note at its name
  EXPECT_EQ(kept, kHead.size());
  see(kHead + " x }");
  EXPECT_EQ(kept, 0u);
  see(kHead + " x }");
  EXPECT_EQ(kept, kHead.size());
  see("pub fn f(x: f64, y: f64, n: f64) -> f64 { x }");
  EXPECT_EQ(kept, 0u);
  keeper.forget();
  see(kHead + " x }");
  EXPECT_EQ(kept, 0u);
}

}  // namespace
}  // namespace komuz::test
