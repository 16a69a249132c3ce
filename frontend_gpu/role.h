// SPDX-License-Identifier: Apache-2.0
// What most nodes need of the passes on types and code, as one row a role. A node that its row is right for is done
// without a branch on its kind, which no predictor foresees; the others take the long way, which covers all of them.
//
// A role is a node's kind, with names and parentheses told apart by where they stand.
#pragma once
#include "frontend_gpu/type_id.h"
#include "lang/nodes.h"
#include "lang/ops.h"

namespace komuz::frontend {

inline constexpr u8 kRoleLocal =
    kNodeCount;  // a name that stands for the value of a local variable
inline constexpr u8 kRoleGroup = kNodeCount + 1;    // parentheses around a value
inline constexpr u8 kRoleSkipped = kNodeCount + 2;  // in error: no row is right for it
inline constexpr u32 kRoleCount = kNodeCount + 3;
HD constexpr u8 role_of(Node kind) { return static_cast<u8>(kind); }

// synthesise_types: the type is own() or, without one, that of both operands.
struct TypeRow {
  u16 bits = 0;
  static constexpr u16 kUsual = 0x100, kRightOnly = 0x200, kLocal = 0x400;

  HD constexpr bool usual() const { return (bits & kUsual) != 0; }
  HD constexpr bool right_only() const { return (bits & kRightOnly) != 0; }
  HD constexpr bool local() const { return (bits & kLocal) != 0; }
  HD constexpr TypeId own() const { return bits & 0xFF; }
};
// check_types: for one of these types a node is done when it has passed it to its children.
struct CheckRow {
  u64 bits = 0;
  static constexpr u64 kAllTypes = 0xFFFF'FFFF, kPassesLeft = 1ull << 32, kPassesRight = 1ull << 33,
                       kAnyWant = 1ull << 34;

  HD constexpr bool usual(TypeId type) const { return (bits >> type & 1) != 0; }  // type < 32
  HD constexpr bool passes_left() const { return (bits & kPassesLeft) != 0; }
  HD constexpr bool passes_right() const { return (bits & kPassesRight) != 0; }
  // Whatever is expected of it.
  HD constexpr bool any_want() const { return (bits & kAnyWant) != 0; }
};
// write_code: at most one instruction, whose type is the node's own or its left child's.
struct CodeRow {
  u16 bits = 0;
  static constexpr u16 kUsual = 0x100, kCode = 0x200, kOfLeft = 0x400, kLiteral = 0x800,
                       kLocal = 0x1000;

