// SPDX-License-Identifier: Apache-2.0
// The door of the GPU that runs kernels (Backend::emit_ptx): modules in, outcomes of their programs out, which are those of
// the machines of vm/. It knows nothing of how kernels are made.
//
//   Result<OpenedPtxDevice> opened = open_ptx_device();
//   Result<std::unique_ptr<PtxModule>> module = opened.value().device->load(ptx);
//   module.value()->run("f_kernel", {cases, fuel}, outcomes);
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "backend/backend.h"
#include "base/problem.h"
#include "lang/cases.h"

namespace komuz::backend {

// Rows [first, first + rows) of cases. The columns of the outcomes have room for all cases; those of other rows stay as
// they are.
struct PtxRun {
  CasesView cases;
  u64 fuel = kDefaultFuel;  // of each case, less than 2^63
  u32 first = 0, rows = 0;
};

// Kernels that are loaded. The device outlives them.
class PtxModule {
 public:
  virtual ~PtxModule() = default;
  // Runs a kernel, and waits for it. Nothing stops it but its cases' budgets. One thread at a time runs kernels of a device.
  virtual Problem run(const std::string& kernel, const PtxRun& run, OutcomesView out) = 0;
};

class PtxDevice {
 public:
  virtual ~PtxDevice() = default;

  // PTX, which the driver compiles, or the bytes of a cubin. The problem has what the driver says of it. `programs` are
  // those that the module was made of: what stands in for a GPU runs them, a GPU does not look at them. May be called
  // while another thread runs kernels.
  virtual Result<std::unique_ptr<PtxModule>> load(const std::string& module,
                                                  std::span<const PtxProgram> programs = {}) = 0;
  // Seconds that the last kernel took by the GPU's clock.
  [[nodiscard]] virtual f64 seconds() const = 0;
};

// The GPU of this number, or the first that can be used; or why there is none.
struct OpenedPtxDevice {
  std::unique_ptr<PtxDevice> device;
  std::string name;
};
[[nodiscard]] Result<OpenedPtxDevice> open_ptx_device(std::optional<u32> number = {});

}  // namespace komuz::backend
