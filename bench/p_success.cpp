// SPDX-License-Identifier: Apache-2.0
// How often a model's candidates are right, and what they are worth:
//
//   p_success [PAIRS] [SEED] [MODEL] [--json]      PAIRS of each class (default 200); MODEL: else the one that comes with Komuz
//
// With --json, for neural/train/rounds.py: an object for each class, and no programs but those of held-out skeletons.
//
// Programs are held-out ones of `komuz corpus --seed SEED`: their skeletons are in no training. A candidate is right if it is proved
// equal to its program: one that is only tested does not count. Intervals are Wilson's, at 95 %.
//
// Beside what is measured stands what the paper's formula (7), 1 - (1 - p)^k, says for the same p. It takes every program
// for equally hard, so it is an upper bound.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/held_out.h"
#include "neural/decode/propose.h"
#include "neural/equal/equality.h"
#include "neural/teacher/costs.h"
#include "neural/teacher/rewrite.h"

namespace komuz::neural {
namespace {

constexpr u32 kCount = 16;

struct Interval {
  f64 low = 0, high = 1;
};
Interval wilson(f64 good, f64 count) {
  constexpr f64 z = 1.959964;
  const f64 share = good / count, middle = share + z * z / (2 * count);
  const f64 half = z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  const f64 whole = 1 + z * z / count;
  return {(middle - half) / whole, (middle + half) / whole};
}
std::string shown(f64 good, f64 count) {
  if (count == 0) return "–";
  const Interval interval = wilson(good, count);
  char text[64];
  std::snprintf(text, sizeof text, "%.3f (%.2f–%.2f)", good / count, interval.low, interval.high);
  return text;
}

// What is known of one program's candidates.
class Judge {
 public:
  Judge(const CodeView& lone, u64 seed) : lone_(lone) {
    options_.fuel = FuelRule::Same;
    options_.seed = seed;
    options_.inputs = kFirstInputs;
    options_.resources = kProofResources / 4;
  }
  bool is_right(const ModelProposal& proposal) {
    const auto [found, is_new] = known_.try_emplace(words_text(proposal.candidate.words), false);
    if (is_new) {
      const Result<Equality> compared = compare({lone_, 0}, {proposal.code.view(), 0}, options_);
      found->second = !compared.problem() && compared.value().verdict == Verdict::Proved;
      if (!compared.problem() && compared.value().verdict == Verdict::Tested) ++unproved_;
    }
    return found->second;
  }
  [[nodiscard]] u32 unproved() const { return unproved_; }

