// SPDX-License-Identifier: Apache-2.0
#include "engine/native/tiered_machine.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace komuz::engine {
namespace {

u64 ticks_of(const OutcomesView& out) {
  return std::accumulate(out.fuel.begin(), out.fuel.end(), u64{0});
}
// Of a long case, natively, before all of it is: a millisecond or some.
constexpr u64 kTrialTicks = u64{1} << 20;

bool is_stopped(const vm::Job& job) { return job.stop != nullptr && job.stop->stop_requested(); }

Company company_of(const vm::Job& job) {
  return job.cases.count == 1 ? Company::Alone : Company::Many;
}

}  // namespace

TieredMachine::TieredMachine(TieredMachine&& other) noexcept
    : tier_(other.tier_), machine_(std::move(other.machine_)), on_vm_(other.on_vm_) {}

void TieredMachine::end() {
  for (Part& part : parts_) {
    if (part.has_requested) tier_->withdraw(*part.code);
    part = {};
  }
}

void TieredMachine::run_batch(const vm::Job& job, OutcomesView out) {
  if (on_vm_ == nullptr) return machine_.run(job, out);
  vm::Job cheaper = job;
  cheaper.code = on_vm_->view();
  machine_.run(cheaper, out);
}

void TieredMachine::run(const vm::Job& job, u64 waiting, OutcomesView out) {
  if (run_on_device(job, out)) return;
  run_here(job, waiting, out);
  consider_device(job, waiting, out);
}

void TieredMachine::run_here(const vm::Job& job, u64 waiting, OutcomesView out) {
  Part& part = this->part(company_of(job));
  if (tier_ == nullptr || part.is_left_alone) return run_batch(job, out);
  const std::optional<u32> forced =
      tier_->choice() == NativeChoice::Always ? std::optional<u32>(0) : tier_->rules().forced_job;
  if (forced && part.jobs++ >= *forced && !part.is_native()) {
    if (std::exchange(part.has_requested, false)) tier_->withdraw(*part.code);
    part.code = tier_->compile_now(job.code, job.function, company_of(job), job.stop);
    part.is_left_alone = part.code == nullptr;
  }
  if (!part.was_looked_for) look_for(part, job);
  if (part.is_native()) return run_natively(part, job, out);
  if (job.cases.count == 1 && job.fuel > tier_->rules().long_ticks)
    return run_long_case(part, job, out);
  run_on_vm(part, job, out);
  if (part.code == nullptr || forced || part.has_requested || is_stopped(job)) return;
  const f64 each = part.code->vm_ns_a_tick() * static_cast<f64>(ticks_of(out)) /
                   static_cast<f64>(job.cases.count);
  const f64 left = waiting == kUnknown ? -1 : each * static_cast<f64>(waiting);
  if (tier_->pays(*part.code, left)) request(part, job, 0);
}

void TieredMachine::run_on_vm(Part& part, const vm::Job& job, OutcomesView out) {
  clock_.start();
  run_batch(job, out);
  const i64 ns = clock_.stop();
  if (is_stopped(job)) return;
  if (part.code != nullptr) return part.code->note_vm(ticks_of(out), ns);
  part.ns += ns;
  part.ticks += ticks_of(out);
  if (part.ns >= tier_->rules().notice_ns) notice(part, job);
}

void TieredMachine::look_for(Part& part, const vm::Job& job) {
  part.was_looked_for = true;
  if (part.code == nullptr) part.code = tier_->find_shared(job.code, job.function, company_of(job));
}

void TieredMachine::notice(Part& part, const vm::Job& job) {
  part.code = tier_->find(job.code, job.function, company_of(job));
  part.is_left_alone = part.code == nullptr;
  if (part.code != nullptr)
    part.code->note_vm(std::exchange(part.ticks, 0), std::exchange(part.ns, 0));
}

void TieredMachine::run_natively(Part& part, const vm::Job& job, OutcomesView out) {
  const backend::NativeCode* const native = part.code->native();
  if (native == nullptr) return run_batch(job, out);  // it has just been left
  if (!std::exchange(part.is_counted, true)) part.code->note_codes(1);
  clock_.start();
  native->run({job.cases, job.fuel, job.stop, job.code.constants}, out);
  const i64 ns = clock_.stop();
  if (is_stopped(job)) return;
  part.code->note_native(job.cases.count, ticks_of(out), ns);
  tier_->leave_if_slower(*part.code);
}

// The beginning of a long case, natively. Is there more of it?
bool TieredMachine::shows_its_pace(Part& part, const vm::Job& job, OutcomesView out) {
  const backend::NativeCode* const native = part.code->native();
  if (native == nullptr) return true;
  const u64 fuel = std::min(job.fuel, kTrialTicks);
  clock_.start();
  native->run({job.cases, fuel, job.stop, job.code.constants}, out);
  const i64 ns = clock_.stop();
  if (is_stopped(job)) return false;
  const bool is_over = out.traps[0] != Trap::Fuel || fuel == job.fuel;
  part.code->note_native(is_over ? 1 : 0, ticks_of(out), ns);
  tier_->leave_if_slower(*part.code);
  return !is_over;
}

void TieredMachine::request(Part& part, const vm::Job& job, f64 delay_ns) {
  part.has_requested = true;
  tier_->request(part.code, job.code, delay_ns);
}

// Most cases are over before the first ticks are used up.
void TieredMachine::run_long_case(Part& part, const vm::Job& job, OutcomesView out) {
  vm::Job beginning = job;
  beginning.fuel = tier_->rules().first_ticks;
  run_on_vm(part, beginning, out);
  if (out.traps[0] != Trap::Fuel || is_stopped(job)) return;
  if (part.code == nullptr && !part.is_left_alone) notice(part, job);
  const std::optional<f64> left =
      part.code == nullptr ? std::nullopt : tier_->left_until_it_pays(*part.code);
  if (!left) return run_batch(job, out);
  if (!part.has_requested) request(part, job, *left);
  move_long_case(part, job, out);
}

// The batch machine cannot hand over a case in the middle. So the case begins again when there is native code, and
// what the batch machine has done of it is given up: alone on a machine for many, a case takes several times as long as
// natively, so that little of what had been won is lost. Both at once would take a second processor until the end.
// Loops whose elements the batch machine runs side by side are faster there. So native code first shows what it takes
// for a beginning, and the whole case goes back if that is more.
void TieredMachine::move_long_case(Part& part, const vm::Job& job, OutcomesView out) {
  std::stop_source over;
  const auto end = [&over] { over.request_stop(); };
  const std::stop_callback on_stop(job.stop != nullptr ? *job.stop : std::stop_token(), end);
  const std::stop_callback on_ready(part.code->ready(), end);
  if (tier_->rules().forces_long_cases)
    static_cast<void>(tier_->compile_now(job.code, job.function, Company::Alone, job.stop));
  const std::stop_token token = over.get_token();
  vm::Job whole = job;
  whole.stop = &token;
  clock_.start();
  run_batch(whole, out);
  const i64 ns = clock_.stop();
  if (!token.stop_requested()) return part.code->note_vm(ticks_of(out), ns);
  if (is_stopped(job)) return;
  if (shows_its_pace(part, job, out)) run_natively(part, job, out);
}

}  // namespace komuz::engine
