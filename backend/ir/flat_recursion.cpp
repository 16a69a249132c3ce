// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/flat_recursion.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <map>

namespace komuz::backend::ir {
namespace {

// A frame: the number of the call, the result, then the arguments and variables of its function.
constexpr u64 kResultAt = 8;

// Is a value used behind one of the blocks? They follow calls, and begin without it.
bool is_live_in(const llvm::Instruction& value,
                const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& blocks) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  llvm::SmallVector<llvm::BasicBlock*, 16> waiting;
  const auto reach = [&](llvm::BasicBlock* block) {
    if (block != value.getParent() && seen.insert(block).second) waiting.push_back(block);
  };
  for (const llvm::Use& use : value.uses()) {
    auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
    const auto* const phi = llvm::dyn_cast<llvm::PHINode>(user);
    reach(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!waiting.empty()) {
    llvm::BasicBlock* const block = waiting.pop_back_val();
    if (blocks.contains(block)) return true;
    for (llvm::BasicBlock* const before : llvm::predecessors(block)) reach(before);
  }
  return false;
}

class Flattening {
 public:
  Flattening(llvm::Module& module, const Cycle& cycle)
      : cycle_(cycle), layout_(module.getDataLayout()), builder_(module.getContext()) {
    llvm::Type* const types[] = {builder_.getPtrTy(), builder_.getInt32Ty(), builder_.getInt64Ty()};
    machine_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                      llvm::GlobalValue::InternalLinkage,
                                      cycle.functions[0]->getName() + ".frames", module);
    machine_->addFnAttr(llvm::Attribute::NoUnwind);
    // A constant, once it is known.
    frame_bytes_ = machine_->getArg(2);
  }

  void run() {
    open();
    u64 result_bytes = 0;
    for (llvm::Function* const f : cycle_.functions)
      result_bytes = std::max(result_bytes, size_of(f->getReturnType()));
    for (llvm::Function* const f : cycle_.functions) plan(*f, kResultAt + result_bytes);
    for (llvm::Function* const f : cycle_.functions) take(*f);
    // What a function has at its end is known before anything of it is replaced.
    for (llvm::Function* const f : cycle_.functions) replace_ends(parts_[f]);
    u64 bytes = 0;
    for (llvm::Function* const f : cycle_.functions)
      bytes = std::max(bytes, place_variables(parts_[f]));
    frame_bytes_->replaceAllUsesWith(builder_.getInt64(bytes));
    u32 number = 0;
    for (llvm::Function* const f : cycle_.functions) write_caller(*f, number++, bytes);
  }

 private:
  struct Call {
    llvm::CallInst* call;
    llvm::BasicBlock* behind;
  };
  // What a function has become.
  struct Part {
    llvm::BasicBlock* entry = nullptr;
    std::vector<llvm::BasicBlock*> blocks;
    std::vector<u64> arguments;  // where they are in the frame
    u64 bytes = 0;               // of the frame, so far
    std::vector<Call> calls;     // of functions of the cycle
  };

  [[nodiscard]] u64 size_of(llvm::Type* type) const {
    return type->isVoidTy() ? 0 : llvm::alignTo(layout_.getTypeAllocSize(type).getFixedValue(), 8);
  }
  llvm::Value* at(llvm::Value* frame, u64 offset) {
    return builder_.CreateInBoundsPtrAdd(frame, builder_.getInt64(offset));
  }
  llvm::Value* last_frame() { return builder_.CreateLoad(builder_.getPtrTy(), last_); }

  void open() {
    llvm::BasicBlock* const entry =
        llvm::BasicBlock::Create(builder_.getContext(), "entry", machine_);
    exit_ = llvm::BasicBlock::Create(builder_.getContext(), "exit", machine_);
    nowhere_ = llvm::BasicBlock::Create(builder_.getContext(), "nowhere", machine_);
    dispatch_ = llvm::BasicBlock::Create(builder_.getContext(), "dispatch", machine_);
    builder_.SetInsertPoint(exit_);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(nowhere_);
    builder_.CreateUnreachable();
    builder_.SetInsertPoint(entry);
    last_ = builder_.CreateAlloca(builder_.getPtrTy(), nullptr, "last");
    number_ = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "number");
    builder_.CreateStore(machine_->getArg(0), last_);
    starts_ = builder_.CreateSwitch(machine_->getArg(1), nowhere_);
    builder_.SetInsertPoint(dispatch_);
    returns_ = builder_.CreateSwitch(builder_.CreateLoad(builder_.getInt32Ty(), number_), nowhere_);
    returns_->addCase(builder_.getInt32(0), exit_);
  }

