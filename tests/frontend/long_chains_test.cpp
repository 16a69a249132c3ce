// SPDX-License-Identifier: Apache-2.0
// A chain with very many steps: `compile_chain_of_steps` in bench/frontend_bench.cpp measures its cost.
#include <gtest/gtest.h>

#include "frontend_gpu/frontend.h"
#include "vm/vm.h"

namespace komuz::frontend {
namespace {

TEST(LongChains, RunAsShortOnesDo) {
  constexpr u32 kSteps = 8000;
  std::string source = "pub fn f(n: i64) -> i64 { [n, 2, 3, 4]";
  for (u32 k = 0; k < kSteps; ++k) source += "\n.map(x => x + 1)";
  source += ".sum() }\n";
  Compiler compiler;
  Compilation out;
  compiler.compile(source, out);
  ASSERT_TRUE(out.ok);
  const i64 one = 1;
  const ArgumentColumn column = {Scalar::I64, &one};
  u64 value = 0, fuel = 0;
  Trap trap = Trap::None;
  u32 place = 0, depth = 0;
  const CodeView code = out.code.view();
  vm::run_reference({code, static_cast<u32>(code.find_function("f")), {{&column, 1}, 1}},
                    {{&value, 1}, {&trap, 1}, {&place, 1}, {&depth, 1}, {&fuel, 1}});
  EXPECT_EQ(trap, Trap::None);
  EXPECT_EQ(value, 1 + 2 + 3 + 4 + 4 * u64{kSteps});
}

// Each loop over elements begins with the variables of those around it: more values for all lanes than there are
// instructions.
TEST(LongChains, ThatStandInEachOtherHaveAnyNumberOfBroadcastValues) {
  constexpr u32 kDeep = 60, kVariables = 12;
  std::string source = "pub fn f(n: i64) -> i64 {\n";
  for (u32 k = 0; k < kVariables; ++k) source += "var v" + std::to_string(k) + " = n;\n";
  std::string ends;
  for (u32 d = 0; d < kDeep; ++d) {
    source += "for i" + std::to_string(d) + " in 0..1 {\n";
    ends += "}\n";
  }
  for (u32 k = 0; k < kVariables; ++k)
    source += "v" + std::to_string(k) + " += " + std::to_string(k) + ";\n";
  source += ends + "v0";
  for (u32 k = 1; k < kVariables; ++k) source += " + v" + std::to_string(k);
  source += "\n}\n";
  Compiler compiler;
  Compilation out;
  compiler.compile(source, out);
  ASSERT_TRUE(out.ok);
  constexpr u32 kCases = 3;
  const i64 column[kCases] = {1, -5, 100};
  const ArgumentColumn argument = {Scalar::I64, column};
  const CodeView code = out.code.view();
  vm::BatchMachine machine;
  for (u32 again = 0; again < 2; ++again) {
    u64 values[kCases] = {}, fuel[kCases] = {};
    Trap traps[kCases] = {};
    u32 places[kCases] = {}, depths[kCases] = {};
    machine.run({code, static_cast<u32>(code.find_function("f")), {{&argument, 1}, kCases}},
                {values, traps, places, depths, fuel});
    for (u32 row = 0; row < kCases; ++row) {
      EXPECT_EQ(traps[row], Trap::None);
      EXPECT_EQ(static_cast<i64>(values[row]), kVariables * column[row] + 66);
    }
  }
}

}  // namespace
}  // namespace komuz::frontend
