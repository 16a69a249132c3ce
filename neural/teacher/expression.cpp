// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/expression.h"

#include <algorithm>

#include "lang/ops/eval_cells.h"
#include "neural/teacher/costs.h"
#include "neural/windows/targets.h"

namespace komuz::neural {
namespace {

using Kind = ExpressionNode::Kind;

// Larger expressions end before: what looks at them calls itself for each operand, and for each arm.
constexpr size_t kMostNodes = 256;
constexpr u32 kMostArms = 32;  // in one another

// Reads code from one instruction on, as far as it only computes.
class WindowReader {
 public:
  WindowReader(const CodeView& code, const Function& function)
      : constants_(code.constants),
        code_(code.instructions.subspan(function.code_begin,
                                        function.code_end - function.code_begin)),
        first_source_(code_.size() + 1, kNoSource) {
    for (u32 at = 0; at < code_.size(); ++at)
      if (has_target(code_[at].op))
        first_source_[code_[at].b] = std::min(first_source_[code_[at].b], at);
  }

  // The longest window from `begin` on; none if there is no operation in it.
  std::optional<Window> read(u32 begin) {
    Window window;
    Expression all;
    std::vector<u32> stack;
    u32 end = begin, root = 0;
    bool has_operation = false;
    for (u32 at = begin; at < code_.size();) {
      // Control that comes from before the window meets it here: what stands behind is not of the window alone.
      if ((at != begin && first_source_[at] < begin) || all.nodes.size() >= kMostNodes) break;
      const u32 next = step(at, all, stack);
      if (next == at) break;
      at = next;
      if (stack.size() != 1) continue;
      end = at;
      root = stack[0];
      has_operation = all.nodes[root].operands != 0;
    }
    if (!has_operation) return {};
    window.begin = begin;
    window.end = end;
    window.expression = part_of(all, root);
    return window;
  }

 private:
  // Reads what starts at instruction `at`. The instruction behind it, or `at` if it is none of a window.
  u32 step(u32 at, Expression& e, std::vector<u32>& stack) {
    const Instruction i = code_[at];
    switch (i.op) {
      case Op::LoadConst:
        stack.push_back(e.add({.kind = Kind::Constant, .type = i.type, .cell = constants_[i.b]}));
        return at + 1;
      case Op::LoadVar:
        if (is_reference(i.type)) return at;
        stack.push_back(e.add({.kind = Kind::Slot, .type = i.type, .instruction = i}));
        return at + 1;
      case Op::JumpIfFalse: return arms(at, e, stack);
      case Op::JumpIfFalseOrPop: return lazy(at, Kind::And, e, stack);
      case Op::JumpIfTrueOrPop: return lazy(at, Kind::Or, e, stack);
      default: break;
    }
    const OpForm form = op_row(i.op).form;
    if (!is_pure_form(form)) return at;
    const u32 operands = operand_count(form);
    if (stack.size() < operands) return at;
    ExpressionNode node{.kind = Kind::Operation,
                        .type = result_type(form, i.type),
                        .instruction = i,
                        .operands = static_cast<u8>(operands)};
    std::copy(stack.end() - operands, stack.end(), node.operand);
    stack.resize(stack.size() - operands);
    stack.push_back(e.add(node));
    return at + 1;
  }

  // The value of the code [begin, end), which computes one; false if it does something else.
  bool value(u32 begin, u32 end, Expression& e, u32& node) {
    if (arms_ == kMostArms) return false;
    ++arms_;
    std::vector<u32> stack;
    u32 at = begin;
    while (at < end && e.nodes.size() < kMostNodes) {
      const u32 next = step(at, e, stack);
      if (next == at || next > end) break;
      at = next;
    }
    --arms_;
    if (at != end || stack.size() != 1) return false;
    node = stack[0];
    return true;
  }
  u32 arms(u32 at, Expression& e, std::vector<u32>& stack) {
    const Instruction branch = code_[at];
    if (branch.a == 0 || stack.empty()) return at;
    const u32 jump = branch.b - 1;
    if (code_[jump].a != 1) return at;
    const u32 merge = code_[jump].b;
    ExpressionNode node{.kind = Kind::If, .operands = 3};
    node.operand[0] = stack.back();
    if (!value(at + 1, jump, e, node.operand[1]) || !value(branch.b, merge, e, node.operand[2]))
      return at;
    node.type = e.nodes[node.operand[1]].type;
    stack.back() = e.add(node);
    return merge;
  }
  u32 lazy(u32 at, Kind kind, Expression& e, std::vector<u32>& stack) {
    if (stack.empty()) return at;
    ExpressionNode node{.kind = kind, .type = Scalar::Bool, .operands = 2};
    node.operand[0] = stack.back();
    if (!value(at + 1, code_[at].b, e, node.operand[1])) return at;
    stack.back() = e.add(node);
    return code_[at].b;
  }

  // The nodes that `root` needs.
  static Expression part_of(const Expression& all, u32 root) {
    std::vector<bool> is_needed(root + 1, false);
    is_needed[root] = true;
    for (u32 n = root + 1; n-- > 0;)
      if (is_needed[n])
        for (u32 k = 0; k < all.nodes[n].operands; ++k) is_needed[all.nodes[n].operand[k]] = true;
    Expression part;
    std::vector<u32> number(root + 1);
    for (u32 n = 0; n <= root; ++n) {
      if (!is_needed[n]) continue;
      ExpressionNode node = all.nodes[n];
      for (u32 k = 0; k < node.operands; ++k) node.operand[k] = number[node.operand[k]];
      number[n] = static_cast<u32>(part.nodes.size());
      part.nodes.push_back(node);
    }
    return part;
  }

