// SPDX-License-Identifier: Apache-2.0
#include "services/model/measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <vector>

#include "base/counts.h"
#include "base/machine/energy.h"
#include "base/machine/memory.h"
#include "engine/engine.h"
#include "neural/decode/open_model.h"
#include "services/model/generated_programs.h"
#include "services/model/gpu_counters.h"

namespace komuz::services::model {
namespace {

struct Texts {
  std::string candidates, cases;
};

f64 median_of(std::vector<f64> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Looks at the memory in use whenever the engine says how far it has come, and tells it on.
class MemoryPeak final : public engine::ProgressSink {
 public:
  // `gpus`: those that take part; null: none.
  MemoryPeak(u64 before, const MeasuredRun& run, const GpuCounters* gpus,
             engine::ProgressSink* progress)
      : before_(before), run_(run), gpus_(gpus), progress_(progress) {}
  void on_progress(u64 done, std::optional<u64>) override {
    look();
    const u64 programs = run_.size.programs;
    if (progress_ != nullptr)
      progress_->on_progress(round * programs + done, run_.rounds * programs);
  }
  void look() {
    const u64 now = machine::used_memory();
    if (now > before_) bytes_ = std::max(bytes_, now - before_);
    if (gpus_ != nullptr) gpu_bytes_ = std::max(gpu_bytes_, gpus_->bytes());
  }
  [[nodiscard]] u64 bytes() const { return bytes_; }
  [[nodiscard]] std::optional<u64> gpu_bytes() const { return gpu_bytes_; }

  u64 round = 0;  // that is measured now

 private:
  u64 before_, bytes_ = 0;
  std::optional<u64> gpu_bytes_;
  const MeasuredRun& run_;
  const GpuCounters* gpus_;
  engine::ProgressSink* progress_;
};

Problem evaluate_once(const Texts& texts, const MeasuredRun& run, MemoryPeak& peak,
                      const std::stop_token& stop) {
  size_t at = 0;
  engine::JsonlCandidates candidates("generated programs", [&](std::span<char> buffer) {
    const size_t n = std::min(buffer.size(), texts.candidates.size() - at);
    std::memcpy(buffer.data(), texts.candidates.data() + at, n);
    at += n;
    return n;
  });
  engine::CasesTable cases;
  if (Problem problem =
          engine::read_csv_cases("generated cases", texts.cases, {}, cases, engine::Watch(stop)))
    return problem;
  // What it finds is kept for the other programs of a run, so each round has its own.
  neural::Tier tier(run.way);
  engine::EvaluateOptions options;
  options.ranking.score = engine::ScoreKind::SquaredError;
  options.machines.threads = run.threads;
  if (run.way != neural::TierChoice::Traditional) options.machines.cheaper = &tier;
  if (run.devices != nullptr) engine::use_devices(*run.devices, options.machines);
  engine::Results results;
  if (Problem problem = engine::evaluate(candidates, cases, options, results, nullptr, &peak, stop))
    return problem;
  peak.look();
  if (stop.stop_requested() || !results.complete) return stopped();
  if (const engine::OutcomeCounts counts = engine::count_outcomes(results);
      counts.of(engine::Status::Ok) != run.size.programs)
    return input_problem("of " + counted(run.size.programs, "generated program") +
                         " some did not run, which is a fault of Komuz");
  return {};
}

Problem check(const MeasuredRun& run) {
  if (run.size.bytes < kLeastProgram || run.size.bytes > kMostProgram)
    return option_problem("`--measure` generates programs of " + grouped(kLeastProgram) + " to " +
                              grouped(kMostProgram) + " bytes",
                          "`--size` states another size");
  if (run.size.programs > kMostMeasuredBytes / run.size.bytes)
    return option_problem("`--measure` generates at most 1 GiB of programs, not " +
                              counted(run.size.programs, "program") + " of " +
                              counted(run.size.bytes, "byte"),
                          "give a smaller `--programs` or `--size`");
  if (run.size.cases > kMostMeasuredCases)
    return option_problem("`--measure` generates at most " + counted(kMostMeasuredCases, "case") +
                              ", not " + grouped(run.size.cases),
                          "give a smaller `--cases`");
  if (run.devices != nullptr && run.way != neural::TierChoice::Traditional)
    return option_problem(
        "of a GPU the traditional way is measured: cheaper code is looked for on "
        "the processor",
        "leave `--tier` out, or give `--device cpu`");
  // Without it the neural way would be measured without its costs.
  if (run.way == neural::TierChoice::Neural)
    if (const Result<const neural::Model*> model = neural::open_model(); model.problem())
      return model.problem();
  return {};
}

}  // namespace

Result<Measured> measure(const MeasuredRun& run, const std::stop_token& stop,
                         engine::ProgressSink* progress) {
  if (Problem problem = check(run)) return problem;
  const u64 before = machine::used_memory();
  const Texts texts = {generated_candidates(run.size, stop), generated_cases(run.size.cases, stop)};
  if (stop.stop_requested()) return stopped();
  std::vector<f64> seconds, busy;
  machine::EnergyCounter energy;
  std::optional<f64> joules;
  std::optional<GpuCounters> gpus;
  if (run.devices != nullptr) gpus.emplace(*run.devices);
  MemoryPeak peak(before, run, gpus ? &*gpus : nullptr, progress);
  for (u32 round = 0; round < run.rounds; ++round) {
    const auto began = std::chrono::steady_clock::now();
    const std::clock_t busy_before = std::clock();
    peak.round = round;
    if (Problem problem = evaluate_once(texts, run, peak, stop)) return problem;
    busy.push_back(static_cast<f64>(std::clock() - busy_before) / CLOCKS_PER_SEC);
    seconds.push_back(std::chrono::duration<f64>(std::chrono::steady_clock::now() - began).count());
    joules = energy.joules();
  }
  Measured out{.run = run,
               .low = *std::ranges::min_element(seconds),
               .median = median_of(seconds),
               .high = *std::ranges::max_element(seconds),
               .busy = *std::ranges::min_element(busy),
               .bytes = peak.bytes(),
               .joules = joules,
               .gpus = {}};
  if (out.joules) *out.joules /= run.rounds;
  if (gpus) {
    out.gpus = {run.devices->name(), peak.gpu_bytes(), gpus->joules(), run.devices->gpus.size()};
    if (out.gpus->joules) *out.gpus->joules /= run.rounds;
  }
  return out;
}

}  // namespace komuz::services::model
