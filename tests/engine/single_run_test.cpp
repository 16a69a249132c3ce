// SPDX-License-Identifier: Apache-2.0
// Single runs, which start on the reference machine and continue on the batch machine: their results equal the
// reference's.
#include "engine/testing/single_run.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/cases/case_columns.h"
#include "engine/testing/run_case.h"
#include "frontend_gpu/frontend.h"
#include "mend/mend.h"

namespace komuz::engine {
namespace {

constexpr std::string_view kSource = R"(
fn squares(n: i64) -> i64 { (0..n).map(i => i * i % 97).sum() }
fn steps(n: i64) -> (i64, f64) {
  var x = 1;
  var y = 0.5;
  for i in 0..n { x = (x * 31 + i) % 10007; y = y * 1.5 - f64(x % 3); if y > 1.0e9 { y = 1.0; } }
  (x, y)
}
fn overflows(n: i64) -> i64 { (0..n).map(i => 3 ** (i / 100)).sum() }
fn down(n: i64) -> i64 rec 200 { if n == 0 { 0 } else { 1 + down(n - 1) } }
fn depth(n: i64) -> i64 { var t = 0; for i in 0..n { t += down(i / 10); } t }
fn check(n: i64) -> i64 { assert n * n != 1_000_000; n }
fn asserts(n: i64) -> i64 { var t = 0; for i in 0..n { t += check(i); } t }
fn table(n: i64) -> [i64; 8] {
  var xs: [i64; 8] = [0; 8];
  for i in 0..n { xs[i % 8] += xs[(i * 5) % 9 % 8] + 1; if xs[3] > 1_000_000 { xs[3] = 0; } }
  xs
}
)";

SingleRun on_reference(const CodeView& code, u32 function, u64 argument, u64 fuel) {
  const Function& f = code.functions[function];
  CaseColumns columns(code.slot_types.subspan(f.slots_begin, f.parameter_slots));
  columns.add(std::vector{argument});
  const vm::Job job{code, function, columns.view(), fuel};
  SingleRun out;
  out.value.assign(f.result_cells, 0);
  vm::run_reference(job, out.view());
  if (out.trap == Trap::Assert) out.compared = vm::explain_assertion(job);
  return out;
}

void expect_same(const SingleRun& a, const SingleRun& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.trap, b.trap);
  EXPECT_EQ(a.place, b.place);
  EXPECT_EQ(a.depth, b.depth);
  EXPECT_EQ(a.fuel, b.fuel);
  ASSERT_EQ(a.compared.has_value(), b.compared.has_value());
  if (!a.compared) return;
  EXPECT_EQ(a.compared->left, b.compared->left);
  EXPECT_EQ(a.compared->right, b.compared->right);
}

frontend::Compilation compiled(std::string_view source) {
  frontend::Compilation program;
  frontend::Compiler().compile(source, program);
  EXPECT_TRUE(program.ok) << diagnostic_message(program.diagnostics.at(0), source);
  return program;
}

TEST(SingleRun, LongAndShortOnesAreThoseOfTheReference) {
  const frontend::Compilation program = compiled(kSource);
  const CodeView code = program.code.view();
  const u64 budgets[] = {1,    kReferenceTicks - 1, kReferenceTicks, kReferenceTicks + 1,
                         3001, kDefaultFuel};
  u32 traps[kTrapCount] = {};
  for (u32 function = 0; function < code.functions.size(); ++function)
    for (const u64 argument : {0, 3, 500, 1000, 1023, 1024, 3000, 6000})
      for (const u64 fuel : budgets) {
        SCOPED_TRACE(std::string(code.name(code.functions[function])) + ' ' +
                     std::to_string(argument) + ' ' + std::to_string(fuel));
        SingleRun run;
        run_single(code, function, std::vector{argument}, fuel, run);
        expect_same(run, on_reference(code, function, argument, fuel));
        if (run.fuel > kReferenceTicks) ++traps[static_cast<u32>(run.trap)];
      }
  for (const Trap trap : {Trap::None, Trap::Fuel, Trap::Overflow, Trap::Depth, Trap::Assert})
    EXPECT_GT(traps[static_cast<u32>(trap)], 0u) << trap_name(trap);
}

TEST(SingleRun, AStopEndsALongOne) {
  const frontend::Compilation program =
      compiled("fn f(n: i64) -> i64 { var x = 1; for i in 0..n { x = (x * 31 + i) % 10007; } x }");
  const std::stop_source stop;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::stop_source(stop).request_stop();
  });
  const std::stop_token token = stop.get_token();
  SingleRun run;
  constexpr u64 kForever = u64{1} << 60;
  run_single(program.code.view(), 0, std::vector{kForever}, kForever, run, &token);
  stopper.join();
  EXPECT_TRUE(token.stop_requested());
  EXPECT_LT(run.fuel, kForever);
}

}  // namespace
}  // namespace komuz::engine
