// SPDX-License-Identifier: Apache-2.0
#include "engine/native/tiered_variants.h"

#include <algorithm>
#include <utility>

namespace komuz::engine {

TieredVariants::TieredVariants(TieredVariants&& other) noexcept
    : tier_(other.tier_), requested_(std::exchange(other.requested_, {})) {}

TieredVariants::~TieredVariants() {
  for (const std::shared_ptr<TieredCode>& code : requested_) tier_->withdraw(*code);
}

bool TieredVariants::begin(const CodeView& code, u32 function, Company company,
                           std::span<const u64> constants, const std::stop_token& stop) {
  if (tier_ == nullptr) return false;
  company_ = company;
  const std::optional<u32> forced =
      tier_->choice() == NativeChoice::Always ? std::optional<u32>(0) : tier_->rules().forced_job;
  code_ = forced && groups_++ >= *forced
              ? tier_->compile_now(code, function, company, &stop, constants)
              : tier_->find_shared(code, function, company, constants);
  native_ = code_ != nullptr ? code_->native() : nullptr;
  const size_t each = std::max<size_t>(code.constants.size(), 1);
  if (native_ != nullptr) code_->note_codes(constants.size() / each);
  clock_.start();
  return native_ != nullptr;
}

void TieredVariants::run(const backend::NativeJob& job, const OutcomesView& out) {
  native_->run(job, out);
}

void TieredVariants::end(const CodeView& code, u32 function, std::span<const u64> constants,
                         u64 cases, u64 ticks) {
  if (tier_ == nullptr) return;
  const i64 ns = clock_.stop();
  if (native_ != nullptr) {
    code_->note_native(cases, ticks, ns);
    return tier_->leave_if_slower(*code_);
  }
  // Groups of many variants take longer than a job, so what is not worth a compile is often as long as that.
  constexpr i64 kJobs = 4;
  if (ns < kJobs * tier_->rules().notice_ns) return;
  code_ = tier_->find(code, function, company_, constants);
  if (code_ == nullptr) return;
  code_->note_vm(ticks, ns);
  if (tier_->pays(*code_, -1)) request(code);
}

void TieredVariants::request(const CodeView& code) {
  if (std::ranges::find(requested_, code_) != requested_.end()) return;
  requested_.push_back(code_);
  tier_->request(code_, code);
}

}  // namespace komuz::engine
