// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "tests/lang/assembled.h"

namespace komuz {
namespace {

// Byte for byte, the rows of functions included.
void expect_equal(const Code& a, const Code& b) {
  EXPECT_EQ(a.instructions, b.instructions);
  EXPECT_EQ(a.places, b.places);
  EXPECT_EQ(a.constants, b.constants);
  EXPECT_EQ(a.types, b.types);
  EXPECT_EQ(a.slot_types, b.slot_types);
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.parameter_names, b.parameter_names);
  ASSERT_EQ(a.functions.size(), b.functions.size());
  EXPECT_EQ(
      std::memcmp(a.functions.data(), b.functions.data(), a.functions.size() * sizeof(Function)),
      0);
}

TEST(CodeText, ComesBackByteForByte) {
  for (std::string_view sample : {kSampleText, kAreasText, kCellsText}) {
    const Code code = checked(sample);
    const std::string text = disassemble(code.view());
    const Code again = checked(text);
    expect_equal(code, again);
    EXPECT_EQ(disassemble(again.view()), text);
  }
}

// Pools in another order than that of the functions, with parts that nobody uses and parts that two use.
TEST(CodeText, AnyLayoutComesBack) {
  Code code = checked(kSampleText);
  const u32 shift = 5;
  code.names = "\"x;\n" + std::string(1, '\0') + code.names + "\x80";
  code.types.insert(code.types.begin(), {9, 0, 255, 16, 16});
  code.slot_types.insert(code.slot_types.begin(), {0, 1, 2, 77, 255});
  code.parameter_names.insert(code.parameter_names.begin(), 5, NameRange{7, 3});
  for (NameRange& name : code.parameter_names)
    if (name.begin != 7 || name.end != 3) name = {name.begin + shift, name.end + shift};
  for (Function& f : code.functions) {
    f.name_begin += shift;
    f.name_end += shift;
    f.types_begin += shift;
    f.slots_begin += shift;
    f.parameters_begin += shift;
  }
  std::swap(code.functions[1].types_begin, code.functions[2].types_begin);
  ASSERT_EQ(check_code(code.view(), code.functions).reason, "");
  expect_equal(code, checked(disassemble(code.view())));
}

TEST(CodeText, ReadsWell) {
  const Code code = checked(
      "constant 2\npub fn twice(n: (u8, i64)) -> i64 rec=3 place=7\n slots u8 i64\n"
      "LOAD_VAR i64 1 @20\nLOAD_CONST i64 #0 @24\nBINARY_MUL i64 @22\nRETURN\n"
      "traps \"a b\"() -> () owner=2\n slots\nTRAP HOLE\nRETURN\ntest \"a b\"() -> ()\n "
      "slots\nRETURN");
  EXPECT_EQ(disassemble(code.view()), R"(constant 0x0000000000000002

pub fn twice(n: (u8, i64)) -> i64 rec=3 place=7
  slots u8 i64
     0  LOAD_VAR i64 1                       @20
     1  LOAD_CONST i64 #0                    @24
     2  BINARY_MUL i64                       @22
     3  RETURN                               @0

traps "a b"() -> () owner=2 place=0
  slots
     0  TRAP HOLE                            @0
     1  RETURN                               @0

test "a b"() -> () place=0
  slots
     0  RETURN                               @0
)");
}

struct Wrong {
  std::string_view text;
  u32 line;
  std::string_view reason;
};

TEST(CodeText, ErrorsNameTheLine) {
  constexpr Wrong kWrong[] = {
      {"\n\n  RETURN", 3, "`RETURN` stands before any function"},
      {"constant x", 1, "a constant is a number of 64 bits"},
      {"constant 0x10000000000000000", 1, "a constant is a number of 64 bits"},
      {"names \"abc", 1, "`names` takes a string"},
      {"names \"\\q\"", 1, "`names` takes a string"},
      {"types 1 256", 1, "a type code is a number from 0 to 255"},
      {"parameter 1", 1, "`parameter` takes two numbers"},
      {"pub x() -> ()", 1, "`pub` stands before `fn`"},
      {"fn 1() -> ()", 1, "a function has a name"},
      {"fn f -> ()", 1, "expected `(` after the name of a function"},
      {"fn f(a) -> ()", 1, "a parameter is a name, `:` and a type"},
      {"fn f(a: i64 b: i64) -> ()", 1, "expected `,` or `)`"},
      {"fn f() -> int", 1, "expected a type"},
      {"fn f() -> (i64", 1, "expected `,` or `)` in a type"},
      {"fn f() -> (i64)", 1, "a tuple of one element ends in `,)`"},
      {"fn f()", 1, "expected `->` and the type of the result"},
      {"fn f() -> () rec", 1, "after a signature only attributes like `rec=64` may stand"},
      {"fn f() -> () rec=65536", 1, "`rec` takes a number"},
      {"fn f() -> () expects=HALT", 1, "`expects` takes the name of a trap"},
      {"fn f() -> () colour=1", 1, "there is no attribute `colour`"},
      {"names abc\nfn f() -> () name_begin=1", 2, "`names` holds another name"},
      {"names f\nfn f() -> () name_begin=0", 2, "`types` holds other types"},
      {"fn f() -> ()\nslots i64 ()", 2, "a slot has a scalar type, or is a reference to one"},
      {"fn f() -> ()\nslots\nslots", 3, "a function has one line of slots"},
      {"fn f() -> ()\na:\na:", 3, "there are two labels `a`"},
      {"fn f() -> ()\nTICK\nLOOP ->a\nRETURN\n", 3, "there is no label `a`"},
      {"fn f() -> ()\nBINARY_FROB", 2, "there is no operation `BINARY_FROB`"},
      {"fn f() -> ()\n0 TICK\n2 TICK", 3, "this is instruction 1, not 2"},
      {"fn f() -> ()\nBINARY_ADD", 2, "expected a scalar type"},
      {"fn f() -> ()\nCONVERT i64", 2, "expected a second scalar type"},
      {"fn f() -> ()\nLOAD_VAR i64 65536", 2, "expected a number up to 65535"},
      {"fn f() -> ()\nLOAD_CONST i64 1", 2, "expected `#` and the number of a constant"},
      {"fn f() -> ()\nLOOP 1", 2, "expected `->` and a target"},
      {"fn f() -> ()\nTRAP NONE", 2, "expected the name of a trap"},
      {"fn f() -> ()\nPROJECT 1 2", 2, "expected two numbers up to 65535"},
      {"fn f() -> ()\nLOAD_AT i64 1 2", 2, "expected two numbers up to 65535"},
      {"fn f() -> ()\nREQUIRE 3", 2, "expected the name of a trap"},
      {"fn f() -> ()\nTICK @x", 2, "`@` takes the byte offset of a place"},
      {"fn f() -> ()\nTICK 1", 2, "there is more on the line than belongs there"},
      {"fn f() -> ()\n$", 2, "a line starts with a word"},
  };
  for (const Wrong& wrong : kWrong) {
    Code code;
    const AssemblyError error = assemble(wrong.text, code);
    EXPECT_EQ(error.line, wrong.line) << wrong.text;
    EXPECT_EQ(error.reason, wrong.reason) << wrong.text;
  }
}

// Every prefix of a text, and every text with one byte changed, is either read or refused with a line.
TEST(CodeText, AnyTextIsSafe) {
  const std::string text(kSampleText);
  const u32 lines = static_cast<u32>(std::count(text.begin(), text.end(), '\n')) + 1;
  Code code;
  for (size_t size = 0; size <= text.size(); ++size)
    if (const AssemblyError error = assemble(std::string_view(text).substr(0, size), code)) {
      EXPECT_LE(error.line, lines);
      EXPECT_NE(error.reason, "");
    }
  for (size_t at = 0; at < text.size(); ++at)
    for (char c : {'"', '(', '\xff', '9', '\n'}) {
      std::string changed = text;
      changed[at] = c;
      if (const AssemblyError error = assemble(changed, code)) {
        EXPECT_LE(error.line, lines + 1);
        EXPECT_NE(error.reason, "");
      } else if (!check_code(code.view(), code.functions)) {
        EXPECT_NE(disassemble(code.view()), "");
      }
    }
}

}  // namespace
}  // namespace komuz
