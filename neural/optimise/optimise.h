// SPDX-License-Identifier: Apache-2.0
// Cheaper code for a program. Each window of its functions (neural/windows/windows.h) is taken out, authors propose code
// for it, and a proposal takes its place only if it costs less and is proved equal, or tested as far as was asked for.
// Values, traps and ticks of all functions are what they were. Places of traps inside of windows move.
#pragma once
#include <string>
#include <vector>

#include "engine/support/watch.h"
#include "lang/code.h"
#include "neural/decode/propose.h"
#include "neural/optimise/judge.h"
#include "neural/teacher/teach.h"
#include "neural/windows/windows.h"

namespace komuz::neural {

struct OptimiseOptions {
  JudgeOptions judge;
  TeachOptions teach;
  // Who is asked besides the rules, which always are. The model's code goes through the rules, too.
  bool by_teacher = true;
  const Model* model = nullptr;
  DecodeOptions decode;
  u32 threads = 0;                       // 0: one for each processor that may be used
  const engine::Watch* watch = nullptr;  // is told of windows; its stop ends all
};

// A window that has got cheaper. Costs are in the units of neural/teacher/costs.def.
struct CheaperWindow {
  CodeWindow window;  // of the code that was given
  u64 cost_before = 0, cost_after = 0;
  u32 instructions_before = 0, instructions_after = 0;
  Author author = Author::Rules;
  Equality equality;       // proved, or tested
  Code before, after;      // lone functions
  std::vector<u16> slots;  // of `before`: which ones they are in the function
};

struct Optimised {
  Code code;                           // checked; the same as before if nothing got cheaper
  std::vector<CheaperWindow> cheaper;  // in the order of the code
  u64 windows = 0;                     // that were looked at
  u64 refuted = 0, unproved = 0;       // proposals: see Judgement
  std::string why;                     // one is not proved: the first, by the order of the code
  bool is_interrupted = false;         // nothing has changed
  // The whole was refused by the checker or by a test, which says why; nothing has changed.
  std::string refusal;
};

// `code` is checked. Looks at these functions, and leaves the others as they are.
[[nodiscard]] Optimised optimise(const CodeView& code, std::span<const u32> functions,
                                 const OptimiseOptions& options);

// The instructions that runs of a function execute, and of the function that took its place, on the same guided inputs.
struct ExecutedInstructions {
  u64 before = 0, after = 0;
  u64 inputs = 0;
};
// What each run may take, and how many there are, where nobody says otherwise.
inline constexpr u64 kCountedTicks = 10'000, kCountedInputs = 256;
// `code` and `optimised` are checked, and differ only as optimise() makes them differ. `ticks`: of each run. Nothing is
// counted where not even slices of one element fit into a frame.
[[nodiscard]] ExecutedInstructions count_executed(const CodeView& code, const CodeView& optimised,
                                                  u32 function, u64 inputs, u64 seed, u64 ticks);

}  // namespace komuz::neural
