// SPDX-License-Identifier: Apache-2.0
// The router: is it worth looking for cheaper code of a program, and how far? It knows what kind of code the program has,
// and how long the runs take that are still to come.
//
//   code ──features_of──▶ features ──┐
//                                    ├──route──▶ a way, what it is expected to save and to cost
//   the work that is to come ────────┘
//
// Chances are a logistic regression on the features (paper, (13)), shares and costs linear ones; the weights were fitted to
// measurements (weights.def, docs/neural.md). Whatever it decides, results are the same: it is about time alone.
#pragma once
#include <array>
#include <string_view>

#include "neural/router/features.h"

namespace komuz::neural {

// What is done with a program before it runs on.
enum class Way : u8 {
  Traditional,  // nothing: it runs as the compiler has made it
  Rules,        // what the proved rules make of its windows, if that is proved
  Neural,       // the model's candidates besides
};
inline constexpr std::string_view kWayNames[] = {"traditional", "rules", "neural"};
inline constexpr u32 kWays = std::size(kWayNames);

// What is expected of a way. Each does what the one before does, too.
struct Expectation {
  f32 chance = 0;  // that it finds cheaper code than the way before, with a proof
  f32 share = 0;   // of the time that this saves then
  f64 gain_ns =
      0;  // of the work that is to come: chance × share, summed over the ways up to this one
  f64 cost_ns = 0;  // to find and to prove all that, on one core: half of the programs take less
};

// So much of the work that is to come may be spent on looking for cheaper code in vain: it bounds how much slower anything
// gets.
inline constexpr f64 kMostLoss = 0.04;
// No way pays for less work than this: nobody needs to look at the program.
inline constexpr f64 kLeastWorkNs = 100'000;

struct Route {
  Way way = Way::Traditional;
  std::array<Expectation, kWays> expected;  // by way
  // Whoever has spent so long on the way gives up: a few proofs take a hundred times as long as others, and mostly come to
  // nothing. It is kMostLoss of the work.
  f64 limit_ns = 0;
  [[nodiscard]] const Expectation& chosen() const { return expected[static_cast<u32>(way)]; }
};

// `work_ns`: what the runs that are still to come will take on the batch machine, as measured on those so far.
// Without a model there are two ways. Of those that are expected to end within the limit, the one that saves most, less what it
// costs, is taken.
[[nodiscard]] Route route(const RouterFeatures& features, f64 work_ns, bool has_model);

}  // namespace komuz::neural
