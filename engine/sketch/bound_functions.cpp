// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/bound_functions.h"

#include <algorithm>

namespace komuz::engine {

namespace {

constexpr u32 kMostCells = 0xFFFF;  // of a frame

class FunctionLayout {
 public:
  FunctionLayout(const Code& code, const Sketch& sketch, u32 stack_limit, BoundFunctions& out)
      : code_(code), sketch_(sketch), stack_limit_(stack_limit), out_(out) {}

  void run() {
    find_calls();
    out_.slot_types.clear();
    for (const BoundFunctions::Space& space : out_.spaces)
      out_.space_slots.push_back(
          {space.parameter_slots, space.variable_slots, space.stored_slots()});
    for (u32 number = 0; number < code_.functions.size(); ++number)
      if (out_.space_of[number] == kNoSpace) add(number);
    seen_.assign(out_.headers.size(), false);
    for (u32 number = 0; number < out_.headers.size(); ++number) visit(number);
    if (out_.fits) bound_stacks();
  }

 private:
  // Finds the calls of functions that are no spaces, by function of the sketch's code.
  void find_calls() {
    calls_.resize(code_.functions.size());
    for (u32 number = 0; number < code_.functions.size(); ++number) {
      const Function& f = code_.functions[number];
      for (u32 k = f.code_begin; k < f.code_end; ++k) {
        const Instruction& i = code_.instructions[k];
        if (i.op == Op::Call && out_.space_of[i.a] == kNoSpace)
          calls_[number].push_back(out_.number_of[i.a]);
      }
    }
  }
  // Marks the space, and all that its alternatives lead to.
  void reach(u32 space) {
    if (reached_[space]) return;
    reached_[space] = true;
    for (const u32 next : out_.spaces[space].takes) reach(next);
  }
  void add_types(const Function& f, u32 begin, u32 end) {
    const auto first = code_.slot_types.begin() + f.slots_begin;
    out_.slot_types.insert(out_.slot_types.end(), first + begin, first + end);
  }
  void add(u32 number) {
    reached_.assign(sketch_.spaces.size(), false);
    for (const u32 space : out_.takes[number]) reach(space);
    Function f = code_.functions[number];
    if (is_side_entry(f.kind)) f.owner = out_.number_of[f.owner];
    std::vector<u16> callees = calls_[number];
    const auto slots_begin = static_cast<u32>(out_.slot_types.size());
    add_types(f, 0, f.slots);
    u64 most_stack = f.max_stack;
    for (u32 s = 0; s < sketch_.spaces.size(); ++s) {
      const u64 first = out_.slot_types.size() - slots_begin;
      out_.first_slots.push_back(static_cast<u16>(first));
      if (!reached_[s]) continue;
      const BoundFunctions::Space& space = out_.spaces[s];
      const Function& own = code_.functions[space.function];
      const u64 levels = sketch_.spaces[s].depth + 1;
      most_stack += levels * own.max_stack;
      if (first + space.parameter_slots + levels * space.variable_slots > kMostCells) {
        out_.fits = false;
        return;
      }
      add_types(own, 0, space.stored_slots());
      for (u64 level = 0; level < levels; ++level) add_types(own, space.parameter_slots, own.slots);
      const std::vector<u16>& calls = calls_[space.function];
      callees.insert(callees.end(), calls.begin(), calls.end());
    }
    std::ranges::sort(callees);
    callees.erase(std::ranges::unique(callees).begin(), callees.end());
    out_.callees.insert(out_.callees.end(), callees.begin(), callees.end());
    out_.callee_begins.push_back(static_cast<u32>(out_.callees.size()));
    const u64 slots = out_.slot_types.size() - slots_begin;
    out_.fits = out_.fits && slots + most_stack <= kMostCells;
    frames_.push_back((slots + most_stack) * sizeof(u64));
    own_frames_.push_back((u64{f.slots} + f.max_stack) * sizeof(u64));
    own_stacks_.push_back(f.stack_bytes);
    f.slots_begin = slots_begin;
    f.slots = static_cast<u16>(slots);
    out_.headers.push_back(f);
  }
  // Bounds the stack of a call of each function in any variant. A function outside of all cycles takes its frame and
  // the largest stack that it calls. For a cycle, the bound is the sketch's plus the increase of each live frame and
  // of the calls out of the cycle.
  void bound_stacks() {
    std::vector<u64> stacks = own_stacks_;
    for (bool grows = true; grows;) {
      grows = false;
      const std::vector<u64> more = more_of_cycles(stacks);
      for (const u16 number : out_.callees_first) {
        const Function& f = out_.headers[number];
        const u64 stack = f.cycle != 0 ? own_stacks_[number] + more[f.cycle]
                                       : frames_[number] + most_called(number, stacks, {});
        if (stack <= stacks[number]) continue;
        stacks[number] = stack;
        grows = true;
      }
    }
    for (u32 number = 0; number < out_.headers.size(); ++number) {
      out_.fits =
          out_.fits && (stacks[number] == own_stacks_[number] || stacks[number] <= stack_limit_);
      out_.headers[number].stack_bytes = static_cast<u32>(std::min<u64>(stacks[number], ~0u));
    }
  }
  [[nodiscard]] std::vector<u64> more_of_cycles(const std::vector<u64>& stacks) const {
    std::vector<u64> frames(out_.headers.size() + 1), called(frames.size()), sums(frames.size());
    for (u32 number = 0; number < out_.headers.size(); ++number) {
      const Function& f = out_.headers[number];
      frames[f.cycle] = std::max(frames[f.cycle], f.rec * (frames_[number] - own_frames_[number]));
      called[f.cycle] = std::max(called[f.cycle], most_called(number, stacks, own_stacks_));
    }
    for (size_t cycle = 0; cycle < sums.size(); ++cycle)
      sums[cycle] = frames[cycle] + called[cycle];
    return sums;
  }
  // Over the functions called outside of its cycle: the largest stack, or the largest increase over `before`.
  [[nodiscard]] u64 most_called(u32 number, const std::vector<u64>& stacks,
                                const std::vector<u64>& before) const {
    u64 most = 0;
    for (u32 k = out_.callee_begins[number]; k < out_.callee_begins[number + 1]; ++k) {
      const u32 callee = out_.callees[k];
      const u32 cycle = out_.headers[callee].cycle;
      if (cycle != 0 && cycle == out_.headers[number].cycle) continue;
      most = std::max(most, stacks[callee] - (before.empty() ? 0 : before[callee]));
    }
    return most;
  }
  void visit(u32 number) {
    if (seen_[number]) return;
    seen_[number] = true;
    for (u32 k = out_.callee_begins[number]; k < out_.callee_begins[number + 1]; ++k)
      visit(out_.callees[k]);
    out_.callees_first.push_back(static_cast<u16>(number));
  }

