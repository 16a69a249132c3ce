// SPDX-License-Identifier: Apache-2.0
// Finds the bindings and the uses of names, then the binding of each use: the last one before the use whose
// interval contains the use.
//
// A compiler that walks a tree keeps a stack of scopes, which makes every use wait for all that stands before it.
// Here a scope is an interval [from, until) of positions in the tree's order. A binding computes its interval by
// itself (DescribeBinding), so all uses are resolved side by side:
//
//   fn f(x: i64) -> i64 {     binding 0: x, the whole body
//     let y = x + 1;          binding 1: y, from behind this `let` to the end of the block     x is 0
//     let x = y * x;          binding 2: x, from behind this `let` to the end of the block     y is 1; x is 0
//     x                                                                                         x is 2
//   }
//
// The `x` in `y * x` is binding 0 because binding 2 begins only behind its `let`.
//
// Bindings are numbered in the order of the text. Bindings whose hashes share a slot of a table form a chain, in
// any order (name_chains.h). A use walks the chain of its hash, and takes the binding with the largest number whose
// interval holds the use. That is the innermost one: of two bindings of one name, the later lies inside the
// earlier, or the earlier has ended. Hashes hold what keeps equal names apart: a local name's hash holds its item,
// a global name's holds its name space (function, type, value) and its module. Texts are compared last, and only
// where hashes are equal.
//
// Chains are short, because programs name things differently. Generated programs may bind one name so often that
// uses would walk far (kLongestWalk). Then one lane takes all bindings and uses in order with a stack after all
// (OpenNames), which gives the same answer in linear time.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/columns/name_role.h"
#include "frontend_gpu/names/modules.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/holes.h"
#include "frontend_gpu/questions/name_chains.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/questions/type_relations.h"
#include "frontend_gpu/tree/shape.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

struct NameCounts {
  u32 binds = 0, uses = 0, traps = 0;
};
HD NameCounts combine(NameCounts a, NameCounts b) {
  return {a.binds + b.binds, a.uses + b.uses, a.traps + b.traps};
}

// True if the node has an entry besides that of its item.
HD bool has_side_entry(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Prop || is_traps_call(c, i);
}

// True for a name in a type that refers to a type of the program.
HD bool names_type(const Columns& c, Index i) {
  return c.role[i] == Role::TypeName &&
         (scalar_spelled(c, i) == kTypePending || node_context(c, i) == Context::TypePath);
}

// What list_names makes of a node, as far as the node's role decides it.
struct NameListing {
  static constexpr u8 kBinds = 1, kUses = 2;
  static constexpr u8 kMayUse = 4;    // if it is the name of a type of the program
  static constexpr u8 kMayEnter = 8;  // if it has an entry besides its item's
  u8 row[128];                        // kRoleCount entries are used
};
static_assert(kRoleCount <= sizeof(NameListing::row));
HD_TABLE NameListing kNameListing = [] {
  NameListing listing{};
  const auto set = [&listing](u8 what, auto... roles) {
    ((listing.row[static_cast<u8>(roles)] = what), ...);
  };
  set(NameListing::kBinds, Role::Bind, role_of(Node::Limit), role_of(Node::Match), Role::ArmName,
      Role::LambdaName);
  set(NameListing::kUses, role_of(Node::Name), Role::Callee, Role::ArmUse);
  set(NameListing::kMayUse, Role::TypeName);
  set(NameListing::kMayEnter, role_of(Node::Call), role_of(Node::Prop));
  return listing;
}();

