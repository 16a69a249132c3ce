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

// What two operands make: the type that they share, or that they share none.
struct JoinedType {
  static constexpr u8 kType = 0x0F, kDiffer = 0x80;
};
inline constexpr u32 kJoinedTypes = 16;

// In the rows below, a u32 with a name of its own is a mask: all bits or none. So a pass needs no branch, and no
// instruction to make a mask of a bit.

// synthesise_types: the type is `own`, or, if there is no own type, the type of both operands.
struct TypeRow {
  u8 own = 0;
  bool usual = false;
  u8 joined = JoinedType::kType;   // bits of a JoinedType that are part of the type
  u8 accepts = JoinedType::kType;  // bits one of which a JoinedType must have
  // The right operand alone counts; the name of a local variable; a missing right operand needs a closer look, if
  // the left one leaves or is in error.
  u32 right_only = 0, local = 0, needs_right = 0;
  u32 right_types =
      ~0u;  // bits of the right operand's type that count: with a type of its own, it may be any
};
// check_types: for the types in `types`, a node is done once it has told its children what it expects of them: its
// own type, the type that is expected of the node, or a fixed type.
struct CheckRow {
  static constexpr u32 kAnyWant = 1u << 31;  // it fits whatever is expected of it

  u32 types = 0;                      // bit t: the row fits type t, which is no tuple; and kAnyWant
  u32 without_right = 0;              // the same of a node without a right child
  u32 no_left = ~0u, no_right = ~0u;  // masks: it expects nothing of the child
  u8 left_type = 0, left_is = 0;      // a mask of the node's type; a fixed part
  u8 right_type = 0, right_want = 0, right_is = 0;
};
// write_code: at most one instruction, whose type is that of the node or of its left child.
struct CodeRow {
  Op op = Op::LoadConst;
  bool usual = false, idle = false;
  u8 code = 0;  // instructions
  u32 of_left = 0, literal = 0, local = 0;
};

namespace type_rules {
constexpr TypeRow own(TypeId type) {
  return {.own = static_cast<u8>(type),
          .usual = true,
          .joined = 0,
          .accepts = JoinedType::kType | JoinedType::kDiffer,
          .right_types = kJoinedTypes - 1};
}

inline constexpr TypeRow Own{};
inline constexpr TypeRow Both{.usual = true};
inline constexpr TypeRow Right{.usual = true, .right_only = ~0u};
inline constexpr TypeRow Last{.usual = true, .right_only = ~0u, .needs_right = ~0u};
inline constexpr TypeRow Local{.usual = true, .local = ~0u};
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
static_assert((kAll & kSettled & CheckRow::kAnyWant) != 0);
inline constexpr u8 kMask = 0xFF;

inline constexpr CheckRow Own{};
inline constexpr CheckRow Idle{.types = kAll, .without_right = kAll};
inline constexpr CheckRow Value{.types = type_set::kAny, .without_right = type_set::kAny};
inline constexpr CheckRow Statement{.types = kUnit, .without_right = kUnit};
inline constexpr CheckRow Inside{.types = type_set::kAny, .no_right = 0, .right_type = kMask};
inline constexpr CheckRow Through{.types = kSettled, .no_right = 0, .right_want = kMask};
// Without a right child its type is (), which must then be expected.
inline constexpr CheckRow Sequence{.types = kAll,
                                   .without_right = kUnit,
                                   .no_left = 0,
                                   .no_right = 0,
                                   .left_is = kTypeStatement,
                                   .right_want = kMask};
inline constexpr CheckRow Condition{
    .types = kAll, .no_right = 0, .right_is = type_of(Scalar::Bool)};
inline constexpr CheckRow Arm{.types = kUnit, .no_right = 0, .right_is = kTypeStatement};

constexpr CheckRow of_class(NodeClass node_class, TypeSet types) {
  switch (node_class) {
    case NodeClass::Arithmetic:
      return {.types = types, .no_left = 0, .no_right = 0, .left_type = kMask, .right_type = kMask};
    case NodeClass::Unary: return {.types = types, .no_right = 0, .right_type = kMask};
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
inline constexpr CodeRow Own{};
inline constexpr CodeRow Nothing{.usual = true};
inline constexpr CodeRow Idle{.usual = true, .idle = true};
inline constexpr CodeRow Literal{.op = Op::LoadConst, .usual = true, .code = 1, .literal = ~0u};
inline constexpr CodeRow Load{.op = Op::LoadVar, .usual = true, .code = 1, .local = ~0u};

constexpr CodeRow of_class(NodeClass node_class, Op op) {
  switch (node_class) {
    case NodeClass::Arithmetic: return {.op = op, .usual = true, .code = 1};
    case NodeClass::Compare: return {.op = op, .usual = true, .code = 1, .of_left = ~0u};
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
constexpr RoleRows make_role_rows() {
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
}
HD_TABLE RoleRows kRoleRows = make_role_rows();

// literal_takes as a table: bit t of row l, for types that are no tuples; and whether a node may have a type where
// another one, or a statement, is expected: bit w of row t.
struct ExpectedTypes {
  TypeSet taken[kTypeTuple];
  u32 allowed[kTypeTuple];
};
HD_TABLE ExpectedTypes kExpectedTypes = [] {
  ExpectedTypes expected{};
  for (TypeId type = 0; type < kTypeTuple; ++type) {
    for (TypeId want = 0; want < kTypeTuple; ++want)
      if (literal_takes(type, want)) expected.taken[type] |= static_cast<TypeSet>(1u << want);
    expected.allowed[type] = expected.taken[type] | 1u << type | 1u << kTypePending;
  }
  expected.allowed[kTypeUnit] |= 1u << kTypeStatement;
  return expected;
}();

// What operands of two types make (JoinedType). 0: the left one needs a closer look.
struct JoinedTypes {
  u8 row[kJoinedTypes][kJoinedTypes];
};
HD_TABLE JoinedTypes kJoined = [] {
  JoinedTypes joined{};
  for (TypeId a = 1; a < kTypeList; ++a)
    for (TypeId b = 0; b < kJoinedTypes; ++b) {
      const TypeId type = b == 0 || b >= kTypeList ? kTypePending
                          : a == b                 ? a
                          : literal_takes(a, b)    ? b
                          : literal_takes(b, a)    ? a
                                                   : kTypePending;
      joined.row[a][b] = type == kTypePending ? JoinedType::kDiffer : static_cast<u8>(type);
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
HD bool is_idle(Role role) { return code_row(role).idle; }
HD const ExpectedTypes& expected_types() { return kExpectedTypes; }

}  // namespace komuz::frontend
