// SPDX-License-Identifier: Apache-2.0
// Entries besides those of items, which columns list as `traps`: the arguments of `traps` calls, and the ranges of
// a property's parameters.
#pragma once
#include "frontend_gpu/questions/name_chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The property in whose head a node stands, which is all before its body; kNone: it stands in no such head.
HD Index prop_with_head(const Columns& c, Index i) {
  const Index item = c.item[i];
  const bool is_head = c.item_kind[item] == ItemKind::Prop && c.item_body[item] != kNone &&
                       c.item_name[item] != kNone && i < c.item_body[item];
  return is_head ? c.item_name[item] - 1 : kNone;
}

// The first binding at a node or behind it. Bindings are in source order.
HD u32 first_binding_from(const Columns& c, Index node) {
  u32 low = 0, high = c.binds;
  while (low < high) {
    const u32 middle = (low + high) / 2;
    if (c.bind_node[middle] < node)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
// The end of an item's nodes.
HD Index item_end(const Columns& c, Index item) {
  return item + 1 < c.items ? Index{c.item_node[item + 1]} : c.nodes;
}
// The first binding that belongs to this item or to one behind it.
HD u32 first_binding(const Columns& c, Index item) {
  return first_binding_from(c, c.item_node[item]);
}
HD bool is_parameter_of(const Columns& c, Index item, u32 b) {
  return b < c.binds && c.bind_kind[b] == BindKind::Parameter && c.item[c.bind_node[b]] == item;
}
// The `..` of a property's parameter; kNone: the binding has none.
HD Index range_of_parameter(const Columns& c, u32 b) {
  const Index name = c.bind_node[b];
  if (c.bind_kind[b] != BindKind::Parameter || c.item_kind[c.item[name]] != ItemKind::Prop)
    return kNone;
  const Index bounded = c.right[name + 1];  // `x: T` is the nodes Name, Colon, …
  return node_context(c, bounded) == Context::PropBounded ? Index{c.right[bounded]} : kNone;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
