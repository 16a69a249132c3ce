// SPDX-License-Identifier: Apache-2.0
// Modules. A program that uses modules is compiled with their interfaces behind its own text, each below a head
// `pub use PATH;`, which no program may write (expand.h). Every item belongs to a module, a number; 0 is the
// program itself. The number salts the hashes of all names that the item binds, so names of two modules never meet.
#pragma once
#include "frontend_gpu/columns/name_role.h"
#include "frontend_gpu/questions/name_chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How many `use` items of its own a program may have; each module that it needs takes one. A name that is found
// nowhere else is looked for in each of them.
inline constexpr u32 kMaxUses = 255;

struct ModuleCounts {
  u32 heads = 0, uses = 0;
};
HD ModuleCounts combine(ModuleCounts a, ModuleCounts b) {
  return {a.heads + b.heads, a.uses + b.uses};
}

// The node of the path that a `use` names; kNone: the path is in error.
HD_COLD Index path_of(const Columns& c, Index item) {
  const Index use = c.item_body[item];
  if (use == kNone) return kNone;
  const Index path = c.right[use];
  if (path == kNone || node_context(c, path) == Context::Skipped) return kNone;
  const bool lists = node_kind(c, path) == Node::Dot && c.right[path] != kNone &&
                     node_kind(c, c.right[path]) == Node::Block;
  return lists ? Index{c.left[path]} : path;
}
// True for equal paths. A path is names with dots between them, and has one node a token.
HD_COLD bool same_path(const Columns& c, Index a, Index b) {
  const u32 n = c.end[a] - c.begin[a];
  if (n != c.end[b] - c.begin[b]) return false;
  count_work(c, n);
  for (u32 k = 0; k < n; ++k)
    if (!same_text(c, c.begin[a] + k, c.begin[b] + k)) return false;
  return true;
}

HD void keep_modules(Columns& c, const ModuleCounts& total) {
  c.modules = total.heads;
  c.use_items = total.uses;
}
// Numbers the modules, and finds the modules that `use` items name.
template <class G>
HD_COLD void find_modules(G& g, Columns& c) {
  keep_modules(c, g.scan(
                      c.items, ModuleCounts{},
                      [&](u32 item) {
                        return ModuleCounts{c.item_kind[item] == ItemKind::Module,
                                            c.item_kind[item] == ItemKind::Use};
                      },
                      [&](u32 item, const ModuleCounts& before, const ModuleCounts& own) {
                        c.item_module[item] = before.heads + own.heads;
                        g.store_if(own.heads != 0, c.module_head[before.heads], item);
                        g.store_if(own.uses != 0, c.use_item[before.uses], item);
                      }));
  g.for_each(c.use_items, [&](u32 k) {
    const Index item = c.use_item[k], path = path_of(c, item);
    c.item_used[item] = 0;
    if (k >= kMaxUses && c.item_module[item] == 0)
      return report(g, c, c.item_node[item], DiagnosticCode::TooManyUses, kMaxUses);
    if (path == kNone) return;
    for (u32 m = 0; m < c.modules; ++m) {
      const Index head = path_of(c, c.module_head[m]);
      if (head != kNone && same_path(c, path, head)) c.item_used[item] = m + 1;
    }
    if (c.item_used[item] == 0) report(g, c, path, DiagnosticCode::UnknownModule);
  });
}

