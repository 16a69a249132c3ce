// SPDX-License-Identifier: Apache-2.0
// Finds from the leaves up the type that each node gives by itself.
//
// Types are found on two ways over the tree. On the way up, here, a node joins the types that its children give. On
// the way down (check_types.h) a node learns what its surroundings expect, and the two types are compared. An
// example is `let y: f64 = 2 * x`, where x is an f64:
//
//   node             up: its own type                 down: what is expected of it
//   y: f64 = …       f64, as it is declared
//     2 * x          f64, as a literal gives way        f64, by the `let`
//       2            a literal                          f64, by the product; now it is an f64
//       x            f64, by its declaration            f64, by the product
//
// A literal stays open on the way up: it has no type of its own, and takes the type of the other operand or the one
// that is expected. All other types are known at once. Parameters, results and fields have declared types, which
// are taken as they are. A `let` without a declared type has the type of its value, which stands before every use.
// So no type depends on a later use. There are no unknowns to solve for, each way looks at a node once, and the
// nodes of one depth are independent of each other.
//
// A table look-up joins two scalars (joined_types). Equal types give themselves. A literal gives way, and so does
// `never`, the type of what leaves without a value. A type in error stays one, so that it is reported once. This
// usual case has no branch on the kind of node: programs differ in kinds, so branches on them would be
// mispredicted. Instead a row for the role (type_row) says which of the rules apply. Types with parts, and nodes
// that do more than join, take the long way by kind (general).
#pragma once
#include "frontend_gpu/columns/absent.h"
#include "frontend_gpu/names/names.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/destructure.h"
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/questions/function_names.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/questions/type_brief.h"
#include "frontend_gpu/types/synthesise_chain.h"
#include "frontend_gpu/types/synthesise_container.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// True if the literal stands behind a `-` that joins it.
HD bool is_negated(const Columns& c, Index i) {
  return i != 0 && node_kind(c, i) == Node::Int && node_row(node_kind(c, i - 1)).op == Op::Neg &&
         c.right[i - 1] == i;
}

template <class G>
struct Synthesise {
  G& g;
  Columns& c;

  HD void operator()(Index i) const {
    const TypeRow& row = type_row(c.role[i]);
    if (!row.usual) return general(i);
    // Only rare cases are branches here. An absent child has the type (), and so has each child of a name, to which
    // the variable's type is then added.
    const Index left = c.left[i], right = c.right[i], ref = c.ref[i] & row.local;
    const TypeId more = g.where(row.local, [&] { return TypeId{c.bind_type[ref]} - kTypeUnit; });
    const TypeId a = c.type[or_absent(c, left ^ ((left ^ right) & row.right_only))] + more,
                 b = (c.type[or_absent(c, right)] + more) & row.right_types;
    if ((a | b) >= kJoinedTypes) return general(i);
    // A missing operand behind an operand that leaves or is in error also leaves or is in error.
    const u32 missing = row.needs_right & (0 - (right >> 31)) &
                        (kLeavesOrFails >> (c.type[or_absent(c, left)] % 32));
    const u8 joined = joined_types().row[a][b];
    if (((joined & row.accepts) == 0) | ((missing & 1) != 0)) return general(i);
    c.type[i] = (joined & row.joined) | row.own;
  }

 private:
  HD TypeId child(Index i) const { return i == kNone ? kTypeUnit : c.type[i]; }
  static constexpr u32 kLeavesOrFails = 1u << kTypeNever | 1u << kTypeError;

  HD_COLD void general(Index i) const {
    c.type[i] = node_context(c, i) == Context::Skipped ? kTypeError : type_of_node(i);
  }

