// SPDX-License-Identifier: Apache-2.0
// Windows: the unit in which cheaper code is looked for. A window is a stretch of a function's code that starts on the
// operand stack as it is, pushes one scalar, and does nothing else: it computes from slots and constants, by pure
// operations, arms of `if`, lazy operators, and slots of its own (`let`). It has no loop, no call and no tick, so
// whatever takes its place leaves the fuel as it was, and proofs about it are short.
//
//   function ──find_code_windows──▶ windows ──lone_window──▶ a function by itself ──(cheaper code)──▶ put_window ──▶ function
//
// A window that is taken out is a *lone function*: what is said of it holds wherever it came from.
#pragma once
#include <string>
#include <vector>

#include "lang/code.h"

namespace komuz::neural {

// Longer windows end before, as a model reads and writes sequences of so many words at most: an instruction is one, and
// so is the end of the arms of an `if`, of a lazy operator, and of the code.
inline constexpr u32 kMostWindowWords = 96;
inline constexpr u32 kMostInputs = 8;
inline constexpr u32 kMostLocals = 8;

// Instructions, counted from the function's first one.
struct CodeWindow {
  u32 function = 0;
  u32 begin = 0, end = 0;
  bool operator==(const CodeWindow&) const = default;
};

// The longest windows of a checked function that have an operation, from its start to its end. They do not overlap.
[[nodiscard]] std::vector<CodeWindow> find_code_windows(const CodeView& code, u32 function);

// The words of code without loops and calls, such as a window's.
[[nodiscard]] u32 count_words(std::span<const Instruction> code);

// A window as a program of one function. Its parameters are the scalars that the window reads, in the order of the
// first reading. Then come its own slots, in the order of the first store. Constants are those of the window.
struct LoneWindow {
  Code code;  // checked
  std::vector<u16>
      slots;  // of each slot: which one it is in the function that the window comes from
};
[[nodiscard]] LoneWindow lone_window(const CodeView& code, const CodeWindow& window);
// Equal for lone functions of which the same may be said, and for no others.
[[nodiscard]] std::string key_of_lone(const Code& lone);

// Puts the code of a function like `lone` in the place of the window that `lone` comes from. Slots that it has more than
// `lone` become new slots of the function. Places become that of the window's last instruction, where its value is made.
// Windows behind move; those before stay. The code is to be checked again: frames may have grown.
void put_window(Code& code, const CodeWindow& window, const LoneWindow& lone,
                const CodeView& better);

}  // namespace komuz::neural
