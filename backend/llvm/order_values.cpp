// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/order_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace komuz::backend {
namespace {

bool stays(const llvm::Instruction& i) {
  return llvm::isa<llvm::PHINode>(i) || llvm::isa<llvm::AllocaInst>(i) || i.isTerminator() ||
         i.mayHaveSideEffects() || i.mayReadOrWriteMemory();
}

class BlockOrder {
 public:
  explicit BlockOrder(llvm::BasicBlock& block) : block_(block) {}

  void run() {
    std::vector<llvm::Instruction*> fixed;
    for (llvm::Instruction& i : block_) {
      weigh(i);
      if (stays(i)) fixed.push_back(&i);
    }
    // What waits is not in the way of what is placed.
    for (llvm::Instruction* const i : fixed)
      if (!llvm::isa<llvm::PHINode>(i)) place_operands(*i);
    // What only other blocks use goes to the end.
    std::vector<llvm::Instruction*> rest;
    for (llvm::Instruction& i : block_)
      if (!stays(i) && !is_placed(i)) rest.push_back(&i);
    for (llvm::Instruction* const i : rest)
      if (!is_placed(*i)) place(*i, *block_.getTerminator());
  }

 private:
  [[nodiscard]] bool is_placed(const llvm::Instruction& i) const {
    const auto found = weights_.find(&i);
    return found != weights_.end() && found->second.is_placed;
  }
  [[nodiscard]] bool waits(const llvm::Value* value) const {
    const auto* const i = llvm::dyn_cast<llvm::Instruction>(value);
    return i != nullptr && i->getParent() == &block_ && !stays(*i) && !is_placed(*i);
  }
  [[nodiscard]] u32 weight(const llvm::Value* value) const {
    const auto found = weights_.find(llvm::dyn_cast<llvm::Instruction>(value));
    return found == weights_.end() ? 0 : found->second.registers;
  }

  // The registers that a value takes while it is calculated, as if it were used once.
  void weigh(const llvm::Instruction& i) {
    llvm::SmallVector<u32, 4> operands;
    for (const llvm::Value* const operand : i.operands())
      if (llvm::isa<llvm::Instruction>(operand)) operands.push_back(weight(operand));
    std::sort(operands.rbegin(), operands.rend());
    u32 most = 1;
    for (u32 k = 0; k < operands.size(); ++k) most = std::max(most, operands[k] + k);
    weights_[&i].registers = stays(i) ? 1 : most;
  }

  void place_operands(llvm::Instruction& user) {
    struct Entry {
      llvm::Instruction* at;
      bool is_open;
    };
    std::vector<Entry> waiting;
    const auto add_operands = [&](llvm::Instruction& i) {
      std::vector<llvm::Instruction*> found;
      for (llvm::Value* const operand : i.operands())
        if (waits(operand)) found.push_back(llvm::cast<llvm::Instruction>(operand));
      // The last one is taken first.
      std::stable_sort(found.begin(), found.end(),
                       [&](auto* a, auto* b) { return weight(a) < weight(b); });
      for (llvm::Instruction* const operand : found) waiting.push_back({operand, false});
    };
    add_operands(user);
    while (!waiting.empty()) {
      const Entry entry = waiting.back();
      if (is_placed(*entry.at)) {
        waiting.pop_back();
      } else if (entry.is_open) {
        waiting.pop_back();
        place(*entry.at, user);
      } else {
        waiting.back().is_open = true;
        add_operands(*entry.at);
      }
    }
  }
  void place(llvm::Instruction& i, llvm::Instruction& user) {
    i.moveBefore(&user);
    weights_[&i].is_placed = true;
  }

  struct Weight {
    u32 registers = 0;
    bool is_placed = false;
  };
  llvm::BasicBlock& block_;
  llvm::DenseMap<const llvm::Instruction*, Weight> weights_;
};

}  // namespace

void order_values(llvm::Module& module) {
  for (llvm::Function& f : module)
    for (llvm::BasicBlock& block : f) BlockOrder(block).run();
}

}  // namespace komuz::backend
