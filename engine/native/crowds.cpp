// SPDX-License-Identifier: Apache-2.0
// Jobs of so many cases that a GPU runs them.
#include <mutex>
#include <numeric>

#include "engine/native/tiered_machine.h"

namespace komuz::engine {
namespace {

u64 all_ticks(const OutcomesView& out) {
  return std::accumulate(out.fuel.begin(), out.fuel.end(), u64{0});
}

// Of arguments and outcomes.
u64 bytes_a_case(const vm::Job& job, const OutcomesView& out) {
  u64 bytes = 1 + 4 + 4 + 8 + out.values.size_bytes() / job.cases.count;
  for (const ArgumentColumn& column : job.cases.columns) bytes += scalar_bytes(column.type);
  return bytes;
}

}  // namespace

void TieredMachine::expect(const CodeView& code, u32 function, u64 cases,
                           const std::stop_token* stop) {
  Part& crowd = part(Company::Crowd);
  if (tier_ == nullptr || tier_->choice() != NativeChoice::Always || !tier_->has_device() ||
      cases < tier_->rules().least_crowd || crowd.code != nullptr)
    return;
  crowd.code = tier_->compile_now(code, function, Company::Crowd, stop);
  crowd.is_left_alone = crowd.code == nullptr;
}

u32 TieredMachine::crowd_of(u64 waiting) const {
  const Part& crowd = part(Company::Crowd);
  if (crowd.code == nullptr || waiting < tier_->rules().least_crowd || !tier_->has_device() ||
      crowd.code->kernel() == nullptr)
    return 0;
  return static_cast<u32>(std::min<u64>(waiting, tier_->rules().whole_crowd));
}

// The GPU is one for all threads. Who finds it busy runs the job here, but where all code is to be native.
bool TieredMachine::run_on_device(const vm::Job& job, OutcomesView out) {
  Part& crowd = part(Company::Crowd);
  if (crowd.code == nullptr || job.fuel > kMostKernelTicks || crowd_of(job.cases.count) == 0)
    return false;
  const bool is_forced = tier_->choice() == NativeChoice::Always;
  const TieredCode* const many = part(Company::Many).code.get();
  const f64 here_ns_a_tick = is_forced || many == nullptr ? 0 : many->ns_a_tick();
  std::unique_lock turn(tier_->device_turn(), std::defer_lock);
  if (is_forced)
    turn.lock();
  else if (!turn.try_lock())
    return false;
  KernelCode* const kernel = crowd.code->kernel();
  if (kernel == nullptr) return false;  // it has just been left
  const i64 began = read_clock_ns(CLOCK_MONOTONIC);
  const KernelCode::Run run = kernel->run(job, out, here_ns_a_tick);
  const i64 taken = read_clock_ns(CLOCK_MONOTONIC) - began;
  turn.unlock();
  if (run.problem) tier_->note_failure(*crowd.code, run.problem);
  if (run.is_slow) tier_->leave(*crowd.code);
  if (run.problem || run.is_slow) return false;
  if (job.stop != nullptr && job.stop->stop_requested()) return true;
  crowd.code->note_native(job.cases.count, all_ticks(out), taken);
  tier_->leave_if_slower(*crowd.code, here_ns_a_tick);
  return true;
}

void TieredMachine::consider_device(const vm::Job& job, u64 waiting, OutcomesView out) {
  if (tier_ == nullptr || !tier_->has_device() || tier_->choice() != NativeChoice::Auto) return;
  const Part& many = part(Company::Many);
  Part& crowd = part(Company::Crowd);
  if (many.code == nullptr || crowd.code != nullptr || crowd.is_left_alone ||
      job.cases.count == 1 || waiting == kUnknown || waiting < tier_->rules().least_crowd ||
      (job.stop != nullptr && job.stop->stop_requested()))
    return;
  const NativeTier::CrowdWork work = {
      .ticks_a_case = static_cast<f64>(all_ticks(out)) / job.cases.count,
      .bytes_a_case = bytes_a_case(job, out),
      .waiting = waiting};
  if (!tier_->pays_on_device(*many.code, work)) return;
  crowd.code = tier_->find(job.code, job.function, Company::Crowd);
  crowd.is_left_alone = crowd.code == nullptr;
  if (crowd.is_left_alone) return;
  many.code->give_pace(*crowd.code);
  request(crowd, job, 0);
}

}  // namespace komuz::engine
