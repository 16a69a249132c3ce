// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/facts.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/values/value_text.h"
#include "lang/builtins.h"
#include "neural/teacher/evaluate.h"

namespace komuz::services {
namespace {

constexpr u32 kMostCompared = 64;

bool is_grouping(const Draft& draft, u32 n) {
  return draft.kind(n) == Node::Paren && draft[n].is_value && draft[n].right != kNone &&
         draft.kind(draft[n].right) != Node::Comma;
}

bool is_sign_set(Scalar type, u64 cell) { return (cell >> (scalar_bits(type) - 1) & 1) != 0; }

void add_signs_of_constant(Scalar type, Fact& fact) {
  if (!is_float(type)) return;
  const f64 value = engine::cell_as_f64(type, *fact.cell);
  fact.is_never_minus_zero = value != 0 || !is_sign_set(type, *fact.cell);
  fact.is_never_negative = !(value < 0);
  fact.is_positive = value > 0 || std::isnan(value);
}

// Does the range of `to` hold that of `from`?
bool widens(Scalar from, Scalar to) {
  if (is_float(to) || is_float(from) || from == Scalar::Bool) return true;
  const u32 bits_from = scalar_bits(from), bits_to = scalar_bits(to);
  if (is_signed(from) == is_signed(to)) return bits_to >= bits_from;
  return is_signed(to) && bits_to > bits_from;
}

}  // namespace

Facts::Facts(const Draft& draft) : draft_(draft) {
  const Columns& c = draft.columns();
  for (u32 b = 0; b < c.binds; ++b)
    if (c.bind_kind[b] == BindKind::Let) binding_of_[c.bind_node[b]] = b;
}

u32 inside(const Draft& draft, u32 n) {
  while (n != kNone && is_grouping(draft, n)) n = draft[n].right;
  return n;
}

bool are_same(const Draft& draft, u32 a, u32 b) {
  std::vector<std::pair<u32, u32>> pairs = {{a, b}};
  for (u32 looked_at = 0; !pairs.empty(); ++looked_at) {
    const u32 left = inside(draft, pairs.back().first), right = inside(draft, pairs.back().second);
    pairs.pop_back();
    if (left == kNone && right == kNone) continue;
    if (left == kNone || right == kNone || looked_at == kMostCompared) return false;
    const Draft::DraftNode &x = draft[left], &y = draft[right];
    if (x.kind != y.kind || x.type != y.type || x.ref != y.ref || x.text != y.text) return false;
    pairs.emplace_back(x.left, y.left);
    pairs.emplace_back(x.right, y.right);
  }
  return true;
}

std::vector<u32> elements_of(const Draft& draft, u32 list) {
  std::vector<u32> out;
  for (; draft.kind(list) == Node::Comma; list = draft[list].left)
    if (draft[list].right != kNone) out.push_back(draft[list].right);
  if (list != kNone) out.push_back(list);
  std::ranges::reverse(out);
  return out;
}

Operation Facts::operation_of(u32 n) const {
  Operation out;
  const Draft::DraftNode& node = draft_[n];
  if (!node.is_value || node.type == Scalar::None) return out;
  const auto type_of = [&](u32 k) { return draft_[inside(draft_, k)].type; };
  const NodeRow& row = node_row(node.kind);
  switch (row.node_class) {
    case NodeClass::Arithmetic:
    case NodeClass::Compare: {
      // A written power of a float may be a product.
      if (node.kind == Node::Pow || node.left == kNone || node.right == kNone) return out;
      const Scalar type = type_of(node.left);
      if (type == Scalar::None || type_of(node.right) != type) return out;
      out.instruction = {row.op, type, 0, 0};
      out.count = 2;
      out.operand = {node.left, node.right, 0};
      out.form = Operation::Form::Pure;
      return out;
    }
    case NodeClass::Unary:
      if (node.right == kNone || draft_.is_literal(n)) return out;
      out.instruction = {row.op, node.type, 0, 0};
      out.count = 1;
      out.operand = {node.right, 0, 0};
      out.form = Operation::Form::Pure;
      return out;
    case NodeClass::Lazy:
      if (node.left == kNone || node.right == kNone) return out;
      out.form = node.kind == Node::AndThen ? Operation::Form::And : Operation::Form::Or;
      out.count = 2;
      out.operand = {node.left, node.right, 0};
      return out;
    default: break;
  }
  if (node.kind == Node::Else) {
    // Else(Body(If(condition), Block), Block or Else)
    const u32 body = node.left;
    if (draft_.kind(body) != Node::Body || draft_.kind(draft_[body].left) != Node::If) return out;
    const u32 block = draft_[body].right;
    const u32 condition = draft_[draft_[body].left].right;
    u32 other = node.right;
    if (draft_.kind(block) != Node::Block || condition == kNone || other == kNone) return out;
    const u32 first = draft_[block].right;
    if (draft_.kind(other) == Node::Block) other = draft_[other].right;
    if (first == kNone || other == kNone) return out;
    const auto is_value = [&](u32 k) {
      return draft_[k].is_value && draft_[k].type == node.type && draft_.kind(k) != Node::Semi &&
             draft_.kind(k) != Node::Let;
    };
    if (!is_value(first) || !is_value(other)) return out;
    out.form = Operation::Form::If;
    out.count = 3;
    out.operand = {condition, first, other};
    return out;
  }
  if (node.kind != Node::Call || draft_.kind(node.right) != Node::Paren) return out;
  u32 name = node.left;
  std::vector<u32> operands;
  if (draft_.kind(name) == Node::Dot) {
    operands.push_back(draft_[name].left);
    name = draft_[name].right;
  }
  if (draft_.kind(name) != Node::Name || draft_[name].left != kNone) return out;
  const u32 ref = draft_[name].ref;
  if (ref == kNone || ref < kBuiltinRef || ref - kBuiltinRef >= kBuiltinCount) return out;
  const BuiltinRow& builtin = kBuiltins[ref - kBuiltinRef];
  for (const u32 argument : elements_of(draft_, draft_[node.right].right))
    operands.push_back(argument);
  if (operands.empty() || operands.size() != builtin_arity(builtin)) return out;
  for (const u32 operand : operands)
    if (operand == kNone || draft_.kind(operand) == Node::Colon || type_of(operand) == Scalar::None)
      return out;
  const Scalar type = type_of(operands[0]);
  switch (builtin.shape) {
    case BuiltinShape::Same:
    case BuiltinShape::Predicate:
    case BuiltinShape::ToI64:
      for (const u32 operand : operands)
        if (type_of(operand) != type) return out;
      out.instruction = {builtin.op, type, 0, 0};
      break;
    case BuiltinShape::Convert:
      out.instruction = {builtin.op, builtin.target, static_cast<u16>(type), 0};
      break;
    default: return out;
  }
  out.form = Operation::Form::Pure;
  out.builtin = ref - kBuiltinRef;
  out.count = static_cast<u8>(operands.size());
  std::ranges::copy(operands, out.operand.begin());
  return out;
}

Fact Facts::of_name(u32 n) const {
  const Draft::DraftNode& node = draft_[n];
  const Columns& c = draft_.columns();
  Fact fact;
  fact.is_pure = node.left == kNone && node.right == kNone;
  if (node.type == Scalar::None || !fact.is_pure || node.ref == kNone) return fact;
  if (node.ref >= kBuiltinRef) {
    const u32 row = node.ref - kBuiltinRef - kBuiltinCount;
    if (node.ref - kBuiltinRef < kBuiltinCount || row >= kConstantCount) return fact;
    const ConstantRow& constant = builtin_constant(row);
    fact.is_calm = true;
    // A constant of no type is written as an f64; that of another type is what the front end makes of it.
    if (constant.type == Scalar::None ? node.type == Scalar::F64 : constant.type == node.type) {
      fact.cell = constant.bits;
      add_signs_of_constant(node.type, fact);
    }
    return fact;
  }
  if (node.ref >= c.binds || c.bind_kind[node.ref] == BindKind::Function) return fact;
  if (const auto known = bindings_.find(node.ref); known != bindings_.end()) fact = known->second;
  fact.is_pure = fact.is_calm = true;
  return fact;
}

Fact Facts::of_operation(u32 n, const Operation& operation) const {
  Fact fact;
  fact.is_calm = fact.is_pure = true;
  for (u32 k = 0; k < operation.count; ++k) {
    fact.is_calm &= facts_[operation.operand[k]].is_calm;
    fact.is_pure &= facts_[operation.operand[k]].is_pure;
  }
  if (operation.form != Operation::Form::Pure) {
    const Fact& first = facts_[operation.operand[operation.form == Operation::Form::If ? 1 : 0]];
    const Fact& second = facts_[operation.operand[operation.form == Operation::Form::If ? 2 : 1]];
    if (operation.form == Operation::Form::If) {
      fact.is_never_minus_zero = first.is_never_minus_zero && second.is_never_minus_zero;
      fact.is_never_negative = first.is_never_negative && second.is_never_negative;
      fact.is_positive = first.is_positive && second.is_positive;
    }
    return fact;
  }
  const Instruction i = operation.instruction;
  bool is_known = fact.is_calm;
  u64 cells[3] = {};
  for (u32 k = 0; k < operation.count; ++k) {
    const Fact& operand = facts_[operation.operand[k]];
    is_known = is_known && operand.cell.has_value();
    if (is_known) cells[k] = *operand.cell;
  }
  const bool may_trap_here =
      i.op == Op::Convert ? !widens(static_cast<Scalar>(i.a), i.type) : may_trap(i.op, i.type);
  if (is_known) {
    const neural::ValueOutcome value = neural::evaluate_cells(i, cells);
    if (value.trap == Trap::None) {
      fact.cell = value.cell;
      add_signs_of_constant(draft_[n].type, fact);
      return fact;
    }
  }
  fact.is_calm = fact.is_calm && !may_trap_here;
  if (is_float(draft_[n].type)) add_signs(operation, fact);
  return fact;
}

// A NaN has no sign: it is what the rules make of it.
void Facts::add_signs(const Operation& operation, Fact& fact) const {
  const Fact& a = facts_[operation.operand[0]];
  const Fact& b = facts_[operation.operand[operation.count > 1 ? 1 : 0]];
  const bool both_above =
      a.is_never_negative && a.is_never_minus_zero && b.is_never_negative && b.is_never_minus_zero;
  const bool is_square =
      operation.count == 2 && are_same(draft_, operation.operand[0], operation.operand[1]);
  switch (operation.instruction.op) {
    case Op::Abs:
    case Op::Exp:
    case Op::Exp2: fact.is_never_minus_zero = fact.is_never_negative = true; break;
    case Op::Cosh:
      fact.is_never_minus_zero = fact.is_never_negative = fact.is_positive = true;
      break;
    case Op::Sqrt:
    case Op::Sqrt0:
      fact.is_never_negative = true;
      fact.is_never_minus_zero = a.is_never_minus_zero;
      fact.is_positive = a.is_positive;
      break;
    case Op::Hypot: fact.is_never_negative = true; break;
    case Op::Mul:
      fact.is_never_negative = fact.is_never_minus_zero = is_square || both_above;
      break;
    case Op::Div:
    case Op::Div0: fact.is_never_negative = fact.is_never_minus_zero = both_above; break;
    case Op::Add:
      fact.is_never_minus_zero = a.is_never_minus_zero || b.is_never_minus_zero;
      fact.is_never_negative = a.is_never_negative && b.is_never_negative;
      fact.is_positive = fact.is_never_negative && (a.is_positive || b.is_positive);
      break;
    case Op::Sub: fact.is_never_minus_zero = a.is_never_minus_zero; break;
    case Op::Max:
      // A NaN loses, so only a constant is a bound.
      for (const Fact* bound : {&a, &b}) {
        if (!bound->cell ||
            std::isnan(engine::cell_as_f64(operation.instruction.type, *bound->cell)))
          continue;
        fact.is_never_negative |= bound->is_never_negative;
        fact.is_never_minus_zero |= bound->is_never_negative && bound->is_never_minus_zero;
        fact.is_positive |= bound->is_positive;
      }
      break;
    case Op::Convert:
      fact.is_never_minus_zero = !is_float(static_cast<Scalar>(operation.instruction.a));
      break;
    default: break;
  }
}

Fact Facts::fact_of(u32 n) const {
  const Draft::DraftNode& node = draft_[n];
  const auto at = [&](u32 k) {
    return k == kNone ? Fact{.is_calm = true, .is_pure = true} : facts_[k];
  };
  switch (node.kind) {
    case Node::Int:
    case Node::Float: {
      Fact fact{.is_calm = true, .is_pure = true};
      if (node.type == Scalar::None || !node.is_value) return fact;
      // A `-` before an integer belongs to it; the number by itself may be too large.
      if (draft_.kind(node.parent) == Node::Neg && node.kind == Node::Int) return fact;
      u64 cell = 0;
      if (engine::parse_scalar(node.type, node.text, engine::ValueStyle::Text, cell)) return fact;
      fact.cell = cell;
      add_signs_of_constant(node.type, fact);
      return fact;
    }
    case Node::True:
    case Node::False:
      return {.is_calm = true, .is_pure = true, .cell = node.kind == Node::True ? u64{1} : u64{0}};
    case Node::Name: return node.is_value ? of_name(n) : Fact{};
    case Node::Paren: {
      if (!node.is_value) return {};
      Fact fact = at(node.right);
      if (node.type == Scalar::None) fact.is_calm = false;
      return fact;
    }
    case Node::Comma: {
      const Fact left = at(node.left), right = at(node.right);
      return {.is_calm = left.is_calm && right.is_calm, .is_pure = left.is_pure && right.is_pure};
    }
    case Node::Pow: {
      const Fact left = at(node.left), right = at(node.right);
      Fact fact{.is_calm = is_float(node.type) && left.is_calm && right.is_calm,
                .is_pure = left.is_pure && right.is_pure};
      const bool is_even = draft_.kind(node.right) == Node::Int && is_float(node.type) &&
                           (draft_[node.right].text == "2" || draft_[node.right].text == "4");
      fact.is_never_minus_zero = fact.is_never_negative = is_even;
      return fact;
    }
    case Node::Call: {
      const Operation operation = operation_of(n);
      if (operation.form != Operation::Form::None) return of_operation(n, operation);
      // Functions change nothing.
      Fact fact;
      const u32 name = node.left;
      const Columns& c = draft_.columns();
      const bool is_function = draft_.kind(name) == Node::Name && draft_[name].ref < c.binds &&
                               c.bind_kind[draft_[name].ref] == BindKind::Function;
      fact.is_pure = is_function && node.right != kNone && at(draft_[node.right].right).is_pure;
      return fact;
    }
    case Node::Block: {
      Fact fact = at(node.right);
      if (draft_.kind(node.right) == Node::Semi)
        fact = {.is_calm = fact.is_calm, .is_pure = fact.is_pure};
      return fact;
    }
    case Node::Let: {
      const u32 assign = node.right;
      if (draft_.kind(assign) != Node::Assign) return {};
      const Fact value = at(draft_[assign].right);
      return {.is_calm = value.is_calm, .is_pure = false};
    }
    case Node::Semi:
      // A `let` changes nothing that others see.
      return {.is_calm = at(node.left).is_calm && at(node.right).is_calm, .is_pure = false};
    case Node::Neg:
      if (draft_.is_literal(n) && node.type != Scalar::None) {
        Fact fact{.is_calm = true, .is_pure = true};
        u64 cell = 0;
        const std::string text = "-" + std::string(draft_[node.right].text);
        if (engine::parse_scalar(node.type, text, engine::ValueStyle::Text, cell)) return fact;
        fact.cell = cell;
        add_signs_of_constant(node.type, fact);
        return fact;
      }
      break;
    case Node::Else: {
      const Operation operation = operation_of(n);
      if (operation.form != Operation::Form::None) return of_operation(n, operation);
      const u32 body = node.left;
      if (draft_.kind(body) != Node::Body || draft_.kind(draft_[body].left) != Node::If) return {};
      const u32 parts[] = {draft_[draft_[body].left].right, draft_[body].right, node.right};
      Fact fact{.is_calm = node.type != Scalar::None};
      for (const u32 part : parts) fact.is_calm &= at(part).is_calm;
      return fact;
    }
    default: break;
  }
  const Operation operation = operation_of(n);
  if (operation.form != Operation::Form::None) return of_operation(n, operation);
  Fact fact;
  if (node.kind == Node::Index || node.kind == Node::Dot)
    fact.is_pure = node.kind == Node::Dot ? at(node.left).is_pure
                                          : at(node.left).is_pure && node.right != kNone &&
                                                at(draft_[node.right].right).is_pure;
  return fact;
}

void Facts::learn(u32 n) {
  if (facts_.size() < draft_.size()) facts_.resize(draft_.size());
  facts_[n] = fact_of(n);
  if (draft_.kind(n) != Node::Assign || draft_.kind(draft_[n].parent) != Node::Let) return;
  u32 name = draft_[n].left;
  if (draft_.kind(name) == Node::Colon) name = draft_[name].left;
  const auto binding = binding_of_.find(name);
  if (binding == binding_of_.end() || draft_[n].right == kNone) return;
  // Not the constant: the name stays.
  Fact& known = bindings_[binding->second] = facts_[draft_[n].right];
  known.cell.reset();
}

}  // namespace komuz::services
