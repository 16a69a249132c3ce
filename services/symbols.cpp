// SPDX-License-Identifier: Apache-2.0
#include "services/symbols.h"

#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {

namespace {

// The field of a type's parentheses that a node names.
Symbol field_named(const Columns& c, Index fields, Index name) {
  if (fields == kNone || frontend::node_kind(c, fields) != Node::Paren) return {};
  frontend::ElementsBackwards elements(c, fields);
  for (Index e = elements.next(); e != kNone; e = elements.next())
    if (frontend::is_field(c, e) && frontend::same_text(c, c.left[e], name))
      return {Symbol::Kind::Field, c.left[e]};
  return {};
}
// `p.x`
Symbol field_behind_dot(const Columns& c, Index name) {
  const Index dot = frontend::parent_of(c, name);
  if (dot == kNone || frontend::node_kind(c, dot) != Node::Dot || c.right[dot] != name) return {};
  const TypeId type = c.type[c.left[dot]];
  if (!frontend::is_record(c, type)) return {};
  return field_named(c, frontend::tuple_node(type), name);
}
// `V(x: 1.0)`, and `V(x: a)` in a pattern.
Symbol field_of_call(const Columns& c, Index name) {
  const Index colon = frontend::parent_of(c, name);
  const Index call = colon == kNone ? kNone : frontend::call_of_argument(c, colon);
  if (call == kNone || frontend::node_kind(c, call) != Node::Call) return {};
  const Index ref = c.ref[frontend::call_name(c, call)];
  if (ref >= kBuiltinRef || c.bind_kind[ref] != BindKind::Constructor) return {};
  return field_named(c, frontend::fields_of(c, c.bind_node[ref]), name);
}

// The call whose function is the name; kNone if there is none.
Index call_naming(const Columns& c, Index name) {
  Index above = frontend::parent_of(c, name);
  if (above != kNone && frontend::node_kind(c, above) == Node::Dot && c.right[above] == name)
    above = frontend::parent_of(c, above);
  const bool is_call = above != kNone && frontend::node_kind(c, above) == Node::Call &&
                       c.left[above] != kNone && c.right[above] != kNone;
  return is_call && frontend::call_name(c, above) == name ? above : kNone;
}

bool is_same_word(const Columns& c, Index a, Index b) {
  return c.token_hash[c.token[a]] == c.token_hash[c.token[b]] && frontend::same_text(c, a, b);
}
// The meaning, in its module, of a name that a `use` lists; kNone if there is none.
u32 imported_binding(const Columns& c, u32 import) {
  const u32 module = frontend::module_used(c, import);
  const Index name = c.bind_node[import];
  for (u32 b = 0; module != 0 && b < c.binds; ++b) {
    const BindKind kind = c.bind_kind[b];
    if (!frontend::is_global(kind) || frontend::is_imported(kind)) continue;
    if (frontend::module_of(c, c.bind_node[b]) == module && is_same_word(c, name, c.bind_node[b]))
      return b;
  }
  return kNone;
}
// Names with the same meaning have one binding.
Symbol of_binding(const Columns& c, u32 b) {
  if (c.bind_kind[b] == BindKind::Import) {
    const u32 meant = imported_binding(c, b);
    if (meant != kNone) return of_binding(c, meant);
  }
  if (c.bind_kind[b] == BindKind::Constructor && frontend::is_record_constructor(c, b)) {
    const Index type = c.item_name[c.item[c.bind_node[b]]];
    if (type != kNone && c.ref[type] < c.binds) return {Symbol::Kind::Binding, c.ref[type]};
  }
  return {Symbol::Kind::Binding, b};
}
// The name left of a `.` that forms one name with the right side.
Symbol module_before_dot(const Columns& c, Index name) {
  const Index dot = name + 1;
  const bool is_joined = c.use_items != 0 && dot + 1 < c.nodes &&
                         frontend::node_kind(c, dot) == Node::Name &&
                         c.token[dot] == c.token[dot + 1];
  if (!is_joined) return {};
  for (u32 b = 0; b < c.binds; ++b)
    if (c.bind_kind[b] == BindKind::Module && c.bind_until[b] != 0 &&
        frontend::module_of(c, c.bind_node[b]) == frontend::module_of(c, name) &&
        is_same_word(c, name, c.bind_node[b]))
      return {Symbol::Kind::Binding, b};
  return {};
}

}  // namespace

Symbol symbol_of(const Analysis& analysis, Index node) {
  const Columns& c = analysis.columns();
  if (node == kNone) return {};
  const Node kind = frontend::node_kind(c, node);
  if (kind != Node::Name && kind != Node::Hole) return {};
  switch (frontend::node_context(c, node)) {
    case Context::Skipped: return kind == Node::Name ? module_before_dot(c, node) : Symbol{};
    case Context::Field: return field_behind_dot(c, node);
    case Context::FieldName: return {Symbol::Kind::Field, node};
    case Context::ArgName:
    case Context::PatternField: return field_of_call(c, node);
    default: break;
  }
  if (c.role[node] == frontend::Role::Expansion) {
    const Index name = c.item_name[c.item[node]];
    return name == kNone || c.ref[name] >= c.binds ? Symbol{} : of_binding(c, c.ref[name]);
  }
  if (c.role[node] == frontend::Role::TypeName)
    if (const TypeId scalar = frontend::scalar_spelled(c, node); scalar != frontend::kTypePending)
      return {Symbol::Kind::Scalar, scalar};
  const Index ref = c.ref[node];
  if (ref == kNone) return {};
  if (ref >= kBuiltinRef) {
    // A function and an operation may share a name.
    const Index call = call_naming(c, node);
    return {Symbol::Kind::Builtin, call == kNone ? ref : frontend::operation_of(c, call)};
  }
  return ref < c.binds ? of_binding(c, ref) : Symbol{};
}

Symbol symbol_around(const Analysis& analysis, u32 byte) {
  const Index token = analysis.token_around(byte);
  return token == kNone ? Symbol{} : symbol_of(analysis, analysis.node_of(token));
}

Index defining_node(const Analysis& analysis, const Symbol& symbol) {
  switch (symbol.kind) {
    case Symbol::Kind::None:
    case Symbol::Kind::Builtin:
    case Symbol::Kind::Scalar: return kNone;
    case Symbol::Kind::Field: return symbol.number;
    case Symbol::Kind::Binding: break;
  }
  const Columns& c = analysis.columns();
  if (c.bind_kind[symbol.number] != BindKind::Module) return c.bind_node[symbol.number];
  const u32 module = frontend::module_used(c, symbol.number);
  return module == 0 ? kNone : frontend::path_of(c, c.module_head[module - 1]);
}

}  // namespace komuz::services
