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
#include "neural/decode/open_model.h"
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

int run(u32 pairs, u64 seed, const char* file) {
  const Result<Model> read =
      file != nullptr ? read_model_file(file, model_vocabulary()) : find_model("KOMUZ_MODEL");
  if (read.problem()) {
    std::fprintf(stderr, "%s\n", read.problem().text().c_str());
    return 1;
  }
  const Result<Corpus> made = held_out_corpus(pairs, seed);
  if (made.problem()) return 1;
  Totals totals[3];
  for_each_held_out(made.value(), {seed, Split::Skeletons, pairs},
                    [&](PairClass kind, const CodeView& lone, u64 number) {
                      add(lone, read.value(), number, totals[static_cast<u8>(kind)]);
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
  return 0;
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  const auto number = [&](int at, komuz::u64 other) {
    return count > at ? std::strtoull(words[at], nullptr, 10) : other;
  };
  return komuz::neural::run(static_cast<komuz::u32>(number(1, 100)), number(2, 9'000'000),
                            count > 3 ? words[3] : nullptr);
}