  HD TypeId type_of_node(Index i) const {
    const Node kind = node_kind(c, i);
    if (is_whole_pattern(c.role[i])) return bind_arm(i);
    if (is_lambda_pattern(c.role[i])) return bind_lambda(i);
    if (c.role[i] == Role::Function) return applied_result(c, i);
    if (c.role[i] == Role::Arms) return type_of_arms(i);
    if (c.role[i] == Role::Alternatives) return type_of_alternatives(i);
    if (c.role[i] == Role::Grid) return type_of_grid(i);
    if (c.role[i] == Role::Expansion) return type_of_expansion(i);
    if (c.role[i] == Role::Choice || c.role[i] == Role::ChoiceOpen) return child(c.right[i]);
    const Index left = c.left[i], right = c.right[i];
    switch (node_row(kind).node_class) {
      case NodeClass::Arithmetic: return join_types(c, child(left), child(right));
      case NodeClass::Shift: return child(left);
      case NodeClass::Compare: (void)joined(child(left), child(right)); [[fallthrough]];
      case NodeClass::Lazy: return type_of(Scalar::Bool);
      case NodeClass::Unary:  // its operand reports that its own operands differ
        return child(right) == kTypeUnlike ? kTypeError : child(right);
      case NodeClass::Update: return kTypeUnit;
      case NodeClass::Other: break;
    }
    switch (kind) {
      case Node::Int: return kTypeIntLiteral;
      case Node::Float: return kTypeFloatLiteral;
      case Node::Char: return type_of(Scalar::U8);
      case Node::True:
      case Node::False: return type_of(Scalar::Bool);
      case Node::Name: return name_type(i);
      case Node::Bracket:
        return c.role[i] == Role::Arguments ? child(right) : containers().array(i);
      case Node::String: return containers().text(i);
      case Node::Index: return containers().indexed(i);
      case Node::Paren:
        if (right == kNone) return kTypeUnit;
        return has_comma(c, i) ? tuple_type(i) : child(right);
      case Node::Comma: return kTypeList;
      case Node::Block: return child(right);
      case Node::Semi:
        if (right == kNone) {  // the type of an error, or of what leaves, goes on behind a `;`
          const TypeId before = child(left);
          return before == kTypeNever || before == kTypeError ? before : kTypeUnit;
        }
        return child(right);
      case Node::Body:
        return node_context(c, i) == Context::ElseBody || c.role[i] == Role::MatchBody
                   ? child(right)
                   : kTypeUnit;
      case Node::Match:
      case Node::Lambda: return child(right);
      case Node::Else: return joined(child(left), child(right));
      case Node::Hole: return c.role[i] == role_of(Node::Hole) ? kTypeNever : kTypeUnit;
      case Node::Return:
      case Node::Break:
      case Node::Continue: return kTypeNever;
      case Node::Call: return call_type(i);
      case Node::Dot: return type_of_field(i);
      case Node::In: return bind_loop_variable(i);
      case Node::Range:
      case Node::RangeInclusive: return range(i);
      case Node::Colon:
      case Node::Spread: return c.role[i] == Role::Argument ? child(right) : kTypeUnit;
      case Node::Assign: return c.role[i] == Role::Binding ? bind_pattern(i) : kTypeUnit;
      default: return kTypeUnit;
    }
  }

  HD SynthesiseContainer<G> containers() const { return {g, c}; }

  HD_COLD TypeId type_of_grid(Index i) const {
    const Grid grid = grid_of(c, i);
    if (grid.real != kNone) return kTypeFloatLiteral;
    if (grid.wrong != kNone || grid.range == kNone) {
      if (grid.wrong != kNone) report(g, c, grid.wrong, DiagnosticCode::GridForm);
      return kTypeError;
    }
    const Index left = c.left[grid.range], right = c.right[grid.range];
    for (const Index end : {left, right})
      if (node_context(c, grid_end(c, end).literal) == Context::Skipped ||
          node_kind(c, grid_end(c, end).literal) == Node::Neg)
        return kTypeError;
    const TypeId low = grid_end_type(c, left), high = grid_end_type(c, right);
    const TypeId type = join_types(c, low, high);
    if (type != kTypeUnlike) return type;
    report(g, c, grid.range, DiagnosticCode::OperandTypes, type_brief(c, low), type_brief(c, high));
    return kTypeError;
  }
  HD_COLD TypeId type_of_expansion(Index i) const {
    return has_signature(c, c.item[i]) ? result_type(c, c.item[i]) : kTypeError;
  }

  // A range is no value.
  HD_COLD TypeId range(Index i) const {
    if (node_context(c, i) != Context::Tuple || is_range_source(c, i)) return kTypeUnit;
    report(g, c, i, DiagnosticCode::RangePlace);
    return kTypeError;
  }
  HD_COLD TypeId type_of_alternatives(Index i) const {
    const Index left = c.left[i];
    c.ref[i] = left != kNone && c.role[left] == Role::Alternatives ? c.ref[left] + 1 : 1;
    return type_of_arms(i);
  }
  HD_COLD TypeId type_of_arms(Index i) const {
    return c.right[i] == kNone ? child(c.left[i]) : joined(child(c.left[i]), child(c.right[i]));
  }
  HD TypeId joined(TypeId a, TypeId b) const { return join_values(c, a, b); }
  HD TypeId tuple_type(Index i) const {
    ElementsBackwards elements(c, i);
    for (Index e = elements.next(); e != kNone; e = elements.next()) c.given[e] = c.type[e];
    return kTypeTuple + i;
  }
  // Takes a name whose value is used or changed. Other names are idle.
  HD TypeId name_type(Index i) const {
    const Index ref = c.ref[i];
    if (ref == kNone) return kTypeError;
    if (is_collection(ref)) return containers().none(i);
    if (ref >= kBuiltinRef) {
      const Scalar type = builtin_constant(ref - kBuiltinRef - kBuiltinCount).type;
      return type == Scalar::None ? kTypeFloatLiteral : type_of(type);
    }
    const TypeId type = c.bind_type[ref];
    return type == kTypePending ? kTypeError : type;
  }

