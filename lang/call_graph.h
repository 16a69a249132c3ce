// SPDX-License-Identifier: Apache-2.0
// The call graph of one program: its cycles, and how many bytes of stack each function needs.
// Knows calls and frame sizes; knows no instruction.
#pragma once
#include <span>
#include <vector>

#include "lang/check_code.h"

namespace komuz {

class CallGraph {
 public:
  void clear();
  // Functions are added in order, each followed by its calls.
  void add_function(u32 frame_bytes);
  void add_call(u32 callee) { callees_.push_back(callee); }

  // Finds the cycles, demands one `rec` in each, and sums up the stack. Linear in functions and calls.
  [[nodiscard]] CodeError solve(const CodeView& code, u32 stack_limit);

  // After `solve`.
  [[nodiscard]] u16 cycle(size_t function) const { return nodes_[function].cycle; }
  [[nodiscard]] u32 stack_bytes(size_t function) const {
    return static_cast<u32>(nodes_[function].stack_bytes);
  }
  [[nodiscard]] u16 max_stack(size_t function, u32 slots) const {
    return static_cast<u16>(nodes_[function].frame_bytes / 8 - slots);
  }

 private:
  struct Node {
    u32 frame_bytes = 0;
    u32 calls_begin = 0;
    u32 order = 0;      // of discovery, from 1; 0: not seen yet
    u32 low = 0;        // smallest order on the path that it reaches
    u32 component = 0;  // from 1; 0: still on the path
    u16 cycle = 0;
    u64 stack_bytes = 0;
  };
  // A function whose callees are being visited.
  struct Visit {
    u32 function, next_call;
  };

  [[nodiscard]] std::span<const u32> calls(u32 function) const;
  [[nodiscard]] CodeError visit_from(const CodeView& code, u32 root, u32 stack_limit);
  [[nodiscard]] CodeError close_component(const CodeView& code, u32 root, u32 stack_limit);
  [[nodiscard]] CodeError check_rec(const CodeView& code, std::span<const u32> members) const;
  [[nodiscard]] std::string chain_text(const CodeView& code, u32 function) const;
  void number_cycles();

  std::vector<Node> nodes_;
  std::vector<u32> callees_;
  std::vector<Visit> visits_;
  std::vector<u32> path_;  // functions that are seen and belong to no component yet
  std::vector<u16> cycle_of_component_;
  bool has_cycles_ = false;
  u32 seen_ = 0;
  u32 components_ = 0;
};

}  // namespace komuz
