// SPDX-License-Identifier: Apache-2.0
// Every group gives the bytes of the serial one, under many schedules: on the golden files, on random programs, and
// on damaged ones. The emulated group also reports races between lanes.
#include <gtest/gtest.h>

#include "frontend_gpu/columns/columns.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"
#include "tests/frontend/golden_modules.h"
#include "tests/frontend/golden_sources.h"

namespace komuz::test {
namespace {

std::string repeated(std::string_view text, u32 count) {
  std::string out;
  for (u32 k = 0; k < count; ++k) out += text;
  return out;
}

// A function of few tokens and much code: with 15 cells in it, `t = t` is 30 instructions.
class WideFunction {
 public:
  u32 wide = 0, pairs = 0, triples = 0;  // lines of 30, of two and of three instructions
  [[nodiscard]] std::string text() const {
    return "fn f(p: (" + repeated("i64, ", 15) + ")) -> i64 {\nvar t = p;\nvar x = 1;\n" +
           repeated("t = t;\n", wide) + repeated("x = x;\n", pairs) +
           repeated("x = -x;\n", triples) + "x\n}\n";
  }
};

class GroupsAgree : public testing::Test {
 protected:
  // True if the source is refused.
  bool refuses(const std::string& source) {
    const bool ok = groups_.compile(source, difference_).ok;
    EXPECT_EQ(difference_, "") << source;
    return !ok;
  }
  // How many instructions it makes; 0 if it is refused.
  size_t code_size(const std::string& source) {
    const size_t size = groups_.compile(source, difference_).code.instructions.size();
    EXPECT_EQ(difference_, "");
    return size;
  }
  u32 tokens_of_last() { return groups_.serial().columns().tokens; }

