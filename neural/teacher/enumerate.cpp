// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/enumerate.h"

#include <algorithm>
#include <bit>

#include "neural/teacher/costs.h"
#include "neural/teacher/rules.h"

namespace komuz::neural {
namespace {

constexpr size_t kMostFound = 8;
// Expressions that give the goal on many rows, of which one becomes an arm.
constexpr size_t kMostChoices = 64;

u64 hash_outcomes(Scalar type, std::span<const ValueOutcome> outcomes) {
  u64 hash = static_cast<u64>(type);
  for (const ValueOutcome& one : outcomes) {
    hash = (hash ^ one.cell ^ static_cast<u64>(one.trap) << 56) * 0x9E37'79B9'7F4A'7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// Is it among the usual ones? The functions of mathematics, conversions and shifts are taken from the sample alone, and
// `>` and `>=` are `<` and `<=`.
bool is_usual(Op op) {
  const OpForm form = op_row(op).form;
  return is_pure_form(form) && form != OpForm::Convert && form != OpForm::Shift &&
         form != OpForm::Near && form != OpForm::Ternary && !is_mathematical(op) &&
         op != Op::Rand && op != Op::CheckIndex && op != Op::Gt && op != Op::Ge;
}

Scalar operand_type(Instruction i, u32 operand) {
  const OpForm form = op_row(i.op).form;
  if (form == OpForm::Convert || (form == OpForm::Shift && operand == 1))
    return static_cast<Scalar>(i.a);
  return i.type;
}

}  // namespace

EnumerationSample sample_of(const ValueGraph& graph, u32 root, std::span<const Scalar> inputs) {
  EnumerationSample sample;
  sample.inputs.assign(inputs.begin(), inputs.end());
  TypeSet types = 0;
  std::vector<bool> is_used(root + 1, false);
  is_used[root] = true;
  const auto constant = [&](Scalar type, u64 cell) {
    const std::pair<Scalar, u64> one = {type, cell};
    if (std::ranges::find(sample.constants, one) == sample.constants.end())
      sample.constants.push_back(one);
  };
  const auto operation = [&](Instruction i) {
    if (std::ranges::find(sample.operations, i) == sample.operations.end())
      sample.operations.push_back(i);
  };
  for (u32 n = root + 1; n-- > 0;) {
    if (!is_used[n]) continue;
    const ValueNode& node = graph[n];
    types |= type_bit(node.type);
    for (u32 k = 0; k < node.operands; ++k) is_used[node.operand[k]] = true;
    if (node.is_constant()) constant(node.type, node.cell);
    if (node.kind == ValueKind::Operation) operation(node.instruction);
  }
  for (u32 t = 1; t < kScalarCount; ++t) {
    const Scalar type = static_cast<Scalar>(t);
    if ((types >> t & 1) == 0) continue;
    if (is_integer(type))
      for (const u64 cell : {0, 1}) constant(type, cell);
    for (u32 number = 0; number < kOpCount; ++number) {
      const Op op = static_cast<Op>(number);
      if (is_usual(op) && (op_row(op).types & type_bit(type)) != 0) operation({op, type, 0, 0});
    }
  }
  return sample;
}

Enumeration::Enumeration(const EnumerationSample& sample, std::span<const std::vector<u64>> rows,
                         u64 below, const EnumerationLimits& limits)
    : rows_(static_cast<u32>(rows.size())),
      limits_(limits),
      below_(below),
      inputs_(sample.inputs),
      made_(rows.size()),
      table_(4096, 0) {
  for (auto& sizes : by_size_) sizes.resize(limits.kept + 1);
  add_operators(sample);
  for (u32 k = 0; k < inputs_.size(); ++k) {
    for (u32 row = 0; row < rows_; ++row) made_[row] = {rows[row][k], Trap::None};
    const Instruction load = {Op::LoadVar, inputs_[k], static_cast<u16>(k), 0};
    keep({{cost_of(OtherCost::Instruction), ValueKind::Input, load}, inputs_[k], 1});
  }
  add_leaves(sample);
  for (u32 size = 2; size <= limits_.kept; ++size) grow(size);
}

void Enumeration::add_operators(const EnumerationSample& sample) {
  for (const Instruction i : sample.operations) {
    const OpForm form = op_row(i.op).form;
    Operator op{ValueKind::Operation,
                i,
                1,
                cost_of_operation(i, nullptr),
                static_cast<u8>(operand_count(form)),
                {},
                result_type(form, i.type),
                is_commutative(i.op, i.type)};
    for (u32 k = 0; k < op.operands; ++k) op.types[k] = operand_type(i, k);
    operators_.push_back(op);
  }
  TypeSet types = 0;
  for (const Operator& op : operators_) types |= type_bit(op.result);
  for (u32 t = 1; t < kScalarCount; ++t) {
    const Scalar type = static_cast<Scalar>(t);
    if ((types >> t & 1) == 0) continue;
    operators_.push_back({ValueKind::If,
                          {},
                          2,
                          2 * cost_of(OtherCost::Instruction) + cost_of(OtherCost::Branch),
                          3,
                          {Scalar::Bool, type, type},
                          type,
                          false});
  }
}

void Enumeration::add_leaves(const EnumerationSample& sample) {
  for (const auto& [type, cell] : sample.constants) {
    std::ranges::fill(made_, ValueOutcome{cell, Trap::None});
    const Instruction load = {Op::LoadConst, type, 0, 0};
    keep({{cost_of(OtherCost::Instruction), ValueKind::Constant, load, 0, {}, cell}, type, 1});
  }
}

template <class Use>
void Enumeration::for_operands(const Operator& op, u32 size, const Use& use) {
  const u32 left = size - op.size;
  std::array<u32, 3> operand = {};
  const auto of = [&](u32 k, u32 length) -> std::span<const u32> {
    return by_size_[static_cast<u32>(op.types[k])][length];
  };
  if (op.operands == 1) {
    if (left > limits_.kept) return;
    for (const u32 a : of(0, left)) {
      operand[0] = a;
      if (!use(operand, op.cost + entries_[a].made.cost)) return;
    }
    return;
  }
  for (u32 first = 1; first <= std::min(left, limits_.kept); ++first)
    for (u32 second = 1; first + second <= left && second <= limits_.kept; ++second) {
      const u32 third = left - first - second;
      if ((op.operands == 2 && third != 0) || (op.operands == 3 && third == 0)) continue;
      if (third > limits_.kept) continue;
      for (const u32 a : of(0, first))
        for (const u32 b : of(1, second)) {
          if (op.commutes && b < a) continue;
          const u64 cost = op.cost + entries_[a].made.cost + entries_[b].made.cost;
          operand = {a, b, 0};
          if (op.operands == 2) {
            if (!use(operand, cost)) return;
            continue;
          }
          for (const u32 c : of(2, third)) {
            operand[2] = c;
            if (!use(operand, cost + entries_[c].made.cost)) return;
          }
        }
    }
}

ValueOutcome Enumeration::outcome(const Operator& op, const u32* operands, u32 row) const {
  if (op.kind == ValueKind::If) {
    const ValueOutcome test = outcome(operands[0], row);
    if (test.trap != Trap::None) return test;
    return outcome(operands[test.cell != 0 ? 1 : 2], row);
  }
  u64 cells[3] = {};
  for (u32 k = 0; k < op.operands; ++k) {
    const ValueOutcome one = outcome(operands[k], row);
    if (one.trap != Trap::None) return one;
    cells[k] = one.cell;
  }
  return evaluate_cells(op.instruction, cells);
}

void Enumeration::grow(u32 size) {
  // What is kept meanwhile is of this size, and so not an operand.
  for (const Operator& op : operators_)
    for_operands(op, size, [&](const std::array<u32, 3>& operands, u64 cost) {
      if (entries_.size() >= limits_.expressions || combinations_ >= limits_.combinations)
        return false;
      if (cost >= below_) return true;
      ++combinations_;
      bool may_trap = false;
      for (u32 row = 0; row < rows_; ++row) {
        made_[row] = outcome(op, operands.data(), row);
        may_trap = may_trap || made_[row].trap != Trap::None;
      }
      keep({{cost, op.kind, op.instruction, op.operands, operands}, op.result, size, may_trap});
      return true;
    });
}

void Enumeration::insert(u64 hash, u32 entry) {
  if ((entries_.size() + 1) * 2 > table_.size()) {
    table_.assign(table_.size() * 2, 0);
    for (u32 e = 0; e < entries_.size(); ++e) {
      const auto outcomes = std::span(outcomes_).subspan(size_t{e} * rows_, rows_);
      u64 at = hash_outcomes(entries_[e].type, outcomes);
      while (table_[at & (table_.size() - 1)] != 0) ++at;
      table_[at & (table_.size() - 1)] = e + 1;
    }
    return;
  }
  while (table_[hash & (table_.size() - 1)] != 0) ++hash;
  table_[hash & (table_.size() - 1)] = entry + 1;
}

const u32* Enumeration::lookup(Scalar type, std::span<const ValueOutcome> outcomes) const {
  for (u64 at = hash_outcomes(type, outcomes);; ++at) {
    const u32& entry = table_[at & (table_.size() - 1)];
    if (entry == 0) return nullptr;
    if (entries_[entry - 1].type == type &&
        std::ranges::equal(std::span(outcomes_).subspan(size_t{entry - 1} * rows_, rows_),
                           outcomes))
      return &entry;
  }
}

// The expression with the outcomes in made_.
void Enumeration::keep(const Entry& entry) {
  if (const u32* known = lookup(entry.type, made_)) {
    Entry& old = entries_[*known - 1];
    const auto traps = [](const ValueOutcome& one) { return one.trap != Trap::None; };
    if (limits_.keeps_alike && entry.made.cost != old.made.cost &&
        !std::ranges::all_of(made_, traps)) {
      const bool is_dearer = entry.made.cost > old.made.cost;
      alike_.push_back(is_dearer ? Alike{entry.made, old.made} : Alike{old.made, entry.made});
    }
    // It may not become one that is built on itself, nor change its size.
    const bool is_before =
        std::all_of(entry.made.operand.begin(), entry.made.operand.begin() + entry.made.operands,
                    [&](u32 operand) { return operand < *known - 1; });
    if (entry.made.cost < old.made.cost && is_before) old.made = entry.made;
    return;
  }
  const u32 number = static_cast<u32>(entries_.size());
  by_size_[static_cast<u32>(entry.type)][entry.size].push_back(number);
  entries_.push_back(entry);
  outcomes_.insert(outcomes_.end(), made_.begin(), made_.end());
  insert(hash_outcomes(entry.type, made_), number);
}

// A candidate is kept if it gives the goal on all rows.
void Enumeration::offer(const Operator& op, std::array<u32, 3> operands, u64 cost) {
  if (cost >= below_) return;
  for (u32 row = 0; row < rows_; ++row)
    if (outcome(op, operands.data(), row) != goal_[row]) return;
  const Found found{cost, op.kind, op.instruction, op.operands, operands};
  const auto at =
      std::ranges::upper_bound(found_, cost, {}, [](const Found& other) { return other.cost; });
  found_.insert(at, found);
  if (found_.size() > kMostFound) found_.pop_back();
}

void Enumeration::find_pairs(u32 size) {
  for (const Operator& op : operators_) {
    if (op.result != goal_type_) continue;
    for_operands(op, size, [&](const std::array<u32, 3>& operands, u64 cost) {
      if (combinations_ >= limits_.combinations) return false;
      if (cost >= below_) return true;
      ++combinations_;
      if (outcome(op, operands.data(), 0) == goal_[0]) offer(op, operands, cost);
      return true;
    });
  }
}

void Enumeration::find_undone() {
  // No trap says what the operand was.
  for (const ValueOutcome& one : goal_)
    if (one.trap != Trap::None) return;
  for (const Operator& op : operators_) {
    if (op.result != goal_type_ || op.operands != 2 || is_float(op.result)) continue;
    // Which operation gives back the first operand from the goal and the second one.
    Op undo = Op::Xor;
    switch (op.instruction.op) {
      case Op::Add:
      case Op::AddWrap: undo = Op::SubWrap; break;
      case Op::Sub:
      case Op::SubWrap: undo = Op::AddWrap; break;
      case Op::Xor: break;
      case Op::Ne:
        if (op.types[0] != Scalar::Bool) continue;
        break;
      default: continue;
    }
    if (op.kind != ValueKind::Operation) continue;
    const Instruction back = {undo, goal_type_, 0, 0};
    for (u32 b = 0; b < entries_.size(); ++b) {
      const Entry& second = entries_[b];
      if (second.type != goal_type_ || second.may_trap) continue;
      if (op.cost + second.made.cost >= below_) continue;
      for (u32 row = 0; row < rows_; ++row) {
        const u64 cells[] = {goal_[row].cell, outcome(b, row).cell};
        made_[row] = evaluate_cells(back, cells);
      }
      if (const u32* a = lookup(goal_type_, made_))
        offer(op, {*a - 1, b, 0}, op.cost + second.made.cost + entries_[*a - 1].made.cost);
    }
  }
}

void Enumeration::find_choices() {
  using Rows = std::array<u64, 2>;
  const auto is_within = [](const Rows& a, const Rows& b) {
    return (a[0] & ~b[0]) == 0 && (a[1] & ~b[1]) == 0;
  };
  struct Arm {
    u32 entry;
    Rows rows;
    u64 cost;
  };
  Rows all = {};
  for (u32 row = 0; row < rows_; ++row) all[row / 64] |= u64{1} << (row % 64);
  std::vector<Arm> arms;
  for (u32 e = 0; e < entries_.size(); ++e) {
    if (entries_[e].type != goal_type_) continue;
    Arm arm{e, {}, entries_[e].made.cost};
    for (u32 row = 0; row < rows_; ++row)
      if (outcome(e, row) == goal_[row]) arm.rows[row / 64] |= u64{1} << (row % 64);
    if (arm.rows != Rows{}) arms.push_back(arm);
  }
  // Those that give it most often, and of these the cheapest.
  const auto count = [](const Arm& arm) {
    return std::popcount(arm.rows[0]) + std::popcount(arm.rows[1]);
  };
  std::ranges::stable_sort(arms, [&](const Arm& a, const Arm& b) {
    return count(a) != count(b) ? count(a) > count(b) : a.cost < b.cost;
  });
  if (arms.size() > kMostChoices) arms.resize(kMostChoices);
  const auto op = std::ranges::find_if(operators_, [&](const Operator& one) {
    return one.kind == ValueKind::If && one.result == goal_type_;
  });
  if (op == operators_.end()) return;
  for (u32 e = 0; e < entries_.size(); ++e) {
    const Entry& test = entries_[e];
    if (test.type != Scalar::Bool || test.may_trap || op->cost + test.made.cost >= below_) continue;
    Rows yes = {};
    for (u32 row = 0; row < rows_; ++row)
      if (outcome(e, row).cell != 0) yes[row / 64] |= u64{1} << (row % 64);
    const Rows no = {all[0] & ~yes[0], all[1] & ~yes[1]};
    const Arm *first = nullptr, *second = nullptr;
    for (const Arm& arm : arms) {
      if (is_within(yes, arm.rows) && (first == nullptr || arm.cost < first->cost)) first = &arm;
      if (is_within(no, arm.rows) && (second == nullptr || arm.cost < second->cost)) second = &arm;
    }
    if (first != nullptr && second != nullptr)
      offer(*op, {e, first->entry, second->entry},
            op->cost + test.made.cost + first->cost + second->cost);
  }
}

std::vector<Enumeration::Found> Enumeration::find(Scalar type, std::span<const ValueOutcome> goal) {
  goal_type_ = type;
  goal_ = goal;
  found_.clear();
  if (const u32* entry = lookup(type, goal)) {
    const Found& made = entries_[*entry - 1].made;
    if (made.cost < below_) found_.push_back(made);
  }
  if (found_.empty()) {
    find_undone();
    find_choices();
    // Pairs have so many combinations for themselves.
    combinations_ = 0;
    for (u32 size = limits_.kept + 1; size <= limits_.instructions; ++size) find_pairs(size);
  }
  return found_;
}

u32 Enumeration::write(u32 entry, ValueGraph& out) const {
  return write(entries_[entry].made, out);
}
u32 Enumeration::write(const Found& found, ValueGraph& out) const {
  if (found.kind == ValueKind::Input) return out.input(found.instruction.a, found.instruction.type);
  if (found.kind == ValueKind::Constant) return out.constant(found.instruction.type, found.cell);
  std::array<u32, 3> operands = {};
  for (u32 k = 0; k < found.operands; ++k) operands[k] = write(found.operand[k], out);
  const auto made = std::span<const u32>(operands).first(found.operands);
  if (found.kind == ValueKind::If) return out.choice(ValueKind::If, made);
  return out.operation(found.instruction, made);
}

}  // namespace komuz::neural