  void plan(llvm::Function& f, u64 first) {
    Part& part = parts_[&f];
    part.bytes = first;
    for (const llvm::Argument& argument : f.args()) {
      part.arguments.push_back(part.bytes);
      part.bytes += size_of(argument.getType());
    }
  }

  // Moves the blocks of a function here. Between calls they go on with what the frame has.
  void take(llvm::Function& f) {
    Part& part = parts_[&f];
    part.entry = &f.getEntryBlock();
    for (llvm::BasicBlock& block : f) part.blocks.push_back(&block);
    machine_->splice(machine_->end(), &f);
    starts_->addCase(builder_.getInt32(starts_->getNumCases()), part.entry);
    builder_.SetInsertPoint(part.entry, part.entry->begin());
    llvm::Value* const frame = last_frame();
    for (llvm::Argument& argument : f.args()) {
      if (argument.use_empty()) continue;
      llvm::Value* const place = at(frame, part.arguments[argument.getArgNo()]);
      argument.replaceAllUsesWith(builder_.CreateLoad(argument.getType(), place));
    }
    split_at_calls(part);
    keep_in_frame(part);
  }

  void split_at_calls(Part& part) {
    std::vector<llvm::CallInst*> found;
    for (llvm::BasicBlock* const block : part.blocks)
      for (llvm::Instruction& i : *block)
        if (auto* const call = llvm::dyn_cast<llvm::CallInst>(&i))
          if (call->getCalledFunction() != nullptr && parts_.contains(call->getCalledFunction()))
            found.push_back(call);
    for (llvm::CallInst* const call : found) {
      llvm::BasicBlock* const behind =
          call->getParent()->splitBasicBlock(std::next(call->getIterator()), "returned");
      part.blocks.push_back(behind);
      part.calls.push_back({call, behind});
      if (call->use_empty()) continue;
      builder_.SetInsertPoint(behind, behind->begin());
      llvm::Value* const callee = builder_.CreateInBoundsPtrAdd(last_frame(), frame_bytes_);
      call->replaceAllUsesWith(builder_.CreateLoad(call->getType(), at(callee, kResultAt)));
    }
  }

  void keep_in_frame(Part& part) {
    llvm::SmallPtrSet<llvm::BasicBlock*, 16> behind;
    for (const Call& call : part.calls) behind.insert(call.behind);
    std::vector<llvm::Instruction*> kept;
    for (llvm::BasicBlock* const block : part.blocks)
      for (llvm::Instruction& i : *block)
        if (!llvm::isa<llvm::AllocaInst>(i) && is_live_in(i, behind)) kept.push_back(&i);
    for (llvm::Instruction* const i : kept) llvm::DemoteRegToStack(*i, false, part.entry->begin());
  }

  void replace_ends(Part& part) {
    for (const Call& call : part.calls) {
      const Part& callee = parts_[call.call->getCalledFunction()];
      const u32 number = returns_->getNumCases();
      returns_->addCase(builder_.getInt32(number), call.behind);
      call.call->getParent()->getTerminator()->eraseFromParent();
      builder_.SetInsertPoint(call.call->getParent());
      llvm::Value* const frame = builder_.CreateInBoundsPtrAdd(last_frame(), frame_bytes_);
      builder_.CreateStore(builder_.getInt32(number), frame);
      for (u32 k = 0; k < callee.arguments.size(); ++k)
        builder_.CreateStore(call.call->getArgOperand(k), at(frame, callee.arguments[k]));
      builder_.CreateStore(frame, last_);
      builder_.CreateBr(callee.entry);
      call.call->eraseFromParent();
    }
    for (llvm::BasicBlock* const block : part.blocks) {
      auto* const end = llvm::dyn_cast<llvm::ReturnInst>(block->getTerminator());
      if (end == nullptr) continue;
      builder_.SetInsertPoint(end);
      llvm::Value* const frame = last_frame();
      builder_.CreateStore(end->getReturnValue(), at(frame, kResultAt));
      builder_.CreateStore(builder_.CreateLoad(builder_.getInt32Ty(), frame), number_);
      builder_.CreateStore(builder_.CreateInBoundsPtrAdd(frame, builder_.CreateNeg(frame_bytes_)),
                           last_);
      builder_.CreateBr(dispatch_);
      end->eraseFromParent();
    }
  }

