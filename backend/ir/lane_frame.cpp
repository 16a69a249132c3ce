// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/Module.h>

#include "backend/case_state.h"
#include "backend/ir/lane_function.h"

namespace komuz::backend::ir {
namespace {

// How long an instruction takes, roughly, in short ones.
u32 weight_of(Instruction i) {
  constexpr u32 kLong = 100;
  if (is_mathematical(i.op)) return kLong;
  switch (op_row(i.op).form) {
    case OpForm::Loop:
    case OpForm::Call: return kLong;
    case OpForm::LoadAt:
    case OpForm::StoreAt:
    case OpForm::LoadRef: return 4;
    default: return 1;
  }
}

}  // namespace

LaneLowering::LaneLowering(const ProgramModule& module, u32 number) : FunctionWalk(module, number) {
  u32 weight = 0;
  for (u32 at = f_.code_begin; at < f_.code_end; ++at) {
    weights_.push_back(weight);
    weight += weight_of(code_.instructions[at]);
  }
  weights_.push_back(weight);
  commons_.resize(f_.slots);
  find_stores();
}

llvm::Value* LaneLowering::mask_variable(const char* name) {
  return variable(w_.mask_type(), name);
}
llvm::Value* LaneLowering::state_rows(size_t offset) { return state_member(w_, state_, offset); }
llvm::Value* LaneLowering::out_member(u32 k) {
  return w_.builder.CreateStructGEP(shape_.lanes_out(w_), out_, k);
}
llvm::Value* LaneLowering::memory(const MemoryPlan& plan) {
  if (plan.cells == 0) return nullptr;
  return w_.builder.CreateInBoundsPtrAdd(frame_scratch_, integer(u64{plan.offset} * w_.lanes));
}

void LaneLowering::open_frame() {
  llvm::Argument* argument = function_->arg_begin();
  const auto next = [&argument](const char* name) {
    argument->setName(name);
    return argument++;
  };
  state_ = next("state");
  out_ = next("out");
  llvm::Argument* const slice = next("slice");
  llvm::Argument* const used = next("used");
  llvm::Argument* const mask = next("mask");
  if (shape_.has_top) top_ = next("top");
  if (shape_.has_live) frames_ = next("frames");
  if (shape_.results_in_memory) results_ = next("results");

  end_ = w_.block("end");
  slice_ = variable(w_.builder.getInt64Ty(), "slice");
  used_ = variable(w_.type(Type::I32), "used");
  live_ = mask_variable("live");
  returned_ = mask_variable("returned");
  w_.builder.CreateStore(slice, slice_);
  w_.builder.CreateStore(used, used_);
  w_.builder.CreateStore(mask, live_);
  w_.builder.CreateStore(none(), returned_);
  if (frame_.scratch_bytes != 0) {
    llvm::Value* const memory = w_.builder.CreateLoad(
        w_.builder.getPtrTy(), state_member(w_, state_, offsetof(LaneState, scratch)));
    frame_scratch_ = w_.builder.CreateInBoundsPtrAdd(memory, top_);
  }
  for (const AreaPlan& area : frame_.areas) areas_.push_back(memory(area));
  for (const MemoryPlan& stretch : frame_.stretches) stretches_.push_back(memory(stretch));
  passed_ = memory(frame_.passed);
  given_back_ = memory(frame_.returned);
  const auto zeroed = [&](Scalar type, const char* name) {
    llvm::Value* const made = variable(w_.type(type), name);
    w_.builder.CreateStore(llvm::Constant::getNullValue(w_.type(type)), made);
    return made;
  };
  slots_.resize(f_.slots);
  born_in_.assign(f_.slots, kNowhere);
  for (u32 slot = 0; slot < f_.slots; ++slot)
    if (frame_.area_of[slot] == kNowhere) slots_[slot] = zeroed(slot_type(slot), "slot");
  if (!shape_.results_in_memory)
    for (const Scalar type : shape_.results) result_slots_.push_back(zeroed(type, "result"));
}

void LaneLowering::take_arguments() {
  const u32 count = static_cast<u32>(shape_.parameters.size());
  const u32 arguments = static_cast<u32>(function_->arg_size());
  if (!shape_.parameters_in_memory) {
    for (u32 k = 0; k < count; ++k) store_slot(k, function_->getArg(arguments - count + k));
    return;
  }
  llvm::Value* const from = function_->getArg(arguments - 1);
  if (count >= kStretch) {
    for (u32 k = 0; k < count; ++k) is_own(k);
    return copy_cells(slot_address(0), from, count);
  }
  for (u32 k = 0; k < count; ++k)
    store_slot(k, load_cell(shape_.parameters[k], cell_address(from, k)));
}

void LaneLowering::return_results() {
  const u32 count = static_cast<u32>(shape_.results.size());
  llvm::Value* const live = this->live();
  // Results of lanes that have returned before stay.
  bool keeps = has_returned_;
  for (const Region& region : regions_) keeps = keeps || region.kind == Kind::Loop;
  const size_t first = stack_.size() - count;
  for (u32 k = 0; k < count; ++k) {
    llvm::Value* const value = value_of(stack_[first + k]);
    llvm::Value* const at = shape_.results_in_memory ? cell_address(results_, k) : result_slots_[k];
    const auto store = [&](llvm::Value* v) {
      if (shape_.results_in_memory)
        store_cell(v, at);
      else
        w_.builder.CreateStore(v, at);
    };
    if (!keeps) {
      store(value);
      continue;
    }
    llvm::Value* const before = shape_.results_in_memory
                                    ? load_cell(shape_.results[k], at)
                                    : w_.builder.CreateLoad(value->getType(), at);
    store(w_.builder.CreateSelect(live, value, before));
  }
  stack_.resize(first);
  w_.builder.CreateStore(w_.builder.CreateOr(load_mask(returned_), live), returned_);
  has_returned_ = has_returned_ || lives_;
  for (Region& region : regions_) region.has_leavers = true;
  skip_all();
}

void LaneLowering::finish() {
  if (w_.builder.GetInsertBlock()->getTerminator() == nullptr) w_.builder.CreateUnreachable();
  w_.builder.SetInsertPoint(end_);
  const auto give = [&](llvm::Type* type, llvm::Value* variable, u32 k) {
    w_.builder.CreateStore(w_.builder.CreateLoad(type, variable), out_member(k));
  };
  give(w_.builder.getInt64Ty(), slice_, 0);
  give(w_.type(Type::I32), used_, 1);
  give(w_.mask_type(), returned_, 2);
  for (u32 k = 0; k < result_slots_.size(); ++k)
    give(w_.type(shape_.results[k]), result_slots_[k], k + 3);
  w_.builder.CreateRetVoid();
}

}  // namespace komuz::backend::ir
