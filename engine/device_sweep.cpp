// SPDX-License-Identifier: Apache-2.0
#include "engine/device_sweep.h"

#include <algorithm>

namespace komuz::engine {

MaybeError DeviceSweep::run(const std::function<void(u64)>& on_variants,
                            const std::stop_token& stop, bool& is_possible, SweptVariants& out) {
  OpenedVariantSweep opened = open_variant_sweep(on_.device);
  if (MaybeError error = device_error(std::move(opened.problem))) return error;
  sweep_ = std::move(opened.sweep);
  VariantMaker::Stretched state = VariantMaker::Stretched::Again;
  std::string problem;
  while (problem.empty() && state == VariantMaker::Stretched::Again)
    problem = run_from_start(on_variants, stop, state);
  is_possible = state == VariantMaker::Stretched::Done;
  if (problem.empty() && is_possible) problem = fetch(out);
  return device_error(std::move(problem));
}

// Stretches are short at first: once there are some to compare with, few programs of one may be among the best.
std::string DeviceSweep::run_from_start(const std::function<void(u64)>& on_variants,
                                        const std::stop_token& stop,
                                        VariantMaker::Stretched& state) {
  VariantSweep::Options options;
  options.score = on_.scorer.basis().kind;
  options.total_squares = on_.scorer.basis().total_squares;
  options.numbers = what_.numbers;
  for (const Scalar type : what_.suite.result_types) options.types.push_back(static_cast<u8>(type));
  options.best = what_.best;
  options.longest_stretch = longest_stretch();
  std::string problem = sweep_->begin(options);
  state = VariantMaker::Stretched::Done;
  u64 longest = kFirstStretch;
  while (problem.empty() && state == VariantMaker::Stretched::Done && !stop.stop_requested() &&
         sweep_->variants() < what_.numbers.count) {
    const u64 left = what_.numbers.count - sweep_->variants();
    const u64 count = std::min({longest, left, u64{options.longest_stretch}});
    problem = run_stretch(static_cast<u32>(count), state);
    longest = 2 * count;
    on_variants(sweep_->variants());
  }
  return problem;
}

u32 DeviceSweep::longest_stretch() const {
  const u32 padded = (what_.suite.count + vm::kWarpCases - 1) / vm::kWarpCases * vm::kWarpCases;
  const auto most = static_cast<u32>(std::min<u64>(kLongestStretch, what_.numbers.count));
  return std::clamp(what_.most_rows / std::max(padded, 1u), 1u, most);
}

std::string DeviceSweep::run_stretch(u32 count, VariantMaker::Stretched& state) {
  VariantStretch stretch{};
  u32 programs = 0;
  std::string problem = sweep_->next(count, stretch);
  if (problem.empty()) problem = on_.maker.make_stretch(stretch, count, state, programs);
  if (!problem.empty() || state != VariantMaker::Stretched::Done) return problem;
  const ProgramScore* scores = nullptr;
  if (programs != 0) {
    const vm::ResidentPrograms made{stretch.programs, on_.maker.code(), sweep_->types(), programs,
                                    static_cast<u32>(what_.suite.result_types.size())};
    problem = on_.device.run(made, {.cases = what_.suite.count, .fuel = what_.fuel});
    if (problem.empty())
      scores = on_.scorer.score_there(on_.device.resident(), programs, what_.limits, problem);
  }
  return problem.empty() ? sweep_->take(programs, scores) : problem;
}

std::string DeviceSweep::fetch(SweptVariants& out) {
  const SweepCounts& counts = sweep_->counts();
  out.variants = sweep_->variants();
  out.counts = {};
  std::ranges::copy(counts.by_status, out.counts.by_status.begin());
  out.counts.duplicates = counts.duplicates;
  out.counts.programs = sweep_->programs();
  out.counts.behaviours = counts.behaviours;
  return sweep_->fetch_best(out.best);
}

}  // namespace komuz::engine
