// SPDX-License-Identifier: Apache-2.0
// check_types of calls: as many arguments as the function takes, and what it expects of each.
#pragma once
#include "frontend_gpu/expectations.h"
#include "frontend_gpu/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct CheckCall : Expectations<G> {
  using Base = Expectations<G>;
  using Base::allowed, Base::fail, Base::resolved, Base::settle;
  using Base::c, Base::g, Base::kBool;

  HD_COLD void operator()(Index i) const {
    const Index name = call_name(c, i), ref = c.ref[name];
    if (ref == kNone) {
      if (is_traps_call(c, i)) return traps_call(i);
      return absorb_arguments(i);
    }
    if (ref >= kBuiltinRef) return builtin_call(i, builtin_row(ref));
    const Index item = c.item[c.bind_node[ref]];
    if (!has_signature(c, item)) return absorb_arguments(i);
    const Index parameters = parameters_of(c, item);
    const u32 count = count_elements(c, parameters), given = count_arguments(c, i);
    if (count != given) {
      report(g, c, i, DiagnosticCode::ArgumentCount, count, given);
      c.type[i] = kTypeError;
      return;
    }
    ElementsBackwards wanted(c, parameters);
    ArgumentsBackwards arguments(c, i);
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      c.want[e] = parameter_type(c, wanted.next());
    settle(i, c.type[i]);
  }

 private:
  HD void absorb_arguments(Index call) const {
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) c.want[e] = kTypeError;
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
    TypeId type = kTypeError;  // of the arguments
    switch (row.shape) {
      case BuiltinShape::Same:
        if (c.type[i] == kTypeUnlike) return unlike_arguments(i);
        type = resolved(i);
        // A literal argument of a function on floats is a float.
        if (type != kTypeError && c.type[i] == kTypeIntLiteral && !allowed(row.op, type))
          type = type_of(Scalar::F64);
        break;
      case BuiltinShape::Shift: return shift_call(i, row);
      case BuiltinShape::Convert: {
        type = Synthesise<G>{g, c}.joined_arguments(i);
        const TypeId target = type_of(row.target);
        type = literal_takes(type, target) ? target : settled(type);
        break;
      }
      case BuiltinShape::Wrap:  // of a literal, too: one that fits the target has nothing to wrap
      case BuiltinShape::Predicate:
      case BuiltinShape::ToI64:
      case BuiltinShape::Bits:
      case BuiltinShape::FromBits:
        type = Synthesise<G>{g, c}.joined_arguments(i);
        if (type == kTypeUnlike) return unlike_arguments(i);
        type = settled(type);
        break;
    }
    if (type == kTypeError) return absorb_arguments(i);
    const bool fits = (is_scalar(type) && (row.types & type_bit(as_scalar(type))) != 0) ||
                      (row.op == Op::Cmp && is_any_tuple(type));
    if (!fits) return fail(i, DiagnosticCode::ArgumentType, type);
    ArgumentsBackwards arguments(c, i);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) c.want[e] = type;
    settle(i, row.shape == BuiltinShape::Same ? type : c.type[i]);
  }
  // Arguments of one type that differ: the first that differs from the last concrete one says so.
  HD void unlike_arguments(Index i) const {
    ArgumentsBackwards arguments(c, i);
    TypeId concrete = kTypeError;
    for (Index e = arguments.next(); e != kNone; e = arguments.next())
      if (!is_literal(c.type[e])) concrete = settled(c.type[e]);
    if (concrete == kTypeError) concrete = type_of(Scalar::F64);  // literals of both kinds
    ArgumentsBackwards again(c, i);
    for (Index e = again.next(); e != kNone; e = again.next()) c.want[e] = concrete;
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
