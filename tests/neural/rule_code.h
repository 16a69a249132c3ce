// SPDX-License-Identifier: Apache-2.0
// Both sides of a rule as functions of its variables, to be compared.
#pragma once
#include <gtest/gtest.h>

#include "lang/check/check_code.h"
#include "neural/equal/equality.h"
#include "neural/proof/prover.h"
#include "neural/teacher/simplify.h"
#include "neural/teacher/write_code.h"

namespace komuz::test {

enum class Trapping : u8 { Each, Alike };

class RuleCode {
 public:
  // Variables in `trapping` may trap, each in a way of its own or all alike. They have a bool more, which says that they do
  // not.
  // `power` stands for the variable that is a power of two.
  RuleCode(const neural::Rule& rule, u32 trapping, Trapping how, u64 power)
      : rule_(rule), trapping_(trapping), how_(how), power_(power) {
    u16 slots = 0;
    std::vector<Scalar> types(rule.variables, Scalar::None);
    for (const neural::PatternNode& n : rule.nodes)
      if (neural::is_variable(n.kind)) types[n.variable] = n.type;
    for (const Scalar type : types) add_parameter(type), ++slots;
    for (u32 v = 0; v < rule.variables; ++v)
      if ((trapping >> v & 1) != 0) {
        add_parameter(Scalar::Bool);
        bools_.push_back(slots++);
      } else {
        bools_.push_back(0);
      }
    // Read as written: nothing is simplified, and the condition chooses between the side and one constant.
    from_ = make(rule.from);
    to_ = make(rule.to);
  }
  [[nodiscard]] neural::ComparedFunction from() const { return {from_.view(), 0}; }
  [[nodiscard]] neural::ComparedFunction to() const { return {to_.view(), 0}; }

 private:
  void add_parameter(Scalar type) { parameters_.push_back(type); }

  Code make(u8 side) {
    neural::ValueGraph graph;
    u32 root = node(graph, side, true);
    if (rule_.condition != neural::kNoPattern) {
      const u32 parts[] = {node(graph, rule_.condition, false), root,
                           graph.constant(rule_.root().type, 0)};
      root = graph.choice(neural::ValueKind::If, parts);
    }
    Code like, out;
    Function f;
    like.names = "rule";
    f.name_end = 4;
    like.types = {kTupleCode, static_cast<u8>(parameters_.size())};
    for (const Scalar type : parameters_) {
      like.types.push_back(static_cast<u8>(type));
      like.slot_types.push_back(static_cast<u8>(type));
      like.parameter_names.push_back({0, 4});
    }
    like.types.push_back(static_cast<u8>(rule_.root().type));
    f.parameter_slots = f.slots = static_cast<u16>(parameters_.size());
    f.result_cells = 1;
    f.is_public = true;
    like.functions.push_back(f);
    neural::CodeWriter writer(graph);
    EXPECT_TRUE(writer.write(like.view(), root, out));
    const CodeError error = check_code(out.view(), out.functions);
    EXPECT_EQ(error.reason, "") << "rule " << rule_.row;
    return out;
  }

