// SPDX-License-Identifier: Apache-2.0
// The types that the heads of functions and bindings state.
#pragma once
#include "frontend_gpu/questions/type_form.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The parentheses around a function's parameters. They stand two nodes behind its name: Name, Call, Paren.
HD Index parameters_of(const Columns& c, Index item) { return c.item_name[item] + 2; }
// The node that spells the type behind a `:`. A property's parameter may have a range there, too.
HD Index spelled_type(const Columns& c, Index colon) {
  const Index right = c.right[colon];
  const bool bounded = right != kNone && node_context(c, right) == Context::PropBounded;
  return bounded ? Index{c.left[right]} : right;
}
HD TypeId parameter_type(const Columns& c, Index parameter) {
  return node_kind(c, parameter) == Node::Colon ? declared_type(c, spelled_type(c, parameter))
                                                : kTypeError;
}
// True if the function's result has the type of its body (Compiler::compile_inferred).
HD bool infers_result(const Columns& c, Index item) { return c.infers_result & (item == 0); }
// The result's type. An inferred one is known once check_types has settled the body.
HD TypeId result_type(const Columns& c, Index item) {
  if (!infers_result(c, item)) return declared_type(c, c.item_result[item]);
  const TypeId type = settled(c.type[c.right[c.item_body[item]]]);
  return type == kTypeNever ? kTypeUnit : type;
}
// True if the item's head parsed.
HD bool has_signature(const Columns& c, Index item) {
  return c.item_name[item] != kNone && c.item_result[item] != kNone && c.item_body[item] != kNone;
}
// True for a function whose head states the type of its body.
HD bool declares_result(const Columns& c, Index item) {
  return c.item_kind[item] == ItemKind::Function && has_signature(c, item) &&
         !infers_result(c, item);
}

// The type that is annotated behind a name. `x: T` is the nodes Name, Colon, …
HD TypeId annotated_type(const Columns& c, Index name) {
  const Index colon = name + 1;
  const bool annotated =
      colon < c.nodes && node_kind(c, colon) == Node::Colon && c.left[colon] == name;
  return annotated ? declared_type(c, spelled_type(c, colon)) : kTypePending;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
