// SPDX-License-Identifier: Apache-2.0
// The call graph of one program: its cycles, and the bytes of stack that each function needs. It knows calls and
// frame sizes, and no instructions.
//
// Tarjan's algorithm (1972) with an explicit stack. It closes components callees first, which is the order in which
// stack bytes add up: when a component closes, its callees outside of it are known.
//
// Written over a Storage (base/rows.h). None of its lists grows longer than the list of functions, or that of calls.
#pragma once
#include <algorithm>

#include "lang/check/check_words.h"

namespace komuz {

template <class Storage>
class CallGraph {
 public:
  template <class T>
  using List = typename Storage::template List<T>;

  struct Node {
    u32 frame_bytes = 0;
    u32 calls_begin = 0;
    u32 order = 0;      // of discovery, from 1; 0: not seen yet
    u32 low = 0;        // smallest order on the path that can be reached from it
    u32 component = 0;  // from 1; 0: still on the path
    u16 cycle = 0;
    u64 stack_bytes = 0;
  };

  CallGraph() = default;
  HD CallGraph(RowsMemory& memory, u32 functions, u32 calls)
      : nodes_(memory.take<Node>(functions)),
        callees_(memory.take<u32>(calls)),
        visits_(memory.take<Visit>(functions)),
        path_(memory.take<u32>(functions)),
        cycle_of_component_(memory.take<u16>(functions + 1)) {}
  [[nodiscard]] static size_t bytes(u32 functions, u32 calls) {
    return RowsMemory::bytes<Node>(functions) + RowsMemory::bytes<u32>(calls) +
           RowsMemory::bytes<Visit>(functions) + RowsMemory::bytes<u32>(functions) +
           RowsMemory::bytes<u16>(functions + 1);
  }

  HD void clear() {
    nodes_.clear();
    callees_.clear();
    has_cycles_ = false;
    seen_ = 0;
    components_ = 0;
  }
  // Functions are added in order; each then adds its calls to callees(). False: there is no room.
  [[nodiscard]] HD bool add_function() {
    if (!has_room(nodes_, 1)) return false;
    Node node;
    node.calls_begin = static_cast<u32>(callees_.size());
    nodes_.push_back(node);
    return true;
  }
  [[nodiscard]] HD List<u32>& callees() { return callees_; }
  // Sets the frame of the function added last.
  HD void set_frame(u32 bytes) { nodes_.back().frame_bytes = bytes; }

  // Finds the cycles, demands one `rec` in each, and sums up the stack. Linear in functions and calls. False: the
  // calls are not sound, and the words say why.
  [[nodiscard]] HD_CALL bool solve(const CodeView& code, u32 stack_limit,
                                   CheckWords<Storage>& words);
  // Finds only the components: calls close(members) for each after those that it calls. `close` returns whether to go
  // on.
  template <class Close>
  void walk(const Close& close) {
    for (u32 function = 0; function < nodes_.size(); ++function)
      if (nodes_[function].order == 0 && !visit_from(function, close)) return;
  }

  // Valid after `solve`.
  [[nodiscard]] HD u16 cycle(size_t function) const { return nodes_[function].cycle; }
  [[nodiscard]] HD u32 stack_bytes(size_t function) const {
    return static_cast<u32>(nodes_[function].stack_bytes);
  }
  [[nodiscard]] HD u16 max_stack(size_t function, u32 slots) const {
    return static_cast<u16>(nodes_[function].frame_bytes / 8 - slots);
  }

  [[nodiscard]] HD const Node& node(u32 function) const { return nodes_[function]; }
  [[nodiscard]] HD std::span<const u32> calls(u32 function) const {
    const size_t begin = nodes_[function].calls_begin;
    const size_t end =
        function + 1 < nodes_.size() ? nodes_[function + 1].calls_begin : callees_.size();
    return {callees_.data() + begin, end - begin};
  }

 private:
  // A function whose callees are being visited.
  struct Visit {
    u32 function, next_call;
  };

  HD void enter(u32 function) {
    nodes_[function].order = nodes_[function].low = ++seen_;
    path_.push_back(function);
    visits_.push_back({function, 0});
  }
  template <class Close>
  [[nodiscard]] HD_CALL bool visit_from(u32 root, const Close& close);
  [[nodiscard]] HD_CALL bool sum_up(const CodeView& code, std::span<const u32> members,
                                    u32 stack_limit, CheckWords<Storage>& words);
  [[nodiscard]] HD_CALL bool check_rec(const CodeView& code, std::span<const u32> members,
                                       CheckWords<Storage>& words) const;
  HD_CALL void number_cycles();

