// SPDX-License-Identifier: Apache-2.0
// The work of compiling grows linearly with the text, whatever is repeated in it. Work is counted in steps
// (work_meter.h), which are the same everywhere.
#include <gtest/gtest.h>

#include <cmath>

#include "frontend_gpu/columns/work_meter.h"
#include "frontend_gpu/frontend.h"
#include "tests/frontend/grown_programs.h"

namespace komuz::test {
namespace {

// All above the length to which programs are compiled in compact columns, which count otherwise.
constexpr size_t kSizes[] = {9'000, 16'000, 28'000, 50'000};
constexpr f64 kMostPower = 1.2;

struct Measured {
  f64 bytes, work;
};
Measured measure(frontend::Compiler& compiler, const GrownProgram& program, size_t bytes) {
  const std::string text = program.text(bytes);
  frontend::Compilation out;
  compiler.compile(text, out);
  return {static_cast<f64>(text.size()), static_cast<f64>(compiler.work())};
}
f64 power(const Measured& a, const Measured& b) {
  return std::log(b.work / a.work) / std::log(b.bytes / a.bytes);
}

// Of the powers between neighbouring sizes two in a row: where a limit is met, messages make one of them larger.
TEST(Growth, WorkIsInProportionToTheText) {
  frontend::Compiler compiler;
  const std::vector<GrownProgram> programs = grown_programs();
  EXPECT_GT(programs.size(), 500);
  for (const GrownProgram& program : programs) {
    const Measured first = measure(compiler, program, kSizes[0]),
                   last = measure(compiler, program, kSizes[3]);
    EXPECT_LT(last.work, last.bytes * frontend::kMostWorkOfByte) << program.name;
    if (power(first, last) < 1.05) continue;
    const Measured second = measure(compiler, program, kSizes[1]),
                   third = measure(compiler, program, kSizes[2]);
    const f64 powers[] = {power(first, second), power(second, third), power(third, last)};
    const bool grows_faster = powers[2] > kMostPower && powers[1] > kMostPower;
    EXPECT_FALSE(grows_faster) << program.name << ": " << powers[0] << " " << powers[1] << " "
                               << powers[2] << "\n"
                               << program.text(300);
  }
}

}  // namespace
}  // namespace komuz::test
