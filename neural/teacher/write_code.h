// SPDX-License-Identifier: Apache-2.0
// A graph as the code of a lone function. A value with several uses is kept in a slot where that costs less than to
// compute it again, and where it cannot end in another trap.
#pragma once
#include <vector>

#include "neural/teacher/graph.h"

namespace komuz::neural {

class CodeWriter {
 public:
  explicit CodeWriter(const ValueGraph& graph) : graph_(graph) {}

  // A function with the parameters, the slots and the result of `like`, and maybe with more slots; not checked yet. False if it needs more slots, or is
  // longer, than a window may be.
  [[nodiscard]] bool write(const CodeView& like, u32 root, Code& out);
  [[nodiscard]] u32 shared() const { return shared_; }

 private:
  // What is known of a node while code is made.
  struct State {
    u32 user = kNone;   // the innermost node that all its uses are in
    u32 copies = 0;     // of its code
    u64 cost = 0;       // of its code, without what is kept
    u32 slot = kNone;   // in which it is kept
    u32 first = kNone;  // of those that are kept for this node: see `next`
    u32 next = kNone;
    TrapSet kept_traps = 0;  // of those
    bool is_needed = false, is_stored = false;
  };
  static constexpr u32 kNone = ~0u;

  void find_users(u32 root);
  void choose(u32 root);
  [[nodiscard]] bool may_keep(u32 node, u32 at) const;
  [[nodiscard]] u32 common(u32 a, u32 b) const;
  void emit(u32 node);
  void emit_node(const ValueNode& node);
  u32 new_slot(Scalar type);

  const ValueGraph& graph_;
  std::vector<State> states_;
  std::vector<u32> let_slots_;  // by number
  std::vector<bool> is_taken_;  // by slot
  Code* out_ = nullptr;
  u32 first_ = 0, shared_ = 0, own_slots_ = 0;
  bool is_too_long_ = false;
};

}  // namespace komuz::neural
