// SPDX-License-Identifier: Apache-2.0
// What is found for one window, by whoever is asked.
#pragma once
#include <optional>
#include <stop_token>
#include <string>

#include "neural/optimise/optimise.h"

namespace komuz::neural {

// Windows with the same lone function share it.
struct WindowFinding {
  std::optional<Proposal> better;
  Equality equality;  // of `better`
  u32 refuted = 0, unproved = 0;
  std::string why;  // the first of these has no proof: a sentence
};

// `lone` is a checked lone function (neural/windows/windows.h). A stop, which may be null, ends it soon, and what is then found does
// not matter. Threads, watch, and the stop of the options say nothing here.
[[nodiscard]] WindowFinding look_at_window(const CodeView& lone, const OptimiseOptions& options,
                                           const std::stop_token* stop);

}  // namespace komuz::neural
