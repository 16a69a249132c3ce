// SPDX-License-Identifier: Apache-2.0
// The largest errors of the mathematical functions, as rows of a table:
//
//   math_errors f32 [FUNCTION…]        functions of one argument, for every f32, on the batch machine. Minutes each
//   math_errors sampled N [FUNCTION…]  all functions, f64 and f32, for N samples each (tests/vm/function_errors.h)
//
// The long run compares with the kernel for f64. The kernel's own error of one unit is 2^-29 units of f32, and the
// samples compare the kernel with 180 bits. They also check the argument with the worst result.
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/vm/code_builder.h"
#include "tests/vm/function_errors.h"

namespace komuz::test {
namespace {

// In units of the last place of an f32, as in ExactFunction::error.
f64 units_off(f32 value, f64 exact) {
  if (std::isnan(exact)) return std::isnan(value) ? 0 : HUGE_VAL;
  if (std::isnan(value)) return HUGE_VAL;
  const f64 size = std::fabs(exact);
  if (size >= 0x1p128 && std::isinf(value)) return (value > 0) == (exact > 0) ? 0 : HUGE_VAL;
  if (std::isinf(exact)) return HUGE_VAL;
  const u64 binade = size >= 0x1p128 ? 1023 + 127 : std::bit_cast<u64>(size) >> 52;
  const u64 unit = binade < 1023 - 126 ? 1023 - 149 : binade - 23;
  const f64 next = std::isinf(value) ? std::copysign(0x1p128, f64{value}) : f64{value};
  return std::fabs(next - exact) / std::bit_cast<f64>(unit << 52);
}

constexpr u32 kChunk = 1u << 16;

void print_row(std::string_view name, const char* type, const FunctionErrors& errors,
               const char* arguments) {
  std::printf("| %s | %s | %.4f | `%a`, `%a` | %.4f | `%a`, `%a` | %s |\n",
              std::string(name).c_str(), type, errors.normal.units, errors.normal.x,
              errors.normal.y, errors.subnormal.units, errors.subnormal.x, errors.subnormal.y,
              arguments);
  std::fflush(stdout);
}

void try_all(Op op) {
  CodeBuilder b;
  b.function("f", {Scalar::F32}, {Scalar::F32, Scalar::F64});
  b.load(0).op(op, Scalar::F32);
  b.load(0).op(Op::Convert, Scalar::F64, Scalar::F32).op(op, Scalar::F64).end_function();
  CaseRun run(b.code, {std::vector<u64>(kChunk)});
  vm::BatchMachine machine;
  alignas(64) static std::array<f32, kChunk> arguments;
  const ArgumentColumn column = {Scalar::F32, arguments.data()};
  vm::Job job = run.job();
  job.cases = {{&column, 1}, kChunk};
  FunctionErrors errors;
  for (u64 first = 0; first < u64{1} << 32; first += kChunk) {
    for (u32 k = 0; k < kChunk; ++k) arguments[k] = std::bit_cast<f32>(static_cast<u32>(first + k));
    machine.run(job, run.outcomes());
    for (u32 k = 0; k < kChunk; ++k) {
      const f32 value = std::bit_cast<f32>(static_cast<u32>(run.values[k]));
      const f64 exact = std::bit_cast<f64>(run.values[kChunk + k]);
      LargestError& largest = std::fabs(value) < 0x1p-126f ? errors.subnormal : errors.normal;
      largest.add(units_off(value, exact), f64{arguments[k]}, 0);
    }
  }
  ExactFunction exact_function(op);
  for (LargestError* largest : {&errors.normal, &errors.subnormal}) {
    if (largest->units == 0) continue;
    arguments[0] = static_cast<f32>(largest->x);
    machine.run(job, run.outcomes());
    largest->units =
        exact_function.error(arguments[0], 0, std::bit_cast<f32>(static_cast<u32>(run.values[0])));
  }
  print_row(function_name(op), "f32", errors, "all");
}

bool is_wanted(std::string_view name, int count, char** names) {
  for (int k = 0; k < count; ++k)
    if (name == names[k]) return true;
  return count == 0;
}

int run_tool(int count, char** arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "f32") {
    for (Op op : exact_functions())
      if (operand_count(op_row(op).form) == 1 &&
          is_wanted(function_name(op), count - 2, arguments + 2))
        try_all(op);
    return 0;
  }
  if (what == "sampled" && count > 2) {
    const u64 samples = std::strtoull(arguments[2], nullptr, 10);
    for (Op op : exact_functions()) {
      if (!is_wanted(function_name(op), count - 3, arguments + 3)) continue;
      print_row(function_name(op), "f64", measure_errors(op, Scalar::F64, samples, 1),
                arguments[2]);
      print_row(function_name(op), "f32", measure_errors(op, Scalar::F32, samples, 2),
                arguments[2]);
    }
    return 0;
  }
  std::fputs("usage: math_errors f32 [FUNCTION...] | math_errors sampled N [FUNCTION...]\n",
             stderr);
  return 2;
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** arguments) { return komuz::test::run_tool(count, arguments); }