  HD constexpr bool usual() const { return (bits & kUsual) != 0; }
  HD constexpr u32 code() const { return bits >> 9 & 1; }
  HD constexpr bool of_left() const { return (bits & kOfLeft) != 0; }
  HD constexpr u32 literals() const { return bits >> 11 & 1; }
  HD constexpr bool local() const { return (bits & kLocal) != 0; }
  HD constexpr Op op() const { return static_cast<Op>(bits & 0xFF); }
};

namespace role_rows {

constexpr u16 own(TypeId type) { return static_cast<u16>(TypeRow::kUsual | type); }
constexpr u16 own(Scalar type) { return own(type_of(type)); }

constexpr u16 type_of_kind(Node kind) {
  switch (kind) {
    case Node::ItemEnd:
    case Node::Pub:
    case Node::Const:
    case Node::Colon:
    case Node::Fn:
    case Node::Test:
    case Node::Rec:
    case Node::Arrow:
    case Node::String:
    case Node::Let:
    case Node::Var:
    case Node::Range:
    case Node::RangeInclusive:
    case Node::If:
    case Node::For:
    case Node::While:
    case Node::Limit:
    case Node::LoopStart:
    case Node::Assert: return own(kTypeUnit);
    case Node::Return:
    case Node::Break:
    case Node::Continue: return own(kTypeNever);
    case Node::Comma: return own(kTypeList);
    case Node::Int: return own(kTypeIntLiteral);
    case Node::Float: return own(kTypeFloatLiteral);
    case Node::Char: return own(Scalar::U8);
    case Node::True:
    case Node::False: return own(Scalar::Bool);
    case Node::Block:
    case Node::Paren: return TypeRow::kUsual | TypeRow::kRightOnly;
    default: return 0;
  }
}
constexpr TypeRow type_row(Node kind) {
  switch (node_row(kind).node_class) {
    case NodeClass::Arithmetic: return {TypeRow::kUsual};
    case NodeClass::Unary: return {TypeRow::kUsual | TypeRow::kRightOnly};
    case NodeClass::Compare:
    case NodeClass::Lazy: return {own(Scalar::Bool)};
    case NodeClass::Update: return {own(kTypeUnit)};
    case NodeClass::Shift: return {};
    case NodeClass::Other: return {type_of_kind(kind)};
  }
  return {};
}

constexpr CheckRow check_row(Node kind) {
  const u64 types = op_row(node_row(kind).op).types;
  switch (node_row(kind).node_class) {
    case NodeClass::Arithmetic: return {types | CheckRow::kPassesLeft | CheckRow::kPassesRight};
    case NodeClass::Unary: return {types | CheckRow::kPassesRight};
    case NodeClass::Compare:
    case NodeClass::Lazy:
    case NodeClass::Update:
    case NodeClass::Shift: return {};
    case NodeClass::Other: break;
  }
  switch (kind) {
    case Node::ItemEnd:
    case Node::Pub:
    case Node::Const:
    case Node::Colon:
    case Node::Fn:
    case Node::Test:
    case Node::Rec:
    case Node::Arrow:
    case Node::String:
    case Node::Comma:
    case Node::In:
    case Node::For:
    case Node::LoopStart: return {CheckRow::kAllTypes | CheckRow::kAnyWant};
    default: return {};
  }
}

constexpr u16 code_of(Op op) {
  return static_cast<u16>(CodeRow::kUsual | CodeRow::kCode | static_cast<u16>(op));
}
constexpr CodeRow code_row(Node kind) {
  const Op op = node_row(kind).op;
  switch (node_row(kind).node_class) {
    case NodeClass::Arithmetic: return {code_of(op)};
    case NodeClass::Compare: return {static_cast<u16>(code_of(op) | CodeRow::kOfLeft)};
    case NodeClass::Lazy: return {CodeRow::kUsual};
    case NodeClass::Unary:
    case NodeClass::Update:
    case NodeClass::Shift: return {};
    case NodeClass::Other: break;
  }
  switch (kind) {
    case Node::ItemEnd:
    case Node::Pub:
    case Node::Semi:
    case Node::Let:
    case Node::Var:
    case Node::Const:
    case Node::Colon:
    case Node::Else:
    case Node::Fn:
    case Node::Test:
    case Node::Rec:
    case Node::Arrow:
    case Node::Range:
    case Node::RangeInclusive:
    case Node::String:
    case Node::Paren:
    case Node::Block: return {CodeRow::kUsual};
    case Node::Float:
    case Node::Char:
    case Node::True:
    case Node::False: return {static_cast<u16>(code_of(Op::LoadConst) | CodeRow::kLiteral)};
    default: return {};
  }
}

}  // namespace role_rows

HD_TABLE TypeRow kTypeRows[kRoleCount] = {
#define NODE(Name, spelling, level, side, cls, op, children) role_rows::type_row(Node::Name),
#include "lang/nodes.def"
    {TypeRow::kUsual | TypeRow::kLocal}, role_rows::type_row(Node::Paren), {}};
HD_TABLE CheckRow kCheckRows[kRoleCount] = {
#define NODE(Name, spelling, level, side, cls, op, children) role_rows::check_row(Node::Name),
#include "lang/nodes.def"
    {type_set::kAny}, {type_set::kAny | CheckRow::kPassesRight}, {}};
HD_TABLE CodeRow kCodeRows[kRoleCount] = {
#define NODE(Name, spelling, level, side, cls, op, children) role_rows::code_row(Node::Name),
#include "lang/nodes.def"
    {static_cast<u16>(role_rows::code_of(Op::LoadVar) | CodeRow::kLocal)}, {CodeRow::kUsual}, {}};

// Bit t of row l: an open literal of type l takes type t where that is expected.
HD_TABLE TypeSet kLiteralTakes[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, type_set::kInt, type_set::kFloat};
static_assert(kTypeIntLiteral == 9 && kTypeFloatLiteral == 10);

HD const TypeRow& type_row(u8 role) { return kTypeRows[role]; }
HD const CheckRow& check_row(u8 role) { return kCheckRows[role]; }
HD const CodeRow& code_row(u8 role) { return kCodeRows[role]; }
HD TypeSet literal_takes_types(TypeId literal) {
  const TypeSet* const rows = kLiteralTakes;
  return rows[literal];
}

}  // namespace komuz::frontend
