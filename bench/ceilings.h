// SPDX-License-Identifier: Apache-2.0
// What a GPU can do at most: how fast kernels are that do one thing alone. What else is measured is to be seen beside it.
#pragma once
#include <memory>
#include <string>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::bench {

enum class Ceiling : u8 {
  CopyThere,  // within the device's memory; bytes are counted twice, as they are read and written
  CopyTo,     // from pinned memory of the host
  CopyFrom,
  FmaF32,  // fused multiplications and additions, each of which counts as one
  FmaF64,
  MulI32,  // what the machine's checked i64 products are made of
};

struct CeilingRun {
  f64 seconds = 0;  // by the device's clock
  f64 work = 0;     // bytes or operations
  Problem problem;  // what came out has been looked at, too
};

class CeilingMeter {
 public:
  virtual ~CeilingMeter() = default;
  [[nodiscard]] virtual CeilingRun run(Ceiling what) = 0;
};
// Of the first GPU that can be used; of builds with CUDA alone.
[[nodiscard]] std::unique_ptr<CeilingMeter> cuda_ceilings();

}  // namespace komuz::bench
