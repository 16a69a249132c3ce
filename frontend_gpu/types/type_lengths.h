// SPDX-License-Identifier: Apache-2.0
// Options, arrays, lists and slices that types spell: the form of each, and its number of elements.
//
//   [T; N]      Bracket(Semi(T, N))                 [T]        Bracket(T)
//   List[T, N]  Index(List, Bracket(Comma(T, N)))   Bytes[N]   Index(Bytes, Bracket(N))
//   Option[T]   Index(Option, Bracket(T))
#pragma once
#include "frontend_gpu/questions/type_form.h"
#include "frontend_gpu/tree/shape.h"
#include "frontend_gpu/types/length_value.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if a bracket stands in a type.
HD bool is_type_bracket(const Columns& c, Index i) {
  return node_kind(c, i) == Node::Bracket && (node_context(c, i) == Context::TypeArgs ||
                                              name_role(node_context(c, i)) == NameRole::Type);
}

// The number of elements that a node says; 0: it says none.
HD_COLD u32 length_of(const Columns& c, Index length) {
  if (length == kNone || node_context(c, length) == Context::Skipped) return 0;
  if (node_kind(c, length) != Node::Int) return LengthValue{c}(length, kMaxCount);
  const Literal value =
      integer_literal(node_text(c, length), node_length(c, length), Scalar::U32, false);
  const bool fits = value.error == DiagnosticCode::None && value.cell <= kMaxCount;
  return fits ? static_cast<u32>(value.cell) : 0;
}

// True if the reason why a node says no length has been reported, such as an unknown name.
HD_COLD bool is_length_said(const Columns& c, Index length) {
  if (length == kNone || node_context(c, length) == Context::Skipped) return true;
  for (Index i = c.begin[length]; i < c.end[length]; ++i) {
    count_work(c, 1);
    if (c.error[i] != 0) return true;
    // With a known module, both names would have become one.
    const Index left = node_kind(c, i) == Node::Dot ? Index{c.left[i]} : kNone;
    const bool unknown = left != kNone && c.ref[left] == kNone;
    if (unknown) return true;
  }
  return false;
}

template <class G>
struct MeasureContainer {
  G& g;
  Columns& c;

  HD_COLD void operator()(Index bracket) const {
    const Container own = measure(bracket);
    c.cell[bracket] = own.packed();
  }

 private:
  HD Container measure(Index bracket) const {
    const Index inside = c.right[bracket];
    if (inside == kNone) {
      report(g, c, bracket, DiagnosticCode::MissingRight);
      return {};
    }
    if (node_context(c, inside) == Context::Skipped) return {};
    const Node kind = node_kind(c, inside);
    if (node_context(c, bracket) != Context::TypeArgs) {
      if (kind == Node::Semi) return counted(TypeForm::Array, c.right[inside]);
      if (is_parameter_type(bracket)) return {TypeForm::Slice};
      report(g, c, bracket, DiagnosticCode::SlicePlace);
      return {};
    }
    switch (container_word(c, c.left[bracket - 1])) {
      case ContainerWord::List: return counted(TypeForm::List, c.right[inside]);
      case ContainerWord::Bytes: {
        Container bytes = counted(TypeForm::List, inside);
        bytes.element = type_of(Scalar::U8);
        return bytes;
      }
      case ContainerWord::Option: return {TypeForm::Option};
      case ContainerWord::None: break;
    }
    return {};
  }
  HD Container counted(TypeForm form, Index length) const {
    const u32 count = length_of(c, length);
    if (count != 0) return {form, false, count};
    if (!is_length_said(c, length)) report(g, c, length, DiagnosticCode::BadLength);
    return {};
  }
  // True for `x: [T]` between a function's parentheses.
  [[nodiscard]] HD bool is_parameter_type(Index bracket) const {
    const Index colon = bracket - 1;
    const Context context = node_context(c, colon);
    return node_kind(c, colon) == Node::Colon && c.right[colon] == bracket &&
           (context == Context::Params || context == Context::PropParams);
  }
};

template <class G>
HD_COLD void measure_containers(G& g, Columns& c) {
  g.for_each(c.brackets, [&](u32 b) {
    const bool opens = (c.bracket_key[b] & 1) == 0;
    const Index i = c.bracket_node[b];
    if (opens && is_type_bracket(c, i)) MeasureContainer<G>{g, c}(i);
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
