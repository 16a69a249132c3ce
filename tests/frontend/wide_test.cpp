// SPDX-License-Identifier: Apache-2.0
// The passes' forms for vectors of 64 bytes against their definitions: every column that they fill, on random texts
// with everything that the vectors treat specially.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/group/wide.h"
#include "base/random.h"
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/frontend.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {
namespace {

using frontend::Columns;

// A compiler on the serial group, with KOMUZ_SIMD as given while it is made.
frontend::Compiler compiler_at(const char* level) {
  setenv("KOMUZ_SIMD", level, 1);
  frontend::Compiler compiler;
  unsetenv("KOMUZ_SIMD");
  return compiler;
}

class WidePasses : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_wide_vectors()) GTEST_SKIP() << "this processor has no AVX-512 VBMI2";
  }

  void expect_equal(const std::string& text) {
    wide_.compile(text, wide_out_);
    narrow_.compile(text, narrow_out_);
    EXPECT_EQ(wide_out_.identity, narrow_out_.identity) << text;
    EXPECT_EQ(wide_.work(), narrow_.work()) << text;
    EXPECT_EQ(wide_out_.ok, narrow_out_.ok) << text;
    EXPECT_EQ(wide_out_.diagnostics.size(), narrow_out_.diagnostics.size()) << text;
    const Columns &a = wide_.columns(), &b = narrow_.columns();
    ASSERT_EQ(a.tokens, b.tokens) << text;
    ASSERT_EQ(a.nodes, b.nodes) << text;
    if (a.nodes == 0) return;  // refused for its tokens
    ASSERT_EQ(a.brackets, b.brackets) << text;
    ASSERT_EQ(a.items, b.items) << text;
    ASSERT_EQ(a.binds, b.binds) << text;
    ASSERT_EQ(a.uses, b.uses) << text;
    ASSERT_EQ(a.traps, b.traps) << text;
    ++compared_;
#define EXPECT_COLUMN(count, name) \
  for (u32 k = 0; k < a.count; ++k) ASSERT_EQ(a.name[k], b.name[k]) << #name << k << "\n" << text
    EXPECT_COLUMN(tokens, token_start);
    EXPECT_COLUMN(tokens, token_length);
    EXPECT_COLUMN(tokens, token_kind);
    EXPECT_COLUMN(tokens, token_hash);
    EXPECT_COLUMN(nodes, kind);
    EXPECT_COLUMN(nodes, key);
    EXPECT_COLUMN(nodes, token);
    EXPECT_COLUMN(nodes, item);
    EXPECT_COLUMN(nodes, error);
    EXPECT_COLUMN(brackets, bracket_key);
    EXPECT_COLUMN(brackets, bracket_token);
    EXPECT_COLUMN(brackets, bracket_node);
    EXPECT_COLUMN(items, item_node);
    EXPECT_COLUMN(nodes, ref);
    EXPECT_COLUMN(binds, bind_node);
    EXPECT_COLUMN(uses, use_node);
    EXPECT_COLUMN(traps, traps_node);
    if (!wide_out_.ok) return;
    ++compared_codes_;
    ASSERT_EQ(a.live_nodes, b.live_nodes) << text;
    EXPECT_COLUMN(live_nodes, live);
    EXPECT_COLUMN(nodes, role);
    EXPECT_COLUMN(nodes, type);
#undef EXPECT_COLUMN
    EXPECT_EQ(wide_out_.code.instructions, narrow_out_.code.instructions) << text;
    EXPECT_EQ(wide_out_.code.places, narrow_out_.code.places) << text;
    EXPECT_EQ(wide_out_.code.constants, narrow_out_.code.constants) << text;
    EXPECT_EQ(wide_out_.code.slot_types, narrow_out_.code.slot_types) << text;
  }

  u32 compared_ = 0;        // texts that have nodes
  u32 compared_codes_ = 0;  // the same, without errors

 private:
  frontend::Compiler wide_ = compiler_at("avx512"), narrow_ = compiler_at("avx2");
  frontend::Compilation wide_out_, narrow_out_;
};

TEST_F(WidePasses, GoldenFiles) {
  for (const std::string& text : golden_sources()) expect_equal(text);
  EXPECT_GT(compared_, 40u);
}

// Tokens of every length, over every seam of blocks; many to a block; numbers whose `.` or
// exponent lies in the next one.
TEST_F(WidePasses, Seams) {
  for (const char* token :
       {"a_long_name_of_more_than_eight", "12345.678901e-12", "0x1F", "..=", "->",
        "\"text \\\" more\"", "// comment\n", "'c'", "aé", "1.5.2", "1.5e", "+%="})
    for (u32 blanks = 0; blanks < 140; ++blanks)
      expect_equal(std::string(blanks, ' ') + token + " " + token + std::string(blanks, ';') +
                   token);
  for (const u32 length : {7u, 8u, 9u, 63u, 64u, 65u, 200u, 65534u, 65535u, 65536u, 70000u}) {
    expect_equal("fn " + std::string(length, 'n') + "() -> f64 { 1.5 }");
    expect_equal("const A: i64 = " + std::string(length, '7') + ";");
    expect_equal("const A: f64 = " + std::string(length, '7') + ".25;");
  }
}