  HD TypeId call_type(Index i) const {
    const Index ref = c.ref[call_name(c, i)];
    if (ref == kNone) return unknown_call(i);
    if (ref < kBuiltinRef) {
      const Index item = c.item[c.bind_node[ref]];
      if (c.bind_kind[ref] == BindKind::Constructor) return settled(made_type(c, item));
      return has_signature(c, item) ? result_type(c, item) : kTypeError;
    }
    const Index operation = operation_of(c, i);
    if (is_chain(operation)) return SynthesiseChain<G>{g, c}(i);
    if (is_collection(operation)) return containers().call(i, collection_of(operation));
    return builtin_type(i, builtin_row(ref));
  }
  // Completes the report of an unknown function by the type of its first argument. For a method it also notes
  // whether the receiver is a number, or has elements.
  HD_COLD TypeId unknown_call(Index i) const {
    if (is_traps_call(c, i)) return type_of(Scalar::Bool);
    const Index callee = c.left[i], name = call_name(c, i);
    const bool is_method = node_kind(c, callee) == Node::Dot && c.left[callee] != kNone;
    if (name == kNone || c.error[name] != static_cast<u8>(DiagnosticCode::UnknownFunction))
      return kTypeError;
    if (const Index first = first_argument(c, i); first != kNone)
      c.error_b[name] = type_brief(c, child(first));
    if (!is_method) return kTypeError;
    const TypeId receiver = child(c.left[callee]);
    const bool is_number =
        is_literal(receiver) || (is_scalar(receiver) && as_scalar(receiver) != Scalar::Bool);
    if (has_elements(c, receiver) || is_number)
      c.error_a[name] = is_number ? kOfNumber : kOfElements;
    return kTypeError;
  }
  HD_COLD TypeId builtin_type(Index call, const BuiltinRow& row) const {
    switch (row.shape) {
      case BuiltinShape::Convert:
      case BuiltinShape::Wrap: return builtin_result(row, kTypeError);
      case BuiltinShape::Exact: return containers().option(call, row.target);
      case BuiltinShape::Shift: {
        const Index first = first_argument(c, call);
        return first == kNone ? kTypeError : builtin_result(row, c.type[first]);
      }
      case BuiltinShape::Same:
        if (only_type(row) != Scalar::None) return type_of(only_type(row));
        [[fallthrough]];
      case BuiltinShape::Predicate:
      case BuiltinShape::ToI64:
      case BuiltinShape::Bits:
      case BuiltinShape::FromBits: return builtin_result(row, joined_arguments(call));
    }
    return kTypeError;
  }

 public:
  HD TypeId joined_arguments(Index call) const {
    ArgumentsBackwards arguments(c, call);
    TypeId type = kTypeNever;
    for (Index e = arguments.next(); e != kNone && type != kTypeUnlike; e = arguments.next())
      type = joined(type, c.type[e]);
    return type;
  }

 private:
  HD_COLD TypeId type_of_field(Index i) const {
    if (node_context(c, i) == Context::Callee) return kTypeUnit;
    const TypeId base = child(c.left[i]);
    if (base == kTypeError || node_context(c, c.right[i]) == Context::Skipped) return kTypeError;
    if (!is_tuple(base) || form_of(c, base) > TypeForm::Record) {
      report(g, c, i, DiagnosticCode::NotATuple, type_brief(c, settled(base)));
      return kTypeError;
    }
    const Index paren = tuple_node(base), field = c.right[i];
    const u32 number = field_number(c, base, field);
    if (number == kTooManyFields) return kTypeError;
    if (number != kNoField) return field_type(c, base, number);
    if (are_fields(c, paren))
      report(g, c, field, DiagnosticCode::UnknownRecordField, paren);
    else
      report(g, c, field, DiagnosticCode::UnknownField, count_parts(c, base));
    return kTypeError;
  }

