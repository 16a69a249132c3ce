// SPDX-License-Identifier: Apache-2.0
// The rules of roles.def as rows. If its row fits, a node is done without a branch on its kind, which would be
// mispredicted. Other nodes take the long way, which covers all kinds.
#pragma once
#include "frontend_gpu/columns/type_id.h"
#include "lang/nodes.h"
#include "lang/ops.h"

namespace komuz::frontend {

// The kinds of nodes, and the roles that some of them have in their contexts.
enum class Role : u8 {
  LastKind = kNodeCount - 1,
#define KIND(Name, type, check, code)
#define ROLE(Name, type, check, code) Name,
#include "frontend_gpu/columns/roles.def"
};
inline constexpr u32 kRoleCount = static_cast<u32>(Role::Skipped) + 1;
HD constexpr Role role_of(Node kind) { return static_cast<Role>(kind); }

// synthesise_types: the type is own(), or, if there is no own type, the type of both operands.
struct TypeRow {
  u16 bits = 0;
  static constexpr u16 kUsual = 0x100, kRightOnly = 0x200, kLocal = 0x400, kNeedsRight = 0x800;

  HD constexpr bool usual() const { return (bits & kUsual) != 0; }
  HD constexpr bool right_only() const { return (bits & kRightOnly) != 0; }
  HD constexpr bool needs_right() const { return (bits & kNeedsRight) != 0; }
  HD constexpr bool local() const { return (bits & kLocal) != 0; }
  HD constexpr TypeId own() const { return bits & 0xFF; }
};
// check_types: for the types in `types`, a node is done once it has told its children what it expects of them: its
// own type, the type that is expected of the node, or a fixed type.
struct CheckRow {
  u32 types = 0;                  // bit t: the row fits type t
  u8 left_type = 0, left_is = 0;  // a mask of the node's type; a fixed part
  u8 right_type = 0, right_want = 0, right_is = 0;
  bool left = false, right = false;  // whether it expects anything of the child
  bool any_want = false;             // fits whatever is expected of it
  bool may_end = false;  // without a right child its type is (), which must then be expected

  // The type is no tuple.
  HD constexpr bool usual(TypeId type) const { return (types >> type & 1) != 0; }
};
// write_code: at most one instruction, whose type is that of the node or of its left child.
struct CodeRow {
  u16 bits = 0;
  static constexpr u16 kUsual = 0x100, kCode = 0x200, kOfLeft = 0x400, kLiteral = 0x800,
                       kLocal = 0x1000, kIdle = 0x2000;

