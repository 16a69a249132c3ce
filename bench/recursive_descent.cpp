// SPDX-License-Identifier: Apache-2.0
#include "bench/recursive_descent.h"

#include <charconv>
#include <cstring>

namespace komuz::bench {

namespace {

Scalar scalar_named(std::string_view name) {
  for (u32 k = 1; k < kScalarCount; ++k)
    if (scalar_name(static_cast<Scalar>(k)) == name) return static_cast<Scalar>(k);
  return Scalar::None;
}

// The operators for precedence climbing. Other tokens end an expression.
bool is_operator(const NodeRow& row) {
  return row.node_class == NodeClass::Arithmetic || row.node_class == NodeClass::Compare ||
         row.node_class == NodeClass::Lazy;
}

}  // namespace

bool RecursiveDescent::compile(std::string_view source, Code& out) {
  source_ = source;
  lexer_ = PlainLexer(source);
  out.clear();
  out_ = &out;
  sound_ = true;
  ahead_ = lexer_.next();
  advance();
  while (sound_ && token_.begin < source.size()) function();
  return sound_;
}

u32 RecursiveDescent::demand(Token kind) {
  const u32 place = token_.begin;
  if (token_.kind != kind) sound_ = false;
  if (sound_) advance();
  return place;
}

Scalar RecursiveDescent::type_name() {
  const Scalar type = scalar_named(text(token_));
  (void)demand(Token::Name);
  if (type == Scalar::None) sound_ = false;
  return type;
}

u16 RecursiveDescent::new_slot(Scalar type) {
  const size_t slot = out_->slot_types.size() - slots_begin_;
  out_->slot_types.push_back(static_cast<u8>(type));
  return static_cast<u16>(slot);
}
const RecursiveDescent::Local* RecursiveDescent::find(std::string_view name) const {
  for (size_t k = locals_.size(); k-- > 0;)
    if (locals_[k].name == name) return &locals_[k];
  return nullptr;
}

void RecursiveDescent::function() {
  Function f;
  f.is_public = take(Token::Pub);
  (void)demand(Token::Fn);
  f.place = token_.begin;
  f.name_begin = static_cast<u32>(out_->names.size());
  out_->names.append(text(token_));
  f.name_end = static_cast<u32>(out_->names.size());
  (void)demand(Token::Name);
  f.code_begin = function_begin_ = here();
  f.slots_begin = slots_begin_ = static_cast<u32>(out_->slot_types.size());
  f.types_begin = static_cast<u32>(out_->types.size());
  f.parameters_begin = static_cast<u32>(out_->parameter_names.size());
  locals_.clear();
  parameters(f);
  (void)demand(Token::Arrow);
  const Scalar result = type_name();
  out_->types.push_back(static_cast<u8>(result));
  f.result_cells = 1;
  const u32 brace = token_.begin;
  Operand value = block(result);
  close(value, result);
  put(Op::Return, Scalar::None, 0, 0, brace);
  f.code_end = here();
  f.slots = static_cast<u16>(out_->slot_types.size() - slots_begin_);
  out_->functions.push_back(f);
}

void RecursiveDescent::parameters(Function& f) {
  (void)demand(Token::LParen);
  out_->types.push_back(kTupleCode);
  const size_t count_at = out_->types.size();
  out_->types.push_back(0);
  while (sound_ && token_.kind != Token::RParen) {
    const std::string_view name = text(token_);
    (void)demand(Token::Name);
    (void)demand(Token::Colon);
    const Scalar type = type_name();
    locals_.push_back({name, type, new_slot(type)});
    out_->types.push_back(static_cast<u8>(type));
    const u32 begin = static_cast<u32>(out_->names.size());
    out_->names.append(name);
    out_->parameter_names.push_back({begin, static_cast<u32>(out_->names.size())});
    if (!take(Token::Comma)) break;
  }
  (void)demand(Token::RParen);
  f.parameter_slots = static_cast<u16>(locals_.size());
  out_->types[count_at] = static_cast<u8>(locals_.size());
}

// `{ statements value }`. Its value is () if the last statement ends in `;`, or if there is none.
RecursiveDescent::Operand RecursiveDescent::block(Scalar want) {
  const size_t visible = locals_.size();
  Operand value;
  (void)demand(Token::LBrace);
  while (sound_ && token_.kind != Token::RBrace) {
    value = {};
    if (token_.kind == Token::If) {
      value = conditional(want);
      if (token_.kind == Token::RBrace) break;
      continue;
    }
    if (statement()) continue;
    value = expression(0, want);
    break;
  }
  (void)demand(Token::RBrace);
  locals_.resize(visible);
  return value;
}

bool RecursiveDescent::statement() {
  switch (token_.kind) {
    case Token::Let:
    case Token::Var: declaration(); break;
    case Token::For: for_loop(); return true;
    case Token::While: while_loop(); return true;
    case Token::Semi: break;
    case Token::Name: {
      const Node follows = token_row(ahead_.kind).infix;
      const bool assigns =
          follows == Node::Assign || node_row(follows).node_class == NodeClass::Update;
      if (!assigns) return false;
      assignment();
      break;
    }
    default: return false;
  }
  (void)demand(Token::Semi);
  return true;
}

void RecursiveDescent::declaration() {
  advance();
  const std::string_view name = text(token_);
  (void)demand(Token::Name);
  Scalar type = take(Token::Colon) ? type_name() : Scalar::None;
  const u16 slot = new_slot(type);
  const u32 place = demand(Token::Assign);
  Operand value = expression(0, type);
  close(value, type == Scalar::None ? value.type : type);
  out_->slot_types[slots_begin_ + slot] = static_cast<u8>(value.type);
  put(Op::StoreVar, value.type, slot, 0, place);
  locals_.push_back({name, value.type, slot});
}

void RecursiveDescent::assignment() {
  const Local* const local = find(text(token_));
  const u32 name_place = token_.begin;
  advance();
  if (local == nullptr) {
    sound_ = false;
    return;
  }
  const Local place = *local;
  const Token kind = token_.kind;
  const u32 at = token_.begin;
  advance();
  if (kind != Token::Assign) put(Op::LoadVar, place.type, place.slot, 0, name_place);
  Operand value = expression(0, place.type);
  close(value, place.type);
  if (kind != Token::Assign) put(node_row(token_row(kind).infix).op, place.type, 0, 0, at);
  put(Op::StoreVar, place.type, place.slot, 0, at);
}

void RecursiveDescent::for_loop() {
  const u32 place = demand(Token::For);
  const std::string_view name = text(token_);
  (void)demand(Token::Name);
  const u16 next = new_slot(Scalar::I64), bound = new_slot(Scalar::I64),
            variable = new_slot(Scalar::I64);
  const u32 in_place = demand(Token::In);
  Operand from = expression(0, Scalar::None);
  const bool inclusive = token_.kind == Token::DotDotEq;
  (void)demand(inclusive ? Token::DotDotEq : Token::DotDot);
  Operand to = expression(0, Scalar::None);
  const Scalar type = join(from, to);
  close(from, type);
  close(to, type);
  for (const u16 slot : {next, bound, variable})
    out_->slot_types[slots_begin_ + slot] = static_cast<u8>(type);
  put(Op::StoreVar, type, bound, 0, in_place);
  put(Op::StoreVar, type, next, 0, in_place);
  const u32 loop = here();
  put(Op::Loop, Scalar::None, 0, 0, place);
  put(Op::ForNext, type, next, inclusive, place);
  put(Op::Tick, Scalar::None, 0, 0, place);
  locals_.push_back({name, type, variable});
  const u32 brace = token_.begin;
  (void)block(Scalar::None);
  locals_.pop_back();
  out_->instructions[loop].b = target();
  put(Op::End, Scalar::None, 0, loop - function_begin_, brace);
}

void RecursiveDescent::while_loop() {
  const u32 place = demand(Token::While);
  const u32 loop = here();
  put(Op::Loop, Scalar::None, 0, 0, place);
  (void)expression(0, Scalar::Bool);
  put(Op::BreakIfFalse, Scalar::None, 0, 0, place);
  put(Op::Tick, Scalar::None, 0, 0, place);
  const u32 brace = token_.begin;
  (void)block(Scalar::None);
  out_->instructions[loop].b = target();
  put(Op::End, Scalar::None, 0, loop - function_begin_, brace);
}

// The arms of a statement have no value. Without a wanted type, both arms have the type of the first.
RecursiveDescent::Operand RecursiveDescent::conditional(Scalar want) {
  const u32 begin = here(), place = demand(Token::If);
  (void)expression(0, Scalar::Bool);
  const u32 branch = here();
  put(Op::JumpIfFalse, Scalar::None, 0, 0, place);
  const u32 brace = token_.begin;
  Operand first = block(want);
  if (first.type != Scalar::None) close(first, want == Scalar::None ? first.type : want);
  const u32 otherwise = token_.begin;
  if (!take(Token::Else)) {
    out_->instructions[branch].b = target();
    return operand(Scalar::None, false, begin, place);
  }
  const u32 jump = here();
  put(Op::Jump, Scalar::None, first.type != Scalar::None, 0, brace);
  out_->instructions[branch].a = 1;
  out_->instructions[branch].b = target();
  Operand second = token_.kind == Token::If ? conditional(want) : block(want);
  close(second, first.type);
  out_->instructions[jump].b = target();
  return operand(first.type, false, begin, otherwise);
}

// Precedence climbing: operators of `level` and tighter.
RecursiveDescent::Operand RecursiveDescent::expression(u32 level, Scalar want) {
  Operand left = primary(want);
  while (sound_) {
    const NodeRow& row = node_row(token_row(token_.kind).infix);
    if (!is_operator(row) || row.level < level) break;
    left = infix(left, want);
  }
  return left;
}

RecursiveDescent::Operand RecursiveDescent::infix(Operand left, Scalar want) {
  const NodeRow& row = node_row(token_row(token_.kind).infix);
  const u32 place = token_.begin;
  const u32 right_level = row.side == Side::Right ? row.level : row.level + 1u;
  advance();
  if (row.node_class == NodeClass::Lazy) {
    const u32 skip = here();
    put(row.op, Scalar::None, 0, 0, left.place);
    (void)expression(right_level, Scalar::Bool);
    out_->instructions[skip].b = target();
    return operand(Scalar::Bool, false, left.begin, place);
  }
  const bool compares = row.node_class == NodeClass::Compare;
  Operand right = expression(right_level, compares ? Scalar::None : want);
  const Scalar type = join(left, right);
  if (!compares) {
    put(row.op, type, 0, 0, place);
    return operand(type, left.open && right.open, left.begin, place);
  }
  close(left, type);
  close(right, type);
  put(row.op, type, 0, 0, place);
  return operand(Scalar::Bool, false, left.begin, place);
}

RecursiveDescent::Operand RecursiveDescent::primary(Scalar want) {
  const PlainToken token = token_;
  switch (token.kind) {
    case Token::Int:
    case Token::Float: return number(false);
    case Token::Name: return name(want);
    case Token::True:
    case Token::False: {
      const u32 begin = here();
      advance();
      put_constant(Scalar::Bool, token.kind == Token::True, token.begin);
      return operand(Scalar::Bool, false, begin, token.begin);
    }
    case Token::LParen: {
      advance();
      Operand inside = expression(0, want);
      (void)demand(Token::RParen);
      inside.place = token.begin;
      return inside;
    }
    case Token::If: return conditional(want);
    case Token::Minus:
    case Token::Bang: return prefix(want);
    default: sound_ = false; return {};
  }
}

RecursiveDescent::Operand RecursiveDescent::prefix(Scalar want) {
  const PlainToken token = token_;
  const NodeRow& row = node_row(token_row(token.kind).alone);
  advance();
  // A sign joins an integer literal, unless a tighter operator takes the literal first.
  if (token.kind == Token::Minus && token_.kind == Token::Int && ahead_.kind != Token::StarStar) {
    Operand literal = number(true);
    literal.place = token.begin;
    return literal;
  }
  const Operand inside = expression(row.level, want);
  put(row.op, inside.type, 0, 0, token.begin);
  return operand(inside.type, inside.open, inside.begin, token.begin);
}

RecursiveDescent::Operand RecursiveDescent::number(bool negative) {
  const PlainToken token = token_;
  const u32 begin = here();
  advance();
  if (token.kind == Token::Float) {
    put_constant(Scalar::F64, float_cell(token, Scalar::F64), token.begin);
    return operand(Scalar::F64, true, begin, token.begin);
  }
  u64 value = 0;
  for (const char c : text(token))
    if (c != '_') value = value * 10 + static_cast<u64>(c - '0');
  put_constant(Scalar::I64, negative ? 0 - value : value, token.begin);
  return operand(Scalar::I64, true, begin, token.begin);
}

RecursiveDescent::Operand RecursiveDescent::name(Scalar want) {
  const PlainToken token = token_;
  advance();
  if (token_.kind == Token::LParen) return call(text(token), want);
  const Local* const local = find(text(token));
  if (local == nullptr) {
    sound_ = false;
    return {};
  }
  const u32 begin = here();
  put(Op::LoadVar, local->type, local->slot, 0, token.begin);
  return operand(local->type, false, begin, token.begin);
}

RecursiveDescent::Operand RecursiveDescent::call(std::string_view callee, Scalar want) {
  const u32 place = demand(Token::LParen);
  const std::string_view names = out_->names;
  for (u32 k = 0; k < out_->functions.size(); ++k) {
    const Function& f = out_->functions[k];
    if (names.substr(f.name_begin, f.name_end - f.name_begin) == callee)
      return call_function(f, k, place);
  }
  for (const BuiltinRow& row : kBuiltins)
    if (row.name == callee && row.shape == BuiltinShape::Same)
      return call_builtin(row, place, want);
  sound_ = false;
  return {};
}

RecursiveDescent::Operand RecursiveDescent::call_function(const Function& f, u32 number,
                                                          u32 place) {
  const u32 begin = here();
  const u8* const types = out_->types.data() + f.types_begin;  // a tuple, its size, then these
  for (u32 k = 0; k < f.parameter_slots; ++k) {
    if (k != 0) (void)demand(Token::Comma);
    const Scalar type = static_cast<Scalar>(types[2 + k]);
    Operand argument = expression(0, type);
    close(argument, type);
  }
  (void)demand(Token::RParen);
  put(Op::Call, Scalar::None, number, 0, place);
  return operand(static_cast<Scalar>(types[2 + f.parameter_slots]), false, begin, place);
}

// All arguments and the result have one type.
RecursiveDescent::Operand RecursiveDescent::call_builtin(const BuiltinRow& row, u32 place,
                                                         Scalar want) {
  Operand all;
  const u32 arity = builtin_arity(row);
  for (u32 k = 0; k < arity; ++k) {
    if (k != 0) (void)demand(Token::Comma);
    Operand argument = expression(0, want);
    if (k == 0) {
      all = argument;
      continue;
    }
    all.type = join(all, argument);
    all.open = all.open && argument.open;
  }
  (void)demand(Token::RParen);
  put(row.op, all.type, 0, 0, place);
  return operand(all.type, all.open, all.begin, place);
}

// The type that two operands share. An open operand takes the other's type.
Scalar RecursiveDescent::join(Operand& left, Operand& right) {
  if (left.open && !right.open) close(left, right.type);
  if (right.open && !left.open) close(right, left.type);
  if (left.type != right.type) sound_ = false;
  return left.type;
}

// Gives an operand its type. The instructions of an open operand are literals and operations on them.
void RecursiveDescent::close(Operand& value, Scalar type) {
  if (!value.open || value.type == type) {
    if (value.type != type) sound_ = false;
    value.open = false;
    return;
  }
  const bool as_float = value.type == Scalar::F64;
  if (type == Scalar::None || is_float(type) != as_float) {
    sound_ = false;
    return;
  }
  for (u32 k = value.begin; k < value.end; ++k) {
    Instruction& i = out_->instructions[k];
    i.type = type;
    if (i.op != Op::LoadConst || !as_float) continue;
    const u32 place = out_->places[k];
    PlainToken token = PlainLexer(source_.substr(place)).next();
    token.begin += place;
    token.end += place;
    out_->constants[i.b] = float_cell(token, type);
  }
  value.type = type;
  value.open = false;
}

u64 RecursiveDescent::float_cell(PlainToken token, Scalar type) const {
  // A few digits over an exact power of ten are rounded once (Clinger, 1990).
  static constexpr f64 kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  char digits[64];
  u32 length = 0, fraction = 0;
  u64 number = 0;
  bool plain = type == Scalar::F64, behind_dot = false;
  for (const char c : text(token)) {
    if (c == '_' || length == sizeof digits) continue;
    digits[length++] = c;
    if (c >= '0' && c <= '9') {
      number = number * 10 + static_cast<u64>(c - '0');
      fraction += behind_dot;
    } else {
      plain = plain && c == '.';
      behind_dot = true;
    }
  }
  u64 cell = 0;
  if (plain && length <= 16) {
    const f64 value = static_cast<f64>(number) / kPowers[fraction];
    std::memcpy(&cell, &value, sizeof value);
  } else if (type == Scalar::F64) {
    f64 value = 0;
    (void)std::from_chars(digits, digits + length, value);
    std::memcpy(&cell, &value, sizeof value);
  } else {
    f32 value = 0;
    (void)std::from_chars(digits, digits + length, value);
    std::memcpy(&cell, &value, sizeof value);
  }
  return cell;
}

}  // namespace komuz::bench