  const Code& code_;
  const Sketch& sketch_;
  u32 stack_limit_;
  BoundFunctions& out_;
  std::vector<std::vector<u16>> calls_;
  std::vector<bool> reached_;  // spaces
  std::vector<bool> seen_;     // functions
  // For bound functions, in bytes: the largest frame, the frame in the sketch, and a call in the sketch.
  std::vector<u64> frames_, own_frames_, own_stacks_;
};

}  // namespace

BoundFunctions number_functions(const Code& code, const Sketch& sketch) {
  BoundFunctions out;
  out.spaces.resize(sketch.spaces.size());
  u16 next = 0;
  for (u32 number = 0; number < code.functions.size(); ++number) {
    const Function& f = code.functions[number];
    const auto own = std::ranges::find_if(sketch.spaces, [&](const Space& space) {
      return space.span.begin <= f.place && f.place < space.span.end;
    });
    const bool is_space = own != sketch.spaces.end();
    out.space_of.push_back(is_space ? static_cast<u32>(own - sketch.spaces.begin()) : kNoSpace);
    out.number_of.push_back(is_space ? u16{0} : next++);
    if (!is_space) continue;
    BoundFunctions::Space& space = out.spaces[out.space_of.back()];
    space.function = number;
    space.parameter_slots = f.parameter_slots;
    space.variable_slots = f.slots - f.parameter_slots;
  }
  out.takes.resize(code.functions.size());
  return out;
}

void lay_out_functions(const Code& code, const Sketch& sketch, u32 stack_limit,
                       BoundFunctions& out) {
  FunctionLayout(code, sketch, stack_limit, out).run();
}

}  // namespace komuz::engine
