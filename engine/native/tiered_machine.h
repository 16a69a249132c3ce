// SPDX-License-Identifier: Apache-2.0
// A machine for one thread that runs jobs of one code after the other: on the batch machine, and natively once a tier
// has made native code of it. The outcomes are the same.
#pragma once
#include <memory>

#include "engine/native/job_clock.h"
#include "engine/native/native_tier.h"
#include "vm/vm.h"

namespace komuz::engine {

class TieredMachine {
 public:
  // `tier`: null for the batch machine alone.
  explicit TieredMachine(NativeTier* tier) : tier_(tier) {}
  ~TieredMachine() { end(); }
  TieredMachine(TieredMachine&& other) noexcept;
  TieredMachine& operator=(TieredMachine&&) = delete;

  // The jobs that follow are of another code than those before.
  void begin() { end(); }
  // `waiting`: so many cases of the code wait behind this job; kUnknown: nobody knows. The job's constants have no
  // columns.
  static constexpr u64 kUnknown = ~u64{0};
  void run(const vm::Job& job, u64 waiting, OutcomesView out);

 private:
  void end();
  void run_on_vm(const vm::Job& job, OutcomesView out);
  void run_natively(const vm::Job& job, OutcomesView out);
  // A case that may take long, alone: it may move in the middle.
  void run_long_case(const vm::Job& job, OutcomesView out);
  void move_long_case(const vm::Job& job, OutcomesView out);
  void notice(const vm::Job& job);
  void request(const vm::Job& job, Company company, f64 delay_ns);
  [[nodiscard]] bool is_native() const { return code_ != nullptr && code_->native() != nullptr; }

  NativeTier* tier_;
  vm::BatchMachine machine_;
  JobClock clock_;
  // Of the present code:
  std::shared_ptr<TieredCode> code_;  // null: it was not noticed
  bool is_left_alone_ = false;        // the tier does nothing for it
  bool has_requested_ = false;
  u32 jobs_ = 0;
  u64 ticks_ = 0;  // that were not noticed
  i64 ns_ = 0;
};

}  // namespace komuz::engine
