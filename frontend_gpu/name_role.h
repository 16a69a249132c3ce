// SPDX-License-Identifier: Apache-2.0
// What a context makes of a name.
#pragma once
#include "frontend_gpu/tables.h"

namespace komuz::frontend {

enum class NameRole : u8 { None, Bind, Use };

HD constexpr NameRole name_role(Context context) {
  switch (context) {
    case Context::FnName:
    case Context::ConstName:
    case Context::ParamName:
    case Context::Pattern:
    case Context::PatternList:
    case Context::BindingTarget:
    case Context::ForPattern: return NameRole::Bind;
    case Context::RecBound:
    case Context::Statement:
    case Context::Last:
    case Context::Place:
    case Context::PlaceList:
    case Context::UpdatePlace:
    case Context::Value:
    case Context::Tuple:
    case Context::PathBase:
    case Context::Callee:
    case Context::Method:
    case Context::Args:
    case Context::AssertValue:
    case Context::WhileHead: return NameRole::Use;
    case Context::Skipped:
    case Context::Item:
    case Context::ItemTail:
    case Context::Head:
    case Context::FnSignature:
    case Context::FnArrow:
    case Context::FnCall:
    case Context::ParamsOpen:
    case Context::Params:
    case Context::Type:
    case Context::TypeList:
    case Context::TestName:
    case Context::ConstBody:
    case Context::ConstTarget:
    case Context::BlockOpen:
    case Context::Binding:
    case Context::Field:
    case Context::ArgsOpen:
    case Context::TrapName:
    case Context::Control:
    case Context::ElseBody:
    case Context::ElseControl:
    case Context::ElseTail:
    case Context::WhileStart:
    case Context::ForHead:
    case Context::ForRange: return NameRole::None;
  }
  return NameRole::None;
}

HD bool is_method_or_callee(Context context) {
  return context == Context::Callee || context == Context::Method;
}

// Does a name here stand for a value and nothing else?
HD constexpr bool is_plain_value(Context context) {
  switch (context) {
    case Context::Statement:
    case Context::Last:
    case Context::Value:
    case Context::Tuple:
    case Context::Args:
    case Context::AssertValue:
    case Context::WhileHead: return true;
    default: return false;
  }
}

// The role of a name that turns out to be a local variable: Skipped, where it keeps its own.
HD constexpr Role local_role(Context context) {
  if (is_plain_value(context) || context == Context::UpdatePlace) return Role::Local;
  return context == Context::Place || context == Context::PlaceList ? Role::Place : Role::Skipped;
}
struct LocalRoles {
  Role row[kContextCount];
};
HD_TABLE LocalRoles kLocalRoles = [] {
  LocalRoles roles{};
  for (u32 k = 0; k < kContextCount; ++k) roles.row[k] = local_role(static_cast<Context>(k));
  return roles;
}();
HD const LocalRoles& local_roles() { return kLocalRoles; }

}  // namespace komuz::frontend
