// SPDX-License-Identifier: Apache-2.0
// What may be said of two functions: that they are equal, by a proof; that they differ, by an input; or that so many
// inputs showed no difference, with the bound that follows from their number.
//
//   same code ──▶ guided inputs ──▶ all inputs, if they are few ──▶ the solver ──▶ more guided inputs
//     proved         refuted             proved or refuted           proved, or     tested, unknown, or refuted
//                                                                    an input to run
//
// Two functions are equal if they give the same cells, or trap in the same way, on every input. Places and depths of
// traps do not count; ticks do as the FuelRule says. Inputs on which one of them runs out of ticks say nothing.
#pragma once
#include <stop_token>
#include <string>
#include <vector>

#include "base/problem.h"
#include "lang/cases.h"
#include "lang/code.h"
#include "neural/proof/prover.h"

namespace komuz::engine {
class NativeTier;
class Watch;
}  // namespace komuz::engine

namespace komuz::neural {

enum class Verdict : u8 {
  Proved,
  Refuted,
  Tested,       // no input showed a difference, and there is no proof
  Unknown,      // neither, as none of the inputs could be compared
  Interrupted,  // by the caller's stop
};
inline constexpr std::string_view kVerdictNames[] = {"proved", "refuted", "tested", "unknown",
                                                     "interrupted"};

// In the order of the enumerators.
inline constexpr std::string_view kFuelRuleNames[] = {"any", "less", "same"};

// How it is known, or what it was left at.
enum class Evidence : u8 { SameCode, AllInputs, Solver, Inputs };
inline constexpr std::string_view kEvidenceNames[] = {"same code", "all inputs", "solver",
                                                      "inputs"};

// The inputs that are run first. They kill nearly all wrong candidates.
inline constexpr u32 kFirstInputs = 2'048;
inline constexpr u64 kDefaultInputs = 10'000;
inline constexpr u64 kDefaultTicks = 100'000;
// That all runs may use which make an input simpler.
inline constexpr u64 kShrinkTicks = u64{1} << 32;
// A type of at most so many values is gone through.
inline constexpr u64 kMostValues = 1u << 20;
struct EqualityOptions {
  FuelRule fuel = FuelRule::Any;
  u64 ticks = kDefaultTicks;  // that each run may use
  u64 inputs = kDefaultInputs;
  u64 seed = 0;
  f64 confidence = 0.95;  // of the bound
  u64 resources = kProofResources;
  u32 time_limit_ms =
      0;  // of the solver; 0: none. It only ends a run: no verdict depends on it but by that
  bool uses_solver = true;
  // What does not come down to the same terms has no proof: it takes a millisecond at most, where a solver takes tens.
  bool proves_by_terms_alone = false;
  const std::stop_token* stop = nullptr;
  engine::NativeTier* native = nullptr;
};

struct ComparedFunction {
  CodeView code;  // checked
  u32 function = 0;
};

struct Outcome {
  std::vector<u64> value;  // cells
  Trap trap = Trap::None;
  u64 ticks = 0;
};

struct Equality {
  Verdict verdict = Verdict::Tested;
  Evidence evidence = Evidence::Inputs;
  std::string method;  // of a proof by the solver
  std::string why;     // there is no proof, where the solver was asked: a sentence
  u64 inputs = 0;      // that were run and compared
  u64 open = 0;        // more, that ran out of ticks
  // Of Tested: so many of the inputs ended alike, if that is more than half of them; else 0. They say little.
  u64 alike = 0;
  Trap alike_in = Trap::None;  // in this trap; None: in NaN, in all cells of the result
  f64 bound =
      1;  // of Tested: with the confidence, they differ on less than this share of such inputs
  u32 slice_elements = 0;  // the inputs' slices had at most so many; 0: there are none
  // Of Refuted: the simplest arguments found, as cells of `types`, a tuple with lists for slices.
  std::string types;
  std::vector<u64> arguments;
  Outcome a, b;
};

// A problem: the two have different types, or slices of even one element do not fit.
[[nodiscard]] Result<Equality> compare(const ComparedFunction& a, const ComparedFunction& b,
                                       const EqualityOptions& options);

// 1 - (1 - confidence)^(1/inputs): the exact bound of Clopper and Pearson for 0 differences.
[[nodiscard]] f64 difference_bound(u64 inputs, f64 confidence);

}  // namespace komuz::neural
