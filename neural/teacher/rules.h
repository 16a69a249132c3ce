// SPDX-License-Identifier: Apache-2.0
// The rules of rules.def, made ready to be matched: for each type that a rule is for, a pattern of code and the cheaper
// code that takes its place. A rule stands under the operation at its root, in each order of commuting operands.
#pragma once
#include <string_view>
#include <vector>

#include "neural/teacher/graph.h"

namespace komuz::neural {

enum class PatternKind : u8 {
  Any,       // a variable: any value
  Varying,   // a variable that is no constant
  Fixed,     // a variable that is a constant
  Power,     // a variable that is a constant, 1, 2, 4, …
  Constant,  // this constant
  Operation,
  If,
  And,
  Or,
};
[[nodiscard]] constexpr bool is_variable(PatternKind kind) { return kind <= PatternKind::Power; }
// True if what it matches is a constant.
[[nodiscard]] constexpr bool is_constant(PatternKind kind) {
  return kind == PatternKind::Fixed || kind == PatternKind::Power || kind == PatternKind::Constant;
}

// A node of a pattern; operands are nodes of the same rule.
struct PatternNode {
  PatternKind kind = PatternKind::Any;
  Scalar type = Scalar::None;
  u8 variable = 0;
  u8 operands = 0;
  std::array<u8, 3> operand = {};
  Instruction instruction = {};
  u64 cell = 0;
};

enum class RuleKind : u8 {
  Cheaper,  // what it makes costs less
  Normal,   // it costs the same, and has the form that other rules know
  Written,  // it reads better, whatever it costs (services/simplify/rules.def)
};

inline constexpr u32 kMostVariables = 8;
inline constexpr u8 kNoPattern = 0xFF;
struct Rule {
  RuleKind kind = RuleKind::Cheaper;
  u32 row = 0;  // of rules.def, from 0 on
  u8 from = 0, to = 0;
  u8 condition = kNoPattern;  // on constants: a bool that has to be true
  u8 variables = 0;
  u8 copied = 0;  // bit v: it makes more copies of variable v than it finds
  u8 hurried =
      0;  // bit v: it evaluates variable v in any case, where the pattern does on some ways alone
  std::vector<PatternNode> nodes;

  [[nodiscard]] const PatternNode& root() const { return nodes[from]; }
};

// The text of a rule, as in rules.def.
struct RuleRow {
  RuleKind kind;
  std::string_view types, from, to, condition;
};
[[nodiscard]] std::span<const RuleRow> rule_rows();

// Do the operands of the operation commute, where neither may trap?
[[nodiscard]] bool is_commutative(Op op, Scalar type);

// The rules of a row, one for each type, without those of commuted operands. A rule that does not make code cheaper for
// a type, or has a literal that the type does not have, is left out there.
[[nodiscard]] std::vector<Rule> rules_of(u32 row);
// Of a text that is not in the table: what is wrong with it is in `problem`, and no rule comes out.
[[nodiscard]] std::vector<Rule> parse_rule(const RuleRow& row, u32 number, std::string& problem);

class RuleTable {
 public:
  // The one of rules.def, made when it is first asked for.
  [[nodiscard]] static const RuleTable& get();
  explicit RuleTable(std::span<const Rule> rules);

  // Those whose root is such a node, in the order of the table.
  [[nodiscard]] std::span<const Rule> at(PatternKind kind, Op op, Scalar type) const {
    return by_root_[key(kind, op, type)];
  }

 private:
  static u32 key(PatternKind kind, Op op, Scalar type) {
    const u32 row = kind == PatternKind::Operation
                        ? static_cast<u32>(op)
                        : kOpCount + static_cast<u32>(kind) - static_cast<u32>(PatternKind::If);
    return row * kScalarCount + static_cast<u32>(type);
  }
  std::vector<std::vector<Rule>> by_root_;
};

}  // namespace komuz::neural
