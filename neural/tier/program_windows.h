// SPDX-License-Identifier: Apache-2.0
// The windows of all functions that a run enters, and how they are replaced.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neural/tier/window_cache.h"
#include "neural/windows/windows.h"

namespace komuz::neural {

struct ProgramWindow {
  CodeWindow window;
  LoneWindow lone;
  std::string key;  // key_of_lone()
  // The time that runs spend here, as far as code tells: its cost (neural/teacher/costs.h), eight times for each loop around it.
  f64 weight = 0;
  std::shared_ptr<const KnownWindow> known;  // null: nothing is
};

struct ProgramWindows {
  std::vector<ProgramWindow> rows;  // in the order of the code
  f64 weight = 0;                   // of all instructions, those outside of windows included
};
// Those of `function` of checked code, and of all that it calls.
[[nodiscard]] ProgramWindows windows_of(const CodeView& code, u32 function);

struct ReplacedWindows {
  std::optional<Code>
      code;  // checked; none: no window is cheaper, or the checker refuses the whole
  u32 cheaper = 0;
  bool by_model = false;
  f64 saved_share = 0;  // of all weights
};
[[nodiscard]] ReplacedWindows replace_windows(const CodeView& code, const ProgramWindows& windows);

}  // namespace komuz::neural
