// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/stack_notes.h"

#include <algorithm>
#include <functional>

#include "frontend_gpu/doc_examples.h"
#include "frontend_gpu/questions/flat_types.h"
#include "lang/source_places.h"
#include "lang/stack_need.h"

namespace komuz::frontend {

namespace {

constexpr u32 kNoFunction = ~0u;

// For each function or cycle of functions: the callee outside of it that needs the most stack.
class Deepest {
 public:
  explicit Deepest(const CodeView& code)
      : code_(code),
        of_function_(code.functions.size(), kNoFunction),
        of_cycle_(code.functions.size() + 1, kNoFunction) {
    for (u32 f = 0; f < code.functions.size(); ++f) {
      const Function& function = code.functions[f];
      for (u32 k = function.code_begin; k < function.code_end; ++k)
        if (code.instructions[k].op == Op::Call) see_call(f, code.instructions[k].a);
    }
  }
  [[nodiscard]] u32 behind(u32 f) const {
    const u16 cycle = code_.functions[f].cycle;
    return cycle != 0 ? of_cycle_[cycle] : of_function_[f];
  }
  [[nodiscard]] u32 bytes_behind(u32 f) const {
    const u32 next = behind(f);
    return next == kNoFunction ? 0 : code_.functions[next].stack_bytes;
  }

 private:
  void see_call(u32 caller, u32 callee) {
    const u16 cycle = code_.functions[caller].cycle;
    if (cycle != 0 && cycle == code_.functions[callee].cycle) return;
    u32& deepest = cycle != 0 ? of_cycle_[cycle] : of_function_[caller];
    const bool deeper = deepest == kNoFunction ||
                        code_.functions[callee].stack_bytes > code_.functions[deepest].stack_bytes;
    if (deeper) deepest = callee;
  }

  const CodeView& code_;
  std::vector<u32> of_function_, of_cycle_;
};

Diagnostic share_of(const CodeView& code, const Deepest& deepest, u32 f) {
  const Function& function = code.functions[f];
  const u32 name = function.name_end - function.name_begin;
  const u32 length = function.kind == FunctionKind::Example
                         ? static_cast<u32>(kExampleComment.size())
                     : function.kind == FunctionKind::Function ? name
                                                               : name + 2;  // in quotes
  const u32 next = deepest.behind(f);
  const bool is_near = next != kNoFunction && file_of(code.functions[next].place) == 0;
  return make_diagnostic(DiagnosticCode::StackShare, function.place, length,
                         function.stack_bytes - deepest.bytes_behind(f),
                         is_near ? code.functions[next].place : 0);
}

// Finds the number that was added with a position of the source, by binary search. The smallest counts if there are
// several.
class Places {
 public:
  void add(u32 place, u32 number) { rows_.push_back(u64{place} << 32 | number); }
  void sort() { std::ranges::sort(rows_); }
  [[nodiscard]] u32 at(u32 place) const {
    const auto row = std::ranges::lower_bound(rows_, u64{place} << 32);
    return row != rows_.end() && *row >> 32 == place ? static_cast<u32>(*row) : kNoFunction;
  }

 private:
  std::vector<u64> rows_;
};

// The largest variable of each item.
class LargestVariables {
 public:
  explicit LargestVariables(const Columns& c) : c_(c), of_item_(c.items) {
    constexpr u32 kCellBytes = 8;
    count_work(c, c.binds + c.items);
    for (Index item = 0; item < c.items; ++item)
      if (const Index name = c.item_name[item]; name != kNone)
        items_.add(c.token_start[c.token[name]], item);
    items_.sort();
    for (u32 b = 0; b < c.binds; ++b) {
      const BindKind kind = c.bind_kind[b];
      const bool is_variable =
          kind == BindKind::Parameter || kind == BindKind::Let || kind == BindKind::Var;
      const u32 own = is_variable ? kCellBytes * type_cells(c, c.bind_type[b]) : 0;
      Variable& largest = of_item_[c.item[c.bind_node[b]]];
      if (own > largest.bytes) largest = {b, own};
    }
  }
  // Reports the variable if it takes at least a third of the function's stack. The rest is often copies of the
  // variable.
  void note(const Function& function, u32 share, std::vector<Diagnostic>& diagnostics) const {
    constexpr u32 kNotable = 256, kNotableShare = 3;
    const u32 item = items_.at(function.place);
    if (item == kNoFunction) return;
    const auto [largest, bytes] = of_item_[item];
    if (bytes < kNotable || bytes < share / kNotableShare) return;
    const Index t = c_.token[c_.bind_node[largest]];
    diagnostics.push_back(make_diagnostic(DiagnosticCode::LargestVariable, c_.token_start[t],
                                          c_.token_length[t], bytes, function.place));
  }