// Lists of nodes are made in another way of programs of up to 128; the types of up to 32 bindings, too.
TEST_F(WidePasses, SoundProgramsOfEveryLength) {
  for (u32 terms = 0; terms < 90; ++terms) {
    std::string parameters = "a: f64, n: i64", sum = "a", lets;
    for (u32 k = 0; k < terms; ++k) {
      const std::string number = std::to_string(k);
      if (k % 2 == 0) parameters += ", x" + number + ": " + (k % 4 == 0 ? "f64" : "i64");
      sum += k % 4 == 0   ? " + x" + number + " * 1.5"
             : k % 4 == 1 ? " - max(a * 1.5, 0.25)"
             : k % 4 == 2 ? " + f64(x" + number + " % 4)"
                          : " / (a * 1.5)";
      if (k % 8 == 7) lets += "    let y" + number + " = n + " + number + ";\n";
    }
    expect_equal("pub fn f(" + parameters + ") -> f64 {\n" + lets + "    " + sum + "\n}\n");
  }
  EXPECT_EQ(compared_codes_, 90u);
}

// The places of code are looked up among few tokens, or gathered from many: closing brackets are tokens without nodes.
TEST_F(WidePasses, CodeBehindManyBrackets) {
  for (u32 depth = 0; depth < 100; ++depth) {
    const std::string open(depth, '('), close(depth, ')');
    expect_equal("pub fn f(a: f64, n: i64) -> f64 {\n    " + open + "a" + close + " * 2.5 + " +
                 open + "f64(n)" + close + " < " + open + "a" + close + " && n == " + open + "3" +
                 close + "\n}\n");
    expect_equal("pub fn f(a: f64, n: i64) -> bool {\n    " + open + "a" + close + " * 2.5 + " +
                 open + "f64(n)" + close + " < " + open + "a" + close + " && n == " + open + "3" +
                 close + "\n}\n");
  }
  EXPECT_EQ(compared_codes_, 100u);
}

// Nodes before, behind and at the one whose code no longer fits, in columns for short programs and for long ones.
TEST_F(WidePasses, CodeThatOutgrowsItsRoom) {
  for (const u32 bytes : {200u, 2000u, 3000u, 4000u, 6000u, 7500u}) {
    std::string text = "pub fn f(x: f64, k: i64) -> f64 {\n";
    for (u32 done = 0, n = 0; done < bytes; done += 50, ++n)
      text += "    let s" + std::to_string(n) + " = \"" + std::string(50, 'a') + "\";\n";
    text += "    f64(s0[k]) * 1.5 + x * x\n}\n";
    expect_equal(text);
  }
  EXPECT_EQ(compared_codes_, 6u);
}

TEST_F(WidePasses, DepthsOutOfRange) {
  for (const u32 depth : {120u, 126u, 127u, 128u, 300u}) {
    const std::string open(depth, '('), close(depth, ')');
    expect_equal("fn f() -> i64 { " + open + "1" + close + " }\nfn g() -> i64 { 2 }");
    expect_equal("fn f() -> i64 { " + open + "1 }\nfn g() -> i64 { 2 }");
    expect_equal("fn f() -> i64 { 1" + close + " }\nfn g() -> i64 { (2) }");
  }
}

// Words and operators at random, in texts for both kinds of columns. No `pub use`, for which a text is refused.
TEST_F(WidePasses, RandomTokens) {
  const std::string pieces[] = {"fn ",    "pub ",   "const ", "test ",  "let ",
                                "var ",   "while ", "for ",   "in ",    "limit ",
                                "rec ",   "depth ", "space",  "if ",    "else ",
                                "return", "(",      ")",      "{",      "}",
                                "[",      "]",      ",",      ";",      "\n",
                                " ",      "x",      "name",   "f64",    "i64",
                                ": ",     " = ",    " == ",   "->",     "..",
                                "..=",    " + ",    " - ",    "**",     "&&",
                                "1",      "2.5",    "1e9",    "0xFF",   "traps",
                                "assert", "\"s\"",  "'a'",    "// c\n", "a_long_name_",
                                "é",      ".f(",    "type ",  "use "};
  constexpr u64 kSeed = 20261121;
  Random random(kSeed);
  for (u32 round = 0; round < 3000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
    std::string text;
    const u32 tokens = round % 20 == 0 ? 4000 : 1 + random.below(200);
    bool behind_pub = false;
    for (u32 k = 0; k < tokens; ++k) {
      const std::string& piece = random.pick(pieces);
      if (behind_pub && piece == "use ") continue;
      const bool is_blank = piece == " " || piece == "\n" || piece.starts_with("//");
      behind_pub = piece == "pub " || (behind_pub && is_blank);
      text += piece;
      if (random.one_in(3)) text += ' ';
    }
    expect_equal(text);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace komuz::test