  static constexpr u32 kNoSource = ~0u;

  std::span<const u64> constants_;
  std::span<const Instruction> code_;
  u32 arms_ = 0;                   // that are being read
  std::vector<u32> first_source_;  // by instruction: the first one that jumps there
};

u64 node_cost(const ExpressionNode& node) {
  constexpr u64 kInstruction = static_cast<u64>(OtherCost::Instruction);
  switch (node.kind) {
    case Kind::Slot:
    case Kind::Constant: return kInstruction;
    case Kind::Operation: return cost_of(node.instruction);
    case Kind::If: return kInstruction + static_cast<u64>(OtherCost::Branch);
    default: return kInstruction + static_cast<u64>(OtherCost::Lazy);
  }
}

}  // namespace

u32 Expression::add(const ExpressionNode& node) {
  const auto found = std::ranges::find(nodes, node);
  if (found != nodes.end()) return static_cast<u32>(found - nodes.begin());
  nodes.push_back(node);
  return static_cast<u32>(nodes.size()) - 1;
}

std::vector<Window> find_windows(const CodeView& code, const Function& function) {
  std::vector<Window> windows;
  WindowReader reader(code, function);
  for (u32 at = 0; at < function.code_end - function.code_begin;) {
    std::optional<Window> window = reader.read(at);
    if (!window) {
      ++at;
      continue;
    }
    at = window->end;
    windows.push_back(std::move(*window));
  }
  return windows;
}

void write_expression(const Expression& expression, u32 node, u32 base, std::vector<u64>& constants,
                      std::vector<Instruction>& out) {
  const ExpressionNode& n = expression.nodes[node];
  const auto here = [&] { return base + static_cast<u32>(out.size()); };
  const auto write = [&](u32 k) {
    write_expression(expression, n.operand[k], base, constants, out);
  };
  switch (n.kind) {
    case Kind::Slot: out.push_back(n.instruction); return;
    case Kind::Constant: {
      const auto found = std::ranges::find(constants, n.cell);
      out.push_back({Op::LoadConst, n.type, 0, static_cast<u32>(found - constants.begin())});
      if (found == constants.end()) constants.push_back(n.cell);
      return;
    }
    case Kind::Operation:
      for (u32 k = 0; k < n.operands; ++k) write(k);
      out.push_back(n.instruction);
      return;
    case Kind::If: {
      write(0);
      const size_t branch = out.size();
      out.push_back({Op::JumpIfFalse, Scalar::None, 1, 0});
      write(1);
      const size_t jump = out.size();
      out.push_back({Op::Jump, Scalar::None, 1, 0});
      out[branch].b = here();
      write(2);
      out[jump].b = here();
      return;
    }
    case Kind::And:
    case Kind::Or: {
      write(0);
      const size_t branch = out.size();
      out.push_back(
          {n.kind == Kind::And ? Op::JumpIfFalseOrPop : Op::JumpIfTrueOrPop, Scalar::None, 0, 0});
      write(1);
      out[branch].b = here();
      return;
    }
  }
}

u64 cost_of(Instruction operation) { return cost_of_operation(operation, nullptr); }

u64 cost_of(const Expression& expression) {
  // A node that is used twice is computed twice.
  std::vector<u64> costs;
  for (const ExpressionNode& node : expression.nodes) {
    u64 cost = node_cost(node);
    for (u32 k = 0; k < node.operands; ++k) cost += costs[node.operand[k]];
    costs.push_back(cost);
  }
  return costs.back();
}

namespace {

// What eval_cells says of one operation; called from here alone, as it is large.
EvaluatedCell operation_on(Instruction i, const u64* operands) { return eval_cells(i, operands); }

}  // namespace

ExpressionOutcome evaluate_operation(Instruction i, const u64* operands) {
  const EvaluatedCell made = operation_on(i, operands);
  return {made.value, made.trap};
}

ExpressionOutcome evaluate_expression(const Expression& expression, std::span<const u64> slots) {
  // Operands that the arm of an `if` has alone trap where the arm is taken, so nodes have outcomes, and traps wait.
  std::vector<ExpressionOutcome> outcomes;
  for (const ExpressionNode& node : expression.nodes) {
    const auto operand = [&](u32 k) -> const ExpressionOutcome& {
      return outcomes[node.operand[k]];
    };
    ExpressionOutcome outcome;
    switch (node.kind) {
      case Kind::Slot: outcome.cell = slots[node.instruction.a]; break;
      case Kind::Constant: outcome.cell = node.cell; break;
      case Kind::Operation: {
        u64 cells[3] = {};
        for (u32 k = 0; k < node.operands && outcome.trap == Trap::None; ++k) {
          outcome.trap = operand(k).trap;
          cells[k] = operand(k).cell;
        }
        if (outcome.trap == Trap::None) outcome = evaluate_operation(node.instruction, cells);
        break;
      }
      case Kind::If:
        outcome = operand(0).trap != Trap::None ? ExpressionOutcome{0, operand(0).trap}
                                                : operand(operand(0).cell != 0 ? 1 : 2);
        break;
      case Kind::And:
      case Kind::Or: {
        const bool decides = operand(0).cell == (node.kind == Kind::Or ? 1u : 0u);
        outcome = operand(0).trap != Trap::None || decides ? operand(0) : operand(1);
        break;
      }
    }
    outcomes.push_back(outcome);
  }
  return outcomes.back();
}

}  // namespace komuz::neural
