// SPDX-License-Identifier: Apache-2.0
// The door of the virtual machines: checked code and cases in, outcomes out. The machines see no source text.
#pragma once
#include <stop_token>

#include "base/simd_level.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::vm {

// A constant that has a value for each case, and its row in CodeView::constants. Its type is that of all its
// LOAD_CONST instructions; no LOAD_CONSTS includes it.
struct ConstantColumn {
  u32 constant = 0;
  ArgumentColumn values;
};

// Runs `function` of checked `code` on every case. All machines give the same bits, traps, places, depths and fuel.
// cases.h has the shapes; no parameter of `function` holds a reference. `fuel` is the budget of each case. When
// `stop` is requested, a run ends soon, and its outcomes are meaningless.
struct Job {
  CodeView code;
  u32 function = 0;
  CasesView cases;
  u64 fuel = kDefaultFuel;
  const std::stop_token* stop = nullptr;  // null: a run goes on to its end
  // Lets programs that differ only in constants run as cases of one job. Their lanes keep their places, even if most
  // have left a loop, and take no elements.
  std::span<const ConstantColumn> constants = {};
};

// Ticks between two checks of the stop token: a few milliseconds of the slowest loops.
inline constexpr u64 kTicksBetweenLooks = 1u << 14;

// The reference: one case at a time, readable, and kept for good.
void run_reference(const Job& job, OutcomesView out);

// The batch machine for the CPU: a vector of lanes at a time. vm/cuda/warp_device.h runs many programs at once, on a
// GPU. A BatchMachine is a workspace for one thread; reused for one job after the other, it stops allocating.
class BatchMachine {
 public:
  explicit BatchMachine(SimdLevel level = best_simd_level());
  ~BatchMachine();
  BatchMachine(BatchMachine&&) noexcept;
  BatchMachine& operator=(BatchMachine&&) noexcept;

  [[nodiscard]] SimdLevel level() const;
  void run(const Job& job, OutcomesView out);
  // The same, for a job that differs from the last one only in the values of constants, in their columns and in its
  // budget: the lowered code is used again, with the new addresses of all columns. False: the code was lowered anew,
  // since it depended on a constant that has changed.
  bool run_again(const Job& job, OutcomesView out);

 private:
  struct Workspace;
  Workspace* workspace_;
};

}  // namespace komuz::vm