HD u32 module_of(const Columns& c, Index node) {
  return c.modules == 0 ? 0 : u32{c.item_module[c.item[node]]};
}
HD u32 module_salt(u32 module) { return module * 0x9E37'79B1u; }
HD u32 import_hash(u32 global) { return global ^ 0x7777'7777u; }
HD u32 module_name_hash(u32 global) { return global ^ 0x6666'6666u; }
HD u32 head_hash(u32 global) { return global ^ 0x2222'2222u; }

// Kinds of names that do not meet.
enum class NameSpace : u8 { Functions, Types, Spaces, Values };
HD u32 space_hash(NameSpace space, u32 global) {
  switch (space) {
    case NameSpace::Functions: return function_hash(global);
    case NameSpace::Types: return type_hash(global);
    case NameSpace::Spaces: return expansion_hash(global);
    case NameSpace::Values: return global;
  }
  return global;
}
HD bool is_public(const Columns& c, Index bind) {
  return c.item_public[c.item[c.bind_node[bind]]] != 0;
}
// The module that the `use` of a binding names; 0: it is unknown.
HD u32 module_used(const Columns& c, Index bind) { return c.item_used[c.item[c.bind_node[bind]]]; }

// The binding of the module's name left of a `.`; kNone: the name is none of a module.
template <class Names>
HD_COLD Index find_module(const Columns& c, Names& names, Index i, u32 hash) {
  return names.find(i, module_name_hash(hash) ^ module_salt(module_of(c, i)));
}
// What node i stands for in another module, if that module shows it.
template <class Names>
HD_COLD Index find_in_module(const Columns& c, Names& names, Index i, u32 hash, NameSpace space,
                             u32 module) {
  const Index b = names.find(i, space_hash(space, hash) ^ module_salt(module));
  return b != kNone && is_public(c, b) ? b : kNone;
}
// What a name stands for by a `use`, if its own module does not define it: the `use` lists the name, or lists a
// type one of whose constructors has the name.
template <class Names>
HD_COLD Index find_imported(const Columns& c, Names& names, Index i, u32 hash, NameSpace space) {
  if (c.use_items == 0) return kNone;
  const u32 own = module_of(c, i), salt = module_salt(own);
  if (const Index listed = names.find(i, import_hash(hash) ^ salt); listed != kNone) {
    const u32 module = module_used(c, listed);
    const Index b = module == 0 ? kNone : find_in_module(c, names, i, hash, space, module);
    if (b != kNone) return b;
  }
  if (space != NameSpace::Functions) return kNone;
  for (u32 k = 0; k < c.use_items; ++k) {
    const Index item = c.use_item[k];
    const u32 module = c.item_used[item];
    if (c.item_module[item] != own || module == 0) continue;
    const Index b = find_in_module(c, names, i, hash, space, module);
    if (b == kNone || c.bind_kind[b] != BindKind::Constructor) continue;
    const Index type = c.item_name[c.item[c.bind_node[b]]];
    const Index listed = names.find(type, import_hash(global_hash(c, type)) ^ salt);
    if (listed != kNone && module_used(c, listed) == module) return b;
  }
  return kNone;
}

// Where m is a module that no local hides, `m.x` becomes one name: the node of the `.` takes the place of both
// names. Until it is resolved, its reference is the binding of m.
template <class G, class Names>
struct JoinPath {
  G& g;
  Columns& c;
  const Tables& t;
  Names& names;

  HD void operator()(u32 u) const {
    const Index i = c.use_node[u], dot = i + 1;
    if (dot >= c.nodes || node_kind(c, dot) != Node::Dot || c.left[dot] != i) return;
    const Index right = c.right[dot];
    if (right == kNone || node_kind(c, right) != Node::Name) return;
    if (node_context(c, dot) == Context::Skipped || node_context(c, i) == Context::Skipped) return;
    join(u, i, dot, right);
  }

 private:
  HD_COLD void join(u32 u, Index i, Index dot, Index right) const {
    const u32 hash = global_hash(c, i);
    if (is_hidden_by_own(i, hash)) return;
    const Index module = find_module(c, names, i, hash);
    const Context context = node_context(c, dot);
    if (module == kNone || module_used(c, module) == 0) {
      // The passes on patterns do not know paths.
      if (node_context(c, i) == Context::PatternPath)
        c.context[dot] = static_cast<u8>(Context::Skipped), c.role[dot] = Role::Skipped;
      return;
    }
    const GrammarRule& rule = t.grammar[c.context[dot]][static_cast<u8>(Node::Name)];
    c.kind[dot] = static_cast<u8>(Node::Name);
    c.token[dot] = c.token[right];
    c.left[dot] = c.right[dot] = kNone;
    c.role[dot] = rule.role;
    c.type[dot] = rule.type;
    c.ref[dot] = module;
    if (is_in_arm(context)) {
      c.context[dot] = static_cast<u8>(Context::PatternUse);
      c.role[dot] = context == Context::ArmPattern ? Role::ArmUse : Role::Callee;
    }
    // The two names themselves disappear.
    c.role[i] = Role::Label;
    c.context[i] = static_cast<u8>(Context::Skipped);
    c.use_node[u] = dot;
  }
  HD bool is_hidden_by_own(Index i, u32 hash) const {
    return gives_value(name_role(node_context(c, i))) &&
           (names.find(i, local_hash(hash, c.item[i])) != kNone ||
            names.find(i, hash ^ module_salt(module_of(c, i))) != kNone);
  }
};

// True for a function without a body: an open one, or one of another module, which may be a space.
HD bool is_open(const Columns& c, Index item) {
  const Index body = c.item_body[item];
  return c.item_kind[item] == ItemKind::Function && body != kNone &&
         (node_kind(c, body) == Node::Fn || node_kind(c, body) == Node::Space);
}
// The number by which CALL names a function. Functions without bodies are numbered behind all entries.
HD u32 function_number(const Columns& c, Index item) {
  const Index number = c.item_function[item];
  return number != kNone ? u32{number} : c.entries + c.traps + c.item_open[item];
}

// True if the name stood right of the `.` of a path that has become one name.
HD bool is_joined_away(const Columns& c, Index i) {
  return c.use_items != 0 && i >= 2 && node_kind(c, i - 1) == Node::Name &&
         c.token[i - 1] == c.token[i];
}
// True if the name stands right of the name of an unknown module, which has been reported.
template <class Names>
HD_COLD bool is_of_unknown_module(const Columns& c, Names& names, Index i) {
  if (i < 2) return false;
  const Index dot = i - 1, left = i - 2;
  if (node_kind(c, dot) != Node::Dot || c.right[dot] != i || c.left[dot] != left) return false;
  if (node_kind(c, left) != Node::Name) return false;
  const Index module = find_module(c, names, left, global_hash(c, left));
  return module != kNone && module_used(c, module) == 0;
}

// True if a `use` of an unknown module lists the name.
template <class Names>
HD_COLD bool is_of_unknown_import(const Columns& c, Names& names, Index i, u32 hash) {
  const Index listed = names.find(i, import_hash(hash) ^ module_salt(module_of(c, i)));
  return listed != kNone && module_used(c, listed) == 0;
}

// Reports names that a `use` lists but its module lacks, or that the program also defines.
template <class G, class Names>
struct CheckImport {
  G& g;
  Columns& c;
  Names& names;

  HD void operator()(u32 b) const {
    if (c.bind_kind[b] == BindKind::Import) check(b);
  }
  // The diagnostic's `a` is the position of the module's path.
  HD_COLD static void report_unknown(G& g, Columns& c, Index i, u32 module) {
    const Index path = path_of(c, c.module_head[module - 1]);
    report(g, c, i, DiagnosticCode::UnknownImport, c.token_start[c.token[c.begin[path]]]);
  }

 private:
  HD_COLD void check(u32 b) const {
    const Index i = c.bind_node[b];
    const u32 hash = global_hash(c, i), module = module_used(c, b), own = module_of(c, i);
    if (module == 0) return;
    bool found = false, defined = false;
    for (const NameSpace space :
         {NameSpace::Functions, NameSpace::Types, NameSpace::Spaces, NameSpace::Values}) {
      found |= find_in_module(c, names, i, hash, space, module) != kNone;
      defined |= names.find(i, space_hash(space, hash) ^ module_salt(own)) != kNone;
    }
    if (!found) report_unknown(g, c, i, module);
    if (defined) report(g, c, i, DiagnosticCode::ImportDefined);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