  HD constexpr bool idle() const { return (bits & kIdle) != 0; }
  HD constexpr bool usual() const { return (bits & kUsual) != 0; }
  HD constexpr u32 code() const { return bits >> 9 & 1; }
  HD constexpr bool of_left() const { return (bits & kOfLeft) != 0; }
  HD constexpr u32 literals() const { return bits >> 11 & 1; }
  HD constexpr bool local() const { return (bits & kLocal) != 0; }
  HD constexpr Op op() const { return static_cast<Op>(bits & 0xFF); }
};

namespace type_rules {
constexpr TypeRow own(TypeId type) { return {static_cast<u16>(TypeRow::kUsual | type)}; }

inline constexpr TypeRow Own{};
inline constexpr TypeRow Both{TypeRow::kUsual};
inline constexpr TypeRow Right{TypeRow::kUsual | TypeRow::kRightOnly};
inline constexpr TypeRow Last{TypeRow::kUsual | TypeRow::kRightOnly | TypeRow::kNeedsRight};
inline constexpr TypeRow Local{TypeRow::kUsual | TypeRow::kLocal};
inline constexpr TypeRow Unit = own(kTypeUnit), List = own(kTypeList), Never = own(kTypeNever),
                         IntLiteral = own(kTypeIntLiteral), FloatLiteral = own(kTypeFloatLiteral),
                         U8 = own(type_of(Scalar::U8)), Bool = own(type_of(Scalar::Bool));

constexpr TypeRow of_class(NodeClass node_class) {
  switch (node_class) {
    case NodeClass::Arithmetic: return Both;
    case NodeClass::Unary: return Right;
    case NodeClass::Compare:
    case NodeClass::Lazy: return Bool;
    case NodeClass::Update: return Unit;
    case NodeClass::Shift:
    case NodeClass::Other: return Own;
  }
  return Own;
}
}  // namespace type_rules

namespace check_rules {
inline constexpr u32 kAll = ~0u, kUnit = 1u << kTypeUnit,
                     kSettled = ~(1u << kTypeIntLiteral | 1u << kTypeFloatLiteral);
inline constexpr u8 kMask = 0xFF;

inline constexpr CheckRow Own{};
inline constexpr CheckRow Idle{.types = kAll, .any_want = true};
inline constexpr CheckRow Value{.types = type_set::kAny};
inline constexpr CheckRow Statement{.types = kUnit};
inline constexpr CheckRow Inside{.types = type_set::kAny, .right_type = kMask, .right = true};
inline constexpr CheckRow Through{
    .types = kSettled, .right_want = kMask, .right = true, .any_want = true};
inline constexpr CheckRow Sequence{.types = kAll,
                                   .left_is = kTypeStatement,
                                   .right_want = kMask,
                                   .left = true,
                                   .right = true,
                                   .any_want = true,
                                   .may_end = true};
inline constexpr CheckRow Condition{
    .types = kAll, .right_is = type_of(Scalar::Bool), .right = true, .any_want = true};
inline constexpr CheckRow Arm{.types = kUnit, .right_is = kTypeStatement, .right = true};

constexpr CheckRow of_class(NodeClass node_class, TypeSet types) {
  switch (node_class) {
    case NodeClass::Arithmetic:
      return {.types = types, .left_type = kMask, .right_type = kMask, .left = true, .right = true};
    case NodeClass::Unary: return {.types = types, .right_type = kMask, .right = true};
    case NodeClass::Compare:
    case NodeClass::Lazy:
    case NodeClass::Update:
    case NodeClass::Shift:
    case NodeClass::Other: return Own;
  }
  return Own;
}
}  // namespace check_rules

namespace code_rules {
constexpr CodeRow one(Op op, u32 more = 0) {
  return {static_cast<u16>(CodeRow::kUsual | CodeRow::kCode | more | static_cast<u32>(op))};
}
inline constexpr CodeRow Own{};
inline constexpr CodeRow Nothing{CodeRow::kUsual};
inline constexpr CodeRow Idle{CodeRow::kUsual | CodeRow::kIdle};
inline constexpr CodeRow Literal = one(Op::LoadConst, CodeRow::kLiteral);
inline constexpr CodeRow Load = one(Op::LoadVar, CodeRow::kLocal);

constexpr CodeRow of_class(NodeClass node_class, Op op) {
  switch (node_class) {
    case NodeClass::Arithmetic: return one(op);
    case NodeClass::Compare: return one(op, CodeRow::kOfLeft);
    case NodeClass::Lazy: return Nothing;
    case NodeClass::Unary:
    case NodeClass::Update:
    case NodeClass::Shift:
    case NodeClass::Other: return Own;
  }
  return Own;
}
}  // namespace code_rules

struct RoleRows {
  TypeRow type[kRoleCount];
  CheckRow check[kRoleCount];
  CodeRow code[kRoleCount];
};
HD_TABLE RoleRows kRoleRows = [] {
  RoleRows rows{};
  for (u32 k = 0; k < kNodeCount; ++k) {
    const NodeRow& row = node_row(static_cast<Node>(k));
    rows.type[k] = type_rules::of_class(row.node_class);
    rows.check[k] = check_rules::of_class(row.node_class, op_row(row.op).types);
    rows.code[k] = code_rules::of_class(row.node_class, row.op);
  }
  const auto set = [&rows](u32 role, TypeRow type, const CheckRow& check, CodeRow code) {
    rows.type[role] = type;
    rows.check[role] = check;
    rows.code[role] = code;
  };
#define KIND(Name, type, check, code) \
  set(static_cast<u32>(Node::Name), type_rules::type, check_rules::check, code_rules::code);
#define ROLE(Name, type, check, code) \
  set(static_cast<u32>(Role::Name), type_rules::type, check_rules::check, code_rules::code);
#include "frontend_gpu/columns/roles.def"
  return rows;
}();

// literal_takes as a table: bit t of row l, for types that are no tuples.
struct LiteralTakes {
  TypeSet row[kTypeTuple];
};
HD_TABLE LiteralTakes kLiteralTakes = [] {
  LiteralTakes takes{};
  for (TypeId literal = 0; literal < kTypeTuple; ++literal)
    for (TypeId type = 0; type < kTypeTuple; ++type)
      if (literal_takes(literal, type)) takes.row[literal] |= static_cast<TypeSet>(1u << type);
  return takes;
}();

// The type that operands of two types share; kTypePending: it takes a closer look.
inline constexpr u32 kJoinedTypes = 16;
struct JoinedTypes {
  u8 row[kJoinedTypes][kJoinedTypes];
};
HD_TABLE JoinedTypes kJoined = [] {
  JoinedTypes joined{};
  for (TypeId a = 1; a < kTypeList; ++a)
    for (TypeId b = 1; b < kTypeList; ++b) {
      const TypeId type = a == b                ? a
                          : literal_takes(a, b) ? b
                          : literal_takes(b, a) ? a
                                                : kTypePending;
      joined.row[a][b] = static_cast<u8>(type);
    }
  return joined;
}();
HD const JoinedTypes& joined_types() { return kJoined; }

HD const RoleRows& role_rows() { return kRoleRows; }
HD const TypeRow& type_row(Role role) { return role_rows().type[static_cast<u8>(role)]; }
HD const CheckRow& check_row(Role role) { return role_rows().check[static_cast<u8>(role)]; }
HD const CodeRow& code_row(Role role) { return role_rows().code[static_cast<u8>(role)]; }
// True for a choice or a grid, whose node is that of an index or a call.
HD bool is_hole(Role role) { return role == Role::Choice || role == Role::Grid; }
// True if the passes on types and code leave it out.
HD bool is_idle(Role role) { return code_row(role).idle(); }
HD TypeSet literal_takes_types(TypeId literal) {
  const LiteralTakes& takes = kLiteralTakes;
  return takes.row[literal];
}

}  // namespace komuz::frontend
