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

  end_ = w_.block("end");
  slice_ = variable(w_.builder.getInt64Ty(), "slice");
  used_ = variable(w_.type(Type::I32), "used");
  live_ = mask_variable("live");
  returned_ = mask_variable("returned");
  w_.builder.CreateStore(slice, slice_);
  w_.builder.CreateStore(used, used_);
  w_.builder.CreateStore(mask, live_);
  w_.builder.CreateStore(none(), returned_);
  open_memory(5);
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

void LaneLowering::return_results() {
  const u32 count = static_cast<u32>(shape_.results.size());
  llvm::Value* const live = this->live();
  // Results of lanes that have returned before stay.
  bool keeps = has_returned_;
  for (const Region& region : regions_) keeps = keeps || region.kind == RegionKind::Loop;
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
