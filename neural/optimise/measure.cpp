// SPDX-License-Identifier: Apache-2.0
#include "neural/optimise/measure.h"

#include <algorithm>
#include <ctime>

#include "neural/optimise/guided_cases.h"
#include "vm/vm.h"

namespace komuz::neural {
namespace {

constexpr u32 kCases = 1'024;
constexpr u32 kLeastRounds = 3;

// Time of the processor: what else runs on the machine does not count.
f64 processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<f64>(now.tv_sec) + 1e-9 * static_cast<f64>(now.tv_nsec);
}
f64 seconds_since(f64 start) { return processor_seconds() - start; }

// One of the two, with a place for its outcomes.
class Runs {
 public:
  Runs(const engine::PropertyEntry& entry, CasesView cases, u64 ticks)
      : job_{entry.code(), entry.function(), cases, entry.budget(ticks)} {
    values_.resize(size_t{entry.code().functions[entry.function()].result_cells} * kCases);
    traps_.resize(kCases);
    places_.resize(kCases);
    depths_.resize(kCases);
    fuel_.resize(kCases);
  }
  void run() {
    const f64 start = processor_seconds();
    machine_.run(job_, {values_, traps_, places_, depths_, fuel_});
    least_ = std::min(least_, seconds_since(start));
  }
  [[nodiscard]] f64 ns() const { return 1e9 * least_ / kCases; }

 private:
  vm::Job job_;
  vm::BatchMachine machine_;
  std::vector<u64> values_, fuel_;
  std::vector<Trap> traps_;
  std::vector<u32> places_, depths_;
  f64 least_ = 1e9;
};

}  // namespace

MeasuredRuns measure_runs(const CodeView& code, const CodeView& optimised, u32 function, u64 seed,
                          u64 ticks, f64 seconds) {
  GuidedCases cases(code, optimised, function, kCases, seed);
  if (!cases.fits()) return {};
  Runs before(cases.a(), cases.view(), ticks), after(cases.b(), cases.view(), ticks);
  const f64 start = processor_seconds();
  for (u32 round = 0; round < kLeastRounds || seconds_since(start) < seconds; ++round) {
    before.run();
    after.run();
  }
  return {before.ns(), after.ns()};
}

}  // namespace komuz::neural
