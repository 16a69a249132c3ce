// SPDX-License-Identifier: Apache-2.0
// A text that differs from a kept program in numbers alone gives the same as compiled alone: code, diagnostics,
// identity and work. Numbers of all kinds stand in all places, also those that change more than a constant.
#include <gtest/gtest.h>

#include "base/random.h"
#include "frontend_gpu/columns/columns.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/golden_modules.h"
#include "tests/gen/fuzzed_programs.h"

namespace komuz::test {
namespace {

class KeptPrograms : public testing::Test {
 protected:
  explicit KeptPrograms(const frontend::Options& options = {}) : alike_(options), alone_(options) {}

  void expect_equal(const std::string& text, u64 shape) {
    if (texts_ % 2 == 0) {
      ASSERT_EQ(alike_.identify_alike(text, shape), alone_.identify(text)) << text;
    }
    alike_.compile_alike(text, shape, alike_out_);
    alone_.compile(text, alone_out_);
    ASSERT_EQ(first_difference(alike_out_, alone_out_), "") << text;
    ASSERT_EQ(alike_.work(), alone_.work()) << text;
    ++texts_;
    sound_ += alike_out_.ok;
    kept_ += alike_out_.ok && alike_.columns().nodes == 0;
  }

  frontend::Compiler alike_, alone_;
  frontend::Compilation alike_out_, alone_out_;
  u32 texts_ = 0, sound_ = 0, kept_ = 0;
};

// Each `@` stands for a number.
std::string with_numbers(std::string_view form, Random& random,
                         const std::vector<std::string>& numbers) {
  std::string text;
  for (const char c : form)
    if (c == '@')
      text += random.pick(numbers);
    else
      text += c;
  return text;
}

const std::string kThreeParameters = "pub fn f(x: f64, y: f64, n: i64) -> f64 {\n";

// Forms whose numbers are free, all of them or some.
const std::vector<std::string>& free_forms() {
  static const std::vector<std::string> all = {
      kThreeParameters + " x * @ }",
      kThreeParameters + " @ + x }",
      kThreeParameters + " @ - x * y / @ + @ }",
      kThreeParameters + " x / @ - @ / y }",
      kThreeParameters + " (x * (@)) + y }",
      kThreeParameters + " x * -@ + y }",
      kThreeParameters + " x - (-@) }",
      kThreeParameters + " @ }",
      kThreeParameters + " if x > @ { y * @ } else { @ } }",
      kThreeParameters + " let a = @; x * a + y }",
      kThreeParameters + " let a: f64 = @; let b = -@; x * a + y * a - b * x }",
      kThreeParameters + " let a = @; x * a + (a * @) * y + @ * x }",  // a product of known values
      kThreeParameters + " let a = x * @; a + @ }",
      kThreeParameters + " var a = @; for i in 0..n { a += @; a -= x * @; } a }",
      kThreeParameters + " max(x, @) + min(@, y) - x.max(@) }",
      kThreeParameters + " max(@, @) * x + @ }",
      kThreeParameters + " pow(x, @) }",
      kThreeParameters + " sin(x * @) + cos(y * @) }",
      kThreeParameters +
          " (x * y + @) * (x * y + @) }",  // equal operations, where the numbers are equal
      kThreeParameters + " sin(x + @) * sin(x + @) * sin(x + @) }",
      kThreeParameters + " (x * y + @) * (x * y + 1_0.5) }",  // a number that is not free
      kThreeParameters + " assert x * @ < @ && @ < y; x * @ }",
      kThreeParameters + " // @ stays\n x * @ }",
      kThreeParameters + " g(x, @) + @ * y }\nfn g(a: f64, b: f64) -> f64 { a * b - @ }\n",
      "const A: f64 = @;\n" + kThreeParameters + " x * A + @ * y }",
      "const A: f64 = 2.5;\n" + kThreeParameters + " x * @ + A * y }",
      kThreeParameters + " x * @ }\ntest \"t\" { let y = f(@, 1.0, 2); }\n",
      kThreeParameters + " [x * @, y, @].sum() }",
      kThreeParameters + " [x, y].map(v => v * @).sum() }",
      kThreeParameters + " (0..n).map(i => f64(i) * @).sum() }",
      kThreeParameters + " match n { 0 => x * @, _ => y - @ } }",
      kThreeParameters + " ?free + x * @ }",
      kThreeParameters + " x * @ + ?k(0.5..2.5, steps: 8) }",
      "pub fn f(x: f32) -> f32 { x * @ + @ }",
      "pub fn f(x: f64) -> f64 { x ** 3 + x ** 2 * @ }",
  };
  return all;
}

const std::vector<std::string> kFloats = {
    "2.5",   "0.125",  "3.75",   "1.0",     "0.0",    "2.0",   "4.0",
    "0.5",   "1e3",    "1.5e-3", "12.5E+2", "1e-400", "0.1",   "0.30",
    "0.3",   "1e22",   "1e23",   "9.25",    "7.125",  "10.5",  "65536.0",
    "16.0",  "0.0001", "1e308",  "3.0",     "5.0e0",  "1.0e0", "123456789.123456789",
    "33.25", "0.6e1",
};
const std::vector<std::string> kOddNumbers = {
    "7",    "1",      "0",     "1e999", "1_000.5",
    "0x10", "1.5f64", "2.5.5", "1..2",  "x",
    "-1.5", "",       "1.",    ".5",    "0.1000000000000000055511151231257827021181583404541015625",
    "00.5", "1e",     "1 2",
};

TEST_F(KeptPrograms, FloatsOfAnyForm) {
  constexpr u64 kSeed = 20261130;
  Random random(kSeed);
  for (u32 form = 0; form < free_forms().size(); ++form) {
    const u32 before = kept_;
    for (u32 round = 0; round < 200; ++round) {
      expect_equal(with_numbers(free_forms()[form], random, kFloats), form + 1);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(kept_, before) << free_forms()[form];
  }
  EXPECT_GT(kept_, texts_ / 3);
}

TEST_F(KeptPrograms, NumbersThatAreNoneOrOfOtherForms) {
  constexpr u64 kSeed = 20261201;
  Random random(kSeed);
  for (u32 form = 0; form < free_forms().size(); ++form)
    for (u32 round = 0; round < 200; ++round) {
      const bool is_odd = round > 3 && random.one_in(2);
      expect_equal(with_numbers(free_forms()[form], random, is_odd ? kOddNumbers : kFloats),
                   form + 1);
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(kept_, texts_ / 8);
  EXPECT_LT(sound_, texts_);
}

TEST_F(KeptPrograms, Integers) {
  const std::string head = "pub fn f(n: i64, m: i64) -> i64 {\n";
  const std::vector<std::string> forms = {
      head + " n * @ + m - @ }",
      head + " @ - n }",
      head + " n +% @ -% m *% @ }",
      head + " n / @ + m % @ }",
      head + " (n << @) + (m >> @) + (n & @) + (m | @) }",
      head + " if n % @ == @ { m } else { n } }",
      head + " if n < @ && m >= @ { @ } else { -@ } }",
      head + " var s = @; for i in 0..@ { s += i * @; } s }",
      head + " var s = @; while s < m limit @ { s += n + @; } s }",
      head + " max(n, @) + abs(m - @) }",
      head + " [n; @].sum() + [1, 2, @].sum() }",
      head + " let a = @; let b = a * @; n * b + a }",
      head + " f(n - @, m) rec @ }",
      head + " match n { @ => m, _ => @ } }",
      "pub fn f(n: u8, m: u8) -> u8 { n + @ - m * @ }",
      "pub fn f(n: u8) -> u8 { n + (@ + @) }",  // the sum of known values may trap
      "pub fn f(n: u32) -> u32 { n / @ + n % @ }",
      "pub fn f(n: i8) -> i8 { n * -@ + @ }",
      "fn g(n: i64) -> i64 rec @ { if n > @ { g(n - @) } else { n } }\npub fn f(n: i64) -> i64 { "
      "g(n) * @ }",
  };
  const std::vector<std::string> numbers = {"0",  "1",   "2",   "3",   "4",  "5",   "7", "8",
                                            "12", "100", "127", "128", "16", "255", "9", "300"};
  constexpr u64 kSeed = 20261202;
  Random random(kSeed);
  for (u32 form = 0; form < forms.size(); ++form)
    for (u32 round = 0; round < 200; ++round) {
      expect_equal(with_numbers(forms[form], random, numbers), form + 1);
      if (HasFatalFailure()) return;
    }
  EXPECT_GT(kept_, texts_ / 10);
}

// Shapes are hints: texts of any form may have one.
TEST_F(KeptPrograms, OneShapeForAll) {
  constexpr u64 kSeed = 20261203;
  Random random(kSeed);
  for (u32 round = 0; round < 4000; ++round) {
    const std::string& form = random.pick(free_forms());
    expect_equal(with_numbers(form, random, random.one_in(20) ? kOddNumbers : kFloats),
                 random.below(3));
    if (random.one_in(5)) {
      EXPECT_EQ(alike_.identify("fn g() {" + std::to_string(round)),
                alone_.identify("fn g() {" + std::to_string(round)));
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(kept_, 0u);
}

// Some digits of generated programs change. Where much is shared, or left out, nothing is kept.
TEST_F(KeptPrograms, GeneratedPrograms) {
  for (u64 seed = 1; seed <= 1200; ++seed) {
    gen::Options options;
    options.functions = 1;
    options.constants = 0;
    options.tests = false;
    options.containers = seed % 4 == 1;
    options.chains = seed % 8 == 1;
    options.statements = static_cast<u32>(1 + seed % 3);
    options.depth = static_cast<u32>(2 + seed % 3);
    Random random(seed);
    const std::string text = seed % 8 == 0   ? fuzzed_sketch(seed)
                             : seed % 8 == 4 ? fuzzed_program(seed)
                                             : gen::generate_program(seed, options);
    for (u32 round = 0; round < 12; ++round) {
      std::string other = text;
      for (char& c : other)
        if (round > 1 && c >= '0' && c <= '9' && random.one_in(round < 6 ? 8 : 60))
          c = static_cast<char>('0' + random.below(10));
      SCOPED_TRACE("seed " + std::to_string(seed));
      expect_equal(other, seed);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(kept_, 100u);
}

// Names and types of the head, and all else that is no number, are compared.
TEST_F(KeptPrograms, OtherSignatures) {
  for (const char* head :
       {"pub fn f(x: f64, y: f64) -> f64 {", "pub fn f(y: f64, x: f64) -> f64 {",
        "pub fn f(x: f32, y: f32) -> f32 {", "fn f(x: f64, y: f64) -> f64 {",
        "pub fn g(x: f64, y: f64) -> f64 {", "pub fn f(x: f64, y: i64) -> f64 {"})
    for (const char* body :
         {" x * 2.5 + y }", " x * 3.5 + y }", " x * 4.5 + y }", " x * 5.5 + y } ", " x * 5.5 - y }",
          " y * 5.5 + x }", " x * 5.5 + z }"})
      expect_equal(std::string(head) + body, 1);
  EXPECT_GT(kept_, 2u);
}

class KeptProgramsWithBudget : public KeptPrograms {
 protected:
  static frontend::Options options() {
    frontend::Options options;
    options.budget = {.bytes = 60, .work = 2900};
    return options;
  }
  KeptProgramsWithBudget() : KeptPrograms(options()) {}
};
TEST_F(KeptProgramsWithBudget, WorkCountsAsIfNothingWereKept) {
  std::string sum = "fn f(x: f64) -> f64 { x";
  for (u32 terms = 0; terms < 12; ++terms) {
    for (const char* number : {"1.5", "2.5", "3.5", "4.55555", "1.5", "2.25e-3"})
      expect_equal(sum + " * " + number + " }", terms);
    sum += " + x";
  }
  EXPECT_GT(kept_, 0u);
  EXPECT_LT(sound_, texts_);
}

// With modules, and with doc examples, nothing is kept.
TEST(KeptProgramsOf, ModulesAndExamples) {
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  modules.load("use lib.shapes;");
  for (const bool has_modules : {true, false}) {
    frontend::Options options;
    if (has_modules) options.library = &modules.library();
    options.examples = !has_modules;
    frontend::Compiler alike(options), alone(options);
    frontend::Compilation first, second;
    for (const char* number : {"2.5", "3.5", "4.5", "5.5"}) {
      const std::string text = std::string(has_modules ? "use lib.shapes;\n" : "") +
                               "/// >>> f(2.0) == " + number + "\npub fn f(x: f64) -> f64 { x * " +
                               number +
                               (has_modules ? " + f64(shapes.quotient(4, 2)) }\n" : " }\n");
      alike.compile_alike(text, 7, first);
      alone.compile(text, second);
      EXPECT_TRUE(first.ok) << text;
      EXPECT_EQ(first_difference(first, second), "") << text;
      EXPECT_NE(alike.columns().nodes, 0u);
    }
  }
}

}  // namespace
}  // namespace komuz::test
