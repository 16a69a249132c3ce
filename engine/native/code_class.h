// SPDX-License-Identifier: Apache-2.0
// Which code is worth compiling to native code, and how: the rows of code_classes.def.
#pragma once
#include <string_view>

#include "backend/effort.h"
#include "lang/code.h"

namespace komuz::engine {

// Of the functions that an entry reaches; the first that holds.
enum class CodeClass : u8 {
  Recursion,   // one is in a cycle of calls
  ArrayLoops,  // there are loops, and accesses by an index
  Loops,
  Straight,
};

// The cases of the jobs that a code runs in. Crowd: so many that a GPU runs them.
enum class Company : u8 { Many, Alone, Crowd };
inline constexpr size_t kCompanies = 3;

// Of the functions that an entry reaches.
struct CodeShape {
  CodeClass code_class = CodeClass::Straight;
  u64 instructions = 0;
  u64 kernels = 0;  // different mathematical functions
};
[[nodiscard]] CodeShape shape_of(const CodeView& code, u32 function);

// How a code is compiled, and what that is expected to gain.
struct NativeWay {
  CodeClass code_class = CodeClass::Straight;
  Company company = Company::Many;
  u32 lanes = 1;
  backend::Effort effort = backend::Effort::Normal;
  f64 gain = 1;  // the batch machine's time over that of native code
  f64 ms_an_instruction = 0, ms_a_kernel = 0, ms_besides = 0;

  // What LLVM is expected to take, in nanoseconds of processor time.
  [[nodiscard]] f64 compile_ns(const CodeShape& shape) const {
    return 1e6 * (ms_an_instruction * static_cast<f64>(shape.instructions) +
                  ms_a_kernel * static_cast<f64>(shape.kernels) + ms_besides);
  }
  // After so much time on the batch machine a code is compiled: ski rental, by which at most twice the least possible
  // time is lost, whatever is still to come.
  [[nodiscard]] f64 threshold_ns(const CodeShape& shape) const {
    return compile_ns(shape) / (1 - 1 / gain);
  }
};

// What a GPU takes besides a kernel's own time.
struct KernelCosts {
  f64 launch_ns = 0;  // of a launch, and of waiting for it
  f64 ns_a_byte = 0;  // of arguments and outcomes, there and back
};
[[nodiscard]] const KernelCosts& kernel_costs();

// Null: such code stays on the virtual machines.
[[nodiscard]] const NativeWay* native_way(CodeClass code_class, Company company);
// The way of code that is to be native in any case.
[[nodiscard]] const NativeWay& stated_way(CodeClass code_class, Company company);

}  // namespace komuz::engine
