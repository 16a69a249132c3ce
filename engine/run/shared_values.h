// SPDX-License-Identifier: Apache-2.0
// Runs programs that are a straight line of operations on the same cases, one after the other, and keeps the values of their
// subexpressions. A variant that a search breeds has most subexpressions in common with others: of a child only those on the way from a
// change to the root are new.
//
//   x * x + sin(y)          x * x, sin(y) and the sum are computed
//   x * x - sin(y)          the difference alone is
//
// An expression is a *node*: an operation on other nodes, arguments or constants. Equal nodes are one (hash consing; Ershov, 1958). A
// node that takes long to compute from what is kept has a *column* with its values of all cases; the others are computed each time, in
// blocks of cases that stay in the first level of cache. If there are no more columns, the least recently used ones go (as the clock
// algorithm sees it; Corbató, 1968).
//
// All operations run by the handlers of the batch machine, so values are the same to the bit, whatever is kept.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "engine/support/large_memory.h"
#include "lang/cases.h"
#include "lang/code.h"
#include "vm/column_machine.h"

namespace komuz::engine {

// A workspace for one thread.
class SharedValues {
 public:
  // More cases leave room for too few columns.
  static constexpr u32 kMostCases = 1 << 14;

  // Forgets what it has kept, if these are other cases. Their columns stay in place, with the same values, from one run to the next.
  void use(const CasesView& cases);
  // Runs a function with one result that takes the columns of the cases: one value a case, as in an OutcomesView. False: something of
  // the code is no operation that never traps, and nothing was run.
  [[nodiscard]] bool run(const CodeView& code, u32 function, std::span<u64> values);

  // Of all runs: distinct operations of each program, and those of them that were computed; columns that went, and how often nodes did.
  struct Counts {
    u64 operations = 0, computed = 0, evicted = 0, collections = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  static constexpr u32 kNone = ~0u;
  static constexpr u32 kMostOperands = 3;

  static constexpr u32 kNeeded = kNone - 1;

  struct Node {
    Instruction code{};             // LOAD_VAR is an argument, LOAD_CONST a constant
    std::array<u32, 3> operands{};  // nodes; of a constant the halves of its cell
    u32 column = kNone;             // of a constant its place in constants_
    u32 place = 0;                  // in order_, if it is there
    Scalar type = Scalar::None;     // of its values
    u8 operand_count = 0;
    u8 cost = 0;           // from what is kept (op_costs.h)
    bool is_kept = false;  // is to have a column
    [[nodiscard]] bool is_leaf() const { return operand_count == 0; }
  };
  static_assert(sizeof(Node) == 32);
  // Of a hash table of nodes. Mostly the part of the hash tells nodes apart.
  struct Slot {
    u32 tag = 0, node = kNone;
  };
  struct Column {
    u32 node = kNone;
    bool is_used = false;  // since the hand of the clock went by
  };
  // An operation that this run computes.
  struct Step {
    u32 node = 0;
    u32 temporary = kNone;  // where it has no column
    u32 last_use = 0;       // a step
  };

  void forget();
  [[nodiscard]] u32 root_of(const CodeView& code, const Function& f);
  [[nodiscard]] bool push_operation(Instruction i);
  void push_constant(Scalar type, u64 cell);
  [[nodiscard]] u32 find_or_add(const Node& node);
  [[nodiscard]] Slot& slot_of(const Node& node);
  [[nodiscard]] std::span<const u32> operands_of(const Node& node) const {
    return std::span(node.operands).first(node.operand_count);
  }
  [[nodiscard]] bool is_in_run(u32 node) const {
    const u32 place = nodes_[node].place;
    return place < order_.size() && order_[place] == node;
  }
  // Of a node of this run: kNone, kNeeded, or the step that computes it.
  [[nodiscard]] u32& step_of(const Node& node) { return step_of_[node.place]; }
  void push(u32 node);
  void collect_garbage();
  void rebuild_slots(size_t size);
  void plan(u32 root);
  [[nodiscard]] u32 take_column(u32 node);
  void place_temporaries();
  void compute(u32 root, std::span<u64> values);
  // Values of the cases from `first` on, which begin a block: of any node, and of one that is computed.
  [[nodiscard]] vm::ColumnMachine::Values values_of(u32 node, u32 first);
  [[nodiscard]] void* made_at(const Node& node, u32 first);

  vm::ColumnMachine machine_;
  std::vector<ArgumentColumn> arguments_;
  u32 count_ = 0;
  std::vector<Node> nodes_;  // operands stand before what uses them
  std::vector<Slot> slots_;
  std::vector<vm::BroadcastValue> constants_;
  std::vector<Column> columns_;
  std::vector<LargeArray<char>> memory_;  // of so many columns each
  size_t column_bytes_ = 0, most_columns_ = 0;
  u32 hand_ = 0;
  Counts counts_;
  // Of the present run:
  std::vector<u32> stack_, variables_, order_;  // nodes
  std::vector<u32> step_of_;                    // by place in order_
  std::vector<Step> steps_;
  std::vector<u32> free_temporaries_;
  std::vector<vm::BroadcastValue> temporaries_;
};

}  // namespace komuz::engine
