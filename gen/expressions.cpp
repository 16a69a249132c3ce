// SPDX-License-Identifier: Apache-2.0
#include "gen/expressions.h"

#include "gen/values.h"
#include "lang/builtins.h"

namespace komuz::gen {

namespace {

bool takes(Op op, Scalar type) { return (op_row(op).types & type_bit(type)) != 0; }

// The operators of a class that work on a type, as nodes.
std::vector<Node> operators(NodeClass wanted, Scalar type, bool without_traps) {
  std::vector<Node> out;
  for (u32 k = 0; k < kNodeCount; ++k) {
    const auto node = static_cast<Node>(k);
    const NodeRow& row = node_row(node);
    if (row.node_class != wanted) continue;
    if (wanted != NodeClass::Lazy && !takes(row.op, type)) continue;
    if (without_traps && op_row(row.op).traps != 0 && !is_float(type)) continue;
    out.push_back(node);
  }
  return out;
}

Scalar bits_source(Scalar type) {
  switch (type) {
    case Scalar::U32: return Scalar::F32;
    case Scalar::U64: return Scalar::F64;
    case Scalar::F32: return Scalar::U32;
    case Scalar::F64: return Scalar::U64;
    case Scalar::None:
    case Scalar::Bool:
    case Scalar::I32:
    case Scalar::I64:
    case Scalar::U8: return Scalar::None;
  }
  return Scalar::None;
}

// True if a call of the built-in function can give the type.
bool gives(const BuiltinRow& row, Scalar type) {
  switch (row.shape) {
    case BuiltinShape::Same:
    case BuiltinShape::Shift: return (row.types & type_bit(type)) != 0;
    case BuiltinShape::Predicate: return type == Scalar::Bool;
    case BuiltinShape::ToI64: return type == Scalar::I64;
    case BuiltinShape::Convert:
    case BuiltinShape::Wrap: return row.target == type;
    case BuiltinShape::Exact: return false;  // an Option: see containers.cpp
    case BuiltinShape::Bits:
    case BuiltinShape::FromBits: {
      const Scalar source = bits_source(type);
      return source != Scalar::None && (row.types & type_bit(source)) != 0;
    }
  }
  return false;
}

}  // namespace

std::string ExpressionWriter::operand(const Expression& e, u8 level) {
  if (e.level < level || random_.one_in(14)) return "(" + e.text + ")";
  return e.text;
}

Expression ExpressionWriter::join(Node node, const Expression& left, const Expression& right) {
  const NodeRow& row = node_row(node);
  const u8 tighter = static_cast<u8>(row.level + 1);
  const u8 left_level = row.side == Side::Left ? row.level : tighter;
  const u8 right_level = row.side == Side::Right ? row.level : tighter;
  return {operand(left, left_level) + " " + std::string(row.spelling) + " " +
              operand(right, right_level),
          row.level, left.open && right.open};
}

// `name(a, b)` or `a.name(b)`.
Expression ExpressionWriter::apply(std::string_view name, std::vector<Expression> arguments) {
  const u8 level = node_row(Node::Call).level;
  const bool method = !arguments.empty() && random_.one_in(3);
  std::string text = method ? operand(arguments[0], level) + "." : "";
  text += std::string(name) + "(";
  bool open = true;
  for (size_t k = 0; k < arguments.size(); ++k) {
    open = open && arguments[k].open;
    if (method && k == 0) continue;
    if (!text.ends_with('(')) text += ", ";
    text += arguments[k].text;
  }
  return {text + ")", level, open};
}

Expression ExpressionWriter::leaf(const TypeCode& type) {
  if (is_slice_code(type)) return slice(type, 0);
  const auto variables = scope_.visible(type);
  if (!variables.empty() && !random_.one_in(4))
    return {variables[random_.below(variables.size())]->name};
  if (!is_scalar_code(type)) return write_tuple(type, 0);
  const Scalar scalar = scalar_of(type);
  if (random_.one_in(8)) {
    const u32 number = random_.below(kConstantCount);
    const ConstantRow& row = builtin_constant(number);
    if (row.type == scalar) return {std::string(row.name)};
    if (row.type == Scalar::None && is_float(scalar))
      return {std::string(row.name), kLeafLevel, true};
  }
  const std::string text = random_literal(random_, scalar);
  const bool concrete = scalar == Scalar::Bool || text[0] == '\'';
  return {text, text[0] == '-' ? node_row(Node::Neg).level : kLeafLevel, !concrete};
}

Expression ExpressionWriter::small(Scalar type, u32 depth) {
  if (random_.one_in(6)) return anchored(scalar_code(type), depth);
  const std::string digit = std::to_string(random_.below(6));
  return {is_float(type) ? digit + ".5" : digit, kLeafLevel, true};
}

Expression ExpressionWriter::write(const TypeCode& type, u32 depth) {
  if (is_slice_code(type)) return slice(type, depth);
  if (depth == 0 || random_.one_in(5)) return leaf(type);
  if (!constant_) {
    if (scope_.holes && random_.one_in(9)) return hole(type, depth - 1);
    if (random_.one_in(10)) return choice(type, depth - 1);
    if (random_.one_in(24)) return block(type, depth - 1);
    if (random_.one_in(14)) return match(type, depth - 1);
    if (scope_.chains && random_.one_in(7))
      if (Expression e = ended_chain(type, depth - 1); !e.text.empty()) return e;
    if (scope_.containers && random_.one_in(5))
      if (Expression e = taken_from_collection(type, depth - 1); !e.text.empty()) return e;
    if (random_.one_in(6)) {
      Expression e = random_.below(2) != 0 ? call(type, depth - 1) : field(type, depth - 1);
      if (!e.text.empty()) return e;
    }
  }
  return is_scalar_code(type) ? write_scalar(scalar_of(type), depth - 1)
                              : write_tuple(type, depth - 1);
}

Expression ExpressionWriter::anchored(const TypeCode& type, u32 depth) {
  Expression e = write(type, depth);
  if (!e.open) return e;
  if (is_scalar_code(type))
    return {std::string(scalar_name(scalar_of(type))) + "(" + e.text + ")",
            node_row(Node::Call).level};
  if (is_container(type)) return {"({ let made: " + spelled(type) + " = " + e.text + "; made })"};
  // A tuple has its type by itself if each element has.
  std::string text = "(";
  for (const TypeCode& element : elements_of(type)) text += anchored(element, 0).text + ", ";
  text.resize(text.size() - (elements_of(type).size() == 1 ? 1 : 2));
  return {text + ")"};
}

// Fields by position, by name in any order, or from another record with some fields changed.
Expression ExpressionWriter::write_record(const TypeCode& type, u32 depth) {
  const std::vector<TypeCode> elements = elements_of(type);
  const std::vector<std::string> fields = fields_of(type);
  const u32 form = random_.below(3);
  const auto others = scope_.visible(type);
  const bool spreads = form == 2 && !others.empty();
  // The name is copied, because writing an expression may add variables.
  const std::string other = spreads ? others[random_.below(others.size())]->name : "";
  std::vector<std::string> arguments;
  for (size_t k = 0; k < elements.size(); ++k) {
    if (spreads && random_.below(2) != 0) continue;
    arguments.push_back((form == 0 ? "" : fields[k] + ": ") + write(elements[k], depth).text);
  }
  if (form != 0)
    for (size_t k = arguments.size(); k > 1; --k)
      std::swap(arguments[k - 1], arguments[random_.below(k)]);
  if (spreads) arguments.insert(arguments.begin(), ".." + other);
  std::string text = spelled(type) + "(";
  for (const std::string& argument : arguments) text += argument + ", ";
  text.resize(text.size() - 2);
  return {text + ")", node_row(Node::Call).level};
}

Expression ExpressionWriter::write_tuple(const TypeCode& type, u32 depth) {
  if (is_record_code(type)) return write_record(type, depth);
  if (has_alternatives(type)) return write_sum(type, depth);
  if (has_elements(type)) return elements(type, depth);
  Expression out{"("};
  const std::vector<TypeCode> elements = elements_of(type);
  if (elements.empty()) return {"()"};
  for (const TypeCode& element : elements) {
    const Expression e = write(element, depth);
    out.open = out.open || e.open;
    out.text += e.text + ", ";
  }
  out.text.resize(out.text.size() - (elements.size() == 1 ? 1 : 2));
  out.text += ")";
  return out;
}

Expression ExpressionWriter::write_scalar(Scalar type, u32 depth) {
  if (type == Scalar::Bool && random_.below(3) != 0)
    return random_.below(2) != 0 ? compare(depth) : lazy(depth);
  switch (random_.below(8)) {
    case 0: return shift(type, depth);
    case 1: return unary(type, depth);
    case 2:
    case 3:
    case 4: return builtin(type, depth);
    default: return arithmetic(type, depth);
  }
}

Expression ExpressionWriter::arithmetic(Scalar type, u32 depth) {
  const std::vector<Node> nodes = operators(NodeClass::Arithmetic, type, constant_);
  const Node node = nodes[random_.below(nodes.size())];
  const Expression left = write(scalar_code(type), depth);
  // Beside a float, an integer literal is a float literal, too.
  if (is_float(type) && !left.open && random_.one_in(6))
    return join(node, left, {std::to_string(random_.below(1000)), kLeafLevel, true});
  return join(node, left, node == Node::Pow ? small(type, depth) : write(scalar_code(type), depth));
}

Expression ExpressionWriter::shift(Scalar type, u32 depth) {
  if (!is_integer(type) || constant_) return leaf(scalar_code(type));
  const std::vector<Node> nodes = operators(NodeClass::Shift, type, false);
  const Scalar by = random_scalar(random_, type_set::kInt);
  const Expression left = write(scalar_code(type), depth);
  Expression e = join(nodes[random_.below(nodes.size())], left, small(by, depth));
  e.open = left.open;
  return e;
}

Expression ExpressionWriter::unary(Scalar type, u32 depth) {
  const std::vector<Node> nodes = operators(NodeClass::Unary, type, constant_);
  if (nodes.empty()) return leaf(scalar_code(type));
  const NodeRow& row = node_row(nodes[random_.below(nodes.size())]);
  Expression e = write(scalar_code(type), depth);
  // `-` joins a literal. A second `-` would need a value that the type may not have.
  if (e.text[0] == '-' && row.spelling == "-") return e;
  return {std::string(row.spelling) + operand(e, row.level), row.level, e.open};
}

std::pair<Expression, Expression> ExpressionWriter::tuples(const TypeCode& type, u32 depth) {
  std::string texts[2] = {"(", "("};
  const std::vector<TypeCode> elements = elements_of(type);
  for (const TypeCode& element : elements) {
    std::pair<Expression, Expression> pair;
    if (!is_scalar_code(element) && random_.below(2) != 0)
      pair = tuples(element, depth);
    else
      pair = {anchored(element, depth), write(element, depth)};
    if (random_.below(2) != 0) std::swap(pair.first, pair.second);
    texts[0] += pair.first.text + ", ";
    texts[1] += pair.second.text + ", ";
  }
  for (std::string& text : texts) {
    text.resize(text.size() - (elements.size() == 1 ? 1 : 2));
    text += ")";
  }
  return {Expression{texts[0]}, Expression{texts[1]}};
}

Expression ExpressionWriter::compare(u32 depth) {
  if (random_.one_in(8)) {
    const auto [left, right] = tuples(random_tuple(random_), depth / 2);
    return join(random_.below(2) != 0 ? Node::Eq : Node::Ne, left, right);
  }
  if (!scope_.made.empty() && random_.one_in(8)) {
    const TypeCode& made = scope_.made[random_.below(scope_.made.size())];
    const Expression left = write(made, depth / 2);
    return join(random_.below(2) != 0 ? Node::Eq : Node::Ne, left, write(made, depth / 2));
  }
  if (scope_.containers && !constant_ && random_.one_in(4)) {
    if (random_.below(2) != 0) return asked_of_collection(Scalar::Bool, depth / 2);
    const TypeCode type = scope_.random_type(random_);
    const Expression left = anchored(type, depth / 2), right = anchored(type, depth / 2);
    return join(random_.below(2) != 0 ? Node::Eq : Node::Ne, left, right);
  }
  const Scalar type = random_scalar(random_);
  const std::vector<Node> nodes = operators(NodeClass::Compare, type, false);
  const Node node = nodes[random_.below(nodes.size())];
  const Expression one = anchored(scalar_code(type), depth),
                   other = write(scalar_code(type), depth);
  Expression e = random_.below(2) != 0 ? join(node, one, other) : join(node, other, one);
  e.open = false;
  return e;
}

Expression ExpressionWriter::lazy(u32 depth) {
  const std::vector<Node> nodes = operators(NodeClass::Lazy, Scalar::Bool, false);
  const TypeCode type = scalar_code(Scalar::Bool);
  const Expression left = write(type, depth);
  return join(nodes[random_.below(nodes.size())], left, write(type, depth));
}

Expression ExpressionWriter::builtin(Scalar type, u32 depth) {
  std::vector<const BuiltinRow*> rows;
  for (const BuiltinRow& row : kBuiltins)
    if (gives(row, type) && (!constant_ || op_row(row.op).traps == 0)) rows.push_back(&row);
  if (rows.empty()) return leaf(scalar_code(type));
  const BuiltinRow& row = *rows[random_.below(rows.size())];
  std::vector<Expression> arguments;
  const u32 arity = builtin_arity(row);
  switch (row.shape) {
    case BuiltinShape::Same:
      for (u32 k = 0; k < arity; ++k) arguments.push_back(write(scalar_code(type), depth));
      return apply(row.name, std::move(arguments));
    case BuiltinShape::Shift: {
      arguments = {write(scalar_code(type), depth),
                   small(random_scalar(random_, type_set::kInt), depth)};
      const bool open = arguments[0].open;
      Expression e = apply(row.name, std::move(arguments));
      e.open = open;
      return e;
    }
    case BuiltinShape::Predicate:
    case BuiltinShape::ToI64:
    case BuiltinShape::Convert:
    case BuiltinShape::Wrap:
    case BuiltinShape::Exact: {
      if (row.op == Op::Cmp && scope_.containers && !constant_ && random_.one_in(3)) {
        arguments = ordered_elements(depth / 2);
        break;
      }
      if (row.op == Op::Cmp && !scope_.made.empty() && !constant_ && random_.one_in(3)) {
        const TypeCode part = ordered_part();
        arguments = {anchored(part, depth / 2), anchored(part, depth / 2)};
        break;
      }
      if (row.op == Op::Cmp && random_.one_in(3)) {
        const auto [left, right] = tuples(random_tuple(random_), depth / 2);
        arguments = {left, right};
        break;
      }
      const TypeCode source = scalar_code(random_scalar(random_, row.types));
      for (u32 k = 0; k < arity; ++k) arguments.push_back(anchored(source, depth));
      break;
    }
    case BuiltinShape::Bits:
    case BuiltinShape::FromBits:
      arguments.push_back(anchored(scalar_code(bits_source(type)), depth));
      break;
  }
  Expression e = apply(row.name, std::move(arguments));
  e.open = false;
  return e;
}

Expression ExpressionWriter::choice(const TypeCode& type, u32 depth) {
  const Expression condition = write(scalar_code(Scalar::Bool), depth);
  const Expression yes = write(type, depth), no = write(type, depth);
  std::string text = "(if " + condition.text + " { " + yes.text + " } else ";
  if (random_.one_in(4)) {
    const Expression other = write(type, 0);
    text += "if " + write(scalar_code(Scalar::Bool), 0).text + " { " + other.text + " } else ";
    return {text + "{ " + no.text + " })", kLeafLevel, yes.open || no.open || other.open};
  }
  return {text + "{ " + no.text + " })", kLeafLevel, yes.open || no.open};
}

Expression ExpressionWriter::block(const TypeCode& type, u32 depth) {
  const TypeCode inner = scope_.random_type(random_);
  const size_t mark = scope_.variables.size();
  const std::string value = anchored(inner, depth).text;
  scope_.variables.push_back({"inner", inner, false});
  const Expression e = write(type, depth);
  scope_.variables.resize(mark);
  return {"({ let inner = " + value + "; " + e.text + " })", kLeafLevel, e.open};
}

Expression ExpressionWriter::call(const TypeCode& type, u32 depth) {
  std::vector<const Signature*> fitting;
  for (const Signature& f : scope_.functions)
    if (f.result == type) fitting.push_back(&f);
  if (fitting.empty()) return {};
  const Signature& f = *fitting[random_.below(fitting.size())];
  std::vector<Expression> arguments;
  for (const TypeCode& parameter : f.parameters) arguments.push_back(write(parameter, depth));
  if (f.cycle != 0)
    arguments[0] = f.cycle == scope_.cycle ? Expression{"n - 1", node_row(Node::Sub).level}
                                           : Expression{std::to_string(random_.below(9))};
  Expression e = apply(f.name, std::move(arguments));
  e.open = false;
  return e;
}

Expression ExpressionWriter::field(const TypeCode& type, u32) {
  if (scope_.containers) {
    const Place found = place([&](const TypeCode& of) { return of == type; });
    return {found.text, node_row(Node::Dot).level};
  }
  std::vector<std::string> found;
  for (const Variable* v : scope_.visible()) {
    if (is_scalar_code(v->type)) continue;
    const std::vector<TypeCode> elements = elements_of(v->type);
    const std::vector<std::string> fields = fields_of(v->type);
    for (size_t k = 0; k < elements.size(); ++k)
      if (elements[k] == type) found.push_back(v->name + "." + fields[k]);
  }
  if (found.empty()) return {};
  return {found[random_.below(found.size())], node_row(Node::Dot).level};
}

}  // namespace komuz::gen
