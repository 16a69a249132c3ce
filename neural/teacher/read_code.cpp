// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/read_code.h"

#include <utility>

namespace komuz::neural {
namespace {

constexpr u32 kNoValue = ~0u;
constexpr u32 kMostArms = 32;  // in one another
constexpr u32 kMostNodes = 4'000;

}  // namespace

std::optional<u32> CodeReader::read(const CodeView& code) {
  code_ = code;
  const Function& f = code.functions[0];
  slots_.assign(f.slots, kNoValue);
  stack_.clear();
  lets_.clear();
  region_stack_ = next_let_ = arms_ = 0;
  for (u16 slot = 0; slot < f.parameter_slots; ++slot)
    slots_[slot] = graph_.input(slot, static_cast<Scalar>(code.slot_types[f.slots_begin + slot]));
  u32 value = 0;
  // All but the RETURN.
  if (!region(f.code_begin, f.code_end - 1, value)) return {};
  return value;
}

// Code that leaves one value, with the values of its own slots.
bool CodeReader::region(u32 begin, u32 end, u32& value) {
  const u32 outer = std::exchange(region_stack_, static_cast<u32>(stack_.size()));
  const size_t lets = lets_.size();
  u32 at = begin;
  while (at < end)
    if (graph_.size() > kMostNodes || !step(at)) return false;
  if (at != end || stack_.size() != region_stack_ + 1) return false;
  value = stack_.back();
  stack_.pop_back();
  for (; lets_.size() > lets; lets_.pop_back())
    value = simplifier_.let(lets_.back().number, lets_.back().value, value);
  region_stack_ = outer;
  return true;
}

bool CodeReader::step(u32& at) {
  const Instruction i = code_.instructions[at];
  switch (i.op) {
    case Op::LoadConst: stack_.push_back(graph_.constant(i.type, code_.constants[i.b])); break;
    case Op::LoadVar:
      if (slots_[i.a] == kNoValue) return false;
      stack_.push_back(slots_[i.a]);
      break;
    case Op::StoreVar:
      if (!store(i.a)) return false;
      break;
    case Op::JumpIfFalse: return arms(at);
    case Op::JumpIfFalseOrPop:
    case Op::JumpIfTrueOrPop: return lazy(at);
    default: {
      const OpForm form = op_row(i.op).form;
      const u32 operands = operand_count(form);
      if (!is_pure_form(form) || stack_.size() < region_stack_ + operands) return false;
      const u32 made = simplifier_.operation(i, std::span(stack_).last(operands));
      stack_.resize(stack_.size() - operands);
      stack_.push_back(made);
      break;
    }
  }
  ++at;
  return true;
}

bool CodeReader::store(u32 slot) {
  if (stack_.size() <= region_stack_) return false;
  const u32 value = stack_.back();
  stack_.pop_back();
  const ValueNode& node = graph_[value];
  if (node.traps == 0) {
    slots_[slot] = value;
    return true;
  }
  // As a node it is evaluated before what is on the stack, not behind it.
  TrapSet before = 0;
  for (size_t k = region_stack_; k < stack_.size(); ++k) before |= graph_[stack_[k]].traps;
  if (before != 0 && !is_one_kind(before | node.traps)) return false;
  if (next_let_ == kMostLets) return false;
  const u32 number = next_let_++;
  lets_.push_back({number, value});
  slots_[slot] = graph_.local(number, node.type);
  return true;
}

// What an arm stores is not to be read behind it.
bool CodeReader::arm(u32 begin, u32 end, u32& value) {
  if (arms_ == kMostArms) return false;
  ++arms_;
  const std::vector<u32> before = slots_;
  if (!region(begin, end, value)) return false;
  --arms_;
  for (size_t slot = 0; slot < before.size(); ++slot)
    if (slots_[slot] != before[slot]) slots_[slot] = kNoValue;
  return true;
}

bool CodeReader::arms(u32& at) {
  const u32 first = code_.functions[0].code_begin;
  const Instruction branch = code_.instructions[at];
  if (branch.a == 0 || stack_.size() <= region_stack_) return false;
  const u32 second = first + branch.b, jump = second - 1;
  if (code_.instructions[jump].a != 1) return false;
  const u32 merge = first + code_.instructions[jump].b;
  std::array<u32, 3> operands = {stack_.back(), 0, 0};
  stack_.pop_back();
  if (!arm(at + 1, jump, operands[1]) || !arm(second, merge, operands[2])) return false;
  stack_.push_back(simplifier_.choice(ValueKind::If, operands));
  at = merge;
  return true;
}

bool CodeReader::lazy(u32& at) {
  const Instruction branch = code_.instructions[at];
  if (stack_.size() <= region_stack_) return false;
  const u32 end = code_.functions[0].code_begin + branch.b;
  std::array<u32, 2> operands = {stack_.back(), 0};
  stack_.pop_back();
  if (!arm(at + 1, end, operands[1])) return false;
  stack_.push_back(simplifier_.choice(
      branch.op == Op::JumpIfFalseOrPop ? ValueKind::And : ValueKind::Or, operands));
  at = end;
  return true;
}

}  // namespace komuz::neural
