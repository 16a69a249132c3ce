// SPDX-License-Identifier: Apache-2.0
// Walking `,` chains, and types as tuples and records spell them.
#pragma once
#include "frontend_gpu/columns.h"
#include "frontend_gpu/name_hash.h"
#include "lang/type_codes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// A function's parameters are one tuple in type codes, whose count is a byte.
inline constexpr u32 kMaxParameters = 255;

// The elements of what stands inside a pair of parentheses, from the last to the first. A chain of commas leans left.
class ElementsBackwards {
 public:
  HD ElementsBackwards(const Columns& c, Index paren) : c_(c), at_(c.right[paren]) {}
  // The next one, kNone at the end.
  HD Index next() {
    while (at_ != kNone && node_kind(c_, at_) == Node::Comma) {
      const Index element = c_.right[at_];
      at_ = c_.left[at_];
      if (element != kNone) return element;  // none behind a trailing comma
    }
    const Index element = at_;
    at_ = kNone;
    return element;
  }

 private:
  const Columns& c_;
  Index at_;
};

// `most`: counts no further.
HD u32 count_elements(const Columns& c, Index paren, u32 most = kNone) {
  ElementsBackwards elements(c, paren);
  u32 n = 0;
  while (n < most && elements.next() != kNone) ++n;
  return n;
}
HD Index element_at(const Columns& c, Index paren, u32 number) {
  ElementsBackwards elements(c, paren);
  Index element = elements.next();
  for (u32 k = count_elements(c, paren) - 1; k > number; --k) element = elements.next();
  return element;
}
HD bool has_comma(const Columns& c, Index paren) {
  const Index inside = c.right[paren];
  return inside != kNone && node_kind(c, inside) == Node::Comma;
}

// The scalar type that a name in a type spells; pending if none.
HD TypeId scalar_spelled(const Columns& c, Index name) {
  const u32 n = node_length(c, name);
  if (n > 4) return kTypePending;
  switch (load_text(node_text(c, name), n)) {
    case 0x6C6F'6F62: return type_of(Scalar::Bool);
    case 0x32'3369: return type_of(Scalar::I32);
    case 0x34'3669: return type_of(Scalar::I64);
    case 0x3875: return type_of(Scalar::U8);
    case 0x32'3375: return type_of(Scalar::U32);
    case 0x34'3675: return type_of(Scalar::U64);
    case 0x32'3366: return type_of(Scalar::F32);
    case 0x34'3666: return type_of(Scalar::F64);
    default: return kTypePending;
  }
}
// A record's type is named as a tuple's is, by the parentheses around its fields.
HD bool is_record_paren(const Columns& c, Index paren) {
  return node_context(c, paren) == Context::FieldsOpen;
}
HD bool is_record(const Columns& c, TypeId type) {
  return is_tuple(type) && is_record_paren(c, tuple_node(type));
}
// The record type of an item; kTypeError where it is none.
HD TypeId record_type(const Columns& c, Index item) {
  const Index call = c.item_result[item];
  const bool sound = call != kNone && node_kind(c, call) == Node::Call &&
                     node_context(c, call) != Context::Skipped &&
                     node_context(c, c.right[call]) != Context::Skipped;
  return sound ? kTypeTuple + c.right[call] : kTypeError;
}

