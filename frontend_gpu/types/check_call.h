// SPDX-License-Identifier: Apache-2.0
// check_types for calls: the number of arguments that the function takes, and what it expects of each.
#pragma once
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/types/check_chain.h"
#include "frontend_gpu/types/check_container.h"
#include "frontend_gpu/types/expectations.h"
#include "frontend_gpu/types/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct CheckCall : Expectations<G> {
  using Base = Expectations<G>;
  using Base::allowed, Base::fail, Base::resolved, Base::settle;
  using Base::c, Base::g, Base::kBool;

  HD_COLD void operator()(Index i) const {
    const Index name = call_name(c, i), ref = c.ref[name];
    if (ref == kNone) {
      if (is_traps_call(c, i) && !has_named(i)) return traps_call(i);
      return absorb_arguments(i);
    }
    if (ref >= kBuiltinRef) {
      if (has_named(i)) return;
      const Index operation = operation_of(c, i);
      if (is_chain(operation)) return CheckChain<G>{{g, c}}(i);
      if (is_collection(operation))
        return CheckContainer<G>{{g, c}}.call(i, collection_row(operation - kFirstCollection));
      return builtin_call(i, builtin_row(ref));
    }
    const Index item = c.item[c.bind_node[ref]];
    if (c.bind_kind[ref] == BindKind::Constructor)
      return construct(i, made_type(c, item), fields_of(c, c.bind_node[ref]));
    if (has_named(i)) return;
    if (!has_signature(c, item)) return absorb_arguments(i);
    in_order(i, parameters_of(c, item));
  }

 private:
  // Expects one argument for each parameter of a function, or field of a record.
  HD void in_order(Index i, Index parameters) const {
    const u32 count = count_elements(c, parameters), given = count_arguments(c, i);
    if (count != given) {
      report(g, c, i, DiagnosticCode::ArgumentCount, count, given);
      c.type[i] = kTypeError;
      return;
    }
    ElementsBackwards wanted(c, parameters);
    ArgumentsBackwards arguments(c, i);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
      const TypeId type = parameter_type(c, wanted.next());
      if (is_slice(c, type))
        CheckContainer<G>{{g, c}}.slice_argument(e, type);
      else
        c.want[e] = type;
    }
    settle(i, c.type[i]);
  }
  // Reports `x: e` and `..r` among the arguments of a call that takes neither. Returns whether there were any.
  HD bool has_named(Index call) const {
    ArgumentsBackwards arguments(c, call);
    bool named = false;
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
      if (c.role[e] != Role::Argument) continue;
      named = true;
      if (node_kind(c, e) == Node::Colon)
        report(g, c, c.left[e], DiagnosticCode::NamedArgument);
      else
        report(g, c, e, DiagnosticCode::SpreadPlace);
    }
    if (named) absorb_arguments(call);
    return named;
  }
  // Checks a constructor. `fields`: the parentheses around its fields.
  HD_COLD void construct(Index i, TypeId type, Index fields) const {
    if (type == kTypeError) return absorb_arguments(i);
    if (fields == kNone) {
      report(g, c, call_name(c, i), DiagnosticCode::ConstructorBare);
      return absorb_arguments(i);
    }
    // Too many fields are reported where the type is made.
    if (count_elements(c, fields, kMaxTypeElements + 1) > kMaxTypeElements)
      return absorb_arguments(i);
    u32 given = 0, named = 0;
    ArgumentsBackwards count(c, i);
    for (Index e = count.next(); e != kNone; e = count.next(), ++given)
      named += c.role[e] == Role::Argument;
    if (named == 0) return in_order(i, fields);
    FieldSet seen;
    bool may_lack = false;  // some fields may be missing
    ArgumentsBackwards arguments(c, i);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) {
      --given;
      c.want[e] = kTypeError;
      if (c.role[e] != Role::Argument) {
        report(g, c, e, DiagnosticCode::MixedArguments);
        may_lack = true;
      } else if (node_kind(c, e) == Node::Spread) {
        may_lack = true;
        if (given != 0) report(g, c, e, DiagnosticCode::SpreadPlace);
        if (c.right[e] == kNone) report(g, c, e, DiagnosticCode::MissingRight);
        c.want[e] = type;
        if (is_sum(c, type)) {  // the value may be another alternative
          report(g, c, e, DiagnosticCode::SpreadPlace);
          c.want[e] = kTypeError;
        }
      } else if (node_context(c, e) != Context::Skipped) {
        const u32 field = named_field(c, fields, c.left[e]);
        if (field == kNoField) {
          report(g, c, c.left[e], DiagnosticCode::UnknownRecordField, fields);
          may_lack = true;  // a field that is missing may be meant
        } else if (seen.add(field)) {
          report(g, c, c.left[e], DiagnosticCode::FieldTwice);
        } else {
          c.want[e] = declared_type(c, c.right[element_at(c, fields, field)]);
        }
      } else {
        may_lack = true;  // it is not known which field is meant
      }
    }
    if (!may_lack) report_missing(i, fields, seen);
    settle(i, c.type[i]);
  }
  struct FieldSet {
    u64 bits[(kMaxTypeElements + 64) / 64] = {};
    [[nodiscard]] HD bool has(u32 field) const { return (bits[field / 64] >> field % 64 & 1) != 0; }
    // Adds a field; returns whether it was there before.
    HD bool add(u32 field) {
      const bool had = has(field);
      bits[field / 64] |= 1ull << field % 64;
      return had;
    }
  };
  HD void report_missing(Index call, Index fields, const FieldSet& seen) const {
    const u32 count = count_elements(c, fields);
    for (u32 field = 0; field < count; ++field) {
      const Index element = element_at(c, fields, field);
      if (seen.has(field) || !is_field(c, element)) continue;
      report(g, c, call_name(c, call), DiagnosticCode::MissingField, c.left[element]);
      return;
    }
  }
  HD void absorb_arguments(Index call) const {
    expect_arguments(call, kTypeError);
    c.type[call] = kTypeError;
  }
  HD void traps_call(Index i) const {
    const Index list = c.right[c.right[i]];
    if (list != kNone && node_kind(c, list) == Node::Comma && c.right[list] == kNone) return;
    const u32 given = count_arguments(c, i);
    if (given != 2) {
      report(g, c, i, DiagnosticCode::ArgumentCount, 2, given);
      return;
    }
    const Index trap = c.right[list];
    if (trap_from_word(node_text(c, trap), node_length(c, trap)) == Trap::None)
      report(g, c, trap, DiagnosticCode::UnknownTrap);
    settle(i, kBool);
  }
  HD void builtin_call(Index i, const BuiltinRow& row) const {
    const u32 arity = builtin_arity(row), given = count_arguments(c, i);
    if (arity != given) {
      report(g, c, i, DiagnosticCode::ArgumentCount, arity, given);
      c.type[i] = kTypeError;
      return;
    }
    if (only_type(row) != Scalar::None) {
      expect_arguments(i, type_of(only_type(row)));
      return settle(i, c.type[i]);
    }
    TypeId type = kTypeError;  // of the arguments
    switch (row.shape) {
      case BuiltinShape::Same:
        if (c.type[i] == kTypeUnlike) return unlike_arguments(i);
        type = resolved(i);
        break;
      case BuiltinShape::Shift: return shift_call(i, row);
      case BuiltinShape::Convert: {
        type = Synthesise<G>{g, c}.joined_arguments(i);
        // `f64(9007199254740993)` is rounded, as the conversion of any integer is.
        const TypeId target = type_of(row.target);
        const bool is_rounded = type == kTypeIntLiteral && is_float(row.target);
        type = literal_takes(type, target) && !is_rounded ? target : settled(type);
        break;
      }
      case BuiltinShape::Wrap:  // a literal, too: one that fits the target loses nothing
      case BuiltinShape::Exact:
      case BuiltinShape::Predicate:
      case BuiltinShape::ToI64:
      case BuiltinShape::Bits:
      case BuiltinShape::FromBits:
        type = Synthesise<G>{g, c}.joined_arguments(i);
        if (type == kTypeUnlike) return unlike_arguments(i);
        type = settled(as_argument(row, type));
        break;
    }
    if (type == kTypeError) return absorb_arguments(i);
    const bool fits = (is_scalar(type) && (row.types & type_bit(as_scalar(type))) != 0) ||
                      (row.op == Op::Cmp && is_any_tuple(type) && is_ordered(c, type));
    // Nothing more is reported of slices, not even that they are no values.
    if (!fits && is_slice(c, type)) expect_arguments(i, kTypeError);
    if (!fits && type == kTypeNever && is_free_hole(first_argument(c, i))) {
      expect_arguments(i, kTypePending);  // the hole reports that its type is not known
      c.type[i] = kTypeError;
      return;
    }
    if (!fits) return fail(i, DiagnosticCode::ArgumentType, type);
    if (row.op == Op::Cmp && is_ordered_by_parts(c, type)) g.raise(c.flags[kContainers]);
    if (is_slice(c, type))
      look_through_slices(i, type);
    else
      expect_arguments(i, type);
    settle(i, row.shape == BuiltinShape::Same ? type : c.type[i]);
  }
  HD bool is_free_hole(Index i) const { return c.role[i] == role_of(Node::Hole); }
  HD_COLD void look_through_slices(Index call, TypeId type) const {
    const CheckContainer<G> containers{{g, c}};
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      containers.slice_argument(e, type);
  }
  HD void expect_arguments(Index call, TypeId type) const {
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) c.want[e] = type;
  }
  // Reports arguments of one type that differ: the first that differs from the last concrete one.
  HD void unlike_arguments(Index i) const {
    ArgumentsBackwards arguments(c, i);
    TypeId concrete = kTypeError;
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      if (!is_literal(c.type[e])) concrete = settled(c.type[e]);
    expect_arguments(i, concrete);
    c.type[i] = kTypeError;
  }
  HD void shift_call(Index i, const BuiltinRow& row) const {
    ArgumentsBackwards arguments(c, i);
    const Index amount = arguments.next(), value = arguments.next();
    const TypeId type = resolved(i), by = settled(c.type[amount]);
    if (type == kTypeError || by == kTypeError) return absorb_arguments(i);
    if (!allowed(row.op, type)) return fail(i, DiagnosticCode::ArgumentType, type);
    if (!is_scalar(by) || !is_integer(as_scalar(by)))
      return fail(i, DiagnosticCode::ArgumentType, by);
    c.want[value] = type;
    c.want[amount] = by;
    settle(i, type);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