 private:
  struct Variable {
    u32 bind = 0, bytes = 0;
  };
  const Columns& c_;
  Places items_;
  std::vector<Variable> of_item_;
};

struct Bound {
  u32 largest = ~0u;
  bool is_shared = false;  // the bound holds only if other cycles become as much smaller
};
// How large the bound of each cycle may be so that all calls through it fit. A bound above the cycle's own: it
// fits. 0: no bound is small enough, or another cycle's bound has to shrink. The result is empty if the chains are
// too long to be looked at from each of their functions.
std::vector<Bound> largest_bounds(const CodeView& code, const Deepest& deepest, u32 limit,
                                  u32& links) {
  const u32 most_links = 64 * static_cast<u32>(code.functions.size());
  std::vector<Bound> bounds(code.functions.size() + 1);
  for (u32 first = 0; first < code.functions.size(); ++first) {
    if (links >= most_links) return {};
    const Function& entry = code.functions[first];
    if (is_side_entry(entry.kind) || entry.stack_bytes <= limit) continue;
    u64 all_frames = 0, most_frames = 0;
    const auto own_bytes = [&](u32 f) -> u64 {
      return code.functions[f].stack_bytes - deepest.bytes_behind(f);
    };
    for (u32 f = first; f != kNoFunction; f = deepest.behind(f), ++links) {
      if (code.functions[f].cycle == 0) continue;
      all_frames += own_bytes(f);
      most_frames = std::max(most_frames, own_bytes(f));
    }
    if (all_frames == 0) continue;
    const u64 plain = entry.stack_bytes - all_frames;
    const bool takes_all = entry.stack_bytes - most_frames >= limit && plain < limit;
    for (u32 f = first; f != kNoFunction; f = deepest.behind(f)) {
      const Function& called = code.functions[f];
      const u64 frames = own_bytes(f), others = entry.stack_bytes - frames;
      if (called.cycle == 0 || frames == 0) continue;
      u64 largest = others < limit ? (limit - others) / (frames / called.rec) : 0;
      if (takes_all) largest = called.rec * (limit - plain) / all_frames;
      Bound& bound = bounds[called.cycle];
      bound.largest = static_cast<u32>(std::min<u64>(bound.largest, largest));
      bound.is_shared |= takes_all && others != plain;
    }
  }
  return bounds;
}
void note_bounds(const CodeView& code, const Columns& c, const Deepest& deepest, u32 limit,
                 const Places& functions, std::vector<Diagnostic>& diagnostics) {
  u32 links = 0;
  const std::vector<Bound> bounds = largest_bounds(code, deepest, limit, links);
  count_work(c, links);
  if (bounds.empty()) return;
  for (Index item = 0; item < c.items; ++item) {
    const Index name = c.item_name[item], bound = c.item_bound[item];
    if (name == kNone) continue;
    const u32 f = functions.at(c.token_start[c.token[name]]);
    if (f == kNoFunction || code.functions[f].cycle == 0) continue;
    const Bound& most = bounds[code.functions[f].cycle];
    if (most.largest == 0 || most.largest >= code.functions[f].rec) continue;
    const Index t = c.token[bound != kNone ? bound : name];
    diagnostics.push_back(make_diagnostic(DiagnosticCode::LargestBound, c.token_start[t],
                                          c.token_length[t], most.largest, most.is_shared));
  }
}

// True if the chain of calls that needs the most, from function f on, passes a cycle.
bool is_recursive(const CodeView& code, const Deepest& deepest, u32 f) {
  while (f != kNoFunction && code.functions[f].cycle == 0) f = deepest.behind(f);
  return f != kNoFunction;
}
void explain_need(const CodeView& code, const Deepest& deepest, const Places& functions,
                  Diagnostic& d) {
  const u32 f = functions.at(d.begin);
  if (f != kNoFunction && is_recursive(code, deepest, f)) d.b = StackNeed{d.b, true}.packed();
}

// Notes the shares of the functions on chains that need too much stack: at most 64, those with the largest shares.
void note_shares(const CodeView& code, const Columns& c, const Deepest& deepest, u32 limit,
                 std::vector<Diagnostic>& diagnostics) {
  constexpr size_t kMostShares = 64;
  std::vector<bool> noted(code.functions.size());
  std::vector<u32> order;
  for (u32 first = 0; first < code.functions.size(); ++first) {
    const Function& function = code.functions[first];
    if (is_side_entry(function.kind) || function.stack_bytes <= limit) continue;
    // A function of a module cannot be changed here.
    for (u32 f = first; f != kNoFunction && !noted[f] && file_of(code.functions[f].place) == 0;
         f = deepest.behind(f)) {
      noted[f] = true;
      order.push_back(f);
    }
  }
  const auto share = [&](u32 f) { return code.functions[f].stack_bytes - deepest.bytes_behind(f); };
  if (order.size() > kMostShares) {
    std::ranges::stable_sort(order, std::greater{}, share);
    order.resize(kMostShares);
  }
  const LargestVariables variables(c);
  for (const u32 f : order) {
    diagnostics.push_back(share_of(code, deepest, f));
    if (code.functions[f].cycle == 0) variables.note(code.functions[f], share(f), diagnostics);
  }
}

}  // namespace

void note_stack(const CodeView& code, const Columns& c, u32 limit,
                std::vector<Diagnostic>& diagnostics) {
  const Deepest deepest(code);
  Places functions;
  for (u32 f = 0; f < code.functions.size(); ++f) functions.add(code.functions[f].place, f);
  functions.sort();
  for (Diagnostic& d : diagnostics)
    if (d.code() == DiagnosticCode::StackLimit) explain_need(code, deepest, functions, d);
  note_shares(code, c, deepest, limit, diagnostics);
  note_bounds(code, c, deepest, limit, functions, diagnostics);
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.begin < b.begin; });
}

}  // namespace komuz::frontend
