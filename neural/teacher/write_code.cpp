// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/write_code.h"

#include <algorithm>

#include "neural/teacher/costs.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

constexpr u64 kLoad = cost_of(OtherCost::Instruction);
constexpr u64 kStore = cost_of(OtherCost::Instruction) + cost_of(OtherCost::Store);

}  // namespace

u32 CodeWriter::common(u32 a, u32 b) const {
  // What uses a node has a larger number.
  while (a != b) {
    if (a < b)
      a = states_[a].user;
    else
      b = states_[b].user;
  }
  return a;
}

void CodeWriter::find_users(u32 root) {
  states_[root].is_needed = true;
  states_[root].user = root;
  for (u32 n = root + 1; n-- > 0;) {
    if (!states_[n].is_needed) continue;
    for (u32 k = 0; k < graph_[n].operands; ++k) {
      State& operand = states_[graph_[n].operand[k]];
      operand.user = operand.is_needed ? common(operand.user, n) : n;
      operand.is_needed = true;
    }
  }
}

// May `node` be evaluated before all of `at`?
bool CodeWriter::may_keep(u32 node, u32 at) const {
  // What is bound inside of `at` is not known before it.
  if ((graph_[node].locals & ~graph_[at].locals) != 0) return false;
  const TrapSet traps = graph_[node].traps;
  if (traps == 0) return true;
  const ValueGraph::Reach reach = graph_.reach(at, node);
  const TrapSet others = reach.before | states_[at].kept_traps;
  return reach.is_reached && (others == 0 || is_one_kind(others | traps));
}

void CodeWriter::choose(u32 root) {
  for (u32 n = 0; n <= root; ++n) {
    if (!states_[n].is_needed) continue;
    const ValueNode& node = graph_[n];
    states_[n].cost = own_cost(graph_, node);
    for (u32 k = 0; k < node.operands; ++k) states_[n].cost += states_[node.operand[k]].cost;
  }
  states_[root].copies = 1;
  for (u32 n = root + 1; n-- > 0;) {
    State& state = states_[n];
    if (!state.is_needed) continue;
    const ValueNode& node = graph_[n];
    const u64 copies = state.copies;
    if (copies > 1 && !node.is_leaf() && own_slots_ < kMostLocals &&
        state.cost * (copies - 1) > kStore + kLoad * copies && may_keep(n, state.user)) {
      // A node is kept once for each copy of what all its uses are in.
      ++own_slots_;
      ++shared_;
      State& user = states_[state.user];
      user.kept_traps |= node.traps;
      state.next = user.first;
      user.first = n;
      state.copies = user.copies;
    }
    for (u32 k = 0; k < node.operands; ++k) states_[node.operand[k]].copies += state.copies;
  }
}

u32 CodeWriter::new_slot(Scalar type) {
  Function& f = out_->functions[0];
  for (u32 slot = f.parameter_slots; slot < f.slots; ++slot) {
    if (is_taken_[slot] || out_->slot_types[slot] != static_cast<u8>(type)) continue;
    is_taken_[slot] = true;
    return slot;
  }
  is_taken_.push_back(true);
  out_->slot_types.push_back(static_cast<u8>(type));
  return f.slots++;
}

void CodeWriter::emit(u32 n) {
  if (is_too_long_) return;
  const State& state = states_[n];
  std::vector<Instruction>& code = out_->instructions;
  if (code.size() > 2 * kMostWindowWords) {
    is_too_long_ = true;
    return;
  }
  const ValueNode& node = graph_[n];
  if (state.is_stored) {
    code.push_back({Op::LoadVar, node.type, static_cast<u16>(state.slot), 0});
    return;
  }
  for (u32 kept = state.first; kept != kNone; kept = states_[kept].next) {
    states_[kept].is_stored = false;
    emit(kept);
    u32& slot = states_[kept].slot;
    if (slot == kNone) slot = new_slot(graph_[kept].type);
    code.push_back({Op::StoreVar, graph_[kept].type, static_cast<u16>(slot), 0});
    states_[kept].is_stored = true;
  }
  emit_node(node);
}

void CodeWriter::emit_node(const ValueNode& node) {
  std::vector<Instruction>& code = out_->instructions;
  const auto here = [&] { return static_cast<u32>(code.size()); };
  switch (node.kind) {
    case ValueKind::Input: code.push_back(node.instruction); return;
    case ValueKind::Local:
      code.push_back({Op::LoadVar, node.type, static_cast<u16>(let_slots_[node.cell]), 0});
      return;
    case ValueKind::Constant: {
      const auto found = std::ranges::find(out_->constants, node.cell);
      const u32 number = static_cast<u32>(found - out_->constants.begin());
      if (found == out_->constants.end()) out_->constants.push_back(node.cell);
      code.push_back({Op::LoadConst, node.type, 0, number});
      return;
    }
    case ValueKind::Operation:
      for (u32 k = 0; k < node.operands; ++k) emit(node.operand[k]);
      code.push_back(node.instruction);
      return;
    case ValueKind::If: {
      emit(node.operand[0]);
      const u32 branch = here();
      code.push_back({Op::JumpIfFalse, Scalar::None, 1, 0});
      emit(node.operand[1]);
      const u32 jump = here();
      code.push_back({Op::Jump, Scalar::None, 1, 0});
      code[branch].b = here();
      emit(node.operand[2]);
      code[jump].b = here();
      return;
    }
    case ValueKind::And:
    case ValueKind::Or: {
      emit(node.operand[0]);
      const u32 branch = here();
      code.push_back({node.kind == ValueKind::And ? Op::JumpIfFalseOrPop : Op::JumpIfTrueOrPop,
                      Scalar::None, 0, 0});
      emit(node.operand[1]);
      code[branch].b = here();
      return;
    }
    case ValueKind::Let: {
      emit(node.operand[0]);
      const Scalar type = graph_[node.operand[0]].type;
      u32& slot = let_slots_[node.cell];
      if (slot == kNone) slot = new_slot(type);
      code.push_back({Op::StoreVar, type, static_cast<u16>(slot), 0});
      emit(node.operand[1]);
      return;
    }
  }
}

bool CodeWriter::write(const CodeView& like, u32 root, Code& out) {
  const Function& f = like.functions[0];
  out = {};
  out.names = like.name(f);
  out.types.assign(like.types.begin(), like.types.end());
  out.slot_types.assign(like.slot_types.begin() + f.slots_begin,
                        like.slot_types.begin() + f.slots_begin + f.slots);
  out.parameter_names.assign(f.parameter_slots, {0, static_cast<u32>(out.names.size())});
  Function made = f;
  made.name_begin = 0;
  made.name_end = static_cast<u32>(out.names.size());
  made.code_begin = made.slots_begin = made.parameters_begin = 0;
  is_taken_.assign(f.slots, false);
  out.functions.push_back(made);
  out_ = &out;
  states_.assign(root + 1, {});
  let_slots_.assign(kMostLets, kNone);
  own_slots_ = shared_ = 0;
  is_too_long_ = false;
  find_users(root);
  choose(root);
  emit(root);
  out.instructions.push_back({Op::Return, Scalar::None, 0, 0});
  Function& done = out.functions[0];
  done.code_end = static_cast<u32>(out.instructions.size());
  out.places.assign(out.instructions.size(), 0);
  return !is_too_long_ && done.slots <= done.parameter_slots + kMostLocals &&
         count_words(out.instructions) <= kMostWindowWords;
}

}  // namespace komuz::neural
