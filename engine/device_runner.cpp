// SPDX-License-Identifier: Apache-2.0
#include "engine/device_runner.h"

#include <algorithm>
#include <utility>

#include "engine/slice_entry.h"

namespace komuz::engine {
DeviceRunner::DeviceRunner(vm::WarpDevice& device, const EvaluateOptions& options, u32 workers,
                           u32 most_rows)
    : device_(device),
      fuel_(options.fuel),
      most_rows_(std::max(most_rows / vm::kWarpCases, 1u) * vm::kWarpCases),
      workers_(workers, Worker(options)) {}

void DeviceRunner::begin_epoch() {
  for (Worker& worker : workers_) worker.batch.clear();
}

bool DeviceRunner::place(u32 worker, Code& code, u32 entry, std::string_view source,
                         CandidateResult& result) {
  Worker& w = workers_[worker];
  if (!w.lowering.add(code.view(), entry, w.batch)) return false;
  const size_t number = w.batch.programs.size() - 1;
  if (w.programs.size() <= number) w.programs.emplace_back();
  Program& program = w.programs[number];
  std::swap(program.code, code);
  program.source = source;
  program.result = &result;
  return true;
}

MaybeError DeviceRunner::load_cases(const Suite& suite) {
  if (has_cases_) return std::nullopt;
  has_cases_ = true;
  return device_error(device_.load_cases(suite.view(0, suite.count, columns_)));
}

MaybeError DeviceRunner::run(const Suite& suite, const ScoreLimits& limits, WorkerPool& pool,
                             const std::stop_token& stop) {
  limits_ = limits;
  const bool any = std::ranges::any_of(
      workers_, [](const Worker& worker) { return !worker.batch.programs.empty(); });
  if (!any) return std::nullopt;
  if (MaybeError error = load_cases(suite)) return error;
  const u32 most_programs = std::max(most_rows_ / std::max(suite.count, 1u), 1u);
  batch_.clear();
  running_.clear();
  for (Worker& worker : workers_) {
    for (u32 number = 0; number < worker.batch.programs.size(); ++number) {
      if (running_.size() == most_programs) {
        if (MaybeError error = run_batch(suite, pool, stop)) return error;
      }
      batch_.append(worker.batch, number);
      running_.push_back(&worker.programs[number]);
    }
  }
  return run_batch(suite, pool, stop);
}

// More cases than a run may have rows are cut into slices; then there is one program.
MaybeError DeviceRunner::run_batch(const Suite& suite, WorkerPool& pool,
                                   const std::stop_token& stop) {
  const u64 fuel = suite.has_slices ? slice_entry_fuel(fuel_) : fuel_;
  u32 first = 0;
  do {
    if (stop.stop_requested()) break;
    const u32 cases = std::min(suite.count - first, most_rows_);
    if (MaybeError error = device_error(device_.run(batch_, {first, cases, fuel}))) return error;
    const auto programs = static_cast<u32>(running_.size());
    if (programs == 1) {
      score(suite, 0, 0, first, cases);  // its scorer goes on from slice to slice
    } else {
      pool.run(programs, [&, first, cases](u32 worker, u32 number) {
        score(suite, worker, number, first, cases);
      });
    }
    first += cases;
  } while (first < suite.count);
  batch_.clear();
  running_.clear();
  return std::nullopt;
}

void DeviceRunner::score(const Suite& suite, u32 worker, u32 number, u32 first_case, u32 cases) {
  CandidateScorer& scorer = workers_[worker].scorer;
  const Program& program = *running_[number];
  if (first_case == 0) scorer.begin(suite, limits_);
  scorer.add(program.code.view(), program.source, first_case, cases,
             device_.outcomes(batch_, number), *program.result);
  if (first_case + cases == suite.count) scorer.finish(*program.result);
}

}  // namespace komuz::engine
