// SPDX-License-Identifier: Apache-2.0
// synthesise_types for values with elements: literals of arrays and strings, indices, and operations on arrays,
// lists, slices and Options. The node of such a value names its type. The node's `cell` keeps a Container: form,
// length and the type of the elements.
#pragma once
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/questions/containers.h"
#include "frontend_gpu/questions/type_brief.h"
#include "frontend_gpu/questions/type_relations.h"
#include "frontend_gpu/text/literal.h"
#include "frontend_gpu/types/type_lengths.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct SynthesiseContainer {
  G& g;
  Columns& c;

  HD_COLD TypeId array(Index i) const {
    if (c.right[i] == kNone) return name_type(i, {TypeForm::Array, true, 0, kTypeNever});
    if (node_context(c, c.right[i]) == Context::Skipped) return kTypeError;
    if (repeats(c, i)) {
      const u32 count = length_of(c, c.right[c.right[i]]);
      const TypeId held = c.type[repeated(c, i)];
      if (count != 0) return name_type(i, {TypeForm::Array, true, count, held});
      const Index length = c.right[c.right[i]];
      if (!is_length_said(c, length)) report(g, c, length, DiagnosticCode::BadLength);
      return kTypeError;
    }
    TypeId held = kTypeNever;
    ElementsBackwards elements(c, i);
    for (Index e = elements.next(); e != kNone && held != kTypeUnlike; e = elements.next())
      held = join_values(c, held, c.type[e]);
    return name_type(i, {TypeForm::Array, true, count_elements(c, i, kMaxCount), held});
  }
  HD_COLD TypeId text(Index i) const {
    const u32 count = string_bytes(node_text(c, i), node_length(c, i), [](u8) {});
    if (count == kBadText) {
      const bool closed = is_closed_string(c, i);
      report(g, c, i, closed ? DiagnosticCode::BadText : DiagnosticCode::UnclosedString);
      return kTypeError;
    }
    // A list has room for at least one element.
    return name_type(i, {TypeForm::List, true, count != 0 ? count : 1, type_of(Scalar::U8)});
  }
  HD_COLD TypeId indexed(Index i) const {
    const TypeId base = c.type[c.left[i]];
    const Index inside = index_of(c, i);
    if (base == kTypeError || inside == kNone || node_context(c, inside) == Context::Skipped)
      return kTypeError;
    if (!has_elements(c, base)) {
      report(g, c, i, DiagnosticCode::NotIndexable, type_brief(c, settled(base)));
      return kTypeError;
    }
    const TypeId held = settled(held_type(c, base));
    return is_range(c, inside) ? name_type(i, {TypeForm::Slice, false, 0, held}) : held;
  }
  HD_COLD TypeId none(Index i) const {
    return name_type(i, {TypeForm::Option, true, 0, kTypeNever});
  }
  // The Option that a built-in function gives.
  HD_COLD TypeId option(Index i, Scalar held) const {
    return settled(name_type(i, {TypeForm::Option, false, 0, type_of(held)}));
  }
  HD_COLD TypeId call(Index i, Collection operation) const {
    const Index first = first_argument(c, i);
    if (count_arguments(c, i) != collection_row(static_cast<u32>(operation)).arguments)
      return kTypeError;
    const TypeId type = first == kNone ? kTypeError : TypeId{c.type[first]};
    switch (operation) {
      case Collection::Some: return name_type(i, {TypeForm::Option, true, 0, value_type(type)});
      case Collection::None: return kTypeError;
      case Collection::IsSome:
      case Collection::IsNone:
      case Collection::IsEmpty: return type_of(Scalar::Bool);
      case Collection::Len: return type_of(Scalar::I64);
      case Collection::Push:
      case Collection::Swap: return kTypeUnit;
      case Collection::Or: {
        if (!is_option(c, type)) return kTypeError;
        const bool open = container_of(c, type).is_open && (type & kTypeSettled) == 0;
        if (!open) return settled(held_type(c, type));  // expected of the other operand
        const TypeId held = held_type(c, type);
        const TypeId both = join_values(c, held, c.type[last_argument(c, i)]);
        return both == kTypeUnlike || both == kTypeError ? settled(held) : both;
      }
      case Collection::Get:
      case Collection::First:
      case Collection::Last:
      case Collection::Pop:
        if (!has_elements(c, type)) return kTypeError;
        return settled(name_type(i, {TypeForm::Option, false, 0, settled(held_type(c, type))}));
    }
    return kTypeError;
  }

 private:
  HD static TypeId value_type(TypeId type) { return type == kTypeNever ? kTypeUnit : type; }
  HD TypeId name_type(Index i, const Container& own) const {
    c.cell[i] = own.packed();
    return kTypeTuple + i;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
