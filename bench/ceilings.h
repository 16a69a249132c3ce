// SPDX-License-Identifier: Apache-2.0
// The limits of a GPU: how fast kernels are that do one thing alone. Other measurements have to be seen beside
// them.
#pragma once
#include <memory>
#include <string>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::bench {

enum class Ceiling : u8 {
  CopyThere,  // within the device's memory; bytes count twice, as they are read and written
  CopyTo,     // from pinned memory of the host
  CopyFrom,
  FmaF32,  // fused multiplications and additions; each counts as one
  FmaF64,
  MulI32,  // the machine makes its checked i64 products of these
};

struct CeilingRun {
  f64 seconds = 0;  // by the device's clock
  f64 work = 0;     // bytes or operations
  Problem problem;  // the result has been checked, too
};

class CeilingMeter {
 public:
  virtual ~CeilingMeter() = default;
  [[nodiscard]] virtual CeilingRun run(Ceiling what) = 0;
};
// Measures the first usable GPU. Only for builds with CUDA.
[[nodiscard]] std::unique_ptr<CeilingMeter> cuda_ceilings();

}  // namespace komuz::bench
