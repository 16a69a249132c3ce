// SPDX-License-Identifier: Apache-2.0
#include "neural/corpus/model_targets.h"

#include <algorithm>
#include <cmath>

#include "neural/corpus/skeleton.h"
#include "neural/decode/propose.h"
#include "neural/equal/equality.h"
#include "neural/optimise/judge.h"
#include "neural/teacher/costs.h"
#include "neural/teacher/rewrite.h"
#include "neural/tokens/read_words.h"

namespace komuz::neural {
namespace {

// Of the solver, for a candidate: what it cannot decide soon is given up, as there are many other windows.
constexpr u64 kTargetResources = kProofResources / 16;
// Rewards that differ by less are equal: sums of them are rounded.
constexpr f64 kLeastAdvantage = 1e-9;

// Mean of others: all but the one drawn, which makes the advantage free of bias.
f64 mean_of_others(f64 sum, f64 own, u32 draws) {
  return draws < 2 ? 0 : (sum - own) / (draws - 1);
}

}  // namespace

Code cheapest_of_model(const CodeView& lone, const CorpusOptions& options,
                       const std::stop_token& stop) {
  std::vector<Proposal> proposals;
  const auto add = [&proposals](Code made) {
    const u64 cost = cost_of_code(made.view(), 0);
    proposals.push_back({std::move(made), Author::Model, cost});
  };
  for (ModelProposal& made :
       propose(*options.model, lone, {.count = options.candidates, .stop = &stop}).proposals) {
    add(rewrite(made.code.view()));
    add(std::move(made.code));
  }
  Code ruled = rewrite(lone);
  const Judgement judged = judge(lone, cost_of_code(ruled.view(), 0), proposals,
                                 {.resources = kTargetResources, .stop = &stop});
  return judged.choice ? std::move(proposals[*judged.choice].code) : std::move(ruled);
}

std::vector<DrawnTarget> draw_targets(const CodeView& lone, const Source& source,
                                      const WordLine& line, const CorpusOptions& options,
                                      const std::stop_token& stop) {
  const std::vector<Candidate> drawn = decode(*options.model, source, line,
                                              {.method = DecodeMethod::Sample,
                                               .count = options.draws,
                                               .temperature = 1,
                                               .seed = line_hash(line),
                                               .stop = &stop});
  const f64 before = static_cast<f64>(cost_of_code(lone, 0));
  std::vector<f64> rewards;
  f64 sum = 0;
  u32 draws = 0;
  for (const Candidate& candidate : drawn) {
    f64 reward = 0;
    const Result<Code> code = read_words(source, candidate.words);
    if (!code.problem()) {
      const Result<Equality> compared = compare(
          {lone, 0}, {code.value().view(), 0},
          {.fuel = FuelRule::Same, .inputs = kFirstInputs, .uses_solver = false, .stop = &stop});
      if (!compared.problem() && compared.value().verdict != Verdict::Refuted)
        reward = std::max(0.0, 2 - static_cast<f64>(cost_of_code(code.value().view(), 0)) / before);
    }
    rewards.push_back(reward);
    sum += reward * candidate.times;
    draws += candidate.times;
  }
  std::vector<DrawnTarget> targets;
  for (size_t k = 0; k < drawn.size(); ++k) {
    const f64 advantage = rewards[k] - mean_of_others(sum, rewards[k], draws);
    if (std::abs(advantage) < kLeastAdvantage) continue;
    targets.push_back(
        {drawn[k].words, static_cast<f32>(advantage * drawn[k].times / std::max(draws, 1u))});
  }
  return targets;
}

}  // namespace komuz::neural
