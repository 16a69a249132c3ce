// SPDX-License-Identifier: Apache-2.0
// What types are made of. A node names each type that is no scalar:
//   tuple                       its parentheses, in a type or in a value
//   tuple that an operation     what names the operation
//     makes of two elements
//   record                      the parentheses around its fields
//   sum                         what stands right of the `=` of its item
//   Option, array, list, slice  the brackets in a type, or the node of a value of that type
#pragma once
#include "frontend_gpu/questions/comma_lists.h"
#include "frontend_gpu/questions/name_chains.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The scalar type that a name in a type spells; kTypePending: it spells none.
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
enum class TypeForm : u8 { Tuple, Record, Sum, Option, Array, List, Slice };

// An Option, an array, a list or a slice: the content of `cell` of the node that names the type.
struct Container {
  TypeForm form = TypeForm::Tuple;  // Tuple: in error
  // The type of a literal, of which only the elements are given. An array passes for a list, and a list for a
  // longer one.
  bool is_open = false;
  u32 count = 0;                  // elements of an array, or the most of a list
  TypeId element = kTypePending;  // kTypePending: what the brackets of a type spell

  HD u64 packed() const {
    return element | u64{count} << 32 | u64{static_cast<u8>(form)} << 48 | u64{is_open} << 56;
  }
  HD static Container of(u64 cell) {
    return {static_cast<TypeForm>(cell >> 48 & 0xFF), cell >> 56 != 0,
            static_cast<u32>(cell >> 32 & 0xFFFF), static_cast<u32>(cell)};
  }
};
inline constexpr u32 kMaxCount = 0xFFFF;
HD bool is_container(TypeForm form) { return form >= TypeForm::Option; }
HD bool has_elements(TypeForm form) { return form >= TypeForm::Array; }

// True if the parentheses hold the fields of a record, or of an alternative of a sum.
HD bool are_fields(const Columns& c, Index paren) {
  return node_context(c, paren) == Context::FieldsOpen;
}
// True if a node that names a type names an Option, an array, a list or a slice. The node is no parentheses. Other
// such nodes name sums, and stand in a type item.
HD bool is_container_node(const Columns& c, Index node) {
  if (node_kind(c, node) == Node::Bracket) return true;
  return c.item_kind[c.item[node]] != ItemKind::Type;
}
// True if a node that names a type names a pair of two types, which its `cell` holds.
HD bool is_pair_node(const Columns& c, Index node) {
  return node_context(c, node) == Context::Callee;
}
// The form of a type that is a tuple by is_tuple().
HD TypeForm form_of(const Columns& c, TypeId type) {
  const Index node = tuple_node(type);
  if (is_pair_node(c, node)) return TypeForm::Tuple;
  if (node_kind(c, node) == Node::Paren)
    return are_fields(c, node) ? TypeForm::Record : TypeForm::Tuple;
  return is_container_node(c, node) ? Container::of(c.cell[node]).form : TypeForm::Sum;
}
HD bool has_form(const Columns& c, TypeId type, TypeForm form) {
  return is_tuple(type) && form_of(c, type) == form;
}
HD bool is_record(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Record); }
HD bool is_sum(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Sum); }
HD bool is_plain_tuple(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Tuple); }

// The parentheses around a constructor's fields; kNone: it has none.
HD Index fields_of(const Columns& c, Index constructor) {
  const Index call = constructor + 1;
  const bool has_fields =
      call < c.nodes && node_kind(c, call) == Node::Call && c.left[call] == constructor;
  return has_fields ? Index{c.right[call]} : kNone;
}
// The type that an item makes: a record, which has the name of its constructor, or a sum. kTypeError: it makes
// none, or is in error.
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
// The type of the values that a constructor's binding makes.
HD TypeId constructed_type(const Columns& c, u32 bind) {
  return made_type(c, c.item[c.bind_node[bind]]);
}

