// SPDX-License-Identifier: Apache-2.0
// check_types for chains: whether a lambda stands where one is asked for, and what is expected of its body.
#pragma once
#include "frontend_gpu/questions/function_names.h"
#include "frontend_gpu/types/check_container.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct CheckChain : Expectations<G> {
  using Base = Expectations<G>;
  using Base::c, Base::g, Base::kBool;
  using Base::expect, Base::fail, Base::settle;

  HD_COLD void operator()(Index i) const {
    note_goes_to_for(c, i);
    const ChainOp operation = chain_operation(c, i);
    if (operation == ChainOp::Extend && count_arguments(c, i) == 2) return extend(i);
    const u32 wanted = chain_row(operation).arguments, given = count_arguments(c, i);
    if (given != wanted) {
      report(g, c, i, DiagnosticCode::ArgumentCount, wanted, given);
      return absorb(i);
    }
    const Index source = first_argument(c, i), last = last_argument(c, i);
    const Container input = chain_input(c, i);
    if (!has_elements(input.form)) {
      const TypeId type = c.type[source];
      // In `min(x, sqrt)` the parentheses behind `sqrt` are missing.
      const bool pairs = operation == ChainOp::MinByKey || operation == ChainOp::MaxByKey;
      if (pairs && is_scalar(type) && c.role[last] == Role::Function) {
        report(g, c, last, DiagnosticCode::FunctionAsValue);
        return absorb(i);
      }
      const bool said = type == kTypeError || is_range(c, inside_parentheses(c, source));
      if (!said) fail(i, DiagnosticCode::ArgumentType, settled(type));
      return absorb(i);
    }
    if (takes_lambda(operation) && !stands_for_lambda(c, last)) {
      if (node_context(c, last) != Context::Skipped)
        report(g, c, last, DiagnosticCode::LambdaExpected);
      return absorb(i);
    }
    const bool applies = takes_lambda(operation) && c.role[last] == Role::Function;
    if (applies && !takes_input(i, last)) {
      c.type[last] = kTypeError;
      return absorb(i);
    }
    look_at(i, source, operation);
    switch (operation) {
      case ChainOp::Extend: return;
      case ChainOp::StepBy: return step_by(i, last, input.element);
      case ChainOp::SortBy: return sort_by(i, last);
      case ChainOp::MinByKey:
      case ChainOp::MaxByKey:
      case ChainOp::ArgminByKey:
      case ChainOp::ArgmaxByKey: return best_by_key(i, last, input.element);
      case ChainOp::Map:
      case ChainOp::Tabulate: return map(i, last);
      case ChainOp::Filter: expect(last, kBool); return end_step(i, c.type[i]);
      case ChainOp::Enumerate:
      case ChainOp::Reverse: return end_step(i, c.type[i]);
      case ChainOp::Zip: return zip(i, last);
      case ChainOp::Fold: return fold(i, argument_at(c, i, 1, 3), last);
      case ChainOp::All:
      case ChainOp::Any:
      case ChainOp::Count:
      case ChainOp::Position:
      case ChainOp::Find: expect(last, kBool); break;
      case ChainOp::Contains:
        expect(last, input.element);
        add_tail(c, last, kHoisted);
        break;
      case ChainOp::List: expect(last, settled(c.type[last])); break;
      case ChainOp::CountAll:
        if (input.element == kTypeError) return absorb(i);
        break;
      case ChainOp::Sum:
      case ChainOp::Min:
      case ChainOp::Max:
      case ChainOp::Argmin:
      case ChainOp::Argmax:
        if (input.element == kTypeError) return absorb(i);
        if (!is_scalar(input.element) || as_scalar(input.element) == Scalar::Bool)
          return fail(i, DiagnosticCode::ArgumentType, whole(i));
        break;
    }
    settle(i, c.type[i]);
  }

  // A function's name in place of a lambda. The check of the call checks what the function gets.
  HD_COLD void function(Index name) const {
    if (call_of_lambda(c, name) != kNone) return settle(name, c.type[name]);
    if (!is_said(c, name)) report(g, c, name, DiagnosticCode::FunctionAsValue);
    c.type[name] = kTypeError;
  }

 private:
  // True if the function takes what a lambda would get in its place.
  HD_COLD bool takes_input(Index call, Index name) const {
    const LambdaInput input = lambda_input(c, call);
    const Index ref = c.ref[name];
    const bool builtin = ref >= kBuiltinRef;
    const Index item = builtin ? kNone : Index{c.item[c.bind_node[ref]]};
    if (builtin && !can_be_applied(ref)) return refuse(name, DiagnosticCode::FunctionForLambda);
    if (!builtin && !has_signature(c, item)) return false;
    if (input.type[0] == kTypeError || input.type[input.count - 1] == kTypeError) return false;
    const u32 wanted =
        builtin ? builtin_arity(builtin_row(ref)) : count_elements(c, parameters_of(c, item));
    if (wanted != input.count) {
      report(g, c, name, DiagnosticCode::FunctionArguments, wanted, input.count);
      return false;
    }
    for (u32 k = 0; k < wanted; ++k) {
      const TypeId given = input.type[k];
      if (!builtin) {
        const TypeId type = parameter_type(c, element_at(c, parameters_of(c, item), k));
        const bool lies = k + 1 == wanted || !is_slice(c, type);
        if (!lies || !passes_for(c, given, type))
          return refuse(name, DiagnosticCode::FunctionElements, type, given);
      } else if (given != input.type[0]) {
        return refuse(name, DiagnosticCode::Mismatch, input.type[0], given);
      } else if (!is_scalar(given) || (builtin_row(ref).types & type_bit(as_scalar(given))) == 0) {
        return refuse(name, DiagnosticCode::ArgumentType, given);
      }
    }
    return true;
  }
  HD static bool can_be_applied(Index ref) {
    return is_builtin_function(ref) && builtin_row(ref).shape != BuiltinShape::Shift &&
           builtin_row(ref).shape != BuiltinShape::Exact;
  }
  HD bool refuse(Index name, DiagnosticCode code, TypeId a = 0, TypeId b = 0) const {
    report(g, c, name, code, type_brief(c, a), type_brief(c, b));
    return false;
  }
  // The type that a message names: that of the source, or that of its elements.
  HD TypeId whole(Index i) const {
    const TypeId type = c.type[first_argument(c, i)];
    return has_elements(c, type) ? settled(type) : chain_element(c, i);
  }
  HD void map(Index i, Index lambda) const {
    if (!has_elements(c, c.type[i])) return absorb(i);
    const TypeId want = c.want[i];
    const Container own = container_of(c, c.type[i]);
    TypeId type = c.type[i], made = own.element;
    if (has_elements(c, want)) {
      const Container other = container_of(c, want);
      if (other.form == own.form && other.count == own.count) {
        type = want;
        made = held_type(c, want);
      }
    }
    expect(lambda, made);
    if (is_tuple(made) && holds_nothing(c, made))
      return fail(lambda, DiagnosticCode::ElementUnknown);
    if (made != kTypeError && (!is_value(made) || type_cells(c, settled(made)) == 0))
      return fail(i, DiagnosticCode::ElementCells, made);
    end_step(i, type);
  }
  HD void zip(Index i, Index other) const {
    const TypeId type = c.type[other];
    if (has_elements(c, type)) {
      CheckContainer<G>{{g, c}}.run_over_value(other, goes_to_for(c, i));
      return end_step(i, c.type[i]);
    }
    if (type != kTypeError) fail(other, DiagnosticCode::ZipArgument, settled(type));
    absorb(i);
  }
  // True if `extend` takes the elements. It wants a list as large as the one to which they go.
  HD_COLD bool fills_list(Index i) const {
    const Index call = call_of_argument(c, i);
    return call != kNone && is_chained_call(c, call) &&
           chain_operation(c, call) == ChainOp::Extend && has_form(c, c.want[i], TypeForm::List);
  }
  // Checks a step whose value is used, and not only its elements.
  HD void end_step(Index i, TypeId type) const {
    const bool used = c.want[i] != kTypeInPlace && c.want[i] != kTypeError;
    if (used && has_form(c, type, TypeForm::Slice)) {
      if (!fills_list(i)) return fail(i, DiagnosticCode::ChainLength);
      type = c.want[i];
    }
    if (used && !is_small(c, type)) return fail(i, DiagnosticCode::TupleTooWide);
    if (type == c.want[i])
      c.type[i] = type;
    else
      settle(i, type);
  }
  HD void step_by(Index i, Index step, TypeId numbers) const {
    expect(step, numbers);
    if (!is_range(c, chain_source(c, i))) {
      fail(i, DiagnosticCode::StepsOfElements);
      return absorb(i);
    }
    end_step(i, c.type[i]);
  }
  // True if the key has an order, and the call makes no more instructions than a node may. For the blocks of the
  // element and of the key it takes the most instructions that each can make (emit_sort.h).
  HD_COLD bool may_sort_by(TypeId key, TypeId element) const {
    constexpr u32 kOfElement = 18, kOfKey = 8, kOfCall = 250;
    const OrderSize size = order_size(c, key, 1);
    const u32 areas = kOfElement * count_blocks(c, element) + kOfKey * count_blocks(c, key);
    return size.is_ordered && size.code + areas + kOfCall <= kMaxOwnCode;
  }
  HD void sort_by(Index i, Index lambda) const {
    const TypeId key = sort_key(c, i), type = c.type[i];
    expect(lambda, key);
    if (key == kTypeError || type == kTypeError) return absorb(i);
    if (has_form(c, type, TypeForm::Slice)) return fail(i, DiagnosticCode::ChainLength);
    if (!is_key(lambda, key, settled(held_type(c, type)))) return;
    settle(i, type);
  }
  HD_COLD void best_by_key(Index i, Index lambda, TypeId element) const {
    const TypeId key = sort_key(c, i);
    expect(lambda, key);
    if (key == kTypeError || element == kTypeError) return absorb(i);
    if (is_key(lambda, key, element)) settle(i, c.type[i]);
  }
  HD_COLD bool is_key(Index lambda, TypeId key, TypeId element) const {
    if (is_slice(c, key)) {
      fail(lambda, DiagnosticCode::SliceValue);
      return false;
    }
    if (is_scalar(key) || (is_any_tuple(key) && may_sort_by(key, element))) return true;
    fail(lambda, DiagnosticCode::SortKey, key);
    return false;
  }
  // Checks `extend`: the elements go to the receiver before the `.`.
  HD void extend(Index i) const {
    const CheckContainer<G> containers{{g, c}};
    const Index receiver = first_argument(c, i), value = last_argument(c, i);
    const TypeId type = c.type[receiver], given = c.type[value];
    if (type == kTypeError || given == kTypeError) return absorb(i);
    if (!has_elements(c, type)) {
      fail(i, DiagnosticCode::ArgumentType, settled(type));
      return absorb(i);
    }
    if (!containers.check_variable(i, receiver)) return absorb(i);
    expect(receiver, kTypeInPlace);
    const Index source = chain_source(c, i);
    const Node kind = node_kind(c, source);
    if (!has_elements(c, given)) return fail_extend(i, value);
    const bool literal = kind == Node::Bracket || kind == Node::String;
    const TypeId held = settled(held_type(c, type));
    // If a chain knows no length of its own, at most as many elements are taken as there is room for.
    const bool fills = is_step_call(c, source) && has_form(c, given, TypeForm::Slice) &&
                       passes_for(c, settled(held_type(c, given)), held);
    if ((literal && passes_for(c, given, type)) || fills) {
      expect(value, type);
      add_tail(c, source, kKept);
    } else if (passes_for(c, settled(held_type(c, given)), held)) {
      containers.run_over_value(value, true);
    } else {
      return fail_extend(i, value);
    }
    for (Index p = value; p != source; p = c.right[p]) expect(p, TypeId{c.want[value]});
    settle(i, kTypeUnit);
  }
  HD void fail_extend(Index call, Index value) const {
    const TypeId list = c.type[first_argument(c, call)];
    expect(value, kTypePending);
    report(g, c, value, DiagnosticCode::Mismatch, type_brief(c, settled(list)),
           type_brief(c, settled(c.type[value])));
    c.type[call] = kTypeError;
  }
  HD void fold(Index i, Index start, Index lambda) const {
    const TypeId type = c.type[i];
    if (type == kTypeError) {
      const TypeId own = c.type[start];
      if (own == kTypeNever || (is_tuple(own) && holds_nothing(c, own)))
        report(g, c, start, DiagnosticCode::ElementUnknown);
      return absorb(i);
    }
    expect(start, type);
    add_tail(c, start, kHoisted);
    expect(lambda, type);
    settle(i, type);
  }
  HD void look_at(Index i, Index source, ChainOp operation) const {
    if (counts_up(operation)) return expect(source, settled(c.type[source]));
    const Index value = chain_source(c, i);
    if (is_range(c, value))
      expect(value, kTypeUnit);
    else if (is_step_call(c, value) && !starts_chain(operation))
      expect(value, kTypeInPlace);
    else
      CheckContainer<G>{{g, c}}.run_over_value(value, goes_to_for(c, i));
    for (Index p = source; p != value; p = c.right[p]) expect(p, TypeId{c.want[value]});
  }
  HD void absorb(Index call) const {
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) c.want[e] = kTypeError;
    c.type[call] = kTypeError;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
