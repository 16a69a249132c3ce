// SPDX-License-Identifier: Apache-2.0
// The mathematical functions as code of this process. Each takes LLVM 2 to 20 ms, so it is made once for a number of
// lanes and a processor, when a program first needs it, and kept until the process ends.
#pragma once
#include <string>

#include "backend/ir/ir_writer.h"
#include "backend/settings.h"

namespace komuz::backend {

struct LoadedKernel {
  std::string name;
  void* address = nullptr;
  u64 stack_bytes = 0;
};

// May be called by several threads. Empty if all is well; else why not.
[[nodiscard]] std::string load_kernel(const ir::Kernel& kernel, u32 lanes,
                                      const std::string& processor, Maps maps, LoadedKernel& out);

}  // namespace komuz::backend
