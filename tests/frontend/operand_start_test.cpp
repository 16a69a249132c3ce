// SPDX-License-Identifier: Apache-2.0
// The start of an operand, found from tokens and from text: the two agree.
#include <gtest/gtest.h>

#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/frontend.h"
#include "mend/source_text.h"

namespace komuz::frontend {
namespace {

// The operand that ends the function and starts at `operand`, by its tokens and by the text.
void expect_start(const std::string& before, const std::string& operand) {
  const std::string source = "fn f(xs: [i64]) -> i64 { " + before + operand + " }\n";
  Compiler compiler;
  Compilation out;
  compiler.compile(source, out);
  const Columns& c = compiler.columns();
  const u32 start = static_cast<u32>(source.size() - operand.size() - 3);
  const Index last = c.tokens - 2;
  const Index first = first_of_operand(c, last);
  ASSERT_NE(first, kNone) << source;
  EXPECT_EQ(c.token_start[first], start) << source;
  EXPECT_EQ(operand_start(source, end_of(c, last)), start) << source;
}

TEST(OperandStart, OfTokensIsThatOfTheText) {
  for (const char* operand :
       {"xs", "12", "xs[0]", "xs[0][1]", "[1, 2][0]", "[[1], [2]][0][0]", "f(xs)", "f(xs)[0]",
        "xs.len()", "xs.map(x => x + 1).sum()", "(1 + 2)", "t.0.1", "xs[\n 0]",
        "xs\n  .map(x => x)\n  .sum()", "f(1,\n 2).x"})
    for (const char* before : {"", "1 + ", "-", "return ", "let a = 1;\n", "xs[0]\n", "f(xs)\n",
                               "0..", "not ", "xs.len() + "})
      expect_start(before, operand);
}

}  // namespace
}  // namespace komuz::frontend
