// SPDX-License-Identifier: Apache-2.0
// All short expressions, the shortest first, as far as some inputs tell them apart. Of those that give the same outcomes
// on all inputs the cheapest is kept, so what is built on them stays few.
#pragma once
#include <span>
#include <unordered_map>
#include <vector>

#include "neural/teacher/expression.h"

namespace komuz::neural {

struct EnumerationLimits {
  u32 instructions = 5;      // of an expression
  u32 expressions = 40'000;  // that are kept
};

class Enumeration {
 public:
  // `slots`: the type of each slot, from 0 on. `inputs`: rows of cells, one for each slot. `sample`: its constants, types
  // and operations are those that are used, with the usual ones of these types.
  Enumeration(std::span<const Scalar> slots, std::span<const std::vector<u64>> inputs,
              const Expression& sample, const EnumerationLimits& limits);

  // The cheapest expression with these outcomes, one for each input; empty (no nodes) if there is none.
  [[nodiscard]] Expression find(Scalar type, std::span<const ExpressionOutcome> outcomes) const;
  [[nodiscard]] size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    ExpressionNode node;  // its operands are entries
    u32 instructions = 0;
    u64 cost = 0;
  };
  void collect_operations(const Expression& sample);
  void add_leaves(const Expression& sample);
  void grow(u32 instructions);
  void combine(Instruction operation, std::span<const u32> operands);
  void keep(const Entry& entry);
  [[nodiscard]] std::span<const ExpressionOutcome> outcomes_of(u32 entry) const;
  [[nodiscard]] const u32* find_entry(Scalar type,
                                      std::span<const ExpressionOutcome> outcomes) const;
  u32 write(u32 entry, Expression& out) const;
  [[nodiscard]] bool is_full() const { return entries_.size() >= limits_.expressions; }

  std::vector<Scalar> slots_;
  std::span<const std::vector<u64>> inputs_;
  const EnumerationLimits limits_;
  std::vector<Instruction> operations_;
  std::vector<Entry> entries_;
  std::vector<ExpressionOutcome> outcomes_;  // inputs_.size() for each entry
  std::vector<ExpressionOutcome> made_;      // of the expression that is being looked at
  std::unordered_multimap<u64, u32> by_hash_;
};

}  // namespace komuz::neural