  // Gives each name of an arm's pattern the type of its part.
  HD_COLD TypeId bind_arm(Index root) const {
    const TypeId type = settled(c.type[match_of_arm(c, c.owner[root])]);
    PatternPlace place;
    for (Index i = c.begin[root]; i < c.end[root]; ++i) {
      if (!is_pattern_name(c, i)) continue;
      LocatePattern{c, place}(root, i, type);
      c.bind_type[c.ref[i]] = place.type;
      c.given[i] = 0;
    }
    return kTypeUnit;
  }

  // Gives the parameters of a lambda their types.
  HD_COLD TypeId bind_lambda(Index pattern) const {
    const Index call = call_of_argument(c, c.owner[pattern]);
    const bool known = call != kNone && is_chained_call(c, call);
    const TypeId element = known ? chain_element(c, call) : kTypeError;
    if (!known || !is_fold(c, call)) {
      bind(pattern, element);
      return kTypeUnit;
    }
    const bool two = node_kind(c, pattern) == Node::Paren && count_elements(c, pattern, 3) == 2 &&
                     tuple_pattern(c, pattern).rest == kNone;
    if (!two) {
      report(g, c, pattern, DiagnosticCode::FoldParameters);
      bind(pattern, kTypeError);
      return kTypeUnit;
    }
    bind(element_at(c, pattern, 0), fold_type(c, call));
    bind(element_at(c, pattern, 1), element);
    return kTypeUnit;
  }
  HD TypeId bind_loop_variable(Index in) const {
    const Index target = c.left[in], range = run_over(c, in);
    TypeId type = kTypeError;
    if (node_context(c, range) != Context::Skipped) type = type_of_elements(range);
    if (node_context(c, target) != Context::Skipped) bind(target, type);
    return kTypeUnit;
  }
  // The type of the elements that a `for` over it visits.
  HD TypeId type_of_elements(Index range) const {
    if (!is_range(c, range)) {
      const TypeId type = child(range);
      return has_elements(c, type) ? settled(held_type(c, type)) : kTypeError;
    }
    return range_type(c, range);
  }
  HD void bind(Index target, TypeId type) const {
    if (node_context(c, target) == Context::Skipped) return;
    if (c.role[target] == Role::Bind || c.role[target] == Role::LambdaName)
      c.bind_type[c.ref[target]] = settled(type);
    else
      bind_parts(target, type);
  }

  // `let p = e`, `let p: T = e`: gives each name of the pattern its part of the type, and notes what is expected of
  // e.
  HD TypeId bind_pattern(Index assign) const {
    Index target = c.left[assign];
    if (node_context(c, target) != Context::BindingTarget) {
      c.want[c.right[assign]] = kTypeError;
      return kTypeUnit;
    }
    TypeId type = settled(child(c.right[assign]));
    if (node_kind(c, target) == Node::Colon) {
      type = declared_type(c, c.right[target]);
      c.want[c.right[assign]] = type;
      target = c.left[target];
    }
    if (type == kTypeNever || !(is_value(type) || type == kTypeUnit))
      type = type == kTypeNever ? kTypeUnit : kTypeError;
    bind(target, type);
    return kTypeUnit;
  }
  HD_COLD void bind_parts(Index target, TypeId type) const {
    const Index too_wide = take_apart(
        c, target, type,
        [&](Index pattern, TypeId of) {
          const bool makes = node_kind(c, pattern) == Node::Call;
          return makes ? record_of(pattern, of) : tuple_of(pattern, of);
        },
        [&](Index name, TypeId part) {
          if (name != kNone) c.bind_type[c.ref[name]] = settled(part);
        });
    if (too_wide != kNone) report(g, c, too_wide, DiagnosticCode::TupleTooWide);
  }
  // The type that `(…)` divides; kTypeError: the type does not fit the pattern.
  HD_COLD TypeId tuple_of(Index paren, TypeId type) const {
    if (type == kTypeError || (c.right[paren] == kNone && type == kTypeUnit)) return kTypeError;
    const TuplePattern own = tuple_pattern(c, paren);
    if (own.misplaced != kNone) {
      report(g, c, own.misplaced, DiagnosticCode::RestPlace);
      return kTypeError;
    }
    if (is_plain_tuple(c, type) && own.fits(count_parts(c, type))) {
      c.cell[paren] = type;  // gives what `..` leaves out its types
      return type;
    }
    report(g, c, paren, DiagnosticCode::PatternMismatch, type_brief(c, type));
    return kTypeError;
  }
  // The type that `Name(…)` divides; kTypeError: it does not fit.
  HD_COLD TypeId record_of(Index call, TypeId type) const {
    const Index ref = constructor_of(c, call);
    if (ref == kNone || type == kTypeError) return kTypeError;
    const TypeId made = ref < kBuiltinRef ? constructed_type(c, ref) : kTypeError;
    if (made == kTypeError && ref < kBuiltinRef) return kTypeError;
    if (!is_record(c, made)) {
      report(g, c, call, DiagnosticCode::RefutablePattern);
      return kTypeError;
    }
    if (!is_tuple(type) || tuple_node(type) != tuple_node(made)) {
      report(g, c, call, DiagnosticCode::PatternMismatch, type_brief(c, type));
      return kTypeError;
    }
    bool fits = true;
    check_given_fields(c, call, tuple_node(made), [&](Index at, DiagnosticCode code, u32 a, u32 b) {
      report(g, c, at, code, a, b);
      fits = false;
    });
    return fits ? type : kTypeError;
  }
};

