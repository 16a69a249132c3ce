// SPDX-License-Identifier: Apache-2.0
// The door of the virtual machines: checked code and cases in, outcomes out. They see no source text.
#pragma once
#include <stop_token>

#include "base/simd_level.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::vm {

// A constant of which each case has a value of its own, and its row in CodeView::constants. The type is that of all
// LOAD_CONST of it; no LOAD_CONSTS takes it.
struct ConstantColumn {
  u32 constant = 0;
  ArgumentColumn values;
};

// Runs `function` of checked `code` on every case. All machines give the same bits, traps, places, depths and fuel.
// Shapes: see cases.h; no parameter of `function` holds a reference. `fuel` is the budget of each case. When `stop` is
// requested, a run ends soon, and its outcomes mean nothing.
struct Job {
  CodeView code;
  u32 function = 0;
  CasesView cases;
  u64 fuel = kDefaultFuel;
  const std::stop_token* stop = nullptr;  // null: a run goes on to its end
  // So programs that differ in constants alone are run as cases of one job. Their lanes stay where they are, also where
  // most have left a loop, and take no elements.
  std::span<const ConstantColumn> constants = {};
};

// Ticks between two looks at the stop token: a few milliseconds of the slowest loops.
inline constexpr u64 kTicksBetweenLooks = 1u << 14;

// The reference: one case at a time, readable, kept for ever.
void run_reference(const Job& job, OutcomesView out);

// The batch machine for the CPU: a vector of lanes at a time. Many programs at once, on a GPU: vm/cuda/warp_device.h.
// It is a workspace for one thread; reused from job to job, it stops allocating.
class BatchMachine {
 public:
  explicit BatchMachine(SimdLevel level = best_simd_level());
  ~BatchMachine();
  BatchMachine(BatchMachine&&) noexcept;
  BatchMachine& operator=(BatchMachine&&) noexcept;

  [[nodiscard]] SimdLevel level() const;
  void run(const Job& job, OutcomesView out);
  // The same, where the last job differed in what constants of its code are, in what stands in their columns and in its
  // budget alone: what was lowered for it is used again, with the addresses of all columns. False: it was lowered anew,
  // as something was made of a constant that is another one now.
  bool run_again(const Job& job, OutcomesView out);

 private:
  struct Workspace;
  Workspace* workspace_;
};

}  // namespace komuz::vm