 private:
  EveryGroup groups_;
  std::string difference_;
};

TEST_F(GroupsAgree, OnGoldenFilesUnderManySchedules) {
  for (const std::string& source : golden_sources())
    for (u32 schedule = 0; schedule < 5; ++schedule) (void)refuses(source);
}

// Among them, damaged uses of modules, and names bound so often that uses are resolved in order.
TEST(GroupsAgreeOnModules, WholeDamagedAndCrowded) {
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  std::vector<std::string> sources;
  for (const std::string& source : golden_sources()) {
    if (source.find("use ") == std::string::npos) continue;
    modules.load(source);
    for (u64 seed = 0; seed < 24; ++seed)
      sources.push_back(gen::mutate_source(
          source, seed, seed % 2 == 0 ? gen::Mutation::Token : gen::Mutation::Byte));
    sources.push_back(source + "fn crowded() -> i64 {\n" + repeated("let a = 1;\n", 70) + "a }\n");
  }
  EveryGroup groups(
      {frontend::GroupKind::Serial, frontend::GroupKind::Permuted, frontend::GroupKind::Emulated},
      &modules.library());
  for (const std::string& source : sources) {
    std::string difference;
    (void)groups.compile(source, difference);
    EXPECT_EQ(difference, "") << source;
  }
}
// What is resolved in order gives the same diagnostics.
TEST(GroupsAgreeOnModules, CrowdedNamesChangeNothing) {
  GoldenModules files;
  engine::ModuleLoader modules(&files);
  for (const std::string& source : golden_sources()) {
    if (source.find("use ") == std::string::npos) continue;
    modules.load(source);
    frontend::Compiler compiler({.library = &modules.library()});
    frontend::Compilation plain, crowded;
    compiler.compile(source, plain);
    compiler.compile(source + "fn crowded() -> i64 {\n" + repeated("let a = 1;\n", 70) + "a }\n",
                     crowded);
    ASSERT_EQ(plain.ok, crowded.ok);
    ASSERT_EQ(plain.diagnostics.size(), crowded.diagnostics.size()) << source;
    for (size_t k = 0; k < plain.diagnostics.size(); ++k) {
      EXPECT_EQ(plain.diagnostics[k].begin, crowded.diagnostics[k].begin);
      EXPECT_EQ(plain.diagnostics[k].code(), crowded.diagnostics[k].code());
    }
  }
}

TEST_F(GroupsAgree, OnRandomPrograms) {
  for (u64 seed = 1; seed <= 60; ++seed) EXPECT_FALSE(refuses(gen::generate_program(seed)));
}

TEST_F(GroupsAgree, OnDamagedSources) {
  std::vector<std::string> sources = golden_sources();
  for (u64 seed = 1; seed <= 20; ++seed) sources.push_back(gen::generate_program(100 + seed));
  sources.emplace_back("fn f(x: i64) -> i64 { x + 1 }  // what is damaged here does no harm\n");
  u32 refused = 0, programs = 0;
  for (const std::string& source : sources) {
    std::string text = source;
    for (u64 k = 0; k < 16; ++k, ++programs) {
      // Up to four damages, one upon the other; the first is to a token or to a byte.
      text = gen::mutate_source(k % 4 == 0 ? source : text, programs,
                                (k + k / 4) % 2 == 0 ? gen::Mutation::Token : gen::Mutation::Byte);
      refused += refuses(text);
    }
  }
  EXPECT_GT(refused, programs / 4);
  EXPECT_LT(refused, programs);
}

// A damaged element of a tuple type has no type of its own: who asks for it does not look where check_types writes.
TEST_F(GroupsAgree, OnDamagedElementsOfTuples) {
  const char* const sources[] = {
      "fn f(a: (f64, (, f64)), b: i32) -> i64 { 1 }\n"
      "pub fn g() -> i64 { f((-24.75, (78.875, -1e+19)), 7) + f((1.0, (2.0, 3.0)), 8) }\n",
      "pub fn g(x: i32) -> i32 {\n"
      "  let t: (i64, \"s\" (i32, i32)) = (if true { (1, (x, x)) } else { (5, (x, x)) })\n"
      "  let (a, (b, c)) = t\n"
      "  b\n"
      "}\n",
      "pub fn g() -> i64 { let t = (1, (2, 3), max((4, 5), (6, 7.0))); t.0 }\n"};
  for (const char* const source : sources)
    for (u32 schedule = 0; schedule < 20; ++schedule) EXPECT_TRUE(refuses(source));
}

// The room for code is guessed from the number of tokens: what needs more is written a second time. At the limit of
// compact columns, one instruction below and above it, and far above.
TEST_F(GroupsAgree, OnCodeThatOutgrowsItsRoom) {
  constexpr u32 kLimit = frontend::compact_room::room - frontend::kMaxOwnCode;
  const u32 least = static_cast<u32>(code_size(WideFunction{}.text()));
  const u32 wide = (kLimit - least) / 30 - 1;
  for (u32 size = kLimit - 1; size <= kLimit + 1; ++size) {
    const u32 missing = size - least - 30 * wide, odd = missing % 2;
    const std::string source = WideFunction{wide, (missing - 3 * odd) / 2, odd}.text();
    ASSERT_LE(source.size(), frontend::kCompactBytes);
    EXPECT_EQ(code_size(source), size);
  }
  EXPECT_EQ(code_size(WideFunction{300, 0, 0}.text()), least + 300 * 30);
  const std::string blanks(frontend::kCompactBytes, ' ');
  EXPECT_EQ(code_size(WideFunction{300, 0, 0}.text() + blanks), least + 300 * 30);
}
// The same of the code in the arguments of `traps`, which has a region of its own: 360 instructions each.
TEST_F(GroupsAgree, OnArgumentsOfTrapsThatOutgrowTheirRoom) {
  const std::string type = "(" + repeated("i64, ", 60) + ")";
  for (u32 count = 9; count <= 14; ++count)
    EXPECT_GT(
        code_size("fn g(a: i64) -> " + type + " { (" + repeated("a, ", 60) + ") }\ntest \"t\" {\n" +
                  repeated("assert traps(cmp(if true { g(1) } else { g(2) }, g(2)), DIV_ZERO);\n",
                           count) +
                  "}\n"),
        count * 360);
}

// The longest programs that compact columns take, and the shortest that they do not.
TEST_F(GroupsAgree, AtTheLimitsOfCompactColumns) {
  const std::string head = "fn f() -> i64 {\nvar x = 1;\n", tail = "x\n}\n";
  for (u32 bytes = frontend::kCompactBytes - 1; bytes <= frontend::kCompactBytes + 1; ++bytes) {
    const std::string middle(bytes - head.size() - tail.size(), ' ');
    EXPECT_FALSE(refuses(head + middle + tail));
    EXPECT_TRUE(refuses(head + middle.substr(0, middle.size() - 1) + "#" + tail));
  }
  constexpr u32 kAround = 14;  // tokens of the head and the tail
  for (u32 tokens = frontend::kCompactTokens - 1; tokens <= frontend::kCompactTokens + 1;
       ++tokens) {
    const u32 middle = tokens - kAround;
    const std::string source =
        head + repeated("x=x;", middle / 4) + repeated(";", middle % 4) + tail;
    ASSERT_LE(source.size(), frontend::kCompactBytes);
    (void)refuses(source);
    EXPECT_EQ(tokens_of_last(), tokens);
  }
}
// Programs full of one kind of token, of which each list of columns has to hold as many.
TEST(CompactColumns, HoldTokensOfOneKind) {
  EveryGroup groups({frontend::GroupKind::Serial, frontend::GroupKind::Permuted});
  for (const char* const token :
       {"(",      ")",     "{",      "}",       "[",      "]",       "a ",    "1 ",
        "1.5 ",   "'a' ",  "\"s\" ", "-",       "!",      "+ ",      ",",     ";",
        ":",      ". ",    "= ",     "&& ",     "== ",    "fn ",     "let ",  "var ",
        "const ", "test ", "pub ",   "use ",    "rec ",   "if ",     "else ", "while ",
        "limit ", "for ",  "in ",    "return ", "break ", "assert ", "traps "}) {
    std::string difference;
    (void)groups.compile(repeated(token, frontend::kCompactTokens), difference);
    EXPECT_EQ(difference, "") << token;
    EXPECT_EQ(groups.serial().columns().tokens, frontend::kCompactTokens) << token;
  }
}

}  // namespace
}  // namespace komuz::test