  // Gives the bytes of the function's frame.
  u64 place_variables(Part& part) {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::BasicBlock* const block : part.blocks)
      for (llvm::Instruction& i : *block)
        if (auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
          variables.push_back(variable);
    for (llvm::AllocaInst* const variable : variables) {
      const u64 place = part.bytes;
      part.bytes += llvm::alignTo(variable->getAllocationSize(layout_)->getFixedValue(), 8);
      while (!variable->use_empty()) {
        llvm::Use& use = *variable->use_begin();
        auto* const user = llvm::cast<llvm::Instruction>(use.getUser());
        if (user->isLifetimeStartOrEnd()) {
          user->eraseFromParent();
          continue;
        }
        if (auto* const phi = llvm::dyn_cast<llvm::PHINode>(user)) {
          // An edge has one value, however often it is one.
          llvm::BasicBlock* const from = phi->getIncomingBlock(use);
          builder_.SetInsertPoint(from->getTerminator());
          phi->setIncomingValueForBlock(from, at(last_frame(), place));
        } else {
          builder_.SetInsertPoint(user);
          use.set(at(last_frame(), place));
        }
      }
      variable->eraseFromParent();
    }
    return part.bytes;
  }

  // What is called from outside.
  void write_caller(llvm::Function& f, u32 number, u64 bytes) {
    const Part& part = parts_[&f];
    builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "entry", &f));
    llvm::AllocaInst* const frames = builder_.CreateAlloca(
        llvm::ArrayType::get(builder_.getInt64Ty(), bytes / 8 * cycle_.frames), nullptr, "frames");
    builder_.CreateStore(builder_.getInt32(0), frames);
    for (llvm::Argument& argument : f.args())
      builder_.CreateStore(&argument, at(frames, part.arguments[argument.getArgNo()]));
    builder_.CreateCall(machine_, {frames, builder_.getInt32(number), builder_.getInt64(bytes)});
    builder_.CreateRet(builder_.CreateLoad(f.getReturnType(), at(frames, kResultAt)));
    // So several calls share the frames.
    f.addFnAttr(llvm::Attribute::NoInline);
  }

  const Cycle& cycle_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
  llvm::Function* machine_;
  llvm::Value* frame_bytes_;
  llvm::Value *last_ = nullptr, *number_ = nullptr;  // variables: the frame, and where to return
  llvm::BasicBlock *exit_ = nullptr, *nowhere_ = nullptr, *dispatch_ = nullptr;
  llvm::SwitchInst *starts_ = nullptr, *returns_ = nullptr;
  std::map<llvm::Function*, Part> parts_;
};

}  // namespace

std::vector<Cycle> cycles_of(const CodeView& code, const std::vector<llvm::Function*>& functions) {
  std::map<u32, Cycle> found;
  for (size_t f = 0; f < functions.size(); ++f) {
    const Function& header = code.functions[f];
    if (functions[f] == nullptr || header.cycle == 0) continue;
    Cycle& cycle = found[header.cycle];
    cycle.functions.push_back(functions[f]);
    cycle.frames = std::max<u32>(cycle.frames, header.rec);
  }
  std::vector<Cycle> cycles;
  for (auto& [number, cycle] : found) cycles.push_back(std::move(cycle));
  return cycles;
}

void flatten_recursion(llvm::Module& module, const Cycle& cycle) {
  Flattening(module, cycle).run();
}

}  // namespace komuz::backend::ir