  List<Node> nodes_;
  List<u32> callees_;
  List<Visit> visits_;
  List<u32> path_;  // visited functions that belong to no component yet
  List<u16> cycle_of_component_;
  bool has_cycles_ = false;
  u32 seen_ = 0;
  u32 components_ = 0;
};

template <class Storage>
HD_CALL bool CallGraph<Storage>::solve(const CodeView& code, u32 stack_limit,
                                       CheckWords<Storage>& words) {
  for (u32 function = 0; function < nodes_.size(); ++function) {
    Node& node = nodes_[function];
    if (node.order != 0) continue;
    if (calls(function).empty() && node.frame_bytes <= stack_limit) {  // the usual case
      node.order = node.low = ++seen_;
      node.component = ++components_;
      node.stack_bytes = node.frame_bytes;
      continue;
    }
    const auto close = [&](std::span<const u32> members) {
      return sum_up(code, members, stack_limit, words);
    };
    if (!visit_from(function, close)) return false;
  }
  if (has_cycles_) number_cycles();
  return true;
}

template <class Storage>
template <class Close>
HD_CALL bool CallGraph<Storage>::visit_from(u32 root, const Close& close) {
  path_.clear();
  visits_.clear();
  enter(root);
  while (!visits_.empty()) {
    Visit& visit = visits_.back();
    Node& node = nodes_[visit.function];
    const std::span<const u32> callees = calls(visit.function);
    if (visit.next_call < callees.size()) {
      const u32 callee = callees[visit.next_call++];
      if (nodes_[callee].order == 0)
        enter(callee);
      else if (nodes_[callee].component == 0)
        node.low = std::min(node.low, nodes_[callee].order);
      continue;
    }
    const u32 done = visit.function;
    visits_.pop_back();
    if (!visits_.empty()) {
      Node& caller = nodes_[visits_.back().function];
      caller.low = std::min(caller.low, node.low);
    }
    if (node.low != node.order) continue;
    // It forms a component with all functions that were visited after it and have none yet.
    size_t begin = path_.size() - 1;
    while (path_[begin] != done) --begin;
    const std::span<const u32> members(path_.data() + begin, path_.size() - begin);
    ++components_;
    for (u32 member : members) nodes_[member].component = components_;
    if (!close(members)) return false;
    path_.resize(begin);
  }
  return true;
}

// A component is closed: decides whether it is a cycle, and how much stack it needs.
template <class Storage>
HD_CALL bool CallGraph<Storage>::sum_up(const CodeView& code, std::span<const u32> members,
                                        u32 stack_limit, CheckWords<Storage>& words) {
  const u32 root = members[0], component = components_;
  u64 frame = 0, below = 0;
  bool recursive = false;
  for (u32 member : members) {
    frame = std::max<u64>(frame, nodes_[member].frame_bytes);
    for (u32 callee : calls(member)) {
      if (nodes_[callee].component == component)
        recursive = true;
      else
        below = std::max(below, nodes_[callee].stack_bytes);
    }
  }
  has_cycles_ |= recursive;
  if (recursive && !check_rec(code, members, words)) return false;
  const u64 frames = recursive ? code.functions[root].rec : 1;
  const u64 bytes = frames * frame + below;
  for (u32 member : members) {
    nodes_[member].stack_bytes = bytes;
    nodes_[member].cycle = recursive ? 1 : 0;  // number_cycles replaces it by a number
  }
  if (bytes > stack_limit) {
    words.note_stack(code, *this, root, bytes, stack_limit);
    return false;
  }
  return true;
}

template <class Storage>
HD_CALL bool CallGraph<Storage>::check_rec(const CodeView& code, std::span<const u32> members,
                                           CheckWords<Storage>& words) const {
  constexpr u16 kMaxRec = 4096;
  const u32 first = members[0], no_instruction = static_cast<u32>(code.instructions.size());
  const u16 rec_of_first = code.functions[first].rec;
  for (u32 member : members) {
    const u16 rec = code.functions[member].rec;
    if (rec != 0 && rec <= kMaxRec && rec == rec_of_first) continue;
    if (rec == 0)
      words.note(code, member, no_instruction, CheckReason::NoRec, {{member}});
    else if (rec > kMaxRec)
      words.note(code, member, no_instruction, CheckReason::LargeRec, {{member, rec, kMaxRec}});
    else
      words.note(code, member, no_instruction, CheckReason::OtherRec,
                 {{member, rec, first, rec_of_first}});
    return false;
  }
  return true;
}

// Cycles are numbered by their first functions, so that equal code gets equal numbers.
template <class Storage>
HD_CALL void CallGraph<Storage>::number_cycles() {
  cycle_of_component_.assign(components_ + 1, 0);
  u16 cycles = 0;
  for (size_t function = 0; function < nodes_.size(); ++function) {
    Node& node = nodes_[function];
    if (node.cycle == 0) continue;
    u16& number = cycle_of_component_[node.component];
    if (number == 0) number = ++cycles;
    node.cycle = number;
  }
}

}  // namespace komuz