HD void keep_names(Columns& c, const NameCounts& total) {
  c.binds = total.binds;
  c.uses = total.uses;
  c.traps = total.traps;
}
template <class G>
HD void list_names(G& g, Columns& c) {
  const KeptHead& head = kept_head(c);
  const u32 first = head.nodes;
  g.for_each(head.open, [&](u32 k) { c.ref[head.open_nodes[k]] = kNone; });
  keep_names(
      c, g.scan(
             c.nodes - first, NameCounts{head.binds},
             [&](u32 n) {
               const Index i = first + n;
               const NameListing& listing = kNameListing;
               const Role role = c.role[i];
               const u8 what = listing.row[static_cast<u8>(role)];
               NameCounts own{(what & NameListing::kBinds) != 0, (what & NameListing::kUses) != 0};
               if ((what & (NameListing::kMayUse | NameListing::kMayEnter)) != 0) {
                 own.uses = what == NameListing::kMayUse && names_type(c, i);
                 own.traps = what == NameListing::kMayEnter && has_side_entry(c, i);
               }
               return own;
             },
             [&](u32 n, const NameCounts& before, const NameCounts& own) {
               const Index i = first + n;
               g.store_if(own.binds != 0, c.bind_node[before.binds], i);
               g.store_if(own.uses != 0, c.use_node[before.uses], i);
               if (own.traps != 0) c.traps_node[before.traps] = i;
               c.ref[i] = before.binds | (own.binds - 1);  // kNone for nodes that bind nothing
             }));
}

struct DescribeBinding {
  Columns& c;

  HD void operator()(u32 b) const {
    const Index i = c.bind_node[b], owner = c.owner[i];
    c.bind_type[b] = kTypePending;
    if (node_kind(c, i) == Node::Limit) return set(b, BindKind::Limit, 0, 0, 0);
    if (node_kind(c, i) == Node::Match) return set(b, BindKind::Match, 0, 0, 0);
    const u32 hash = global_hash(c, i);
    const Context context = node_context(c, i);
    if (context == Context::FnName) {
      set_global(b, BindKind::Function,
                 is_space(c, c.item[i]) ? expansion_hash(hash) : function_hash(hash));
      if (infers_result(c, c.item[i])) c.bind_until[b] = 0;  // no use finds it
      return;
    }
    if (context == Context::ConstName) return set_global(b, BindKind::Constant, hash);
    if (context == Context::TypeItemName) return set_global(b, BindKind::Type, type_hash(hash));
    if (context == Context::Constructor || context == Context::Alternative)
      return set_global(b, BindKind::Constructor, function_hash(hash));
    if (context == Context::UseList) return set_global(b, BindKind::Import, import_hash(hash));
    if (context == Context::UseRight || context == Context::UseLast)
      return describe_module(b, i, hash);
    const u32 local = local_hash(hash, c.item[i]);
    if (is_blank(c, i)) return describe_blank(b, i, context, local);
    if (context == Context::ParamName)  // the owner is the function's Body
      return set(b, BindKind::Parameter, local, owner, c.end[owner]);
    if (context == Context::ForPattern) return set(b, BindKind::For, local, owner, c.end[owner]);
    if (is_in_arm(context))  // the owner is the arm
      return set(b, BindKind::Pattern, local, i, c.end[owner]);
    if (node_kind(c, owner) == Node::Body)  // in a pattern of `for`
      return set(b, BindKind::For, local, owner, c.end[owner]);
    if (is_lambda(c, owner)) return set(b, BindKind::Lambda, local, i, c.end[owner]);
    // The owner is the Let or Var, whose own owner is the block.
    const Index block = c.owner[owner];
    const BindKind kind = node_kind(c, owner) == Node::Var ? BindKind::Var : BindKind::Let;
    set(b, kind, local, c.end[owner], block == kNone ? c.end[owner] : c.end[block]);
  }

 private:
  HD void set_global(u32 b, BindKind kind, u32 hash) const {
    set(b, kind, hash ^ module_salt(module_of(c, c.bind_node[b])), 0, c.nodes);
  }
  // The name in a module's head is no binding.
  HD_COLD void describe_module(u32 b, Index i, u32 hash) const {
    if (c.item_kind[c.item[i]] == ItemKind::Use)
      return set_global(b, BindKind::Module, module_name_hash(hash));
    set_global(b, BindKind::Module, head_hash(hash));
    c.bind_until[b] = 0;
  }
  // `_` takes a value, and no name finds that value.
  HD_COLD void describe_blank(u32 b, Index i, Context context, u32 hash) const {
    const bool changes = node_kind(c, c.owner[i]) == Node::Var;
    set(b,
        context == Context::ParamName            ? BindKind::Parameter
        : node_kind(c, c.owner[i]) == Node::Body ? BindKind::For
        : is_lambda(c, c.owner[i])               ? BindKind::Lambda
        : is_in_arm(context)                     ? BindKind::Pattern
        : changes                                ? BindKind::Var
                                                 : BindKind::Let,
        hash, 0, 0);
  }
  HD void set(u32 b, BindKind kind, u32 hash, Index from, Index until) const {
    c.bind_kind[b] = kind;
    c.bind_hash[b] = hash;
    c.bind_from[b] = from;
    c.bind_until[b] = until;
  }
};

