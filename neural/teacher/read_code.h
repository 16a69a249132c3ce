// SPDX-License-Identifier: Apache-2.0
// The code of a lone function (neural/windows/windows.h) as a graph, simplified as it is read.
#pragma once
#include <optional>
#include <vector>

#include "neural/teacher/simplify.h"

namespace komuz::neural {

class CodeReader {
 public:
  CodeReader(ValueGraph& graph, Simplifier& simplifier) : graph_(graph), simplifier_(simplifier) {}

  // The node of the result. None if the code has what a window does not have, or stores a value that may trap in the
  // middle of what may trap in another way.
  [[nodiscard]] std::optional<u32> read(const CodeView& code);

 private:
  struct Bound {
    u32 number, value;
  };
  bool region(u32 begin, u32 end, u32& value);
  bool step(u32& at);
  bool store(u32 slot);
  bool arms(u32& at);
  bool lazy(u32& at);
  bool arm(u32 begin, u32 end, u32& value);

  ValueGraph& graph_;
  Simplifier& simplifier_;
  CodeView code_;
  std::vector<u32> slots_;   // the node of each
  std::vector<u32> stack_;   // nodes
  std::vector<Bound> lets_;  // of the regions that are open
  u32 region_stack_ = 0;     // where the innermost one's part of stack_ begins
  u32 next_let_ = 0, arms_ = 0;
};

}  // namespace komuz::neural
