// SPDX-License-Identifier: Apache-2.0
// check_types of chains: lambdas where they are asked for, and what is expected of their bodies.
#pragma once
#include "frontend_gpu/check_container.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct CheckChain : Expectations<G> {
  using Base = Expectations<G>;
  using Base::c, Base::g, Base::kBool;
  using Base::expect, Base::fail, Base::settle;

  HD_COLD void operator()(Index i, const CollectionRow& row) const {
    const u32 given = count_arguments(c, i);
    if (given != row.arguments) {
      report(g, c, i, DiagnosticCode::ArgumentCount, row.arguments, given);
      return absorb(i);
    }
    const Index source = first_argument(c, i), last = last_argument(c, i);
    const TypeId type = c.type[source];
    if (type == kTypeError) return absorb(i);
    if (!has_elements(c, type)) {
      fail(i, DiagnosticCode::ArgumentType, settled(type));
      return absorb(i);
    }
    const TypeId held = settled(held_type(c, type));
    if (takes_lambda(row.operation) && !is_lambda(c, last)) {
      if (node_context(c, last) != Context::Skipped)
        report(g, c, last, DiagnosticCode::LambdaExpected);
      return absorb(i);
    }
    look_at(source);
    switch (row.operation) {
      case Collection::Map: return map(i, last, container_of(c, type).form);
      case Collection::Filter: expect(last, kBool); return end_step(i, c.type[i]);
      case Collection::Fold: return fold(i, argument_at(c, i, 1, 3), last);
      case Collection::All:
      case Collection::Any:
      case Collection::Count:
      case Collection::Find: expect(last, kBool); break;
      case Collection::Contains:
        expect(last, held);
        add_tail(c, last, kHoisted);
        break;
      case Collection::List: expect(last, settled(c.type[last])); break;
      case Collection::Sum:
      case Collection::Min:
      case Collection::Max:
        if (held == kTypeError) return absorb(i);
        if (!is_scalar(held) || as_scalar(held) == Scalar::Bool)
          return fail(i, DiagnosticCode::ArgumentType, settled(type));
        break;
      case Collection::Some:
      case Collection::None:
      case Collection::IsSome:
      case Collection::IsNone:
      case Collection::Or:
      case Collection::Len:
      case Collection::IsEmpty:
      case Collection::Get:
      case Collection::First:
      case Collection::Last:
      case Collection::Push:
      case Collection::Pop:
      case Collection::Swap: return;
    }
    settle(i, c.type[i]);
  }

 private:
  HD void map(Index i, Index lambda, TypeForm form) const {
    const TypeId want = c.want[i];
    const Container own = container_of(c, c.type[i]);
    TypeId type = c.type[i], made = own.element;
    if (has_elements(c, want)) {
      const Container other = container_of(c, want);
      if (other.form == form && other.count == own.count) {
        type = want;
        made = held_type(c, want);
      }
    }
    expect(lambda, made);
    if (made != kTypeError && (!is_value(made) || type_cells(c, settled(made)) == 0))
      return fail(i, DiagnosticCode::ElementCells, made);
    end_step(i, type);
  }
  // Of a step whose value is used, not only its elements.
  HD void end_step(Index i, TypeId type) const {
    const bool used = c.want[i] != kTypeInPlace && c.want[i] != kTypeError;
    if (used && has_form(c, type, TypeForm::Slice)) return fail(i, DiagnosticCode::ChainLength);
    if (used && !is_small(c, type)) return fail(i, DiagnosticCode::TupleTooWide);
    if (type == c.want[i])
      c.type[i] = type;
    else
      settle(i, type);
  }
  HD void fold(Index i, Index start, Index lambda) const {
    const TypeId type = c.type[i];
    if (type == kTypeError || !is_value(type)) {
      const TypeId own = c.type[start];
      if (is_tuple(own) && holds_nothing(c, own))
        report(g, c, start, DiagnosticCode::ElementUnknown);
      return absorb(i);
    }
    expect(start, type);
    add_tail(c, start, kHoisted);
    expect(lambda, type);
    settle(i, type);
  }
  HD void look_at(Index source) const {
    if (is_step_call(c, source)) return expect(source, kTypeInPlace);
    CheckContainer<G>{{g, c}}.run_over_value(source);
  }
  HD void absorb(Index call) const {
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) c.want[e] = kTypeError;
    c.type[call] = kTypeError;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
