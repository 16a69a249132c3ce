// SPDX-License-Identifier: Apache-2.0
#include "engine/run/device_sweep.h"

#include <algorithm>

namespace komuz::engine {

u32 SweepJob::longest_stretch(u64 most) const {
  constexpr u64 kLongest = 65'536;
  const u32 padded = (suite.count + vm::kWarpCases - 1) / vm::kWarpCases * vm::kWarpCases;
  const auto longest = static_cast<u32>(std::min(kLongest, most));
  return std::clamp(most_rows / std::max(padded, 1u), 1u, longest);
}

VariantSweep::Options SweepJob::options(const OutcomeScorer& scorer, u32 longest) const {
  VariantSweep::Options out;
  out.score = scorer.basis().kind;
  out.line = scorer.basis().line;
  out.whole = scorer.basis().whole;
  for (const Scalar type : suite.result_types) out.types.push_back(static_cast<u8>(type));
  out.best = best;
  out.of_behaviours = of_behaviours;
  out.longest_stretch = longest;
  return out;
}

Problem run_stretch(const SweepDevices& on, const SweepJob& job, const VariantStretch& stretch,
                    u32 count, VariantSweep& sweep, Stretched& state) {
  u32 programs = 0;
  Problem unmade = on.maker.make_stretch(stretch, count, state, programs);
  if (unmade || state != Stretched::Done) return unmade;
  const ProgramScore* scores = nullptr;
  if (programs != 0) {
    const vm::ResidentPrograms made{stretch.programs, on.maker.code(), sweep.types(), programs,
                                    static_cast<u32>(job.suite.result_types.size())};
    if (Problem problem = on.device.run(made, {.cases = job.suite.count, .fuel = job.fuel}))
      return problem;
    Result<const ProgramScore*> scored =
        on.scorer.score_there(on.device.resident(), programs, job.limits);
    if (scored.problem()) return std::move(scored).problem();
    scores = scored.value();
  }
  if (Problem problem = sweep.take(programs, scores)) return problem;
  // The budget of a slow variant depends on the others of its block, all of which the host has to see.
  if (sweep.counts().left != 0) state = Stretched::Never;
  return {};
}

Problem fetch_swept(VariantSweep& sweep, SweptVariants& out) {
  const SweepCounts& counts = sweep.counts();
  out.variants = sweep.variants();
  out.counts = {};
  std::ranges::copy(counts.by_status, out.counts.by_status.begin());
  out.counts.duplicates = counts.duplicates;
  out.counts.programs = sweep.programs();
  out.counts.behaviours = counts.behaviours;
  return sweep.fetch_best(out.best);
}

Result<std::optional<SweptVariants>> DeviceSweep::run(const std::function<void(u64)>& on_variants,
                                                      const std::stop_token& stop) {
  Result<std::unique_ptr<VariantSweep>> opened = open_variant_sweep(on_.device, job_.memory);
  if (opened.problem()) return std::move(opened).problem();
  sweep_ = std::move(opened).value();
  Stretched state = Stretched::Again;
  Problem problem;
  while (!problem && state == Stretched::Again) problem = run_from_start(on_variants, stop, state);
  if (problem) return problem;
  std::optional<SweptVariants> out;
  if (state != Stretched::Done) return out;
  out.emplace().is_cut_short = is_cut_short_;
  if (Problem unfetched = fetch_swept(*sweep_, *out)) return unfetched;
  return out;
}

// Stretches are short at first. Once there are programs to compare with, few programs of a stretch may be among the
// best.
Problem DeviceSweep::run_from_start(const std::function<void(u64)>& on_variants,
                                    const std::stop_token& stop, Stretched& state) {
  VariantSweep::Options options = job_.options(
      on_.scorer, job_.longest_stretch(std::min<u64>(numbers_.count, on_.maker.longest_stretch())));
  options.numbers = numbers_;
  Problem problem = sweep_->begin(options);
  state = sweep_->is_full() ? Stretched::Never : Stretched::Done;
  if (state == Stretched::Never) return {};
  u64 longest = kFirstStretch;
  while (!problem && state == Stretched::Done && !stop.stop_requested() &&
         sweep_->variants() < numbers_.count) {
    const u64 left = numbers_.count - sweep_->variants();
    const u64 count = std::min({longest, left, u64{options.longest_stretch}});
    problem = run_next(static_cast<u32>(count), state);
    longest = 2 * count;
    on_variants(sweep_->variants());
  }
  is_cut_short_ = problem && sweep_->is_full();
  return is_cut_short_ ? Problem() : problem;
}

Problem DeviceSweep::run_next(u32 count, Stretched& state) {
  VariantStretch stretch{};
  return sweep_->next(count, stretch).then([&] {
    return run_stretch(on_, job_, stretch, count, *sweep_, state);
  });
}

}  // namespace komuz::engine
