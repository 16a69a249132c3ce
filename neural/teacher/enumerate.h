// SPDX-License-Identifier: Apache-2.0
// Short expressions that give wanted outcomes on some inputs, the cheapest first.
//
// All expressions up to a length are kept, as far as the inputs tell them apart: of those with the same outcomes the
// cheapest one. Longer ones are not kept, but looked for, from the wanted outcomes down:
//
//   a op b          all pairs that are as long as the limit allows, dropped at the first input that differs
//   a op ? = goal   operations that can be undone: the other operand is looked up by the outcomes that it must have
//   if p a b        an expression counts on those inputs where it gives the goal: p, or its opposite, has to be within
#pragma once
#include <span>
#include <vector>

#include "neural/teacher/evaluate.h"

namespace komuz::neural {

struct EnumerationLimits {
  u32 kept = 5;                  // instructions of expressions that are kept
  u32 instructions = 7;          // of pairs that are looked for
  u32 expressions = 8'000;       // that are kept
  u64 combinations = 1'000'000;  // that are looked at, each
  bool keeps_alike = false;      // see alike()
};

// What expressions are made of.
struct EnumerationSample {
  std::vector<Scalar> inputs;  // by number
  std::vector<std::pair<Scalar, u64>> constants;
  std::vector<Instruction> operations;
};
// Inputs, constants and operations of a tree, and the usual operations of its types; `inputs`: the types of its inputs.
[[nodiscard]] EnumerationSample sample_of(const ValueGraph& graph, u32 root,
                                          std::span<const Scalar> inputs);

class Enumeration {
 public:
  // `rows`: inputs, a cell for each number; at most 128. Only what costs less than `below` is made.
  Enumeration(const EnumerationSample& sample, std::span<const std::vector<u64>> rows, u64 below,
              const EnumerationLimits& limits);

  // An operation on expressions that are kept.
  struct Found {
    u64 cost = 0;
    ValueKind kind = ValueKind::Operation;
    Instruction instruction = {};
    u8 operands = 0;
    std::array<u32, 3> operand = {};
    u64 cell = 0;  // of a constant; its type is the instruction's
  };
  // Those with these outcomes, one for each row, that cost less than `below`: some, the cheapest first.
  [[nodiscard]] std::vector<Found> find(Scalar type, std::span<const ValueOutcome> goal);
  u32 write(const Found& found, ValueGraph& out) const;

  // An expression that is kept.
  struct Entry {
    Found made;
    Scalar type = Scalar::None;
    u32 size = 0;           // instructions
    bool may_trap = false;  // on one of the rows
  };
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] ValueOutcome outcome(u32 entry, u32 row) const {
    return outcomes_[size_t{entry} * rows_ + row];
  }
  // The entry with these outcomes, or null.
  [[nodiscard]] const Entry* entry_of(Scalar type, std::span<const ValueOutcome> outcomes) const {
    const u32* number = lookup(type, outcomes);
    return number == nullptr ? nullptr : &entries_[*number - 1];
  }
  // Pairs of expressions that the inputs do not tell apart and that differ in cost, the dearer one first, as they were
  // made: for whoever looks for rules.
  struct Alike {
    Found dear, cheap;
  };
  [[nodiscard]] std::span<const Alike> alike() const { return alike_; }

 private:
  struct Operator {
    ValueKind kind;
    Instruction instruction;
    u32 size;  // instructions of its own
    u64 cost;
    u8 operands;
    Scalar types[3];
    Scalar result;
    bool commutes;
  };

  void add_operators(const EnumerationSample& sample);
  void add_leaves(const EnumerationSample& sample);
  // Calls use(operand numbers, cost) for all operands so that the whole has `size` instructions; false ends it.
  template <class Use>
  void for_operands(const Operator& op, u32 size, const Use& use);
  [[nodiscard]] ValueOutcome outcome(const Operator& op, const u32* operands, u32 row) const;
  void grow(u32 size);
  void keep(const Entry& entry);
  [[nodiscard]] const u32* lookup(Scalar type, std::span<const ValueOutcome> outcomes) const;
  void offer(const Operator& op, std::array<u32, 3> operands, u64 cost);
  void find_pairs(u32 size);
  void find_undone();
  void find_choices();
  void insert(u64 hash, u32 entry);
  u32 write(u32 entry, ValueGraph& out) const;

  const u32 rows_;
  const EnumerationLimits limits_;
  u64 below_;
  u64 combinations_ = 0;
  std::vector<Scalar> inputs_;
  std::vector<Operator> operators_;
  std::vector<Entry> entries_;
  std::vector<Alike> alike_;
  std::vector<ValueOutcome> outcomes_;  // rows_ for each entry
  std::vector<ValueOutcome> made_;      // of the expression that is being looked at
  std::vector<std::vector<u32>> by_size_[kScalarCount];  // by type and size
  std::vector<u32> table_;                               // by hash: entry + 1, or 0
  // While find() runs.
  Scalar goal_type_ = Scalar::None;
  std::span<const ValueOutcome> goal_;
  std::vector<Found> found_;
};

}  // namespace komuz::neural
