// SPDX-License-Identifier: Apache-2.0
// Tarjan's algorithm (1972) with an explicit stack. It closes components callees first, which is the order in which
// stack bytes add up: a component's callees outside it are known when it closes.
#include "lang/call_graph.h"

#include <algorithm>

#include "base/counts.h"

namespace komuz {
namespace {

constexpr u16 kMaxRec = 4096;
constexpr u32 kMaxChainText = 8;  // functions that a reason names

std::string quoted_name(const CodeView& code, u32 function) {
  return "`" + std::string(code.name(code.functions[function])) + "`";
}

CodeError function_error(const CodeView& code, u32 function, std::string reason) {
  return {function, static_cast<u32>(code.instructions.size()), std::move(reason)};
}

}  // namespace

void CallGraph::clear() {
  nodes_.clear();
  callees_.clear();
  has_cycles_ = false;
  seen_ = 0;
  components_ = 0;
}

void CallGraph::add_function(u32 frame_bytes) {
  Node node;
  node.frame_bytes = frame_bytes;
  node.calls_begin = static_cast<u32>(callees_.size());
  nodes_.push_back(node);
}

std::span<const u32> CallGraph::calls(u32 function) const {
  const size_t end =
      function + 1 < nodes_.size() ? nodes_[function + 1].calls_begin : callees_.size();
  return std::span(callees_).subspan(nodes_[function].calls_begin,
                                     end - nodes_[function].calls_begin);
}

CodeError CallGraph::solve(const CodeView& code, u32 stack_limit) {
  for (u32 function = 0; function < nodes_.size(); ++function) {
    Node& node = nodes_[function];
    if (node.order != 0) continue;
    if (calls(function).empty() && node.frame_bytes <= stack_limit) {  // as most are
      node.order = node.low = ++seen_;
      node.component = ++components_;
      node.stack_bytes = node.frame_bytes;
      continue;
    }
    if (CodeError error = visit_from(code, function, stack_limit)) return error;
  }
  if (has_cycles_) number_cycles();
  return {};
}

CodeError CallGraph::visit_from(const CodeView& code, u32 root, u32 stack_limit) {
  const auto enter = [&](u32 function) {
    nodes_[function].order = nodes_[function].low = ++seen_;
    path_.push_back(function);
    visits_.push_back({function, 0});
  };
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
    if (node.low == node.order)
      if (CodeError error = close_component(code, done, stack_limit)) return error;
  }
  return {};
}

// `root` and all that was seen after it and has no component yet are one component.
CodeError CallGraph::close_component(const CodeView& code, u32 root, u32 stack_limit) {
  const auto begin = std::find(path_.rbegin(), path_.rend(), root).base() - 1;
  const std::span<const u32> members(begin, path_.end());
  const u32 component = ++components_;
  for (u32 member : members) nodes_[member].component = component;

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
  if (recursive)
    if (CodeError error = check_rec(code, members)) return error;
  const u64 frames = recursive ? code.functions[root].rec : 1;
  const u64 bytes = frames * frame + below;
  for (u32 member : members) {
    nodes_[member].stack_bytes = bytes;
    nodes_[member].cycle = recursive ? 1 : 0;  // number_cycles gives it its number
  }
  if (bytes > stack_limit)
    return function_error(code, root,
                          quoted_name(code, root) + " needs " + counted(bytes, "byte") +
                              " of stack, more than the limit of " + grouped(stack_limit) + ": " +
                              chain_text(code, root));
  path_.erase(begin, path_.end());
  return {};
}

CodeError CallGraph::check_rec(const CodeView& code, std::span<const u32> members) const {
  const u32 first = members.front();
  for (u32 member : members) {
    const u16 rec = code.functions[member].rec;
    if (rec == 0)
      return function_error(code, member,
                            quoted_name(code, member) + " calls itself in a cycle and has no rec");
    if (rec > kMaxRec)
      return function_error(code, member,
                            quoted_name(code, member) + " has rec " + std::to_string(rec) +
                                ", more than " + std::to_string(kMaxRec));
    if (rec != code.functions[first].rec)
      return function_error(code, member,
                            quoted_name(code, member) + " has rec " + std::to_string(rec) +
                                ", but " + quoted_name(code, first) +
                                " of the same cycle has rec " +
                                std::to_string(code.functions[first].rec));
  }
  return {};
}

// The chain of calls that needs the most: `f` 48 -> `g` 64 * 96 -> `h` 32.
std::string CallGraph::chain_text(const CodeView& code, u32 function) const {
  std::string text;
  for (u32 link = 0; link < kMaxChainText; ++link) {
    const Node& node = nodes_[function];
    // Of a cycle, the member with the largest frame speaks for all; the deepest callee may belong to any member.
    u64 frame = node.frame_bytes, below = 0;
    u32 deepest = function;
    for (u32 member = 0; member < nodes_.size(); ++member) {
      if (nodes_[member].component != node.component) continue;
      frame = std::max<u64>(frame, nodes_[member].frame_bytes);
      for (u32 callee : calls(member)) {
        if (nodes_[callee].component == node.component || nodes_[callee].stack_bytes <= below)
          continue;
        below = nodes_[callee].stack_bytes;
        deepest = callee;
      }
    }
    text += quoted_name(code, function) + " ";
    if (node.cycle != 0) text += std::to_string(code.functions[function].rec) + " * ";
    text += std::to_string(frame);
    if (below == 0) return text;
    text += " -> ";
    function = deepest;
  }
  return text + "...";
}

// Cycles are numbered by their first functions, so that equal code gets equal numbers.
void CallGraph::number_cycles() {
  cycle_of_component_.assign(components_ + 1, 0);
  u16 cycles = 0;
  for (Node& node : nodes_) {
    if (node.cycle == 0) continue;
    u16& number = cycle_of_component_[node.component];
    if (number == 0) number = ++cycles;
    node.cycle = number;
  }
}

}  // namespace komuz
