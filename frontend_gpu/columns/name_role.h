// SPDX-License-Identifier: Apache-2.0
// What a context makes of a name.
#pragma once
#include "frontend_gpu/columns/grammar.h"

namespace komuz::frontend {

enum class NameRole : u8 {
  Label,    // a name that is not looked up
  Type,     // a scalar type, or part of the type of a tuple
  Bind,     // bound here
  Value,    // stands for a value and nothing else
  Base,     // stands for a value one of whose fields is taken
  Target,   // assigned to
  Updated,  // read and assigned to
  Callee,   // a function
  Bound,    // a value that another node looks up: the bound of `rec`
};

// clang-format off
HD constexpr NameRole name_role(Context context) {
  switch (context) {
#define CONTEXT(Name, name) \
    case Context::Name: return NameRole::name;
#include "frontend_gpu/columns/grammar.def"
  }
  return NameRole::Label;
}
// clang-format on

// True if the name stands for a value or a variable that its own node gives.
HD constexpr bool gives_value(NameRole role) {
  switch (role) {
    case NameRole::Value:
    case NameRole::Base:
    case NameRole::Target:
    case NameRole::Updated: return true;
    case NameRole::Label:
    case NameRole::Type:
    case NameRole::Bind:
    case NameRole::Callee:
    case NameRole::Bound: return false;
  }
  return false;
}
// True if the name refers to a binding.
HD constexpr bool is_use(NameRole role) {
  return gives_value(role) || role == NameRole::Callee || role == NameRole::Bound;
}
HD constexpr bool is_callee(Context context) { return name_role(context) == NameRole::Callee; }
HD constexpr bool is_pattern_use(Context context) {
  return context == Context::PatternUse || context == Context::PatternCallee;
}
// True inside of the pattern of an arm of `match`.
HD constexpr bool is_in_arm(Context context) {
  return context == Context::ArmPattern || context == Context::MatchPattern ||
         context == Context::PatternArgs;
}
HD constexpr bool is_assigned_to(Context context) {
  const NameRole role = name_role(context);
  return role == NameRole::Target || role == NameRole::Updated;
}

// True left of `=`, where the place is only stored to.
HD constexpr bool is_stored_to(Context context) {
  return context == Context::Target || context == Context::TargetList;
}

// The role of a name that turns out to be a local variable; Skipped: the name keeps its role.
HD constexpr Role local_role(Context context) {
  switch (name_role(context)) {
    case NameRole::Value:
    case NameRole::Updated: return Role::Local;
    case NameRole::Target: return Role::Target;
    case NameRole::Label:
    case NameRole::Type:
    case NameRole::Bind:
    case NameRole::Base:
    case NameRole::Callee:
    case NameRole::Bound: return Role::Skipped;
  }
  return Role::Skipped;
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

// The contexts in which a name stands for a value and nothing else.
struct ReadingContexts {
  bool row[kContextCount];
};
HD_TABLE ReadingContexts kReadingContexts = [] {
  ReadingContexts contexts{};
  for (u32 k = 0; k < kContextCount; ++k)
    contexts.row[k] = name_role(static_cast<Context>(k)) == NameRole::Value;
  return contexts;
}();
HD const ReadingContexts& reads_variable() { return kReadingContexts; }

}  // namespace komuz::frontend
