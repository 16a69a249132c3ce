// SPDX-License-Identifier: Apache-2.0
// Expressions of bytecode as trees. A *window* is a stretch of a function's code that only computes one scalar: from
// constants and slots, by pure operations, with the arms of `if` and lazy operators in it. Code that gives the same
// outcome may take its place. A window has no ticks, so fuel stays what it was.
#pragma once
#include <optional>
#include <vector>

#include "lang/code.h"

namespace komuz::neural {

struct ExpressionNode {
  enum class Kind : u8 {
    Slot,       // instruction.a, as LOAD_VAR
    Constant,   // cell
    Operation,  // instruction, of `operands` nodes
    If,         // condition, first arm, second arm
    And,        // lazy: the right operand runs where the left one is true
    Or,         // lazy: where it is false
  };
  Kind kind = Kind::Slot;
  Scalar type = Scalar::None;  // of the value
  Instruction instruction = {};
  u64 cell = 0;
  u8 operands = 0;
  u32 operand[3] = {};

  bool operator==(const ExpressionNode&) const = default;
};

// Nodes, operands before what uses them; the last one is the value. Equal nodes are one node: their number is not that
// of the instructions.
struct Expression {
  std::vector<ExpressionNode> nodes;

  [[nodiscard]] u32 root() const { return static_cast<u32>(nodes.size()) - 1; }
  // The number of an equal node, which is added if there is none.
  u32 add(const ExpressionNode& node);
};

// Code [begin, end) of a function, counted from its first instruction.
struct Window {
  u32 begin = 0, end = 0;
  Expression expression;
};
// The longest windows of a checked function, from its start to its end, that have an operation.
[[nodiscard]] std::vector<Window> find_windows(const CodeView& code, const Function& function);

// Appends the code of a node. New constants go behind the code's own. Targets count from the start of `out`, which is
// `base` instructions behind the function's start.
void write_expression(const Expression& expression, u32 node, u32 base, std::vector<u64>& constants,
                      std::vector<Instruction>& out);

// What an operation, or the whole expression, takes on the batch machine: see costs.def. Of the arms of an `if` both, as
// lanes take either.
[[nodiscard]] u64 cost_of(const Expression& expression);
[[nodiscard]] u64 cost_of(Instruction operation);

// The outcome of an expression for values of the slots.
struct ExpressionOutcome {
  u64 cell = 0;
  Trap trap = Trap::None;
  bool operator==(const ExpressionOutcome&) const = default;
};
// Of one operation on values.
[[nodiscard]] ExpressionOutcome evaluate_operation(Instruction operation, const u64* operands);
[[nodiscard]] ExpressionOutcome evaluate_expression(const Expression& expression,
                                                    std::span<const u64> slots);

}  // namespace komuz::neural
