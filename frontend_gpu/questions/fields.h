// SPDX-License-Identifier: Apache-2.0
// Fields of tuples by their numbers, and of records by their names.
#pragma once
#include "frontend_gpu/questions/name_chains.h"
#include "frontend_gpu/questions/type_relations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Numbers larger than that of any field. The type of a record with too many fields reports it, and no field of it
// is looked for.
inline constexpr u32 kNoField = 1000, kTooManyFields = 1001;

// The number that stands behind a `.`; kNoField: there is no number.
HD u32 written_number(const Columns& c, Index field) {
  const u8* const text = node_text(c, field);
  u32 number = 0;
  for (u32 k = 0; k < node_length(c, field); ++k)
    number = is_digit_byte(text[k]) && number < kNoField ? number * 10 + (text[k] - '0') : kNoField;
  return number;
}
// True if the element between a record's parentheses is `x: T`.
HD bool is_field(const Columns& c, Index element) {
  return node_kind(c, element) == Node::Colon && node_context(c, element) != Context::Skipped;
}
// The number of the field of a record that a node names.
HD u32 named_field(const Columns& c, Index paren, Index name) {
  ElementsBackwards fields(c, paren);
  u32 behind = 0, found = kNoField;
  for (Index f = fields.next(); f != kNone; f = fields.next(), ++behind) {
    if (behind == kMaxTypeElements) return kTooManyFields;
    if (is_field(c, f) && same_text(c, c.left[f], name)) found = behind;
  }
  return found == kNoField ? kNoField : behind - 1 - found;
}
// The number of the field that a node behind a `.` means; kNoField: the type has no such field.
HD u32 field_number(const Columns& c, TypeId type, Index field) {
  if (form_of(c, type) > TypeForm::Record) return kNoField;
  const Index paren = tuple_node(type);
  if (are_fields(c, paren))
    return node_kind(c, field) == Node::Name ? named_field(c, paren, field) : kNoField;
  const u32 number = node_kind(c, field) == Node::Int ? written_number(c, field) : kNoField;
  return number < count_parts(c, type) ? number : kNoField;
}
HD TypeId field_type(const Columns& c, TypeId type, u32 number) {
  return settled(part_type(c, type & ~kTypeSettled, part_at(c, type, number)));
}
// The type of a field of a sum's alternative. `constructor` is the alternative's name; kNone: the alternative is
// `Some`, and the type is an Option.
HD TypeId alternative_field_type(const Columns& c, TypeId type, Index constructor, u32 number) {
  if (constructor == kNone) return settled(held_type(c, type));
  return settled(element_type(c, element_at(c, fields_of(c, constructor), number)));
}
// Calls visit(scalar, before, count) for each block of such a field. It lies in the sum's block of that scalar,
// behind `before` cells.
template <class Visit>
HD void for_each_alternative_block(const Columns& c, TypeId type, Index constructor, u32 number,
                                   Visit visit) {
  u32 next[kCellTypeCount] = {};
  for (u32 k = 0; k < number; ++k)
    for_each_block(c, alternative_field_type(c, type, constructor, k),
                   [&](Scalar scalar, u32 count) { next[static_cast<u8>(scalar)] += count; });
  for_each_block(c, alternative_field_type(c, type, constructor, number),
                 [&](Scalar scalar, u32 count) {
                   u32& before = next[static_cast<u8>(scalar)];
                   visit(scalar, before, count);
                   before += count;
                 });
}

// The number of cells before an element of a tuple or a field of a record.
HD u32 cells_before(const Columns& c, TypeId type, u32 number) {
  PartsBackwards parts(c, type);
  u32 cells = 0, k = count_parts(c, type);
  for (Index e = parts.next(); e != kNone; e = parts.next())
    if (--k < number) cells += type_cells(c, settled(part_type(c, type & ~kTypeSettled, e)));
  return cells;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
