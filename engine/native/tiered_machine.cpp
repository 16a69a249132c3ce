// SPDX-License-Identifier: Apache-2.0
#include "engine/native/tiered_machine.h"

#include <numeric>
#include <utility>

namespace komuz::engine {
namespace {

u64 ticks_of(const OutcomesView& out) {
  return std::accumulate(out.fuel.begin(), out.fuel.end(), u64{0});
}
bool is_stopped(const vm::Job& job) { return job.stop != nullptr && job.stop->stop_requested(); }

Company company_of(const vm::Job& job) {
  return job.cases.count == 1 ? Company::Alone : Company::Many;
}

}  // namespace

TieredMachine::TieredMachine(TieredMachine&& other) noexcept
    : tier_(other.tier_), machine_(std::move(other.machine_)) {}

void TieredMachine::end() {
  if (has_requested_) tier_->withdraw(*code_);
  code_.reset();
  is_left_alone_ = has_requested_ = false;
  jobs_ = 0;
  ticks_ = 0;
  ns_ = 0;
}

void TieredMachine::run(const vm::Job& job, u64 waiting, OutcomesView out) {
  if (tier_ == nullptr || is_left_alone_) return machine_.run(job, out);
  const std::optional<u32> forced =
      tier_->choice() == NativeChoice::Always ? std::optional<u32>(0) : tier_->rules().forced_job;
  if (forced && jobs_++ >= *forced && code_ == nullptr) {
    code_ = tier_->compile_now(job.code, job.function, company_of(job), job.stop);
    is_left_alone_ = code_ == nullptr;
  }
  if (is_native()) return run_natively(job, out);
  if (job.cases.count == 1 && job.fuel > tier_->rules().long_ticks) return run_long_case(job, out);
  run_on_vm(job, out);
  if (code_ == nullptr || forced || has_requested_ || is_stopped(job)) return;
  const Company company = company_of(job);
  const f64 each =
      code_->vm_ns_a_tick() * static_cast<f64>(ticks_of(out)) / static_cast<f64>(job.cases.count);
  const f64 left = waiting == kUnknown ? -1 : each * static_cast<f64>(waiting);
  if (tier_->pays(*code_, company, left)) request(job, company, 0);
}

void TieredMachine::run_on_vm(const vm::Job& job, OutcomesView out) {
  clock_.start();
  machine_.run(job, out);
  const i64 ns = clock_.stop();
  if (is_stopped(job)) return;
  if (code_ != nullptr) return code_->note_vm(ticks_of(out), ns);
  ns_ += ns;
  ticks_ += ticks_of(out);
  if (ns_ >= tier_->rules().notice_ns) notice(job);
}

void TieredMachine::notice(const vm::Job& job) {
  code_ = tier_->find(job.code, job.function);
  is_left_alone_ = code_ == nullptr;
  if (code_ != nullptr) code_->note_vm(std::exchange(ticks_, 0), std::exchange(ns_, 0));
}

void TieredMachine::run_natively(const vm::Job& job, OutcomesView out) {
  const backend::NativeCode* const native = code_->native();
  if (native == nullptr) return machine_.run(job, out);  // it has just been left
  clock_.start();
  native->run({job.cases, job.fuel, job.stop}, out);
  const i64 ns = clock_.stop();
  if (is_stopped(job)) return;
  code_->note_native(job.cases.count, ticks_of(out), ns);
  tier_->leave_if_slower(*code_);
}

void TieredMachine::request(const vm::Job& job, Company company, f64 delay_ns) {
  has_requested_ = true;
  tier_->request(code_, job.code, company, delay_ns);
}

// Most cases are over before the first ticks are used up.
void TieredMachine::run_long_case(const vm::Job& job, OutcomesView out) {
  vm::Job beginning = job;
  beginning.fuel = tier_->rules().first_ticks;
  run_on_vm(beginning, out);
  if (out.traps[0] != Trap::Fuel || is_stopped(job)) return;
  if (code_ == nullptr && !is_left_alone_) notice(job);
  const std::optional<f64> left =
      code_ == nullptr ? std::nullopt : tier_->left_until_it_pays(*code_, Company::Alone);
  if (!left) return machine_.run(job, out);
  if (!has_requested_) request(job, Company::Alone, *left);
  move_long_case(job, out);
}

// The batch machine cannot hand over a case in the middle. So the case begins again when there is native code, and
// what the batch machine has done of it is given up: alone on a machine for many, a case takes several times as long as
// natively, so that little of what had been won is lost. Both at once would take a second processor until the end.
void TieredMachine::move_long_case(const vm::Job& job, OutcomesView out) {
  std::stop_source over;
  const auto end = [&over] { over.request_stop(); };
  const std::stop_callback on_stop(job.stop != nullptr ? *job.stop : std::stop_token(), end);
  const std::stop_callback on_ready(code_->ready(), end);
  if (tier_->rules().forces_long_cases)
    static_cast<void>(tier_->compile_now(job.code, job.function, Company::Alone, job.stop));
  const std::stop_token token = over.get_token();
  vm::Job whole = job;
  whole.stop = &token;
  clock_.start();
  machine_.run(whole, out);
  const i64 ns = clock_.stop();
  if (!token.stop_requested()) return code_->note_vm(ticks_of(out), ns);
  if (!is_stopped(job)) run_natively(job, out);
}

}  // namespace komuz::engine