// Goes through the constructors of a sum in the order of the source.
class Alternatives {
 public:
  HD Alternatives(const Columns& c, TypeId sum)
      : c_(c), at_(c.begin[tuple_node(sum)]), end_(c.end[tuple_node(sum)]) {}
  // The name node of the next constructor, kNone at the end.
  HD Index next() {
    for (; at_ < end_; ++at_) {
      count_work(c_, 1);
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
// Stops counting at `most`.
HD u32 count_alternatives(const Columns& c, TypeId sum, u32 most = kNone) {
  Alternatives alternatives(c, sum);
  u32 n = 0;
  while (n < most && alternatives.next() != kNone) ++n;
  return n;
}
// The number of a constructor of a sum.
HD u32 alternative_number(const Columns& c, TypeId sum, Index constructor) {
  Alternatives alternatives(c, sum);
  u32 n = 0;
  for (Index a = alternatives.next(); a != kNone && a != constructor; a = alternatives.next()) ++n;
  return n;
}

// The type that a node in a type spells. A name may stand for another type. A type that names itself has been
// marked as an error before.
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
      case Node::Index: node = c.right[node]; continue;
      case Node::Bracket:
        return Container::of(c.cell[node]).form == TypeForm::Tuple ? kTypeError : kTypeTuple + node;
      default: return kTypeError;
    }
  }
  return kTypeError;
}

// Takes an Option, an array, a list or a slice.
HD Container container_of(const Columns& c, TypeId type) {
  return Container::of(c.cell[tuple_node(type)]);
}
// The type that a container holds.
HD TypeId held_type(const Columns& c, TypeId type) {
  const Index node = tuple_node(type);
  TypeId held = Container::of(c.cell[node]).element;
  if (held == kTypePending) {
    const Index inside = c.right[node];
    const Node kind = node_kind(c, inside);
    held = declared_type(
        c, kind == Node::Comma || kind == Node::Semi ? Index{c.left[inside]} : inside);
  }
  return (type & kTypeSettled) != 0 ? settled(held) : held;
}
HD bool has_elements(const Columns& c, TypeId type) {
  return is_tuple(type) && has_elements(form_of(c, type));
}
HD bool is_option(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Option); }
HD bool is_slice(const Columns& c, TypeId type) { return has_form(c, type, TypeForm::Slice); }
// True if values of the type have one of several forms, which a number tells apart.
HD bool has_alternatives(const Columns& c, TypeId type) {
  return is_sum(c, type) || is_option(c, type);
}

// Goes through the elements of a tuple or record from the last to the first. Other types have none.
class PartsBackwards : public ElementsBackwards {
 public:
  HD PartsBackwards(const Columns& c, TypeId type)
      : ElementsBackwards(form_of(c, type) > TypeForm::Record ? ElementsBackwards(c, kNone, kNone)
                          : is_pair_node(c, tuple_node(type))
                              // A pair's elements are its node and the node behind it.
                              ? ElementsBackwards(c, tuple_node(type), tuple_node(type) + 1)
                              : ElementsBackwards(c, tuple_node(type))) {}
};
HD u32 count_parts(const Columns& c, TypeId type, u32 most = kNone) {
  PartsBackwards parts(c, type);
  u32 n = 0;
  while (n < most && parts.next() != kNone) ++n;
  return n;
}
HD Index part_at(const Columns& c, TypeId type, u32 number) {
  PartsBackwards parts(c, type);
  Index part = parts.next();
  for (u32 k = count_parts(c, type) - 1; k > number; --k) part = parts.next();
  return part;
}
// The type of an element of a tuple type. An element in error has none, whether a type or a value holds it. `value`
// is the column with the types of elements of a tuple that is a value.
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
// The type of an element of the tuple type `whole`. While check_types settles the elements, it may ask about a
// settled tuple.
HD TypeId part_type(const Columns& c, TypeId whole, Index element) {
  if (const Index pair = tuple_node(whole); is_pair_node(c, pair))
    return static_cast<TypeId>(c.cell[pair] >> (element == pair ? 0 : 32));
  if ((whole & kTypeSettled) == 0) return element_type(c, element);
  return settled(element_type_in(c, c.given, element));
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
