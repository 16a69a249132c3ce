// SPDX-License-Identifier: Apache-2.0
// A machine for one thread that runs jobs of one code after the other: on the batch machine, and natively once a tier
// has made native code of it. The outcomes are the same.
#pragma once
#include <algorithm>
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
  void begin() {
    end();
    on_vm_ = nullptr;
  }
  // Until then, the batch machine runs this in place of the jobs' code: cheaper code (cheaper_code.h), which stays in place. Places and
  // depths of traps are of either code. Native code is made of the jobs' code: LLVM finds most of what made it cheaper, and more.
  // Null: their own.
  void use_on_vm(const Code* cheaper) { on_vm_ = cheaper; }
  // Is the present code native, or about to be?
  [[nodiscard]] bool is_native() const {
    return std::ranges::any_of(parts_, [](const Part& part) { return part.is_native(); });
  }
  [[nodiscard]] bool is_moving() const {
    return is_native() ||
           std::ranges::any_of(parts_, [](const Part& part) { return part.has_requested; });
  }
  // `waiting`: so many cases of the code wait behind this job; kUnknown: nobody knows. The job's constants have no
  // columns.
  static constexpr u64 kUnknown = ~u64{0};
  void run(const vm::Job& job, u64 waiting, OutcomesView out);

  // So many cases of the code are about to come: where all code is to be native, a kernel is made of it for a GPU.
  void expect(const CodeView& code, u32 function, u64 cases, const std::stop_token* stop);
  // The cases of the next job, so that a GPU runs it, if `waiting` ones are there; 0: no GPU will. Their budget is at
  // most kMostKernelTicks.
  [[nodiscard]] u32 crowd_of(u64 waiting) const;

 private:
  // The present code, in jobs of one kind of company.
  struct Part {
    std::shared_ptr<TieredCode> code;  // null: it was not noticed
    bool is_left_alone = false;        // the tier does nothing for it
    bool has_requested = false;
    bool was_looked_for = false;  // among those that share native code
    bool is_counted = false;      // as one of them
    u32 jobs = 0;
    u64 ticks = 0;  // that were not noticed
    i64 ns = 0;
    [[nodiscard]] bool is_native() const { return code != nullptr && code->native() != nullptr; }
  };

  [[nodiscard]] Part& part(Company company) { return parts_[static_cast<size_t>(company)]; }
  [[nodiscard]] const Part& part(Company company) const {
    return parts_[static_cast<size_t>(company)];
  }
  void end();
  void run_batch(const vm::Job& job, OutcomesView out);
  void run_here(const vm::Job& job, u64 waiting, OutcomesView out);
  // False: it is still to be run.
  [[nodiscard]] bool run_on_device(const vm::Job& job, OutcomesView out);
  void consider_device(const vm::Job& job, u64 waiting, OutcomesView out);
  void run_on_vm(Part& part, const vm::Job& job, OutcomesView out);
  void run_natively(Part& part, const vm::Job& job, OutcomesView out);
  // A case that may take long, alone: it may move in the middle.
  void run_long_case(Part& part, const vm::Job& job, OutcomesView out);
  void move_long_case(Part& part, const vm::Job& job, OutcomesView out);
  [[nodiscard]] bool shows_its_pace(Part& part, const vm::Job& job, OutcomesView out);
  void look_for(Part& part, const vm::Job& job);
  void notice(Part& part, const vm::Job& job);
  void request(Part& part, const vm::Job& job, f64 delay_ns);

  NativeTier* tier_;
  vm::BatchMachine machine_;
  const Code* on_vm_ = nullptr;
  JobClock clock_;
  Part parts_[kCompanies];
};

}  // namespace komuz::engine