HD Index find_builtin(const Columns& c, const Tables& t, Index i, u32 hash) {
  for (u32 slot = hash % Tables::kBuiltinSlots;; slot = (slot + 1) % Tables::kBuiltinSlots) {
    const BuiltinEntry& entry = t.builtins[slot];
    if (entry.id_plus_one == 0) return kNone;
    if (entry.hash == hash && entry.text == load_text(node_text(c, i), node_length(c, i)))
      return kBuiltinRef + entry.id_plus_one - 1u;
  }
}

HD bool is_builtin_constant(Index ref) {
  return ref >= kBuiltinRef && ref - kBuiltinRef - kBuiltinCount < kConstantCount;
}

// Names is Chains or OpenNames.
template <class G, class Names>
struct ResolveUse {
  G& g;
  Columns& c;
  const Tables& t;
  Names& names;

  HD void operator()(u32 u) const {
    const Index i = c.use_node[u];
    const u32 hash = global_hash(c, i);
    const Context context = node_context(c, i);
    if constexpr (G::kShortcuts && Names::kNewestFirst)
      if (const Index b = newest_local(i, hash); b != kNone) {
        c.role[i] = Role::Local;
        c.ref[i] = b;
        return;
      }
    if (c.use_items != 0) {
      if (c.ref[i] != kNone) return through_module(i, hash, context);
      if (is_joined_away(c, i)) return leave_out(i);
    }
    const Index ref = context == Context::PatternPath ? pattern_path(i, hash)
                      : is_pattern_use(context)       ? in_pattern(i, hash)
                      : is_callee(context)            ? function(i, hash)
                      : c.role[i] == Role::TypeName   ? type(i, hash)
                                                      : value(i, hash);
    c.ref[i] = ref;
  }

 private:
  // The local variable that a name stands for, if the name is as most are: read, not longer than 8 bytes, and the
  // newest binding of its chain is the one. Otherwise kNone, and the definition decides.
  HD Index newest_local(Index i, u32 hash) const {
    const u32 local = local_hash(hash, c.item[i]);
    const Index b = c.heads[chain_of(c, local)];
    const bool is_read = reads_variable().row[c.context[i]] & (c.role[i] == role_of(Node::Name));
    if (!(is_read & ((c.use_items | c.traps) == 0) & (b != kNone))) return kNone;
    const Index own = c.token[i], other = c.token[c.bind_node[b]];
    const u32 length = c.token_length[own];
    const u64 text = load_text(token_text(c, own), length),
              bound = load_text(token_text(c, other), length);
    const bool is_seen = (c.bind_hash[b] == local) & (c.bind_from[b] <= i) & (i < c.bind_until[b]);
    const bool is_same = (length == c.token_length[other]) & (length <= 8) & (text == bound);
    return is_seen & is_same ? b : kNone;
  }
  // Takes the node out of the later passes: it is part of another node, which gives the value.
  HD_COLD void leave_out(Index i) const {
    c.role[i] = Role::Label;
    c.context[i] = static_cast<u8>(Context::Skipped);
    c.ref[i] = kNone;
  }
  // The binding among the program's own global bindings and its imports.
  HD Index global(Index i, u32 hash, NameSpace space) const {
    if (c.modules == 0) return names.find(i, space_hash(space, hash));
    return global_of_module(i, hash, space);
  }
  HD_COLD Index global_of_module(Index i, u32 hash, NameSpace space) const {
    const Index own = names.find(i, space_hash(space, hash) ^ module_salt(module_of(c, i)));
    return own != kNone ? own : find_imported(c, names, i, hash, space);
  }
  // Resolves a name right of a module's name. Its reference so far is the module's binding.
  HD_COLD void through_module(Index i, u32 hash, Context context) const {
    const u32 module = module_used(c, c.ref[i]);
    const auto find = [&](NameSpace space) {
      return find_in_module(c, names, i, hash, space, module);
    };
    const Index function = find(NameSpace::Functions);
    const bool is_constructor = function != kNone && c.bind_kind[function] == BindKind::Constructor;
    Index ref = kNone;
    if (c.role[i] == Role::TypeName)
      ref = find(NameSpace::Types);
    else if (context == Context::Callee || context == Context::PatternCallee)
      ref = function;
    else
      ref = is_constructor ? function : find(NameSpace::Values);
    c.ref[i] = ref;
    if (ref == kNone && function != kNone && is_argument(c, i))
      stand_for_lambda(i, function);
    else if (ref == kNone && function != kNone)
      report(g, c, i, DiagnosticCode::FunctionAsValue);
    else if (ref == kNone)
      CheckImport<G, Names>::report_unknown(g, c, i, module);
    else if (is_assigned_to(context))
      report(g, c, i, DiagnosticCode::NotVariable, i);
  }