// A node waits for its children, and a name for the value to which it is bound.
struct NeedsOperands {
  const Columns& c;
  HD Needs operator()(Index i) const {
    Needs needs{{live(c.left[i]), live(c.right[i]), kNoElement}};
    if (is_whole_pattern(c.role[i])) {
      needs.on[2] = match_of_arm(c, c.owner[i]);
      return needs;
    }
    const bool function = c.role[i] == Role::Function;
    if (is_lambda_pattern(c.role[i]) || function) {
      // The function's type is known from the arguments before it.
      const Index call = call_of_argument(c, function ? i : Index{c.owner[i]});
      const u32 count =
          call == kNone || node_kind(c, call) != Node::Call ? 0 : count_arguments(c, call);
      for (u32 k = 0; k < 2; ++k)
        needs.on[k] = k + 1 < count ? live(argument_at(c, call, k, count)) : kNoElement;
      return needs;
    }
    if (node_kind(c, i) != Node::Name || !is_use(name_role(node_context(c, i)))) return needs;
    const Index ref = c.ref[i];
    if (ref >= kBuiltinRef) return needs;
    const Index owner = c.owner[c.bind_node[ref]];
    switch (c.bind_kind[ref]) {
      case BindKind::Let:
      case BindKind::Var: needs.on[2] = c.right[owner]; break;          // the Assign
      case BindKind::For: needs.on[2] = c.right[c.left[owner]]; break;  // the In
      case BindKind::Pattern: needs.on[2] = pattern_of(c, owner); break;
      case BindKind::Lambda: needs.on[2] = c.left[owner]; break;
      case BindKind::Function:
      case BindKind::Constant:
      case BindKind::Type:
      case BindKind::Constructor:
      case BindKind::Import:
      case BindKind::Module:
      case BindKind::Parameter:
      case BindKind::Limit:
      case BindKind::Match: break;
    }
    return needs;
  }

 private:
  HD Index live(Index i) const {
    if (i == kNone) return kNone;
    const u8 visits = visits_of(c.role[i]);
    if ((visits & Visits::kIdle) != 0) return kNone;
    const bool is_typed =
        visits == Visits::kLiteral || (visits == Visits::kVariable && c.given[i] != kTypePending);
    return is_typed ? kNone : i;
  }
};

// Gives variables their types where these are known before the types of values are.
template <class G>
HD void type_variables(G& g, Columns& c) {
  g.for_each(c.uses, [&](u32 u) {
    const Index i = c.use_node[u];
    const bool variable = is_variable(c.role[i]);
    const Index ref = g.select(
        variable, [&] { return Index{c.ref[i]}; }, [] { return Index{0}; });
    const TypeId type = g.select(
        variable, [&] { return TypeId{c.bind_type[ref]}; }, [] { return kTypePending; });
    const Index slot = variable ? i : c.nodes;
    g.store_if(variable, c.type[slot], type);
    g.store_if(variable, c.given[slot], type);
  });
}

template <class G>
HD void synthesise_types(G& g, Columns& c) {
  g.for_each(c.binds, [&](u32 b) {
    const Index i = c.bind_node[b];
    if (c.bind_kind[b] == BindKind::Constructor)
      c.bind_type[b] = settled(constructed_type(c, b));
    else if (!is_hidden(c.bind_kind[b]))
      c.bind_type[b] = annotated_type(c, i);
  });
  g.for_each(c.nodes, [&](u32 i) { c.want[i] = kTypePending; });
  type_variables(g, c);
  g.once([&] { c.type[c.nodes] = kTypeUnit; });
  const u32 untyped = list_untyped(g, c);
  g.up(untyped, c.listed, Synthesise<G>{g, c}, NeedsOperands{c});
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
