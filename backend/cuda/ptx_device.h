// SPDX-License-Identifier: Apache-2.0
// The door of the GPU that runs kernels (Backend::emit_ptx): a module in, outcomes of its programs out, which are those of
// the machines of vm/. It knows nothing of how kernels are made.
//
//   Result<OpenedPtxDevice> opened = open_ptx_device();
//   opened.value().device->load(ptx);
//   opened.value().device->run("f_kernel", {cases, fuel}, outcomes);
#pragma once
#include <memory>
#include <string>

#include "base/problem.h"
#include "lang/cases.h"

namespace komuz::backend {

struct PtxRun {
  CasesView cases;
  u64 fuel = kDefaultFuel;  // of each case, less than 2^63
};

class PtxDevice {
 public:
  virtual ~PtxDevice() = default;

  // PTX, which the driver compiles, or the bytes of a cubin. Takes the place of the module that was loaded before. The
  // problem has what the driver says of it.
  virtual Problem load(const std::string& module) = 0;
  // Runs a kernel of the module on the cases, and waits for it. Nothing stops it but its cases' budgets.
  virtual Problem run(const std::string& kernel, const PtxRun& run, OutcomesView out) = 0;
  // Seconds that the last kernel took by the GPU's clock.
  [[nodiscard]] virtual f64 seconds() const = 0;
};

// The first GPU that can be used, or why there is none.
struct OpenedPtxDevice {
  std::unique_ptr<PtxDevice> device;
  std::string name;
};
[[nodiscard]] Result<OpenedPtxDevice> open_ptx_device();

}  // namespace komuz::backend
