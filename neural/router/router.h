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

// What is expected of a way.
struct Expectation {
  f32 chance = 0;   // that it finds cheaper code with a proof
  f32 share = 0;    // of the time that it saves then
  f64 gain_ns = 0;  // chance × share × the work
  f64 cost_ns = 0;  // to find and to prove it, on one core
};

struct Route {
  Way way = Way::Traditional;
  std::array<Expectation, kWays> expected;  // by way
  // What the way costs at most: whoever has spent so long on it gives up. No more is to be gained.
  f64 limit_ns = 0;
  [[nodiscard]] const Expectation& chosen() const { return expected[static_cast<u32>(way)]; }
};

// `work_ns`: what the runs that are still to come will take on the batch machine, as measured on those so far.
// Without a model there are two ways. The one that saves most, less what it costs, is taken.
[[nodiscard]] Route route(const RouterFeatures& features, f64 work_ns, bool has_model);

}  // namespace komuz::neural