  HD_COLD Index constructor(Index i, u32 hash) const {
    const Index b = global(i, hash, NameSpace::Functions);
    return b != kNone && c.bind_kind[b] == BindKind::Constructor ? b : kNone;
  }
  // True if the name belongs to an unknown module, which has been reported already.
  HD bool is_of_unknown(Index i, u32 hash) const {
    return c.use_items != 0 &&
           (is_of_unknown_import(c, names, i, hash) || is_of_unknown_module(c, names, i));
  }
  // True if the name stands right of the name of an unknown module. A function of that name elsewhere is not meant.
  HD bool is_of_path(Index i) const {
    return c.use_items != 0 && is_of_unknown_module(c, names, i);
  }
  // Reports an unknown module.
  HD_COLD Index pattern_path(Index i, u32 hash) const {
    if (find_module(c, names, i, hash) == kNone) report(g, c, i, DiagnosticCode::UnknownModule);
    return kNone;
  }
  // The binding of a constructor; without parentheses behind the name, also that of a constant.
  HD_COLD Index in_pattern(Index i, u32 hash) const {
    Index b = constructor(i, hash);
    if (b != kNone) return b;
    b = find_builtin(c, t, i, hash);
    if (is_option_constructor(b)) return b;
    if (node_context(c, i) == Context::PatternUse) {
      b = global(i, hash, NameSpace::Values);
      if (b == kNone) b = find_builtin(c, t, i, hash);
      if (b < kBuiltinRef || is_builtin_constant(b)) return b;
    }
    if (!is_of_unknown(i, hash)) report(g, c, i, DiagnosticCode::UnknownConstructor);
    return kNone;
  }
  HD_COLD Index type(Index i, u32 hash) const {
    const Index b = global(i, hash, NameSpace::Types);
    if (b == kNone && !names_unknown_module(i, hash) && !is_of_unknown(i, hash))
      report(g, c, i,
             node_context(c, i) == Context::TypePath ? DiagnosticCode::UnknownModule
                                                     : DiagnosticCode::UnknownType);
    return b;
  }
  HD Index function(Index i, u32 hash) const {
    if (node_kind(c, i) == Node::Hole) return space(i);
    if (const Index b = global(i, hash, NameSpace::Functions); b != kNone && !is_of_path(i))
      return b;
    if (is_of_unknown(i, hash)) return kNone;
    const Index builtin = find_builtin(c, t, i, hash);
    if (is_builtin_function(builtin)) return builtin;
    if (is_collection(builtin) || is_chain(builtin)) {
      g.raise(c.flags[kContainers]);
      return builtin;
    }
    if (spells_traps(c, i)) return kNone;
    report(g, c, i, DiagnosticCode::UnknownFunction);
    return kNone;
  }
  // The space from which a hole takes an expression.
  HD_COLD Index space(Index i) const {
    const SpelledName name = spelled_name(c, i);
    const u32 hash = name_hash(mix_text(text_key(name.text, name.length)));
    const Index b = global(i, hash, NameSpace::Spaces);
    if (b == kNone) report(g, c, i, DiagnosticCode::UnknownSpace);
    return b;
  }
  // Within its own alternatives the name of a space stands for an expression from the space.
  HD_COLD bool nests(Index i) const {
    const Index item = c.item[i];
    if (!is_space(c, item) || !same_text(c, i, c.item_name[item])) return false;
    c.role[i] = Role::Expansion;
    return true;
  }
  HD Index value(Index i, u32 hash) const {
    const bool changes = is_assigned_to(node_context(c, i));
    Index b = names.find(i, local_hash(hash, c.item[i]));
    if (b != kNone) {
      check_traps(i, b);
      const Role role = local_roles().row[c.context[i]];
      if (role != Role::Skipped) c.role[i] = role;
      if (changes && c.bind_kind[b] != BindKind::Var)
        report(g, c, i, DiagnosticCode::NotVariable, c.bind_node[b]);
      else if (changes)
        check_lambda(i, b);
      return b;
    }
    b = global(i, hash, NameSpace::Values);
    if (b == kNone && !changes) {  // a constructor without fields
      b = constructor(i, hash);
      if (b != kNone) return b;
    }
    if (b == kNone && is_of_unknown(i, hash)) return kNone;
    if (b == kNone) b = find_builtin(c, t, i, hash);
    if (b < kBuiltinRef || is_builtin_constant(b) || names_collection(b, Collection::None)) {
      if (changes) report(g, c, i, DiagnosticCode::NotVariable, i);
      return b;
    }
    if (names_unknown_module(i, hash) || (!changes && nests(i))) return kNone;
    const Index own = global(i, hash, NameSpace::Functions);
    const Index function = own != kNone ? own : b;
    const bool is_function =
        own != kNone || is_builtin_function(b) || is_collection(b) || is_chain(b);
    if (is_function && !changes && is_argument(c, i)) return stand_for_lambda(i, function);
    report(g, c, i, is_function ? DiagnosticCode::FunctionAsValue : DiagnosticCode::UnknownName);
    return kNone;
  }
  // A function's name where a lambda stands, as in `xs.map(f)`. Where no lambda is wanted, check_types reports it.
  HD_COLD Index stand_for_lambda(Index i, Index function) const {
    c.role[i] = Role::Function;
    return c.ref[i] = function;
  }
  // True if the name is a module that is used without `.`, or that is unknown.
  HD bool names_unknown_module(Index i, u32 hash) const {
    return c.use_items != 0 && names_module(i, hash);
  }
  HD_COLD bool names_module(Index i, u32 hash) const {
    const Index module = find_module(c, names, i, hash);
    if (module == kNone) return false;
    if (module_used(c, module) != 0) report(g, c, i, DiagnosticCode::ModuleAsValue);
    return true;
  }
  // A lambda changes no variable outside of it.
  HD_COLD void check_lambda(Index i, Index b) const {
    for (Index o = c.owner[i]; o != kNone; o = c.owner[o])
      if (is_lambda(c, o) && c.bind_node[b] < c.begin[o])
        return report(g, c, i, DiagnosticCode::LambdaAssigns);
  }
  // The argument of `traps` cannot use locals of the test.
  HD void check_traps(Index i, Index b) const {
    if (c.traps == 0) return;
    for (Index o = c.owner[i]; o != kNone; o = c.owner[o])
      if (node_kind(c, o) == Node::Call && c.bind_node[b] < c.begin[o]) {
        report(g, c, i, DiagnosticCode::LocalInTraps);
        return;
      }
  }
};

