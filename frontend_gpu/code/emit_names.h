// SPDX-License-Identifier: Apache-2.0
// Stores a value to the names of a pattern that takes every value.
#pragma once
#include "frontend_gpu/code/emit_place.h"
#include "frontend_gpu/questions/destructure.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The value is on top. store(name) takes the cells of a name from there. The cells of parts that are left out are
// dropped.
template <class Sink, class Store>
HD_COLD void store_parts(const Columns& c, Sink& sink, Index pattern, Store store) {
  if (node_kind(c, pattern) == Node::Name) return store(pattern);
  u32 dropped = 0;
  const auto drop = [&] {
    EmitPlace<Sink>{c, sink}.drop_below(0, dropped);
    dropped = 0;
  };
  // Only a part that is left out needs its type. The constructor of a record gives it, and the parentheses of a
  // tuple keep it.
  const auto whole = [&](Index part, TypeId) {
    if (node_kind(c, part) == Node::Call) return constructed_type(c, constructor_of(c, part));
    return tuple_pattern(c, part).rest == kNone ? kTypeError : static_cast<TypeId>(c.cell[part]);
  };
  (void)take_apart(c, pattern, kTypeError, whole, [&](Index name, TypeId type) {
    if (name == kNone) {
      dropped += type_cells(c, settled(type));
      return;
    }
    drop();
    store(name);
  });
  drop();
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
