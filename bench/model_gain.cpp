// SPDX-License-Identifier: Apache-2.0
// What each author of cheaper code gains on held-out programs, as `komuz optimise` uses them:
//
//   model_gain [PAIRS] [SEED] [MODEL]      PAIRS of each class (default 100); MODEL: else the one that comes with Komuz
//
// *Executed* and *cost* are after over before, as means over all programs; a program that did not get cheaper counts 1. The rules are
// asked beside the model, too, and before the teacher.
#include <cstdio>
#include <cstdlib>

#include "bench/held_out.h"
#include "neural/optimise/optimise.h"
#include "neural/teacher/costs.h"

namespace komuz::neural {
namespace {

struct Gain {
  f64 executed = 0, cost = 0;  // sums of quotients
};
struct Totals {
  u32 programs = 0;
  Gain rules, model, teacher, all;
  u32 better = 0,
      worse = 0;  // programs for which the model's code costs less than the teacher's, or more
};

constexpr u64 kInputs = 256;

f64 quotient(u64 after, u64 before) { return static_cast<f64>(after) / static_cast<f64>(before); }

u64 add(const CodeView& lone, const OptimiseOptions& options, u64 seed, Gain& gain) {
  const u32 function[] = {0};
  const Optimised made = optimise(lone, function, options);
  const u64 before = cost_of_code(lone, 0), after = cost_of_code(made.code.view(), 0);
  const ExecutedInstructions executed =
      count_executed(lone, made.code.view(), 0, kInputs, seed, kDefaultFuel);
  gain.executed += executed.before == 0 ? 1 : quotient(executed.after, executed.before);
  gain.cost += quotient(after, before);
  return after;
}

void add(const CodeView& lone, const Model& model, u64 seed, Totals& to) {
  OptimiseOptions options;
  options.threads = 1;
  options.judge.seed = seed;
  options.by_teacher = false;
  add(lone, options, seed, to.rules);
  options.model = &model;
  const u64 by_model = add(lone, options, seed, to.model);
  options.by_teacher = true;
  add(lone, options, seed, to.all);
  options.model = nullptr;
  const u64 by_teacher = add(lone, options, seed, to.teacher);
  ++to.programs;
  to.better += by_model < by_teacher ? 1 : 0;
  to.worse += by_model > by_teacher ? 1 : 0;
}

void run(const Model& model, const Corpus& corpus, u32 pairs, u64 seed) {
  Totals totals[3];
  for_each_held_out(corpus, {seed, Split::Skeletons, pairs},
                    [&](PairClass kind, const CodeView& lone, u64 number) {
                      add(lone, model, number, totals[static_cast<u8>(kind)]);
                    });
  std::printf(
      "| class | programs | executed: rules | model | teacher | all | cost: rules | model | "
      "teacher "
      "| all | model cheaper than teacher | dearer |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (u32 kind = 0; kind < 3; ++kind) {
    const Totals& t = totals[kind];
    if (t.programs == 0) continue;
    const f64 n = t.programs;
    std::printf(
        "| %s | %u | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.3f | %.2f | %.2f |\n",
        std::string(kPairClassNames[kind]).c_str(), t.programs, t.rules.executed / n,
        t.model.executed / n, t.teacher.executed / n, t.all.executed / n, t.rules.cost / n,
        t.model.cost / n, t.teacher.cost / n, t.all.cost / n, t.better / n, t.worse / n);
  }
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  return komuz::neural::run_on_held_out({words, static_cast<size_t>(count)}, 100,
                                        komuz::neural::run);
}
