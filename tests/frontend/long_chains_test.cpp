// SPDX-License-Identifier: Apache-2.0
// A chain of very many steps: `compile_chain_of_steps` in bench/frontend_bench.cpp shows what it costs.
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

}  // namespace
}  // namespace komuz::frontend