 private:
  CodeView lone_;
  EqualityOptions options_;
  std::map<std::string, bool> known_;
  u32 unproved_ = 0;
};

struct Totals {
  u32 programs = 0, greedy = 0, any_unique = 0, any_sampled = 0, draws = 0, right_draws = 0;
  u32 as_cheap = 0, cheaper = 0, unproved = 0;
  f64 by_model = 0, by_rules = 0;  // sums of costs over the compiler's
};

void add(const Model& model, const CodeView& lone, u64 seed, Totals& to) {
  Judge judge(lone, seed);
  const f64 cost = static_cast<f64>(cost_of_code(lone, 0));
  const Code ruled = rewrite(lone);
  const u64 by_rules = cost_of_code(ruled.view(), 0);
  u64 best = cost_of_code(lone, 0);
  ++to.programs;
  for (const ModelProposal& each : propose(model, lone, {.method = DecodeMethod::Greedy}).proposals)
    to.greedy += judge.is_right(each) ? 1 : 0;
  bool is_any = false;
  for (const ModelProposal& each : propose(model, lone, {.count = kCount}).proposals) {
    if (!judge.is_right(each)) continue;
    is_any = true;
    best = std::min(best, cost_of_code(each.code.view(), 0));
  }
  to.any_unique += is_any ? 1 : 0;
  to.as_cheap += is_any && best <= by_rules ? 1 : 0;
  to.cheaper += best < by_rules ? 1 : 0;
  bool is_sampled = false;
  for (const ModelProposal& each : propose(model, lone,
                                           {.method = DecodeMethod::Sample,
                                           .count = kCount,
                                           .temperature = 0.8,
                                           .nucleus = 0.95,
                                           .seed = seed})
                                       .proposals) {
    to.draws += each.candidate.times;
    if (!judge.is_right(each)) continue;
    to.right_draws += each.candidate.times;
    is_sampled = true;
  }
  to.any_sampled += is_sampled ? 1 : 0;
  to.unproved += judge.unproved();
  to.by_model += static_cast<f64>(best) / cost;
  to.by_rules += static_cast<f64>(by_rules) / cost;
}

void print(Split split, const Totals (&totals)[3]) {
  std::printf("\n%s:\n\n", std::string(kSplitNames[static_cast<u8>(split)]).c_str());
  std::printf(
      "| class | programs | greedy | any of %u unique | any of %u drawn | p of a draw | "
      "1 - (1 - p)^%u | as cheap as rules | cheaper | cost, model | cost, rules | neither proved "
      "nor refuted |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
      kCount, kCount, kCount);
  for (u32 kind = 0; kind < 3; ++kind) {
    const Totals& t = totals[kind];
    if (t.programs == 0) continue;
    const f64 n = t.programs, p = t.draws > 0 ? f64{1} * t.right_draws / t.draws : 0;
    std::printf("| %s | %u | %s | %s | %s | %.3f | %.3f | %s | %s | %.3f | %.3f | %u |\n",
                std::string(kPairClassNames[kind]).c_str(), t.programs, shown(t.greedy, n).c_str(),
                shown(t.any_unique, n).c_str(), shown(t.any_sampled, n).c_str(), p,
                1 - std::pow(1 - p, kCount), shown(t.as_cheap, n).c_str(),
                shown(t.cheaper, n).c_str(), t.by_model / n, t.by_rules / n, t.unproved);
  }
}

void print_json(Split split, const Totals (&totals)[3]) {
  for (u32 kind = 0; kind < 3; ++kind) {
    const Totals& t = totals[kind];
    if (t.programs == 0) continue;
    const f64 n = t.programs;
    const Interval any = wilson(t.any_unique, n);
    std::printf(
        "{\"split\": \"%s\", \"class\": \"%s\", \"programs\": %u, \"greedy\": %.4f, \"any\": "
        "[%.4f, %.4f, %.4f], \"cheaper\": %.4f, \"cost\": %.6f, \"by_rules\": %.6f}\n",
        std::string(kSplitNames[static_cast<u8>(split)]).c_str(),
        std::string(kPairClassNames[kind]).c_str(), t.programs, t.greedy / n, t.any_unique / n,
        any.low, any.high, t.cheaper / n, t.by_model / n, t.by_rules / n);
  }
}

void run(const Model& model, const Corpus& corpus, u32 pairs, u64 seed, bool as_json) {
  for (const Split split : {Split::Skeletons, Split::Families, Split::Longer}) {
    if (as_json && split != Split::Skeletons) break;
    Totals totals[3];
    for_each_held_out(corpus, {seed, split, pairs},
                      [&](PairClass kind, const CodeView& lone, u64 number) {
                        add(model, lone, number, totals[static_cast<u8>(kind)]);
                      });
    as_json ? print_json(split, totals) : print(split, totals);
  }
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** words) {
  using namespace komuz::neural;
  std::vector<char*> given(words, words + count);
  const bool as_json = std::erase_if(given, [](const char* word) {
                         return std::string_view(word) == "--json";
                       }) != 0;
  return run_on_held_out(
      given, 200, [&](const Model& model, const Corpus& corpus, komuz::u32 pairs, komuz::u64 seed) {
        run(model, corpus, pairs, seed, as_json);
      });
}