  u32 node(neural::ValueGraph& graph, u8 at, bool traps) {
    const neural::PatternNode& n = rule_.nodes[at];
    u32 operands[3] = {};
    for (u32 k = 0; k < n.operands; ++k) operands[k] = node(graph, n.operand[k], traps);
    const auto made = std::span<const u32>(operands).first(n.operands);
    switch (n.kind) {
      case neural::PatternKind::Any:
      case neural::PatternKind::Varying:
      case neural::PatternKind::Fixed:
      case neural::PatternKind::Power: {
        if (n.kind == neural::PatternKind::Power) return graph.constant(n.type, power_);
        const u32 value = graph.input(n.variable, n.type);
        if (!traps || (trapping_ >> n.variable & 1) == 0) return value;
        // Where the bool is false, what comes before the value traps.
        const u32 parts[] = {graph.input(bools_[n.variable], Scalar::Bool),
                             trapping_bool(graph, n.variable)};
        const u32 choice[] = {graph.choice(neural::ValueKind::Or, parts), value, value};
        return graph.choice(neural::ValueKind::If, choice);
      }
      case neural::PatternKind::Constant: return graph.constant(n.type, n.cell);
      case neural::PatternKind::Operation: return graph.operation(n.instruction, made);
      case neural::PatternKind::If: return graph.choice(neural::ValueKind::If, made);
      case neural::PatternKind::And: return graph.choice(neural::ValueKind::And, made);
      case neural::PatternKind::Or: return graph.choice(neural::ValueKind::Or, made);
    }
    return 0;
  }
  // An operation that always traps: INDEX, DIV_ZERO, RANGE or OVERFLOW.
  u32 trapping_bool(neural::ValueGraph& graph, u32 variable) const {
    constexpr Scalar I = Scalar::I64;
    const u32 zero = graph.constant(I, 0), least = graph.constant(I, u64{1} << 63),
              less = graph.constant(I, ~u64{0});
    constexpr Instruction kTrapping[] = {{Op::CheckIndex, I, 0, 0},
                                         {Op::Rem, I, 0, 0},
                                         {Op::Shl, I, static_cast<u16>(I), 0},
                                         {Op::Add, I, 0, 0}};
    const u32 kOperands[][2] = {{zero, zero}, {zero, zero}, {zero, less}, {least, less}};
    const u32 kind = how_ == Trapping::Alike ? 3 : variable % 4;
    const u32 parts[] = {graph.operation(kTrapping[kind], kOperands[kind]), zero};
    return graph.operation({Op::Eq, I, 0, 0}, parts);
  }

  const neural::Rule& rule_;
  const u32 trapping_;
  const Trapping how_;
  const u64 power_;
  std::vector<Scalar> parameters_;
  std::vector<u16> bools_;  // by variable: its parameter
  Code from_, to_;
};

// The trap of each variable in `trapping`, as RuleCode has it.
inline std::array<neural::TrapSet, neural::kMostVariables> traps_of_variables(u32 trapping,
                                                                              Trapping how) {
  constexpr Trap kTraps[] = {Trap::Index, Trap::DivZero, Trap::Range, Trap::Overflow};
  std::array<neural::TrapSet, neural::kMostVariables> traps = {};
  for (u32 v = 0; v < neural::kMostVariables; ++v)
    if ((trapping >> v & 1) != 0)
      traps[v] = static_cast<neural::TrapSet>(
          1u << static_cast<u32>(kTraps[how == Trapping::Alike ? 3 : v % 4]));
  return traps;
}

// False if it is not proved.
inline bool is_proved(const neural::Rule& rule, u32 trapping, Trapping how, u64 power,
                      u64 resources) {
  const RuleCode code(rule, trapping, how, power);
  const Result<const neural::Prover*> prover = neural::open_prover();
  if (prover.problem()) return false;
  neural::ProofQuestion question;
  question.a = code.from().code;
  question.b = code.to().code;
  question.fuel = neural::FuelRule::Same;
  question.resources = resources;
  return prover.value()->prove(question, nullptr).proof == neural::Proof::Proved;
}

// The type of the variable that is a power of two, or none.
inline Scalar power_type(const neural::Rule& rule) {
  for (const neural::PatternNode& n : rule.nodes)
    if (n.kind == neural::PatternKind::Power) return n.type;
  return Scalar::None;
}
// Where a variable is a power of two, for each of them; with traps, which do not depend on it, for some.
inline bool is_proved(const neural::Rule& rule, u32 trapping, Trapping how = Trapping::Each,
                      u64 resources = 20'000'000) {
  const Scalar type = power_type(rule);
  if (type == Scalar::None) return is_proved(rule, trapping, how, 0, resources);
  const u32 bits = scalar_bits(type) - (is_signed(type) ? 1 : 0);
  for (u32 k = 0; k < bits; k += trapping != 0 ? 5 : 1)
    if (!is_proved(rule, trapping, how, u64{1} << k, resources)) return false;
  return true;
}
// Those that may stand for a value that traps.
inline u32 free_variables(const neural::Rule& rule) {
  u32 free = 0;
  for (const neural::PatternNode& n : rule.nodes)
    if (neural::is_variable(n.kind) && !neural::is_constant(n.kind)) free |= 1u << n.variable;
  return free;
}

}  // namespace komuz::test
