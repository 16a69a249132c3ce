// SPDX-License-Identifier: Apache-2.0
#include "neural/optimise/judge.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neural/optimise/guided_cases.h"
#include "vm/vm.h"

namespace komuz::neural {
namespace {

// The inputs of the first look are others than those that a choice is tested on.
constexpr u64 kFirstLook = 0x6C6F'6F6B;

// The outcomes of lone functions on some inputs.
class Look {
 public:
  Look(const CodeView& reference, const JudgeOptions& options)
      : cases_(reference, reference, 0, options.inputs, options.seed ^ kFirstLook),
        stop_(options.stop) {
    run(reference, values_, traps_);
  }

  void add(std::span<const u64> arguments, const CodeView& reference) {
    cases_.add(arguments);
    run(reference, values_, traps_);
  }
  [[nodiscard]] bool is_same(const CodeView& proposal) {
    run(proposal, made_values_, made_traps_);
    for (u32 row = 0; row < cases_.count(); ++row)
      if (made_traps_[row] != traps_[row] ||
          (traps_[row] == Trap::None && made_values_[row] != values_[row]))
        return false;
    return true;
  }

 private:
  void run(const CodeView& code, std::vector<u64>& values, std::vector<Trap>& traps) {
    const u32 count = cases_.count();
    values.resize(count);
    traps.resize(count);
    places_.resize(count);
    depths_.resize(count);
    fuel_.resize(count);
    machine_.run({code, 0, cases_.view(), kDefaultFuel, stop_},
                 {values, traps, places_, depths_, fuel_});
  }

  GuidedCases cases_;
  const std::stop_token* stop_;
  vm::BatchMachine machine_;
  std::vector<u64> values_, made_values_;
  std::vector<Trap> traps_, made_traps_;
  std::vector<u32> places_, depths_;
  std::vector<u64> fuel_;
};

bool is_same_code(const Code& a, const Code& b) {
  return a.instructions == b.instructions && a.constants == b.constants;
}

// Those that are cheaper, the best first, each once.
std::vector<u32> in_order(std::span<const Proposal> proposals, u64 cost) {
  std::vector<u32> order;
  for (u32 k = 0; k < proposals.size(); ++k) {
    const bool is_known = std::ranges::any_of(
        order, [&](u32 other) { return is_same_code(proposals[k].code, proposals[other].code); });
    if (proposals[k].cost < cost && !is_known) order.push_back(k);
  }
  std::ranges::stable_sort(order, {}, [&](u32 k) {
    return std::pair(proposals[k].cost, proposals[k].code.instructions.size());
  });
  return order;
}

}  // namespace

u64 inputs_for(f64 risk, f64 confidence) {
  return static_cast<u64>(std::ceil(std::log(1 - confidence) / std::log1p(-risk)));
}

Judgement judge(const CodeView& reference, u64 cost, std::span<const Proposal> proposals,
                const JudgeOptions& options) {
  Judgement out;
  std::vector<u32> order = in_order(proposals, cost);
  if (order.empty()) return out;
  const auto stopped = [&] { return options.stop != nullptr && options.stop->stop_requested(); };
  Look look(reference, options);
  const auto refute = [&](std::span<const u32> those) {
    std::vector<u32> left;
    for (const u32 k : those)
      if (look.is_same(proposals[k].code.view())) left.push_back(k);
    out.refuted += static_cast<u32>(those.size() - left.size());
    return left;
  };
  order = refute(order);
  f64 chance = 1 - options.confidence;  // of the next attempt to be wrong about its bound
  u64 attempts = 0;
  while (!order.empty() && !stopped()) {
    const u32 k = order.front();
    order.erase(order.begin());
    EqualityOptions question;
    question.fuel = FuelRule::Same;
    question.seed = options.seed + ++attempts;  // inputs that have chosen nothing
    question.resources = options.resources;
    question.proves_by_terms_alone = options.proves_by_terms_alone || options.resources == 0;
    question.stop = options.stop;
    if (options.risk > 0) {
      // All attempts together are to be right with the confidence that is asked for.
      chance /= 2;
      question.confidence = 1 - chance;
      question.inputs = std::max<u64>(kFirstInputs, inputs_for(options.risk, 1 - chance));
    } else {
      question.inputs = kFirstInputs;
    }
    const Result<Equality> compared =
        compare({reference, 0}, {proposals[k].code.view(), 0}, question);
    if (compared.problem()) {
      ++out.unproved;
      continue;
    }
    const Equality& equality = compared.value();
    if (equality.verdict == Verdict::Refuted) {
      ++out.refuted;
      look.add(equality.arguments, reference);
      order = refute(order);
      continue;
    }
    const bool is_tested =
        options.risk > 0 && equality.verdict == Verdict::Tested && equality.bound <= options.risk;
    if (equality.verdict == Verdict::Proved || is_tested) {
      out.choice = k;
      out.equality = equality;
      break;
    }
    if (stopped()) break;
    if (++out.unproved == 1) out.why = equality.why;
  }
  if (stopped()) out.choice.reset();
  return out;
}

}  // namespace komuz::neural
