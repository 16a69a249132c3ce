// SPDX-License-Identifier: Apache-2.0
// What types are made of. A type that is no scalar is named by the node that spells it: a tuple by its parentheses, in a
// type or in a value; a record by those around its fields; a sum by what stands right of the `=` of its item.
#pragma once
#include "frontend_gpu/elements.h"
#include "frontend_gpu/name_chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

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
enum class TypeForm : u8 { Tuple, Record, Sum };

// Do the parentheses hold the fields of a record, or of an alternative of a sum?
HD bool are_fields(const Columns& c, Index paren) {
  return node_context(c, paren) == Context::FieldsOpen;
}
// Of a type that is_tuple() holds of.
HD TypeForm form_of(const Columns& c, TypeId type) {
  const Index node = tuple_node(type);
  if (node_kind(c, node) != Node::Paren) return TypeForm::Sum;
  return are_fields(c, node) ? TypeForm::Record : TypeForm::Tuple;
}
HD bool has_form(const Columns& c, TypeId type, TypeForm form) {
  return is_tuple(type) && form_of(c, type) == form;
}
HD bool is_record(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Record); }
HD bool is_sum(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Sum); }
HD bool is_plain_tuple(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Tuple); }

// The parentheses around a constructor's fields; kNone without any.
HD Index fields_of(const Columns& c, Index constructor) {
  const Index call = constructor + 1;
  const bool has_fields =
      call < c.nodes && node_kind(c, call) == Node::Call && c.left[call] == constructor;
  return has_fields ? Index{c.right[call]} : kNone;
}
// The type that an item makes: a record, which has the name of its constructor, or a sum; kTypeError where it is neither or
// is damaged.
HD TypeId made_type(const Columns& c, Index item) {
  const Index node = c.item_result[item];
  if (node == kNone || node_context(c, node) == Context::Skipped) return kTypeError;
  switch (node_kind(c, node)) {
    case Node::BitOr:
    case Node::LeadingOr: return kTypeTuple + node;
    case Node::Call: {
      const Index fields = c.right[node], constructor = c.left[node];
      if (node_context(c, fields) == Context::Skipped) return kTypeError;
      const bool record = c.right[fields] != kNone && node_kind(c, constructor) == Node::Name &&
                          same_text(c, c.item_name[item], constructor);
      return kTypeTuple + (record ? fields : node);
    }
    default: return kTypeError;
  }
}
// The type of which a constructor's binding makes values.
HD TypeId constructed_type(const Columns& c, u32 bind) {
  return made_type(c, c.item[c.bind_node[bind]]);
}

// The constructors of a sum in the order of the source.
class Alternatives {
 public:
  HD Alternatives(const Columns& c, TypeId sum)
      : c_(c), at_(c.begin[tuple_node(sum)]), end_(c.end[tuple_node(sum)]) {}
  // The node of the next one's name, kNone at the end.
  HD Index next() {
    for (; at_ < end_; ++at_) {
      const Context context = node_context(c_, at_);
      const bool alone = context == Context::Alternative && node_kind(c_, at_) == Node::Name;
      if (alone || context == Context::Constructor) return at_++;
    }
    return kNone;
  }

 private:
  const Columns& c_;
  Index at_, end_;
};
// `most`: counts no further.
HD u32 count_alternatives(const Columns& c, TypeId sum, u32 most = kNone) {
  Alternatives alternatives(c, sum);
  u32 n = 0;
  while (n < most && alternatives.next() != kNone) ++n;
  return n;
}
// The number of a sum's constructor.
HD u32 alternative_number(const Columns& c, TypeId sum, Index constructor) {
  Alternatives alternatives(c, sum);
  u32 n = 0;
  for (Index a = alternatives.next(); a != kNone && a != constructor; a = alternatives.next()) ++n;
  return n;
}

// The type that a node in a type spells. A name may stand for another type: what names itself is in error by now.
HD TypeId declared_type(const Columns& c, Index node) {
  while (node != kNone && node_context(c, node) != Context::Skipped) {
    switch (node_kind(c, node)) {
      case Node::Name: {
        const TypeId type = scalar_spelled(c, node);
        if (type != kTypePending) return type;
        const Index ref = c.ref[node];
        if (ref == kNone) return kTypeError;
        const Index item = c.item[c.bind_node[ref]];
        if (const TypeId made = made_type(c, item); made != kTypeError) return made;
        node = c.item_result[item];
        if (node != kNone && node_kind(c, node) == Node::Call) return kTypeError;
        continue;
      }
      case Node::Paren:
        if (c.right[node] == kNone) return kTypeUnit;
        if (has_comma(c, node)) return kTypeTuple + node;
        node = c.right[node];
        continue;
      default: return kTypeError;
    }
  }
  return kTypeError;
}

// The elements of a tuple or record from the last to the first; a sum has none.
class PartsBackwards : public ElementsBackwards {
 public:
  HD PartsBackwards(const Columns& c, TypeId type)
      : ElementsBackwards(form_of(c, type) == TypeForm::Sum
                              ? ElementsBackwards(c)
                              : ElementsBackwards(c, tuple_node(type))) {}
};
HD u32 count_parts(const Columns& c, TypeId type, u32 most = kNone) {
  return form_of(c, type) == TypeForm::Sum ? 0 : count_elements(c, tuple_node(type), most);
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

}  // namespace komuz::frontend::inline KOMUZ_PASSES
