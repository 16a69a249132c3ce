// SPDX-License-Identifier: Apache-2.0
// The checker in the form of a device's thread: lists of fixed lengths in memory, with marks between them.
#pragma once
#include "lang/check/check_program.h"
#include "tests/lang/row_marks.h"

namespace komuz {

using CheckRoom = ProgramChecker<Bounded>::Room;

// More than any code of the tests needs.
inline constexpr CheckRoom kAmpleRoom = {
    .function = {.cells = 0xFFFF, .slots = 0xFFFF, .regions = 1'000, .arm_types = 100'000},
    .functions = 1'000,
    .calls = 10'000};

class BoundedChecker {
 public:
  explicit BoundedChecker(const CheckRoom& room)
      : bytes_(ProgramChecker<Bounded>::bytes(room) + kLists * kGap),
        memory_(bytes_.data(), kGap),
        checker_(memory_, room) {}

  [[nodiscard]] Checked check(const CodeView& code, std::span<Function> functions,
                              u32 stack_limit = kDefaultStackLimit) {
    return checker_.check(code, functions, stack_limit);
  }
  // True if no list was overrun: there are as many gaps of marks as lists.
  [[nodiscard]] bool is_inside() const { return test::count_gaps(bytes_, kGap) == kLists; }

 private:
  static constexpr u32 kGap = 64, kLists = 14;

  std::vector<u8> bytes_;
  RowsMemory memory_;
  ProgramChecker<Bounded> checker_;
};

// The functions as before the checker filled in its results.
[[nodiscard]] inline std::vector<Function> unchecked(std::span<const Function> functions) {
  std::vector<Function> out(functions.begin(), functions.end());
  for (Function& f : out) {
    f.max_stack = f.cycle = 0;
    f.stack_bytes = 0;
  }
  return out;
}

[[nodiscard]] inline bool have_same_frames(std::span<const Function> some,
                                           std::span<const Function> others) {
  return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                    [](const Function& f, const Function& g) {
                      return f.max_stack == g.max_stack && f.cycle == g.cycle &&
                             f.stack_bytes == g.stack_bytes;
                    });
}

}  // namespace komuz
