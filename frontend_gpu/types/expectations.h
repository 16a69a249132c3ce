// SPDX-License-Identifier: Apache-2.0
// Compares what a node gives with what its surroundings expect. The rules of check_types are made of these
// functions.
#pragma once
#include "frontend_gpu/questions/type_brief.h"
#include "frontend_gpu/questions/type_relations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct Expectations {
  G& g;
  Columns& c;
  static constexpr TypeId kBool = type_of(Scalar::Bool), kInteger = type_of(Scalar::I64);

  HD void expect(Index i, TypeId type) const {
    if (i != kNone) c.want[i] = type;
  }
  HD_COLD void fail(Index i, DiagnosticCode code, TypeId a = 0, TypeId b = 0) const {
    report(g, c, i, code, type_brief(c, a), type_brief(c, b));
    c.type[i] = kTypeError;
  }
  // A type that follows from an error says nothing of the operands. Literals among them stay open.
  HD void absorb(Index i, TypeId type) const {
    if (type != kTypeError) return settle(i, type);
    expect(c.left[i], kTypeError);
    expect(c.right[i], kTypeError);
    c.type[i] = kTypeError;
  }

  // The type that an open literal takes here, or that a value with open literals inside takes.
  HD TypeId resolved(Index i) const {
    const TypeId type = c.type[i], want = c.want[i];
    if (is_tuple(type)) return resolved_tuple(type, want);
    if (!is_literal(type)) return type;
    if (literal_takes(type, want) || want == kTypeError) return want;
    return settled(type);
  }

  HD_COLD TypeId resolved_tuple(TypeId type, TypeId want) const {
    if (is_tuple(want) && !is_slice(c, want)) return want;
    return is_tuple(want) || want == kTypePending ? settled(type) : type;
  }

  // The node gives `type`: settles it, and reports if another type is wanted.
  HD void settle(Index i, TypeId type) const {
    const TypeId want = c.want[i], found = c.type[i];
    c.type[i] = type;
    if (type == kTypeError || type == kTypeNever || want == kTypePending || want == kTypeError ||
        want == kTypeInPlace)
      return;
    if (want == kTypeStatement) {
      if (is_value(type)) fail(i, DiagnosticCode::UnusedValue);
      return;
    }
    if (passes_for(c, type, want)) return;
    const bool is_other_list = lacks_capacity(i, type, want);
    fail(i, is_other_list ? DiagnosticCode::ListCapacity : DiagnosticCode::Mismatch, want,
         is_literal(found) ? found : type);
  }

  // True if an array or a list is wanted as a list of another capacity. Literals are no such case: they have the
  // wanted capacity, or are too long for it.
  HD_COLD bool lacks_capacity(Index i, TypeId type, TypeId want) const {
    if (!has_elements(c, type) || !has_form(c, want, TypeForm::List)) return false;
    if (is_slice(c, type)) return false;
    // The type of a literal is open even where a variable has it. An empty literal's element is not known.
    const Container own = container_of(c, type);
    if (own.is_open && (node_kind(c, i) != Node::Name || own.count == 0)) return false;
    return passes_for(c, held_type(c, type), held_type(c, want));
  }

  // True if the operation is defined on the type.
  HD bool allowed(Op op, TypeId type) const {
    return is_scalar(type) && (op_row(op).types & type_bit(as_scalar(type))) != 0;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
