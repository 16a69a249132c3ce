// SPDX-License-Identifier: Apache-2.0
// Variants of one code, which differ in constants alone, for one thread: natively once a tier has made native code that
// they share. Elsewhere they run as their owner likes, who says here how much that was.
#pragma once
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/native/job_clock.h"
#include "engine/native/native_tier.h"

namespace komuz::engine {

class TieredVariants {
 public:
  // `tier`: null for none.
  explicit TieredVariants(NativeTier* tier) : tier_(tier) {}
  ~TieredVariants();
  TieredVariants(TieredVariants&& other) noexcept;
  TieredVariants& operator=(TieredVariants&&) = delete;

  // Variants come next that have the instructions of `code`, and these constants, one variant's behind the other's.
  // True: they run natively, by run(). Company::Variants: several in a job; Many: a job is one variant's.
  [[nodiscard]] bool begin(const CodeView& code, u32 function, Company company,
                           std::span<const u64> constants, const std::stop_token& stop);
  // The job has the constants of its variants.
  void run(const backend::NativeJob& job, const OutcomesView& out);
  // They are done. Since begin() they have taken so many ticks.
  void end(const CodeView& code, u32 function, std::span<const u64> constants, u64 cases,
           u64 ticks);

 private:
  void request(const CodeView& code);

  NativeTier* tier_;
  JobClock clock_;
  Company company_ = Company::Many;
  std::shared_ptr<TieredCode> code_;             // null: they have not been noticed
  const backend::NativeCode* native_ = nullptr;  // null: they do not run natively
  std::vector<std::shared_ptr<TieredCode>> requested_;
  u32 groups_ = 0;
};

}  // namespace komuz::engine
