// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/teach.h"

#include <algorithm>
#include <optional>

#include "lang/check/check_code.h"
#include "lang/copy_code.h"
#include "lang/reached_functions.h"
#include "neural/teacher/lone_function.h"
#include "neural/teacher/replace_window.h"

namespace komuz::neural {
namespace {

using Kind = ExpressionNode::Kind;

// More slots make short expressions too many, and longer expressions are not found.
constexpr size_t kMostSlots = 4;
// Cheaper expressions that are tried for one, each with the inputs that refuted those before.
constexpr u32 kMostTries = 4;
// Of each run of the whole.
constexpr u64 kTicksOfTest = 10'000;

// The slots of an expression as 0, 1, …; `slots`: what they were.
Expression renumbered(const Expression& expression, std::vector<Instruction>& slots) {
  Expression out = expression;
  for (ExpressionNode& node : out.nodes) {
    if (node.kind != Kind::Slot) continue;
    const auto found = std::ranges::find(slots, node.instruction);
    const u16 number = static_cast<u16>(found - slots.begin());
    if (found == slots.end()) slots.push_back(node.instruction);
    node.instruction.a = number;
  }
  return out;
}
Expression restored(const Expression& expression, std::span<const Instruction> slots) {
  Expression out = expression;
  for (ExpressionNode& node : out.nodes)
    if (node.kind == Kind::Slot) node.instruction = slots[node.instruction.a];
  return out;
}

// The part of an expression that ends in a node.
Expression part_of(const Expression& whole, u32 root) {
  Expression part;
  std::vector<u32> number(root + 1, ~0u);
  const auto copy = [&](const auto& self, u32 node) -> u32 {
    if (number[node] != ~0u) return number[node];
    ExpressionNode n = whole.nodes[node];
    for (u32 k = 0; k < n.operands; ++k) n.operand[k] = self(self, n.operand[k]);
    return number[node] = part.add(n);
  };
  copy(copy, root);
  return part;
}
// The whole with another expression in the place of a node.
Expression with_part(const Expression& whole, u32 root, const Expression& part) {
  Expression out;
  std::vector<u32> of_part, of_whole;
  for (const ExpressionNode& node : part.nodes) {
    ExpressionNode n = node;
    for (u32 k = 0; k < n.operands; ++k) n.operand[k] = of_part[n.operand[k]];
    of_part.push_back(out.add(n));
  }
  for (u32 node = 0; node < whole.nodes.size(); ++node) {
    if (node == root) {
      of_whole.push_back(of_part.back());
      continue;
    }
    ExpressionNode n = whole.nodes[node];
    for (u32 k = 0; k < n.operands; ++k) n.operand[k] = of_whole[n.operand[k]];
    of_whole.push_back(out.add(n));
  }
  // Nodes that nothing uses any more are left out, and the value is the last node.
  return part_of(out, of_whole.back());
}

class Teacher {
 public:
  Teacher(const TeachOptions& options, Taught& out) : options_(options), out_(out) {}

  // The cheapest expression found; none if there is none cheaper.
  std::optional<Expression> improve(const Expression& given, u32 function) {
    Expression best = given;
    bool is_better = false;
    for (bool goes_on = true; goes_on && !stopped();) {
      goes_on = false;
      // Large parts first: what is in them need not be looked at.
      for (u32 node = static_cast<u32>(best.nodes.size()); node-- > 0 && !goes_on;) {
        if (best.nodes[node].operands == 0) continue;
        const Expression part = part_of(best, node);
        const std::optional<Expression> cheaper = cheaper_one(part, function);
        if (!cheaper) continue;
        best = with_part(best, node, *cheaper);
        goes_on = is_better = true;
      }
    }
    if (!is_better) return {};
    return best;
  }

 private:
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->stop_requested();
  }

  std::optional<Expression> cheaper_one(const Expression& part, u32 function) {
    std::vector<Instruction> slots;
    const Expression target = renumbered(part, slots);
    if (slots.size() > kMostSlots) return {};
    std::vector<Scalar> types;
    for (const Instruction& slot : slots) types.push_back(slot.type);
    const LoneFunction reference(target, types);
    std::vector<std::vector<u64>> inputs = reference.guided_inputs(options_.inputs);
    const u64 cost = cost_of(target);
    for (u32 k = 0; k < kMostTries && !stopped(); ++k) {
      const Enumeration all(types, inputs, target, options_.limits);
      std::vector<ExpressionOutcome> outcomes;
      for (const std::vector<u64>& row : inputs)
        outcomes.push_back(evaluate_expression(target, row));
      const Expression found = all.find(target.nodes.back().type, outcomes);
      if (found.nodes.empty() || cost_of(found) >= cost) return {};
      const LoneFunction candidate(found, types);
      EqualityOptions options;
      options.fuel = FuelRule::Same;
      options.resources = options_.resources;
      options.stop = options_.stop;
      const Result<Equality> compared = compare(reference.get(), candidate.get(), options);
      if (compared.problem()) return {};
      const Equality& equality = compared.value();
      if (equality.verdict == Verdict::Proved) {
        out_.replacements.push_back({function, cost, cost_of(found), equality.evidence});
        return restored(found, slots);
      }
      if (equality.verdict != Verdict::Refuted) {
        ++out_.refused;
        return {};
      }
      inputs.push_back(equality.arguments);
    }
    return {};
  }

  const TeachOptions& options_;
  Taught& out_;
};

}  // namespace

Taught teach(const CodeView& code, u32 entry, const TeachOptions& options) {
  Taught out;
  out.code = copy_code(code);
  for (const u32 number : reached_functions(code, entry)) {
    // Each replacement moves the code behind it.
    std::vector<Window> windows = find_windows(code, code.functions[number]);
    for (auto window = windows.rbegin(); window != windows.rend(); ++window) {
      Teacher teacher(options, out);
      if (const std::optional<Expression> better = teacher.improve(window->expression, number))
        replace_window(out.code, number, window->begin, window->end, *better);
    }
  }
  // Longer code may need larger frames than there are. And what was proved piece by piece is tested as a whole.
  bool is_sound = !check_code(out.code.view(), out.code.functions);
  if (is_sound && !out.replacements.empty()) {
    EqualityOptions whole;
    whole.fuel = FuelRule::Same;
    whole.uses_solver = false;
    whole.ticks = kTicksOfTest;
    whole.stop = options.stop;
    const Result<Equality> compared = compare({code, entry}, {out.code.view(), entry}, whole);
    is_sound = !compared.problem() && compared.value().verdict != Verdict::Refuted;
  }
  if (!is_sound) out = {copy_code(code), {}, out.refused, true};
  return out;
}

}  // namespace komuz::neural