// Reports two functions, types or constants of one name, and a name that one pattern or parameter list has twice.
// Also notices a chain that is too long to walk.
template <class G>
struct FindDuplicate {
  G& g;
  Columns& c;

  HD void operator()(u32 b) const {
    const BindKind kind = c.bind_kind[b];
    if (is_hidden(kind)) return;
    const Index head = c.heads[chain_of(c, c.bind_hash[b])];
    if ((head == b) & (c.bind_next[b] == kNone)) return;  // the binding is alone
    const Index i = c.bind_node[b];
    const bool blank = is_blank(c, i);
    u32 steps = 0;
    for (Index other = head; other != kNone; other = c.bind_next[other]) {
      if (++steps > kLongestWalk) return g.raise(c.flags[kCrowded]);
      if (blank || other >= b || c.bind_hash[other] != c.bind_hash[b] || !are_twice(c, other, b) ||
          !same_text(c, i, c.bind_node[other]))
        continue;
      return report_twice(g, c, b);
    }
  }
};

// Reports a space that is shared and has the name of a function of its module: a `use` would list both.
template <class G, class Names>
struct CheckSharedSpace {
  G& g;
  Columns& c;
  Names& names;

  HD void operator()(u32 b) const {
    const Index i = c.bind_node[b], item = c.item[i];
    if (c.bind_kind[b] != BindKind::Function || c.item_public[item] == 0 || !is_space(c, item) ||
        module_of(c, i) != 0)
      return;
    if (names.find(i, function_hash(global_hash(c, i))) != kNone)
      report(g, c, i, DiagnosticCode::DuplicateFunction);
  }
};

