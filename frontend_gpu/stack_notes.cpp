// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/stack_notes.h"

#include <algorithm>

#include "frontend_gpu/doc_examples.h"
#include "frontend_gpu/spelling.h"
#include "lang/places.h"
#include "lang/stack_need.h"

namespace komuz::frontend {

namespace {

constexpr u32 kNoFunction = ~0u;

// Of each function or cycle, the callee outside it that needs the most.
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

// The largest variable, if it takes a third of what the function does: the rest is often copies of it.
void note_variable(const Columns& c, const Function& function, u32 share,
                   std::vector<Diagnostic>& diagnostics) {
  constexpr u32 kNotable = 256, kNotableShare = 3, kCellBytes = 8;
  u32 largest = 0, bytes = 0;
  for (u32 b = 0; b < c.binds; ++b) {
    const Index node = c.bind_node[b], name = c.item_name[c.item[node]];
    if (name == kNone || c.token_start[c.token[name]] != function.place) continue;
    const BindKind kind = c.bind_kind[b];
    const bool is_variable =
        kind == BindKind::Parameter || kind == BindKind::Let || kind == BindKind::Var;
    const u32 own = is_variable ? kCellBytes * type_cells(c, c.bind_type[b]) : 0;
    if (own > bytes) largest = b, bytes = own;
  }
  if (bytes < kNotable || bytes < share / kNotableShare) return;
  const Index t = c.token[c.bind_node[largest]];
  diagnostics.push_back(make_diagnostic(DiagnosticCode::LargestVariable, c.token_start[t],
                                        c.token_length[t], bytes, function.place));
}

struct Bound {
  u32 largest = ~0u;
  bool is_shared = false;  // it takes the other cycles to become as much smaller
};
// How large the bound of a cycle may be for all calls that pass it: more than it is where they fit, 0 where none is
// small enough, or where that of another cycle is to become smaller.
Bound largest_bound(const CodeView& code, const Deepest& deepest, u32 limit, u16 cycle) {
  Bound bound;
  for (u32 first = 0; first < code.functions.size(); ++first) {
    const Function& entry = code.functions[first];
    if (is_side_entry(entry.kind) || entry.stack_bytes <= limit) continue;
    u64 frames = 0, rec = 0, all_frames = 0, most_frames = 0;
    for (u32 f = first; f != kNoFunction; f = deepest.behind(f)) {
      const Function& called = code.functions[f];
      if (called.cycle == 0) continue;
      const u32 own = called.stack_bytes - deepest.bytes_behind(f);
      if (called.cycle == cycle) frames = own, rec = called.rec;
      all_frames += own;
      most_frames = std::max<u64>(most_frames, own);
    }
    if (frames == 0) continue;
    const u64 others = entry.stack_bytes - frames, plain = entry.stack_bytes - all_frames;
    const bool takes_all = entry.stack_bytes - most_frames >= limit && plain < limit;
    u64 largest = others < limit ? (limit - others) / (frames / rec) : 0;
    if (takes_all) largest = rec * (limit - plain) / all_frames;
    bound.largest = static_cast<u32>(std::min<u64>(bound.largest, largest));
    bound.is_shared |= takes_all && others != plain;
  }
  return bound;
}
void note_bounds(const CodeView& code, const Columns& c, const Deepest& deepest, u32 limit,
                 std::vector<Diagnostic>& diagnostics) {
  for (Index item = 0; item < c.items; ++item) {
    const Index name = c.item_name[item], bound = c.item_bound[item];
    if (name == kNone) continue;
    const u32 place = c.token_start[c.token[name]];
    const auto f = std::ranges::find(code.functions, place, &Function::place);
    if (f == code.functions.end() || f->cycle == 0) continue;
    const Bound most = largest_bound(code, deepest, limit, f->cycle);
    if (most.largest == 0 || most.largest >= f->rec) continue;
    const Index t = c.token[bound != kNone ? bound : name];
    diagnostics.push_back(make_diagnostic(DiagnosticCode::LargestBound, c.token_start[t],
                                          c.token_length[t], most.largest, most.is_shared));
  }
}

// The chain of calls that needs the most, from a function on: does it pass a cycle?
bool is_recursive(const CodeView& code, const Deepest& deepest, u32 f) {
  while (f != kNoFunction && code.functions[f].cycle == 0) f = deepest.behind(f);
  return f != kNoFunction;
}
void explain_need(const CodeView& code, const Deepest& deepest, Diagnostic& d) {
  for (u32 f = 0; f < code.functions.size(); ++f)
    if (code.functions[f].place == d.begin && is_recursive(code, deepest, f))
      d.b = StackNeed{d.b, true}.packed();
}

}  // namespace

void note_stack(const CodeView& code, const Columns& c, u32 limit,
                std::vector<Diagnostic>& diagnostics) {
  const Deepest deepest(code);
  for (Diagnostic& d : diagnostics)
    if (d.code() == DiagnosticCode::StackLimit) explain_need(code, deepest, d);
  std::vector<bool> noted(code.functions.size());
  for (u32 first = 0; first < code.functions.size(); ++first) {
    const Function& function = code.functions[first];
    if (is_side_entry(function.kind) || function.stack_bytes <= limit) continue;
    // What lies in a module is not to be mended here.
    for (u32 f = first; f != kNoFunction && !noted[f] && file_of(code.functions[f].place) == 0;
         f = deepest.behind(f)) {
      noted[f] = true;
      diagnostics.push_back(share_of(code, deepest, f));
      if (code.functions[f].cycle == 0)
        note_variable(c, code.functions[f], diagnostics.back().a, diagnostics);
    }
  }
  note_bounds(code, c, deepest, limit, diagnostics);
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.begin < b.begin; });
}

}  // namespace komuz::frontend