// The type that a node in a type spells. A name may stand for another type: what names itself is in error by now.
HD TypeId declared_type(const Columns& c, Index node) {
  while (node != kNone && node_context(c, node) != Context::Skipped) {
    if (node_kind(c, node) == Node::Name) {
      const TypeId type = scalar_spelled(c, node);
      if (type != kTypePending) return type;
      const Index ref = c.ref[node];
      if (ref == kNone) return kTypeError;
      const Index item = c.item[c.bind_node[ref]];
      node = c.item_result[item];
      if (node == kNone) return kTypeError;
      if (node_kind(c, node) == Node::Call) return record_type(c, item);
      continue;
    }
    if (node_kind(c, node) != Node::Paren) return kTypeError;
    if (c.right[node] == kNone) return kTypeUnit;
    if (has_comma(c, node)) return kTypeTuple + node;
    node = c.right[node];
  }
  return kTypeError;
}
// The type of an element of a tuple type. A damaged one has no other, whether a type or a value holds it.
// `value`: of a tuple that is a value, the column that has it.
template <class TypeColumn>
HD TypeId element_type_in(const Columns& c, const TypeColumn& value, Index element) {
  const Context context = node_context(c, element);
  if (context == Context::Skipped) return kTypeError;
  if (context == Context::TypeList) return declared_type(c, element);
  if (context == Context::Fields)  // `x: T`
    return node_kind(c, element) == Node::Colon ? declared_type(c, c.right[element]) : kTypeError;
  const TypeId type = value[element];
  return type == kTypeNever ? kTypeUnit : type;  // it leaves nothing on the stack
}
HD TypeId element_type(const Columns& c, Index element) {
  return element_type_in(c, c.type, element);
}
// … of the tuple type `whole`. A settled one may be asked for while check_types settles the elements themselves.
HD TypeId part_type(const Columns& c, TypeId whole, Index element) {
  if ((whole & kTypeSettled) == 0) return element_type(c, element);
  return settled(element_type_in(c, c.given, element));
}

// A type as codes for the passes: a scalar or literal is its number; a tuple kTupleCode, how many elements, the elements;
// a record kRecordCode, how many fields, the number of its item in three bytes, the fields.
struct Spelling {
  static constexpr u32 kCapacity = 128;
  u8 codes[kCapacity];
  u32 length = 0;  // kCapacity + 1: too long
  [[nodiscard]] HD bool fits() const { return length <= kCapacity; }
  HD void add(u32 code) {
    if (length < kCapacity) codes[length] = static_cast<u8>(code);
    if (length <= kCapacity) ++length;
  }
  // How many codes stand before what comes next: a cell or the first element.
  [[nodiscard]] HD u32 head(u32 k) const {
    return codes[k] == kTupleCode ? 2 : codes[k] == kRecordCode ? 5 : 1;
  }
  [[nodiscard]] HD bool is_cell(u32 k) const { return codes[k] < kTupleCode; }
};
HD_COLD Spelling spell(const Columns& c, TypeId type) {
  Spelling s;
  TypeId pending[Spelling::kCapacity];
  u32 n = 0;
  pending[n++] = type;
  while (n != 0 && s.fits()) {
    const TypeId t = pending[--n];
    if (!is_tuple(t)) {
      s.add(t == kTypeUnit ? kTupleCode : t);
      if (t == kTypeUnit) s.add(0);
      continue;
    }
    const Index paren = tuple_node(t);
    const u32 count = count_elements(c, paren, Spelling::kCapacity);
    s.add(is_record_paren(c, paren) ? kRecordCode : kTupleCode);
    s.add(count);
    if (is_record_paren(c, paren))
      for (u32 shift = 0; shift < 24; shift += 8) s.add(c.item[paren] >> shift & 0xFF);
    ElementsBackwards elements(c, paren);
    for (Index e = elements.next(); e != kNone; e = elements.next()) {
      if (n == Spelling::kCapacity) {
        s.length = Spelling::kCapacity + 1;
        return s;
      }
      pending[n++] = part_type(c, t, e);
    }
  }
  return s;
}
// Is it a record, or a tuple that holds one?
HD bool holds_record(const Columns& c, TypeId type) {
  const Spelling s = spell(c, type);
  for (u32 k = 0; k < s.length && k < Spelling::kCapacity; k += s.head(k))
    if (s.codes[k] == kRecordCode) return true;
  return false;
}
// visit(Scalar) for each cell of a value of the type, in order.
template <class Visit>
HD void for_each_cell(const Columns& c, TypeId type, Visit visit) {
  if (is_scalar(type)) return visit(as_scalar(type));
  const Spelling s = spell(c, type);
  for (u32 k = 0; k < s.length && k < Spelling::kCapacity; k += s.head(k))
    if (s.is_cell(k)) visit(as_scalar(s.codes[k]));
}

