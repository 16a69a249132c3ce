// SPDX-License-Identifier: Apache-2.0
// What code does with references, the cells of slices: terms that stand for a list, for elements of one and for parts.
//
// A reference means what the array holds when it is read (docs/bytecode.md, "References"). Targets copy parts of arrays
// or forbid to change what is looked at. So code that changes an array while a slice of it is in use is refused.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "services/export/array_builder.h"

namespace komuz::services {

class SliceBuilder : public ArrayBuilder {
 public:
  using ArrayBuilder::ArrayBuilder;

 protected:
  std::optional<ScriptProblem> refer(u32 at, Instruction i) {
    const Area* const area = area_of(i.a);
    if (area == nullptr || area->begin != i.a || area->end != i.a + i.b)
      return refused(at, "a part of an array, as a slice,", std::string(kCopyThePart));
    const u32 count = pop();
    if (out_.terms[count].may_trap) (void)keep(count);
    Term term;
    term.kind = TermKind::Slice;
    term.number = i.a;
    term.type = reference_to(out_.variables[i.a].type);
    stack_.push_back(add(term));
    return {};
  }
  void refer_to_part() {
    const u32 high = pop(), low = pop(), of = pop();
    Term term;
    term.kind = TermKind::Part;
    term.type = out_.terms[of].type;
    const u32 operands[] = {of, low, high};
    stack_.push_back(add(term, operands));
  }
  void load_referred(Instruction i) {
    u32 offset = pop();
    const u32 of = pop();
    if (i.a > 1 && !is_leaf(offset)) {
      settle(stack_.size());
      offset = keep(offset);
    }
    for (u32 k = 0; k < i.a; ++k) {
      Term term;
      term.kind = TermKind::ElementOf;
      term.type = referred(out_.terms[of].type);
      const u32 operands[] = {of, moved_index(offset, k)};
      stack_.push_back(add(term, operands));
    }
  }

  // Before an instruction that changes arrays: is a slice of one in use?
  std::optional<ScriptProblem> check_slices(u32 at, Instruction i) {
    const bool is_one = i.op == Op::StoreVar || i.op == Op::StoreAt;
    if (!is_one && i.op != Op::StoreVars) return {};
    for (u32 slot = i.a; slot < i.a + (is_one ? 1 : i.b); ++slot) {
      const Area* const area = area_of(slot);
      if (area == nullptr) continue;
      slot = area->end - 1;
      bool is_held = area->begin < held_.size() && at < held_[area->begin];
      for (size_t k = 0; k < stack_.size() && !is_held; ++k)
        is_held = is_reference(out_.terms[stack_[k]].type) && refers(stack_[k], area->begin);
      if (is_held)
        return refused(at, "an array that changes while a slice of it is in use",
                       "copy the array to another variable first");
    }
    return {};
  }
  // Behind an instruction that keeps a reference in a slot: until where it is read.
  void hold(u32 at, Instruction i) {
    if (i.op != Op::StoreVar && i.op != Op::StoreVars) return;
    for (u32 slot = i.a; slot < i.a + (i.op == Op::StoreVar ? 1 : i.b); ++slot) {
      if (!is_reference(out_.variables[slot].type)) continue;
      const u32 end = last_read(slot, at);
      for (const u32 array : roots_of_variable(slot)) {
        if (held_.size() <= array) held_.resize(array + 1, 0);
        held_[array] = std::max(held_[array], end);
      }
    }
  }

 private:
  // A loop that reads a slot does so until its end.
  [[nodiscard]] u32 last_read(u32 slot, u32 from) const {
    u32 last = from, loop_end = 0;
    for (u32 at = from + 1; at < instructions_.size(); ++at) {
      const Instruction i = instructions_[at];
      if (i.op == Op::Loop && at >= loop_end) loop_end = i.b;
      const bool reads = (i.op == Op::LoadVar && i.a == slot) ||
                         (i.op == Op::LoadVars && i.a <= slot && slot < i.a + i.b);
      if (reads) last = std::max(at, loop_end);
    }
    return last;
  }

  std::vector<u32> held_;  // of an array: the instruction up to which a slot refers to it
};

}  // namespace komuz::services
