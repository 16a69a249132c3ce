// SPDX-License-Identifier: Apache-2.0
// Programs that bind one name again and again mean the same as with a name for each binding: with few bindings, whose
// chains the compiler walks, and with so many that it handles them in order.
#include <gtest/gtest.h>

#include "base/random.h"
#include "frontend_gpu/text/name_hash.h"
#include "tests/frontend/everywhere.h"

namespace komuz::test {
namespace {

// Writes a function twice at once: with one name, and with a name of its own for each binding.
class TwoTexts {
 public:
  TwoTexts(u64 seed, u32 statements) : random_(seed), left_(statements) {
    both("fn f(");
    bind();
    both(": i64) -> i64 {\n");
    block(0);
    both("}\n");
  }
  std::string one, many;

 private:
  void both(std::string_view text) {
    one += text;
    many += text;
  }
  void name(u32 number) {
    one += "x";
    many += "x" + std::to_string(number);
  }
  void bind() {
    open_.push_back(++bound_);
    name(bound_);
  }
  void use() { name(open_.back()); }
  void value(u32 depth) {
    if (depth < 8 && random_.below(5) == 0) {  // an initialiser with bindings of its own
      both("{\n");
      const size_t outer = open_.size();
      for (u64 k = random_.below(3); k > 0; --k) statement(depth + 1);
      use();
      both(" }");
      open_.resize(outer);
      return;
    }
    use();
    both(random_.below(2) == 0 ? " + 1" : " * 3");
  }
  // `let`, in whose initialiser the new name is not bound yet.
  void binding(u32 depth) {
    const bool pattern = random_.below(4) == 0;
    both(random_.below(2) == 0 ? "let " : "var ");
    const u32 number = ++bound_;
    if (pattern) both("(");
    name(number);
    if (pattern) both(", _)");
    both(" = ");
    if (pattern) both("(");
    value(depth);
    if (pattern) both(", 1)");
    both(";\n");
    open_.push_back(number);
  }
  void statement(u32 depth) {
    if (left_ > 0) --left_;
    const size_t outer = open_.size();
    switch (random_.below(depth < 20 ? 6 : 3)) {
      case 3:
        both("for ");
        bind();
        both(" in 0..2 {\n");
        break;
      case 4:
        both("if ");
        use();
        both(" > 5 {\n");
        break;
      case 5:
        both("while ");
        use();
        both(" > 9 limit 2 {\n");
        break;
      default: return binding(depth);
    }
    for (u64 k = random_.below(4); k > 0; --k) statement(depth + 1);
    both("}\n");
    open_.resize(outer);
  }
  void block(u32 depth) {
    while (left_ > 0) statement(depth);
    use();
  }

  Random random_;
  u32 left_, bound_ = 0;
  std::vector<u32> open_;
};

TEST(Names, OneNameForAllBindingsMeansTheSame) {
  EveryGroup groups;
  for (u64 seed = 1; seed <= 40; ++seed) {
    const TwoTexts texts(seed, seed % 2 == 0 ? 12 : 150);
    std::string difference;
    const Code expected = groups.compile(texts.many, difference).code;
    const frontend::Compilation found = groups.compile(texts.one, difference);
    ASSERT_EQ(difference, "") << "seed " << seed << "\n" << texts.one;
    ASSERT_TRUE(found.ok) << "seed " << seed << "\n" << texts.one;
    EXPECT_EQ(found.code.instructions, expected.instructions) << "seed " << seed << "\n"
                                                              << texts.one;
  }
}

// Names that a writer has chosen so that they share a slot of the table of chains.
TEST(Names, ThousandsOfOneSlot) {
  constexpr u32 kNames = 3'000, kSlots = 4'096;
  std::string source = "fn f(x: i64) -> i64 {\n", sum = "x";
  u32 found = 0;
  for (u64 k = 0; found < kNames; ++k) {
    std::string name = "a";
    for (u64 rest = k; name.size() < 8; rest /= 26) name += static_cast<char>('a' + rest % 26);
    if (frontend::name_hash(name) % kSlots != 0) continue;
    source += "let " + name + " = x;\n";
    if (++found % 1'000 == 0) sum += " * 7 + " + name;
  }
  source += sum + " }\n";
  EveryGroup groups;
  std::string difference;
  const frontend::Compilation compilation = groups.compile(source, difference);
  EXPECT_EQ(difference, "");
  ASSERT_TRUE(compilation.ok);
  // Slots are given in the order of the bindings, after the parameter's, which is the value of three used names.
  std::vector<u32> loaded;
  for (const Instruction& instruction : compilation.code.instructions)
    if (instruction.op == Op::LoadVar) loaded.push_back(instruction.a);
  EXPECT_EQ(loaded, (std::vector<u32>{0, 0, 0, 0, 1'000, 2'000, 3'000}));
}

TEST(Names, WhatIsBoundTwiceInAPatternAmongMany) {
  EveryGroup groups;
  std::string source = "fn f(a: i64) -> i64 {\n";
  for (u32 k = 0; k < 100; ++k) source += "let x = a;\n";
  source += "let (x, y, x) = (x, x, x); x }\nfn f(x: i64, y: i64, x: i64) -> i64 { y }\n";
  std::string difference;
  const frontend::Compilation found = groups.compile(source, difference);
  EXPECT_EQ(difference, "");
  ASSERT_EQ(found.diagnostics.size(), 3);
  EXPECT_EQ(found.diagnostics[0].code(), DiagnosticCode::DuplicateName);
  EXPECT_EQ(place_of(source, found.diagnostics[0].begin).column, 12);
  EXPECT_EQ(found.diagnostics[1].code(), DiagnosticCode::DuplicateFunction);
  EXPECT_EQ(found.diagnostics[2].code(), DiagnosticCode::DuplicateName);
}

}  // namespace
}  // namespace komuz::test
