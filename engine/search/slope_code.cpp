// SPDX-License-Identifier: Apache-2.0
#include "engine/search/slope_code.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <numbers>

#include "lang/type_heads.h"

namespace komuz::engine {
namespace {

// More would not fit the fields of a function, or take longer than what they are for.
constexpr size_t kMostNodes = 2000;

bool is_number(Scalar type) { return type == Scalar::F64; }

// Whether an operation on f64 has a derivative that add_slopes knows.
bool has_derivative(Op op) {
  switch (op) {
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Div0:
    case Op::Pow:
    case Op::Min:
    case Op::Max:
    case Op::Fma:
    case Op::Neg:
    case Op::Abs:
    case Op::Sqrt:
    case Op::Sqrt0:
    case Op::Aq:
    case Op::Exp:
    case Op::Exp2:
    case Op::Log:
    case Op::Log2:
    case Op::Log10:
    case Op::Log0:
    case Op::Sin:
    case Op::Cos:
    case Op::Tan:
    case Op::Asin:
    case Op::Acos:
    case Op::Atan:
    case Op::Sinh:
    case Op::Cosh:
    case Op::Tanh:
    case Op::Cbrt:
    case Op::Erf: return true;
    default: return false;
  }
}

}  // namespace

bool SlopeWriter::write(const CodeView& code, u32 entry, std::span<const u32> number_of,
                        u32 numbers, SlopeCode& out) {
  const Function& f = code.functions[entry];
  if (f.result_cells != 1 || !read(code, f, number_of, numbers)) return false;
  if (!nodes_[root_].has_number) return false;
  for (u32 node = root_ + 1; node-- > 0;) {
    Node& own = nodes_[node];
    if (own.kind != NodeKind::Operation || !(own.has_number || own.is_needed)) continue;
    for (u32 k = 0; k < operand_count(op_row(own.code.op).form); ++k)
      nodes_[own.operands[k]].is_needed |= !nodes_[own.operands[k]].has_number;
  }
  out.sources.clear();
  write_parts(code, f, out);
  return write_slopes(code, numbers, out);
}

// Follows the operands: what each operation takes and gives.
bool SlopeWriter::read(const CodeView& code, const Function& f, std::span<const u32> number_of,
                       u32 numbers) {
  nodes_.clear();
  stack_.clear();
  variables_.assign(f.slots, SlopeCode::kNone);
  number_nodes_.assign(numbers, SlopeCode::kNone);
  const auto add_node = [&](const Node& node) {
    nodes_.push_back(node);
    return static_cast<u32>(nodes_.size() - 1);
  };
  for (u32 slot = 0; slot < f.parameter_slots; ++slot)
    variables_[slot] =
        add_node({.kind = NodeKind::Argument,
                  .at = slot,
                  .type = static_cast<Scalar>(code.slot_types[f.slots_begin + slot])});
  for (u32 at = f.code_begin; at < f.code_end && nodes_.size() < kMostNodes; ++at) {
    const Instruction i = code.instructions[at];
    switch (op_row(i.op).form) {
      case OpForm::Const: {
        const u32 number = number_of[i.b];
        const bool is_known = number != SlopeCode::kNone;
        if (is_known && !is_number(i.type)) return false;
        if (is_known && number_nodes_[number] != SlopeCode::kNone) {
          stack_.push_back(number_nodes_[number]);
          break;
        }
        stack_.push_back(add_node({.kind = is_known ? NodeKind::Number : NodeKind::Constant,
                                   .has_number = is_known,
                                   .at = is_known ? number : i.b,
                                   .type = i.type}));
        if (is_known) number_nodes_[number] = stack_.back();
        break;
      }
      case OpForm::Load:
        if (variables_[i.a] == SlopeCode::kNone) return false;
        stack_.push_back(variables_[i.a]);
        break;
      case OpForm::Store:
        variables_[i.a] = stack_.back();
        stack_.pop_back();
        break;
      case OpForm::Return:
        root_ = stack_.back();
        return at + 1 == f.code_end && is_number(nodes_[root_].type);
      default:
        if (!is_pure_form(op_row(i.op).form) || !push_operation(i)) return false;
        break;
    }
  }
  return false;
}

bool SlopeWriter::push_operation(Instruction i) {
  const OpForm form = op_row(i.op).form;
  const u32 operands = operand_count(form);
  Node node{.code = i, .type = result_type(form, i.type)};
  for (u32 k = 0; k < operands; ++k) {
    node.operands[k] = stack_[stack_.size() - operands + k];
    node.has_number |= nodes_[node.operands[k]].has_number;
  }
  stack_.resize(stack_.size() - operands);
  if (node.has_number && !(is_number(i.type) && is_number(node.type) && has_derivative(i.op)))
    return false;
  stack_.push_back(static_cast<u32>(nodes_.size()));
  nodes_.push_back(node);
  return true;
}

void SlopeWriter::begin_code(Code& out) const {
  out.instructions.clear();
  out.constants.clear();
  out.functions.clear();
  out.types.clear();
  out.slot_types.clear();
}

// `results`: their number; they are on the stack.
void SlopeWriter::end_code(Code& out, u32 parameters, u32 slots, u32 results) {
  out.instructions.push_back({Op::Return, Scalar::None, 0, 0});
  out.places.assign(out.instructions.size(), 0);
  out.types = {kTupleCode,
               0,
               kArrayCode,
               static_cast<u8>(results & 0xFF),
               static_cast<u8>(results >> 8),
               static_cast<u8>(Scalar::F64)};
  Function f;
  f.code_end = static_cast<u32>(out.instructions.size());
  f.parameter_slots = static_cast<u16>(parameters);
  f.result_cells = static_cast<u16>(results);
  f.slots = static_cast<u16>(slots);
  f.max_stack = static_cast<u16>(results + 3);
  out.functions.push_back(f);
}

void SlopeWriter::load(const Term& term) {
  if (term.kind == Term::Slot)
    to_->instructions.push_back(
        {Op::LoadVar, static_cast<Scalar>(to_->slot_types[term.at]), static_cast<u16>(term.at), 0});
  else
    to_->instructions.push_back(
        {Op::LoadConst, Scalar::F64, 0, term.kind == Term::One ? constant(1).at : term.at});
}

SlopeWriter::Term SlopeWriter::constant(f64 value) {
  to_->constants.push_back(std::bit_cast<u64>(value));
  return {Term::Constant, static_cast<u32>(to_->constants.size() - 1)};
}

// Each value has a slot of its own.
SlopeWriter::Term SlopeWriter::apply(Op op, std::initializer_list<Term> operands, Scalar type,
                                     u16 from) {
  for (const Term& operand : operands) load(operand);
  to_->instructions.push_back({op, type, from, 0});
  const Scalar result = result_type(op_row(op).form, type);
  to_->instructions.push_back({Op::StoreVar, result, static_cast<u16>(slots_), 0});
  to_->slot_types.push_back(static_cast<u8>(result));
  return {Term::Slot, slots_++};
}

SlopeWriter::Term SlopeWriter::times(const Term& a, const Term& b) {
  if (a.kind == Term::One) return b;
  if (b.kind == Term::One) return a;
  return apply(Op::Mul, {a, b});
}

SlopeWriter::Term SlopeWriter::minus(const Term& a) { return apply(Op::Neg, {a}); }

void SlopeWriter::write_parts(const CodeView& code, const Function& f, SlopeCode& out) {
  begin_code(out.parts);
  to_ = &out.parts;
  values_.assign(nodes_.size(), {});
  slots_ = f.parameter_slots;
  out.parts.slot_types.assign(code.slot_types.begin() + f.slots_begin,
                              code.slot_types.begin() + f.slots_begin + f.parameter_slots);
  out.parts.constants.assign(code.constants.begin(), code.constants.end());
  for (u32 k = 0; k <= root_; ++k) {
    const Node& node = nodes_[k];
    if (!node.is_needed) continue;
    if (node.kind == NodeKind::Argument) values_[k] = {Term::Slot, node.at};
    if (node.kind != NodeKind::Operation) continue;
    for (u32 j = 0; j < operand_count(op_row(node.code.op).form); ++j) {
      const Node& operand = nodes_[node.operands[j]];
      if (operand.kind == NodeKind::Constant)
        out.parts.instructions.push_back({Op::LoadConst, operand.type, 0, operand.at});
      else
        load(values_[node.operands[j]]);
    }
    out.parts.instructions.push_back(node.code);
    out.parts.instructions.push_back({Op::StoreVar, node.type, static_cast<u16>(slots_), 0});
    out.parts.slot_types.push_back(static_cast<u8>(node.type));
    values_[k] = {Term::Slot, slots_++};
  }
  // What values with numbers take.
  std::vector<u8> is_part(nodes_.size());
  for (u32 k = 0; k <= root_; ++k)
    if (const Node& node = nodes_[k]; node.has_number && node.kind == NodeKind::Operation)
      for (u32 j = 0; j < operand_count(op_row(node.code.op).form); ++j)
        is_part[node.operands[j]] |= !nodes_[node.operands[j]].has_number;
  out.part_count = 0;
  for (u32 k = 0; k <= root_; ++k) {
    Node& node = nodes_[k];
    if (!is_part[k] || node.kind == NodeKind::Constant) {
      node.is_needed = is_part[k];
      continue;
    }
    if (node.kind == NodeKind::Operation) {
      load(values_[k]);
      out.sources.push_back({false, out.part_count++});
    } else {
      out.sources.push_back({true, node.at});
    }
  }
  end_code(out.parts, f.parameter_slots, slots_, out.part_count);
}

bool SlopeWriter::write_slopes(const CodeView& code, u32 numbers, SlopeCode& out) {
  begin_code(out.slopes);
  to_ = &out.slopes;
  out.slopes.constants.assign(numbers, 0);
  values_.assign(nodes_.size(), {});
  slopes_.assign(nodes_.size(), {});
  slots_ = 0;
  const auto parameters = static_cast<u32>(out.sources.size());
  for (u32 k = 0; k <= root_; ++k) {
    const Node& node = nodes_[k];
    if (node.has_number || !node.is_needed) continue;
    if (node.kind == NodeKind::Constant) {
      values_[k] = constant(std::bit_cast<f64>(code.constants[node.at]));
      continue;
    }
    values_[k] = {Term::Slot, slots_++};
    out.slopes.slot_types.push_back(static_cast<u8>(Scalar::F64));
  }
  for (u32 k = 0; k <= root_; ++k) {
    const Node& node = nodes_[k];
    if (!node.has_number) continue;
    if (node.kind == NodeKind::Number) {
      values_[k] = {Term::Constant, node.at};
      continue;
    }
    const u32* const o = node.operands;
    switch (operand_count(op_row(node.code.op).form)) {
      case 1: values_[k] = apply(node.code.op, {values_[o[0]]}); break;
      case 2: values_[k] = apply(node.code.op, {values_[o[0]], values_[o[1]]}); break;
      default: values_[k] = apply(node.code.op, {values_[o[0]], values_[o[1]], values_[o[2]]});
    }
  }
  slopes_[root_] = {Term::One, 0};
  for (u32 k = root_ + 1; k-- > 0;)
    if (nodes_[k].has_number && nodes_[k].kind == NodeKind::Operation &&
        slopes_[k].kind != Term::None && !add_slopes(k))
      return false;
  load(values_[root_]);
  const Term zero = constant(0);
  for (const u32 node : number_nodes_) {
    const bool is_used = node != SlopeCode::kNone && slopes_[node].kind != Term::None;
    load(is_used ? slopes_[node] : zero);
  }
  if (slots_ + numbers + 4 > 0xFFFF) return false;
  end_code(out.slopes, parameters, slots_, numbers + 1);
  return true;
}

void SlopeWriter::add(u32 node, Term slope) {
  if (!nodes_[node].has_number) return;
  Term& own = slopes_[node];
  own = own.kind == Term::None ? slope : apply(Op::Add, {own, slope});
}

// Adds to the slopes of the operands: its own, times the derivative by each.
bool SlopeWriter::add_slopes(u32 node) {
  const Node& own = nodes_[node];
  const u32 a = own.operands[0], b = own.operands[1], c = own.operands[2];
  const Term g = slopes_[node], v = values_[node], x = values_[a];
  const u32 count = operand_count(op_row(own.code.op).form);
  const Term y = count > 1 ? values_[b] : Term{};
  const bool by_a = nodes_[a].has_number, by_b = count > 1 && nodes_[b].has_number;
  const Term one{Term::One, 0};
  const auto square = [&](const Term& t) { return apply(Op::Mul, {t, t}); };
  const auto divided = [&](const Term& t, const Term& by) { return apply(Op::Div0, {t, by}); };
  switch (own.code.op) {
    case Op::Add: add(a, g), add(b, g); return true;
    case Op::Sub:
      add(a, g);
      if (by_b) add(b, minus(g));
      return true;
    case Op::Mul:
      if (by_a) add(a, times(g, y));
      if (by_b) add(b, times(g, x));
      return true;
    case Op::Div:
    case Op::Div0: {
      const Term part = apply(own.code.op, {g, y});
      add(a, part);
      if (by_b) add(b, minus(times(part, v)));
      return true;
    }
    case Op::Pow:
      if (by_a) add(a, times(g, divided(times(y, v), x)));
      if (by_b) add(b, times(g, times(v, apply(Op::Log0, {x}))));
      return true;
    case Op::Min:
    case Op::Max: {
      const Op is_first = own.code.op == Op::Min ? Op::Le : Op::Ge;
      const Term first = apply(Op::Convert, {apply(is_first, {x, y})}, Scalar::F64,
                               static_cast<u16>(Scalar::Bool));
      const Term part = times(g, first);
      add(a, part);
      if (by_b) add(b, apply(Op::Sub, {g, part}));
      return true;
    }
    case Op::Fma:
      if (by_a) add(a, times(g, y));
      if (by_b) add(b, times(g, x));
      add(c, g);
      return true;
    case Op::Aq:
      if (by_a) add(a, times(g, apply(Op::Aq, {one, y})));
      if (by_b) {
        const Term below = apply(Op::Add, {square(y), one});
        add(b, minus(times(g, apply(Op::Div, {times(v, y), below}))));
      }
      return true;
    case Op::Neg: add(a, minus(g)); return true;
    case Op::Abs: add(a, times(g, apply(Op::Sign, {x}))); return true;
    case Op::Sqrt:
    case Op::Sqrt0: add(a, divided(times(g, constant(0.5)), v)); return true;
    case Op::Exp: add(a, times(g, v)); return true;
    case Op::Exp2: add(a, times(times(g, v), constant(std::numbers::ln2))); return true;
    case Op::Log:
    case Op::Log0: add(a, divided(g, x)); return true;
    case Op::Log2: add(a, divided(times(g, constant(std::numbers::log2e)), x)); return true;
    case Op::Log10: add(a, divided(times(g, constant(std::numbers::log10e)), x)); return true;
    case Op::Sin: add(a, times(g, apply(Op::Cos, {x}))); return true;
    case Op::Cos: add(a, minus(times(g, apply(Op::Sin, {x})))); return true;
    case Op::Tan: add(a, times(g, apply(Op::Add, {square(v), one}))); return true;
    case Op::Asin:
    case Op::Acos: {
      const Term root = apply(Op::Sqrt0, {apply(Op::Sub, {one, square(x)})});
      const Term part = divided(g, root);
      add(a, own.code.op == Op::Asin ? part : minus(part));
      return true;
    }
    case Op::Atan: add(a, divided(g, apply(Op::Add, {square(x), one}))); return true;
    case Op::Sinh: add(a, times(g, apply(Op::Cosh, {x}))); return true;
    case Op::Cosh: add(a, times(g, apply(Op::Sinh, {x}))); return true;
    case Op::Tanh: add(a, times(g, apply(Op::Sub, {one, square(v)}))); return true;
    case Op::Cbrt: add(a, divided(g, times(constant(3), square(v)))); return true;
    case Op::Erf: {
      const Term power = apply(Op::Exp, {minus(square(x))});
      add(a, times(g, times(power, constant(2 * std::numbers::inv_sqrtpi))));
      return true;
    }
    default: return false;
  }
}

}  // namespace komuz::engine