// Takes bindings and uses one after the other.
template <class G>
HD_COLD void resolve_in_order(G& g, Columns& c, const Tables& t) {
  OpenNames names(c);
  const auto add = [&](u32 b) {
    if (names.add(b) && !is_blank(c, c.bind_node[b])) report_twice(g, c, b);
  };
  for (u32 b = 0; b < c.binds; ++b)
    if (is_global(c.bind_kind[b])) add(b);
  const ResolveUse<G, OpenNames> resolve{g, c, t, names};
  const JoinPath<G, OpenNames> join{g, c, t, names};
  const CheckImport<G, OpenNames> check{g, c, names};
  const CheckSharedSpace<G, OpenNames> check_space{g, c, names};
  u32 b = 0;
  for (u32 u = 0; u < c.uses; ++u) {
    count_work(c, 1);
    for (; b < c.binds && c.bind_node[b] < c.use_node[u]; ++b)
      if (is_local(c.bind_kind[b])) add(b);
    if (c.use_items != 0) join(u);
    resolve(u);
  }
  for (; b < c.binds; ++b)
    if (is_local(c.bind_kind[b])) add(b);
  for (b = 0; c.use_items != 0 && b < c.binds; ++b) check(b);
  for (b = 0; c.flags[kHoles] != 0 && b < c.binds; ++b) check_space(b);
}

template <class G>
HD void resolve_names(G& g, Columns& c, const Tables& t) {
  list_names(g, c);
  c.modules = c.use_items = 0;
  if (c.flags[kModules] != 0) find_modules(g, c);
  c.head_mask = std::bit_ceil(c.binds + 31) - 1;
  g.for_each(c.head_mask + 1, [&](u32 h) { c.heads[h] = kNone; });
  g.once([&] { c.flags[kCrowded] = 0; });
  g.for_each(c.binds, DescribeBinding{c});
  g.for_each(c.binds, [&](u32 b) {
    if (is_hidden(c.bind_kind[b])) return;
    c.bind_next[b] = g.exchange(c.heads[chain_of(c, c.bind_hash[b])], b);
  });
  g.for_each(c.binds, FindDuplicate<G>{g, c});
  if (c.flags[kCrowded] != 0) return g.once([&] { resolve_in_order(g, c, t); });
  Chains chains{c};
  if (c.flags[kHoles] != 0) g.for_each(c.binds, CheckSharedSpace<G, Chains>{g, c, chains});
  if (c.use_items != 0) {
    g.for_each(c.binds, CheckImport<G, Chains>{g, c, chains});
    g.for_each(c.uses, JoinPath<G, Chains>{g, c, t, chains});
  }
  g.for_each(c.uses, ResolveUse<G, Chains>{g, c, t, chains});
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
