// SPDX-License-Identifier: Apache-2.0
// Where the system lets no memory be written and then run, programs stay on the virtual machines, and the reason is told.
#include "tests/backend/no_code_memory.h"
#include "engine/native/native_tier.h"
#include "tests/backend/child_process.h"
#include "tests/engine/evaluations.h"
#include "tests/engine/native/needs_backend.h"

namespace komuz::engine::test {
namespace {

using komuz::test::in_child;

std::string report(NativeTier* tier) {
  EvaluateOptions options;
  options.machines.native = tier;
  options.machines.threads = 1;
  return report_of(evaluate_all(
      {{"fib",
        "fn fib(n: i64) -> i64 rec 40 { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } }\n"
        "pub fn f(n: i64) -> i64 { fib(n) }",
        {}},
       {"overflow",
        "pub fn f(n: i64) -> i64 { var t = 1; for i in 0..n * 9 { t = t * 3; } t }",
        {}}},
      options, "n,expected\n1,1\n2,1\n10,55\n5,5\n"));
}

TEST(NativeTier, WithoutMemoryForCodeTheVirtualMachineGoesOn) {
  KOMUZ_NEEDS_NATIVE;
  const std::string said = in_child([] {
    if (!komuz::test::refuse_code_memory()) return std::string("the kernel does not do it");
    const std::string wanted = report(nullptr);
    NativeTier tier(NativeChoice::Always);
    std::string found = report(&tier) == wanted ? "same" : "another report";
    found += tier.stats().compiled == 0 ? "" : ", something was compiled";
    for (const std::string& reason : tier.reasons()) found += "\n" + reason;
    return found;
  });
  if (said == "the kernel does not do it") GTEST_SKIP() << said;
  EXPECT_EQ(said,
            "same\nno native code of `f`: the system gives no memory for code: Permission denied");
}

}  // namespace
}  // namespace komuz::engine::test
