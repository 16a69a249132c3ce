// SPDX-License-Identifier: Apache-2.0
// Code of a lone function as a graph of values. Equal values are one node. What a node means is what the tree means that
// hangs below it: operands are evaluated from left to right, each time that they are used, and the first trap ends
// all. So a node that cannot trap may be evaluated anywhere, and any number of times.
//
// A `let` whose value may trap is a node: first the value is evaluated, then the body, in which Local stands for it. All
// other slots of a function are gone.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "lang/code.h"

namespace komuz::neural {

using TrapSet = u16;  // bit t: trap t
[[nodiscard]] constexpr bool is_one_kind(TrapSet traps) { return (traps & (traps - 1)) == 0; }

enum class ValueKind : u8 {
  Input,      // parameter slot instruction.a
  Local,      // the value of the Let with the number `cell`
  Constant,   // cell
  Operation,  // instruction, of `operands` nodes
  If,         // condition, first arm, second arm
  And,        // lazy: the right operand is evaluated where the left one is true
  Or,         // lazy: where it is false
  Let,        // value, body; its number is in `cell`
};
struct ValueNode {
  ValueKind kind = ValueKind::Input;
  Scalar type = Scalar::None;  // of the value
  u8 operands = 0;
  TrapSet own_traps = 0;  // in which the node itself may end
  TrapSet traps = 0;      // and what is below it
  Instruction instruction = {};
  u64 cell = 0;
  std::array<u32, 3> operand = {};
  u32 cost = 0;    // of the tree (costs.h), at most kMostCost
  u64 locals = 0;  // bit n: the value of Let n is used below it, and not bound there
  u64 hash = 0;    // of the tree, whatever the numbers of its nodes

  [[nodiscard]] bool is_constant() const { return kind == ValueKind::Constant; }
  [[nodiscard]] bool is_leaf() const { return operands == 0; }
};

// Shared nodes count each time.
inline constexpr u32 kMostCost = 1u << 30;
// Numbers of Let nodes are below this.
inline constexpr u32 kMostLets = 64;

class ValueGraph {
 public:
  ValueGraph();
  void clear();

  // Nodes are added after their operands. Nothing is simplified here.
  u32 input(u16 slot, Scalar type);
  u32 local(u32 let, Scalar type);
  u32 constant(Scalar type, u64 cell);
  u32 operation(Instruction i, std::span<const u32> operands);
  u32 choice(ValueKind kind, std::span<const u32> operands);  // If, And, Or
  u32 let(u32 number, u32 value, u32 body);

  [[nodiscard]] const ValueNode& operator[](u32 node) const { return nodes_[node]; }
  [[nodiscard]] u32 size() const { return static_cast<u32>(nodes_.size()); }

  // Whether evaluating `root` evaluates `node` wherever it does not trap before, and in which traps it may have ended by
  // then.
  struct Reach {
    bool is_reached = false;
    TrapSet before = 0;
  };
  [[nodiscard]] Reach reach(u32 root, u32 node) const;
  [[nodiscard]] bool uses(u32 root, u32 node) const;

 private:
  u32 add(ValueNode& node);

  std::vector<ValueNode> nodes_;
  std::vector<u32> table_;                 // by hash: node + 1, or 0
  mutable std::vector<u32> seen_, stack_;  // for reach() and uses()
};

// What a node costs besides its operands.
[[nodiscard]] u64 own_cost(const ValueGraph& graph, const ValueNode& node);

// The traps in which an operation may end, as far as its operands tell.
[[nodiscard]] TrapSet traps_of(const ValueGraph& graph, Instruction i,
                               std::span<const u32> operands);

}  // namespace komuz::neural
