// SPDX-License-Identifier: Apache-2.0
// Checks from the root down: each node learns what its surroundings expect, settles its own type, and reports if
// the two do not agree.
//
// The parent of a node comes first, and writes the node's `want`: a type; kTypeStatement if the value is dropped;
// or kTypePending if any type will do. The node compares `want` with its own type (synthesise.h), settles on a
// type, and writes what it wants of its children:
//
//   if c { 2 } else { x }     want of `else`: f64, by the result of the function; its own type: f64
//        ├ c                  want: bool, by the row of its parent
//        ├ 2                  want: f64, handed on; an open literal takes it, if the float is exactly that
//        └ x                  want: f64, handed on; x is an i64: a mismatch, reported here
//
// Mismatches are reported on this way alone. On the way up it is not known what is wanted, so a report would blame
// the operator for its operand. Here the innermost node that differs from its want is the one at fault. It settles
// on kTypeError and expects kTypeError of its children, and a node in error reports nothing more: one cause, one
// message.
//
// As in synthesise.h, the usual case has no branch on the kind of node. A row for the role (check_row) says which
// operators the type must have, and what each child is expected to be, as masks of the node's type and want.
// Variables and literals have no children. They wait until their parents are done, and are then settled side by
// side (variable, leaf).
#pragma once
#include "frontend_gpu/columns/absent.h"
#include "frontend_gpu/questions/neutral.h"
#include "frontend_gpu/questions/powers.h"
#include "frontend_gpu/text/literal.h"
#include "frontend_gpu/types/check_call.h"
#include "frontend_gpu/types/check_container.h"
#include "frontend_gpu/types/check_holes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct CheckTypes : Expectations<G> {
  using Base = Expectations<G>;
  using Base::c, Base::g, Base::kBool, Base::kInteger;

  HD void operator()(Index i) const {
    const CheckRow& row = check_row(c.role[i]);
    TypeId type = c.type[i];
    const TypeId want = c.want[i];
    if (is_tuple(type | want)) return general(i);
    const ExpectedTypes& expected = expected_types();
    const u32 fits = expected.allowed[type] >> want;
    type = (u32{expected.taken[type]} >> want & 1) != 0 ? want : type;
    const Index right = c.right[i] | row.no_right, left = c.left[i] | row.no_left;
    const u32 types = c.right[i] == kNone ? row.without_right : row.types;
    static_assert(CheckRow::kAnyWant == 1u << 31);
    if (((types >> type) & (fits | types >> 31) & 1) == 0) return general(i);
    c.type[i] = type;
    g.store_if(left != kNone, c.want[or_absent(c, left)], (type & row.left_type) | row.left_is);
    g.store_if(right != kNone, c.want[or_absent(c, right)],
               (type & row.right_type) | (want & row.right_want) | row.right_is);
  }

  // Settles a name that stands for a local variable.
  HD void variable(Index i) const {
    const TypeId type = c.type[i], want = c.want[i];
    const bool wanted = (want == type) | (want == kTypePending);
    if (!(is_scalar(type) & wanted)) general(i);
  }
  // Settles a leaf whose type its role gives.
  HD void leaf(Index i) const {
    if (type_row(c.role[i]).own != type_of(Scalar::Bool)) return literal(i);
    truth(i);
  }

 private:
  using Base::absorb, Base::allowed, Base::expect, Base::fail, Base::resolved, Base::settle;

  HD_COLD void general(Index i) const {
    if (node_context(c, i) == Context::Skipped) {
      c.type[i] = kTypeError;
      return;
    }
    const Node kind = node_kind(c, i);
    switch (node_row(kind).node_class) {
      case NodeClass::Arithmetic: return arithmetic(i, kind);
      case NodeClass::Shift: return shift(i);
      case NodeClass::Compare: return compare(i, kind);
      case NodeClass::Lazy:
        if (c.left[i] != kNone) add_tail(c, c.left[i], kLazyLeft);
        expect(c.left[i], kBool);
        expect(c.right[i], kBool);
        return settle(i, kBool);
      case NodeClass::Unary: return unary(i, kind);
      case NodeClass::Update: return update(i, kind);
      case NodeClass::Other: return check_statement(i, kind);
    }
  }
  HD void arithmetic(Index i, Node kind) const {
    const TypeId left = c.type[c.left[i]], right = c.type[c.right[i]];
    if (c.type[i] == kTypeUnlike) return fail(i, DiagnosticCode::OperandTypes, left, right);
    const TypeId type = resolved(i);
    if (type == kTypeError || type == kTypeNever) return absorb(i, type);
    const Op op = node_row(kind).op;
    if (!allowed(op, type)) return fail(i, DiagnosticCode::OperatorType, type);
    expect(c.left[i], type);
    expect(c.right[i], type);
    if (kind == Node::Pow && is_float(as_scalar(type)) && written_factors(c, i) != 0)
      add_tail(c, exponent_of(c, i), kFactors);
    settle(i, type);
  }
  HD void shift(Index i) const {
    const TypeId type = resolved(i);
    const TypeId amount = settled(c.type[c.right[i]]);
    if (type == kTypeError || amount == kTypeError) return absorb(i, kTypeError);
    if (!allowed(Op::Shl, type)) return fail(i, DiagnosticCode::OperatorType, type);
    if (!is_scalar(amount) || !is_integer(as_scalar(amount)))
      return fail(i, DiagnosticCode::OperatorType, amount);
    expect(c.left[i], type);
    expect(c.right[i], amount);
    settle(i, type);
  }
  HD void compare(Index i, Node kind) const {
    const TypeId left = c.type[c.left[i]], right = c.type[c.right[i]];
    const TypeId type = settled(join_types(c, left, right));
    const bool unlike = type == kTypeUnlike;
    if ((unlike || !may_be_compared(type, kind)) && (is_slice(c, left) || is_slice(c, right))) {
      // Nothing more is reported of these, not even that they are no values.
      expect(c.left[i], kTypeError);
      expect(c.right[i], kTypeError);
    }
    if (unlike) return fail(i, DiagnosticCode::OperandTypes, left, right);
    if (type == kTypeError) {
      expect(c.left[i], kTypeError);
      expect(c.right[i], kTypeError);
    }
    if (type == kTypeError || type == kTypeNever) return settle(i, kBool);
    if (!may_be_compared(type, kind)) return fail(i, DiagnosticCode::OperatorType, type);
    if (is_slice(c, type)) {
      containers().slice_argument(c.left[i], type);
      containers().slice_argument(c.right[i], type);
      return settle(i, kBool);
    }
    expect(c.left[i], type);
    expect(c.right[i], type);
    settle(i, kBool);
  }
  HD bool may_be_compared(TypeId type, Node kind) const {
    return (is_any_tuple(type) && (kind == Node::Eq || kind == Node::Ne)) ||
           allowed(node_row(kind).op, type);
  }
  HD void unary(Index i, Node kind) const {
    const TypeId type = resolved(i);
    if (type == kTypeError || type == kTypeNever) return absorb(i, type);
    if (node_row(kind).op == Op::Neg && is_scalar(type) &&
        scalar_class(as_scalar(type)) == ScalarClass::Unsigned)
      return fail(i, DiagnosticCode::NegatedUnsigned, type);
    if (!allowed(node_row(kind).op, type)) return fail(i, DiagnosticCode::OperatorType, type);
    expect(c.right[i], type);
    settle(i, type);
  }
  HD void update(Index i, Node kind) const {
    const TypeId type = c.type[c.left[i]];
    const Op op = node_row(kind).op;
    const bool shifts = op == Op::Shl || op == Op::Shr;
    expect(c.right[i], shifts ? settled(c.type[c.right[i]]) : type);
    if (type != kTypeError && !allowed(op, type))
      return fail(i, DiagnosticCode::OperatorType, type);
    settle(i, kTypeUnit);
  }

  HD_COLD bool is_of_hole(Index i) const {
    const CheckHoles<G> holes{{g, c}};
    switch (c.role[i]) {
      case Role::Choice:
        holes.refuse_in_constant(c.left[i]);
        through(i);
        return true;
      case Role::ChoiceOpen:
        holes.keep_given(c.right[i]);
        through(i);
        return true;
      case Role::Alternatives:
        holes.mark_alternative(i);
        arms(i);
        return true;
      case Role::Grid: holes.grid(i); return true;
      case Role::Expansion: settle(i, c.type[i]); return true;
      case Role::ChoiceHole: return true;
      default:
        if (node_kind(c, i) == Node::Call && c.left[i] != kNone &&
            node_kind(c, c.left[i]) == Node::Hole)
          holes.refuse_in_constant(c.left[i]);
        return false;
    }
  }
  HD void check_statement(Index i, Node kind) const {
    if (c.flags[kHoles] != 0 && is_of_hole(i)) return;
    const Index left = c.left[i], right = c.right[i];
    const TypeId want = c.want[i];
    switch (kind) {
      case Node::Semi: return c.role[i] == Role::Arms ? arms(i) : sequence(i);
      case Node::Colon:
      case Node::Spread:
        if (c.role[i] != Role::Argument) return;
        expect(right, want);
        c.type[i] = resolved(i);
        return;
      case Node::Block:
        expect(right, want);
        if (right == kNone && node_context(c, i) != Context::MatchBlock) settle(i, kTypeUnit);
        c.type[i] = resolved(i);
        return;
      case Node::Body: return c.role[i] == Role::MatchBody ? through(i) : body(i);
      case Node::Match: return match(i);
      case Node::Lambda:
        if (is_lambda(c, i)) check_place(i);
        return through(i);
      case Node::Guard: return expect(right, kBool);
      case Node::Comma: return arms(i);
      case Node::Else: return branches(i);
      case Node::If: expect(right, kBool); return;
      case Node::While:
        if (node_kind(c, right) != Node::Limit) expect(right, kBool);
        return;
      case Node::Limit:
        expect(left, kBool);
        expect(right, kInteger);
        return;
      case Node::Range:
      case Node::RangeInclusive: return c.role[i] == Role::PropRange ? bounds(i) : range(i);
      case Node::Assign: return assign(i);
      case Node::Let:
      case Node::Var: return settle(i, kTypeUnit);
      case Node::Return: {
        for (Index o = c.owner[i]; o != kNone; o = c.owner[o])
          if (is_lambda(c, o)) return fail(i, DiagnosticCode::LeavesLambda);
        const Index item = c.item[i];
        if (is_space(c, item) || infers_result(c, item))
          return fail(i, DiagnosticCode::LeavesNothing);
        expect(right, declares_result(c, item) ? result_type(c, item) : kTypeUnit);
        return;
      }
      case Node::Hole: return CheckHoles<G>{{g, c}}.free(i);
      case Node::Break:
      case Node::Continue: return leave_loop(i);
      case Node::Assert:
        g.raise(c.flags[kAsserts]);
        expect(right, kBool);
        return settle(i, kTypeUnit);
      case Node::Paren: return parentheses(i);
      case Node::Call: return CheckCall<G>{{g, c}}(i);
      case Node::Dot: return containers().settle_path(i);
      case Node::Index: return containers().index(i);
      case Node::String: return containers().text(i);
      case Node::Bracket:
        if (c.role[i] != Role::Arguments) containers().array(i);
        return;
      case Node::In:
        if (!is_range(c, run_over(c, i))) containers().elements(i);
        return;
      case Node::Name: return name(i);
      case Node::Int:
      case Node::Float:
      case Node::Char: return literal(i);
      case Node::True:
      case Node::False: return truth(i);
      default: return;
    }
  }

  HD CheckContainer<G> containers() const { return {{g, c}}; }

  // Keeps the value of a literal whose type has settled.
  HD void keep(Index i, u64 cell) const {
    c.cell[i] = cell;
    neutral_bits_of(c, i) = neutral_bits(as_scalar(c.type[i]), cell);
  }
  HD void truth(Index i) const {
    keep(i, node_kind(c, i) == Node::True);
    settle(i, c.type[i]);
  }
  HD_COLD void literal(Index i) const {
    const TypeId own = resolved(i);
    const Scalar scalar = as_scalar(is_scalar(own) ? own : settled(c.type[i]));
    const u8* const text = node_text(c, i);
    const u32 length = node_length(c, i);
    const Literal value =
        node_kind(c, i) == Node::Char
            ? character_literal(text, length)
            : number_literal(node_kind(c, i), text, length, scalar, is_negated(c, i));
    // A literal that fits no type at all is reported first.
    const bool has_value = value.error == DiagnosticCode::None ||
                           value.error == DiagnosticCode::LiteralRange ||
                           value.error == DiagnosticCode::IntegerNotExact;
    if (!has_value) return fail(i, value.error);
    settle(i, own);
    if (!is_scalar(c.type[i])) return;
    keep(i, value.cell);
    if (value.error != DiagnosticCode::None) fail(i, value.error, c.type[i]);
  }
  HD void sequence(Index i) const {
    const Index left = c.left[i], right = c.right[i];
    const TypeId want = c.want[i];
    const bool leaves = right == kNone && c.type[i] == kTypeNever;
    expect(left, leaves ? want : kTypeStatement);
    expect(right, want);
    if (right == kNone && !leaves && c.type[i] != kTypeError) settle(i, kTypeUnit);
  }
  HD void body(Index i) const {
    const Index head = c.left[i], block = c.right[i];
    const Index item = c.item[i];
    if (node_context(c, i) == Context::Item) {
      const bool function = c.item_kind[item] == ItemKind::Function;
      const bool has_parameters =
          (function && has_signature(c, item)) ||
          (c.item_kind[item] == ItemKind::Prop && c.item_name[item] != kNone);
      if (has_parameters && count_elements(c, parameters_of(c, item)) > kMaxParameters)
        report(g, c, c.item_name[item], DiagnosticCode::TooManyParameters);
      expect(block, !function                  ? kTypeStatement
                    : declares_result(c, item) ? result_type(c, item)
                                               : kTypePending);
      return;
    }
    if (node_context(c, i) == Context::ElseBody) return expect(block, c.want[i]);
    expect(block, kTypeStatement);
    if (node_context(c, head) != Context::Skipped) settle(i, kTypeUnit);
  }
  HD void name(Index i) const {
    const Index ref = c.ref[i];
    if (c.role[i] == Role::Function) return CheckChain<G>{{g, c}}.function(i);
    if (ref < kBuiltinRef && c.bind_kind[ref] == BindKind::Constructor) return constructor(i);
    if (names_collection(ref, Collection::None)) return none(i);
    if (is_tuple(c.type[i])) return containers().settle_path(i);
    settle(i, resolved(i));
  }
  HD_COLD void none(Index i) const {
    if (!is_option(c, c.want[i])) {
      if (c.want[i] == kTypePending) return fail(i, DiagnosticCode::ElementUnknown);
      return settle(i, c.type[i]);
    }
    c.type[i] = c.want[i];
  }
  // A constructor with fields is no value by itself.
  HD_COLD void constructor(Index i) const {
    const Index fields = fields_of(c, c.bind_node[c.ref[i]]);
    if (fields == kNone) return settle(i, c.type[i]);
    report(g, c, i, DiagnosticCode::ConstructorFields, count_elements(c, fields));
    c.type[i] = kTypeError;
  }
  HD_COLD void check_place(Index lambda) const {
    const bool known = call_of_lambda(c, lambda) != kNone;
    if (!known && !is_said(c, lambda)) report(g, c, lambda, DiagnosticCode::LambdaPlace);
  }
  // Hands on what is expected to the right child.
  HD_COLD void through(Index i) const {
    expect(c.right[i], c.want[i]);
    c.type[i] = resolved(i);
  }
  HD_COLD void match(Index i) const {
    const TypeId type = settled(c.type[i]);
    expect(c.right[i], type);
    if (type != kTypeError && !is_value(type)) return fail(i, DiagnosticCode::OperatorType, type);
    c.type[i] = type;
  }
  HD_COLD void arms(Index i) const {
    if (c.left[i] == kNone) {  // has been reported
      expect(c.right[i], kTypeError);
      c.type[i] = kTypeError;
      return;
    }
    if (c.right[i] != kNone) return branches(i);
    expect(c.left[i], c.want[i]);
    c.type[i] = resolved(i);
  }
  HD void branches(Index i) const {
    TypeId want = c.want[i];
    // Where the surroundings are in error, literals inside take no type.
    if (want == kTypeError && (is_literal(c.type[i]) || is_tuple(c.type[i])))
      return absorb(i, want);
    if (want == kTypePending || want == kTypeError) {
      if (c.type[i] == kTypeUnlike)
        return fail(i,
                    c.role[i] == Role::Alternatives ? DiagnosticCode::AlternativeTypes
                                                    : DiagnosticCode::BranchTypes,
                    c.type[c.left[i]], c.type[c.right[i]]);
      want = settled(c.type[i]);
      c.want[i] = want;
      if (is_tuple(want) && holds_nothing(c, want)) {
        expect(c.left[i], kTypeError);
        expect(c.right[i], kTypeError);
        return fail(i, DiagnosticCode::ElementUnknown);
      }
    }
    expect(c.left[i], want == kTypeNever ? kTypePending : want);
    expect(c.right[i], want == kTypeNever ? kTypePending : want);
    c.type[i] = is_value(want) ? want : settled(c.type[i]);
  }
  HD void range(Index i) const {
    const TypeId left = c.type[c.left[i]], right = c.type[c.right[i]];
    const TypeId type = settled(join_types(c, left, right));
    if (type == kTypeError) return;
    if (type == kTypeUnlike) return fail(i, DiagnosticCode::OperandTypes, left, right);
    if (!is_scalar(type) || !is_integer(as_scalar(type)))
      return fail(i, DiagnosticCode::OperatorType, type);
    expect(c.left[i], type);
    expect(c.right[i], type);
  }
  // The bounds of a property's parameter. Both ends have the parameter's type.
  HD_COLD void bounds(Index i) const {
    const TypeId type = declared_type(c, c.left[parent_of(c, i)]);
    const bool is_number =
        is_scalar(type) && (is_integer(as_scalar(type)) || is_float(as_scalar(type)));
    if (!is_number && type != kTypeError) return fail(i, DiagnosticCode::OperatorType, type);
    expect(c.left[i], type);
    expect(c.right[i], type);
  }
  HD void assign(Index i) const {
    const Index target = c.left[i], value = c.right[i];
    const Context context = node_context(c, target);
    if (context != Context::BindingTarget && context != Context::ConstTarget) {
      expect(value, settled(c.type[target]));
      return settle(i, kTypeUnit);
    }
    if (node_kind(c, target) == Node::Colon) expect(value, declared_type(c, c.right[target]));
  }
  HD void leave_loop(Index i) const {
    for (Index o = c.owner[i]; o != kNone; o = c.owner[o]) {
      if (is_lambda(c, o)) return fail(i, DiagnosticCode::LeavesLambda);
      if (node_kind(c, o) != Node::Body) continue;
      const Node head = node_kind(c, c.left[o]);
      if (head != Node::While && head != Node::For) continue;
      if (i >= c.right[o]) return;
      break;  // the head of a loop is no part of its body
    }
    fail(i, DiagnosticCode::BreakOutsideLoop);
  }
  HD_COLD void parentheses(Index i) const {
    const TypeId want = c.want[i];
    if (!has_comma(c, i)) {
      expect(c.right[i], want == kTypeStatement ? kTypePending : want);
      if (c.right[i] == kNone || want == kTypeStatement) settle(i, resolved(i));
      c.type[i] = resolved(i);  // the node around it reads the type that a literal inside takes
      return;
    }
    ElementsBackwards elements(c, i);
    if (want == kTypeError) {
      for (Index e = elements.next(); e != kNone; e = elements.next()) c.want[e] = kTypeError;
      return;
    }
    const bool tuple = is_plain_tuple(c, want);
    if (tuple && count_parts(c, want) == count_elements(c, i)) {
      PartsBackwards types(c, want);
      for (Index e = elements.next(); e != kNone; e = elements.next()) {
        const TypeId type = part_type(c, want, types.next());
        c.want[e] = type;
      }
      if (!is_small(c, kTypeTuple + i)) fail(i, DiagnosticCode::TupleTooWide);
      return;  // the elements report what does not fit
    }
    if (!is_small(c, kTypeTuple + i)) return fail(i, DiagnosticCode::TupleTooWide);
    settle(i, kTypeTuple + i);
  }
};

// An idle parent expects nothing, so nothing waits for it.
struct NeedsLiveParent {
  const Columns& c;
  HD Needs operator()(Index i) const {
    const Index parent = parent_of(c, i);
    const bool waits = parent != kNone && !is_idle(c.role[parent]);
    return {{waits ? parent : kNoElement, kNoElement, kNoElement}};
  }
};

template <class G>
HD void check_variables(G& g, Columns& c, const CheckTypes<G>& check) {
  g.for_each(c.uses, [&](u32 u) {
    const Index i = c.use_node[u];
    if (is_variable(c.role[i])) check.variable(i);
  });
}

// Returns how many nodes list_live has listed. They stay listed.
template <class G>
HD NodeCounts check_types(G& g, Columns& c) {
  const NodeCounts listed = list_live(g, c);
  const CheckTypes<G> check{{g, c}};
  g.down(listed.inner, c.listed, check, NeedsLiveParent{c});
  check_variables(g, c, check);
  g.for_each(listed.literals, [&](u32 k) { check.leaf(c.listed[c.nodes - 1 - k]); });
  return listed;
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