// Cells that a value of a type takes.
HD_COLD u32 tuple_cells(const Columns& c, TypeId type) {
  u32 cells = 0;
  for_each_cell(c, type, [&](Scalar) { ++cells; });
  return cells;
}
HD u32 type_cells(const Columns& c, TypeId type) {
  if (is_scalar(type) || is_literal(type)) return 1;
  return is_tuple(type) ? tuple_cells(c, type) : 0;
}

// Do the heads at k agree: as many elements, of the same record?
HD bool same_heads(const Spelling& a, const Spelling& b, u32 k) {
  for (u32 at = k; at < k + a.head(k); ++at)
    if (a.codes[at] != b.codes[at]) return false;
  return true;
}
// Is a part of it in error?
HD bool has_error(const Spelling& s) {
  for (u32 k = 0; k < s.length && k < Spelling::kCapacity; k += s.head(k))
    if (s.codes[k] == kTypeError) return true;
  return false;
}
HD_COLD bool tuple_passes_for(const Columns& c, TypeId found, TypeId wanted) {
  if (is_record(c, found) && tuple_node(found) == tuple_node(wanted)) return true;
  const Spelling a = spell(c, found), b = spell(c, wanted);
  if (has_error(a) || has_error(b)) return true;
  if (a.length != b.length || !a.fits()) return false;
  for (u32 k = 0; k < a.length; k += a.head(k)) {
    if (same_heads(a, b, k)) continue;
    if (!is_literal(a.codes[k]) || !literal_takes(a.codes[k], b.codes[k])) return false;
  }
  return true;
}
// Do values of type `found` pass for `wanted`, literals taking the wanted type?
HD bool passes_for(const Columns& c, TypeId found, TypeId wanted) {
  if (found == wanted || found == kTypeNever || found == kTypeError || wanted == kTypeError)
    return true;
  if (is_literal(found)) return literal_takes(found, wanted);
  return is_tuple(found) && is_tuple(wanted) && tuple_passes_for(c, found, wanted);
}
// Literals in a tuple of type `a` take the types that stand in their places in `b`, where the two have a type in common;
// `b` then passes for `a`. Of a node that joins the two in synthesise_types alone: every literal's tuple has one such
// ancestor, since what is bound to a name has settled.
HD_COLD void fill_literals(Columns& c, TypeId a, TypeId b) {
  const Spelling own = spell(c, a), other = spell(c, b);
  if (own.length != other.length || !own.fits()) return;
  for (u32 k = 0; k < own.length; k += own.head(k)) {
    const u32 x = own.codes[k], y = other.codes[k];
    if (!same_heads(own, other, k) && !literal_takes(x, y) && !literal_takes(y, x)) return;
  }
  struct Part {
    TypeId type;
    Index element;
  };
  Part pending[Spelling::kCapacity];
  u32 n = 0;
  pending[n++] = {a, kNone};
  for (u32 k = 0; n != 0; k += own.head(k)) {
    const Part part = pending[--n];
    if (is_literal(part.type)) {
      if (is_scalar(other.codes[k])) c.type[part.element] = c.given[part.element] = other.codes[k];
    } else if (is_tuple(part.type)) {
      ElementsBackwards elements(c, tuple_node(part.type));
      for (Index e = elements.next(); e != kNone; e = elements.next())
        pending[n++] = {part_type(c, part.type, e), e};
    }
  }
}
// The type that two values share, literals taking the other's; kTypeUnlike if there is none.
HD TypeId join_types(const Columns& c, TypeId a, TypeId b) {
  if (a == b) return a == kTypeUnlike ? kTypeError : a;
  if (a == kTypeError || b == kTypeError || a == kTypeUnlike || b == kTypeUnlike) return kTypeError;
  if (is_tuple(a) && is_tuple(b) && (has_error(spell(c, a)) || has_error(spell(c, b))))
    return kTypeError;
  if (passes_for(c, a, b)) return b;
  if (passes_for(c, b, a)) return a;
  return kTypeUnlike;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
