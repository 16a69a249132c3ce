// SPDX-License-Identifier: Apache-2.0
// Slots that have one value in all lanes that run: the variable of a `for`, and counters that all lanes step
// together. An area that such a slot indexes is accessed by rows. What is known is known as code is written: besides
// the vector, the number is kept as one number.
//
// A slot is common from a store of a common number on, as long as no lane that did not make the store comes back: to
// the end of the region with the store. At the start of a loop it stays common if all stores in the body are steps
// that no lane can miss: a FOR_NEXT at its beginning that excludes its bound, or `slot = slot ± constant` outside of
// arms, where nothing continues.
#include <algorithm>

#include "backend/ir/lane_function.h"

namespace komuz::backend::ir {
namespace {

bool is_sum(Instruction i) { return (i.op == Op::Add || i.op == Op::Sub) && i.type == Scalar::I64; }

}  // namespace

// What writes which slots where, and round what: from the code alone.
void LaneLowering::find_stores() {
  const u32 count = f_.code_end - f_.code_begin;
  std::vector<std::pair<u32, u32>>
      open;  // the first instruction of each region, and the one behind it
  const auto add = [this](u32 slot, u32 at) {
    if (frame_.area_of[slot] == kNowhere) stores_.emplace_back(slot, at);
  };
  around_.resize(count, kNowhere);
  for (u32 at = 0; at < count; ++at) {
    const Instruction i = code_.instructions[f_.code_begin + at];
    while (!open.empty() && open.back().second <= at) open.pop_back();
    if (!open.empty()) around_[at] = open.back().first;
    switch (op_row(i.op).form) {
      case OpForm::Branch: open.emplace_back(at, i.a == 1 ? i.b - 1 : i.b); break;
      case OpForm::Jump:
      case OpForm::ShortCircuit:
      case OpForm::Loop: open.emplace_back(at, i.b); break;
      case OpForm::LoopExit:
        if (i.op == Op::Continue) continues_.push_back(at);
        break;
      case OpForm::Store:
      case OpForm::Slot: add(i.a, at); break;
      case OpForm::StoreSlots:
        for (u32 slot = i.a; slot < i.a + i.b; ++slot) add(slot, at);
        break;
      case OpForm::ForNext:
        for (u32 slot = i.a; slot < i.a + 3u; ++slot) add(slot, at);
        break;
      default: break;
    }
  }
  std::sort(stores_.begin(), stores_.end());
}

bool LaneLowering::is_step(u32 at, u32 slot, u32 loop) const {
  const auto code = [&](u32 n) { return code_.instructions[f_.code_begin + n]; };
  const Instruction i = code(at);
  if (i.op == Op::ForNext)
    return at == loop + 1 && i.a == slot && i.type == Scalar::I64 && i.b == 0;
  if (i.op != Op::StoreVar || around_[at] != loop || at < loop + 4) return false;
  const auto loads = [&](u32 n) { return code(n).op == Op::LoadVar && code(n).a == slot; };
  const auto is_constant = [&](u32 n) {
    return code(n).op == Op::LoadConst && !(w_.constants.has(code(n).b) && w_.constants.of_case());
  };
  if (!is_sum(code(at - 1))) return false;
  if (loads(at - 3) && is_constant(at - 2)) return true;
  return code(at - 1).op == Op::Add && is_constant(at - 3) && loads(at - 2);
}

// At the start of the loop from `loop` to `end`.
void LaneLowering::forget_changing(u32 loop, u32 end) {
  const auto first = std::lower_bound(continues_.begin(), continues_.end(), loop);
  const bool continues = first != continues_.end() && *first < end;
  std::erase_if(common_slots_, [&](u32 slot) {
    auto store = std::lower_bound(stores_.begin(), stores_.end(), std::pair(slot, loop));
    bool stays = commons_[slot].is_known;
    for (; stays && store != stores_.end() && store->first == slot && store->second < end;
         ++store) {
      const bool counts = code_.instructions[f_.code_begin + store->second].op == Op::ForNext;
      stays = is_step(store->second, slot, loop) && (counts || !continues);
    }
    commons_[slot].is_known = stays;
    return !stays;
  });
}
// Behind a region.
void LaneLowering::forget_inner_commons() {
  std::erase_if(common_slots_, [&](u32 slot) {
    Common& common = commons_[slot];
    if (common.level > regions_.size()) common.is_known = false;
    return !common.is_known;
  });
}

llvm::Value* LaneLowering::common_of(u32 slot) {
  if (!commons_[slot].is_known) return nullptr;
  return w_.builder.CreateLoad(w_.builder.getInt64Ty(), commons_[slot].variable);
}
void LaneLowering::set_common(u32 slot, llvm::Value* number) {
  // More than these are not looked through at each loop.
  constexpr size_t kMostCommons = 64;
  Common& common = commons_[slot];
  common.is_known = false;
  if (number == nullptr || !lives_ || frame_.area_of[slot] != kNowhere) return;
  if (std::find(common_slots_.begin(), common_slots_.end(), slot) == common_slots_.end()) {
    if (common_slots_.size() == kMostCommons) return;
    common_slots_.push_back(slot);
  }
  if (common.variable == nullptr) common.variable = variable(w_.builder.getInt64Ty(), "common");
  w_.builder.CreateStore(number, common.variable);
  common.is_known = true;
  common.level = static_cast<u32>(regions_.size());
}

llvm::Value* LaneLowering::common_result(Instruction i, const Cell* operands) {
  if (i.type != Scalar::I64 || operand_count(op_row(i.op).form) != 2) return nullptr;
  llvm::Value *const a = operands[0].common, *const b = operands[1].common;
  if (a == nullptr || b == nullptr) return nullptr;
  switch (i.op) {
    case Op::Add:
    case Op::AddWrap: return w_.builder.CreateAdd(a, b);
    case Op::Sub:
    case Op::SubWrap: return w_.builder.CreateSub(a, b);
    case Op::Mul:
    case Op::MulWrap: return w_.builder.CreateMul(a, b);
    default: return nullptr;
  }
}

}  // namespace komuz::backend::ir
