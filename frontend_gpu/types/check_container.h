// SPDX-License-Identifier: Apache-2.0
// check_types for values with elements: literals of arrays and strings, indices, `for` over elements, and
// operations on arrays, lists, slices and Options.
//
// A value that is looked at in place is a *path*: a local variable with its fields and elements. Other values are
// kept in slots of the node that looks at them (kKept).
#pragma once
#include "frontend_gpu/questions/paths.h"
#include "frontend_gpu/types/expectations.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How many instructions the literal of an array may take behind its elements.
inline constexpr u32 kMaxLiteralCode = 1024;
static_assert(kMaxLiteralCode <= kMaxOwnCode);

template <class G>
struct CheckContainer : Expectations<G> {
  using Base = Expectations<G>;
  using Base::c, Base::g;
  using Base::expect, Base::fail, Base::settle;

  HD_COLD void array(Index i) const {
    const TypeId want = c.want[i], own = c.type[i];
    if (own == kTypeError || want == kTypeError) return expect_elements(i, kTypeError);
    const Container mine = container_of(c, own);
    const bool wanted = has_elements(c, want);
    // `["a", [n, 2]]` is correct where lists are wanted.
    const bool fits_none = wanted && held_type(c, want) == kTypeUnlike;  // it stands before a `.`
    if (mine.element == kTypeUnlike && (!wanted || fits_none)) return unlike(i);
    TypeId type = settled(own), held = settled(mine.element);
    if (wanted) {
      const Container other = container_of(c, want);
      held = held_type(c, want);
      const bool fits = other.form == TypeForm::Array  ? mine.count == other.count
                        : other.form == TypeForm::List ? mine.count <= other.count
                                                       : true;
      // A slice of it needs slots. An argument has slots, an arm of `if` has none.
      const bool refers = other.form == TypeForm::Slice;
      if (!fits || (refers && (c.tails[i] & kKept) == 0)) {
        expect_elements(i, held);
        return fail(i, DiagnosticCode::Mismatch, want, own);
      }
      if (refers)
        keep_held(i, mine, held);
      else
        type = want;
    }
    expect_elements(i, held);
    if (holds_nothing(c, held)) return fail(i, DiagnosticCode::ElementUnknown);
    if (held == kTypeError || holds_unlike(c, held)) {
      c.type[i] = kTypeError;
      return;
    }
    if (!is_value(held) || type_cells(c, settled(held)) == 0)
      return fail(i, DiagnosticCode::ElementCells, held);
    if (!is_small(c, type)) return fail(i, DiagnosticCode::TupleTooWide);
    if (literal_code(i, mine, held) > kMaxLiteralCode)
      return fail(i, DiagnosticCode::LiteralTooLarge);
    if (wanted) {
      c.type[i] = type;
      return;
    }
    settle(i, type);
  }
  HD_COLD void text(Index i) const {
    if (c.type[i] == kTypeError) return;
    const TypeId own = c.type[i], want = c.want[i];
    const bool list = has_form(c, want, TypeForm::List);
    if (list && !passes_for(c, own, want)) return fail(i, DiagnosticCode::Mismatch, want, own);
    settle(i, list ? want : settled(own));
    if (c.type[i] != kTypeError && !is_small(c, c.type[i])) fail(i, DiagnosticCode::TupleTooWide);
  }
  HD_COLD void index(Index i) const {
    const Index inside = index_of(c, i);
    if (is_view(c, i) && is_variable(c.left[i]) && is_gone_through(c, i))
      keep(c.left[i]);
    else
      expect_container(c.left[i]);
    if (inside == kNone) {
      report(g, c, c.right[i], DiagnosticCode::MissingRight);
      c.type[i] = kTypeError;
      return;
    }
    if (!is_range(c, inside)) {
      const TypeId type = settled(c.type[inside]);
      expect(inside, type);
      if (type != kTypeError && !(is_scalar(type) && is_integer(as_scalar(type)))) {
        fail(inside, DiagnosticCode::IndexType, type);
        expect(inside, kTypeError);
      }
    }
    if (levels_of(c, i) > kMaxLevels) return fail(i, DiagnosticCode::IndexTooDeep);
    settle_path(i);
  }
  // Settles a value in place, which may also be a name or a field that has a slice's type.
  HD void settle_path(Index i) const {
    const TypeId want = c.want[i];
    const Context context = node_context(c, i);
    const bool kept = want != kTypeInPlace && want != kTypeError && !is_slice(c, want) &&
                      context != Context::PathBase && !is_stored_to(context);
    if (kept && is_slice(c, c.type[i])) return fail(i, DiagnosticCode::SliceValue);
    settle(i, c.type[i]);
  }
  // Checks what `for x in xs` runs over.
  HD_COLD void elements(Index in) const {
    const Index value = run_over(c, in);
    if (node_context(c, value) == Context::Skipped) return;
    go_through(value);
    for (Index p = c.right[in]; p != value; p = c.right[p]) expect(p, TypeId{c.want[value]});
  }
  HD_COLD void go_through(Index value) const {
    const TypeId type = c.type[value];
    if (type != kTypeError && !has_elements(c, type)) {
      expect(value, kTypeError);
      return fail(value, DiagnosticCode::ForHead);
    }
    if (is_step_call(c, value) && !has_lambda(c, value)) return expect(value, kTypeInPlace);
    // The loop runs over the value that the variable has at the start.
    if (is_variable(value) || levels_of(c, value) != 0) return keep(value);
    expect_container(value);
  }
  // Checks what a chain runs over, or is zipped with. `changes`: the code that uses the chain may change variables.
  HD_COLD void run_over_value(Index value, bool changes = false) const {
    if (levels_of(c, value) != 0 || (changes && is_variable(value))) return keep(value);
    expect_container(value);
  }
  // An argument of a user's function, for a parameter `[T]`.
  HD_COLD void slice_argument(Index i, TypeId want) const {
    const TypeId type = c.type[i];
    if (is_placed(c, i) || is_slice(c, type) || type == kTypeError) return expect(i, want);
    if (type == kTypeNever) return fail(i, DiagnosticCode::Mismatch, want, type);  // it leaves
    const Index value = inside_parentheses(c, i);
    if (node_kind(c, value) == Node::Bracket) {
      add_tail(c, value, kKept);
      for (Index p = i; p != value; p = c.right[p]) expect(p, want);
      return expect(value, want);
    }
    add_tail(c, i, kKept);
    expect(i, kTypePending);
    if (!passes_for(c, settled(type), want)) {
      fail(i, DiagnosticCode::Mismatch, want, settled(type));
      expect(i, kTypeError);
    }
  }

  HD_COLD void call(Index i, const CollectionRow& row) const {
    const u32 given = count_arguments(c, i);
    if (row.operation == Collection::None) {
      report(g, c, call_name(c, i), DiagnosticCode::ConstructorBare);
      return absorb_arguments(i);
    }
    if (given != row.arguments) {
      report(g, c, i, DiagnosticCode::ArgumentCount, row.arguments, given);
      c.type[i] = kTypeError;
      return absorb_arguments(i);
    }
    const Index first = first_argument(c, i);
    const TypeId type = first == kNone ? kTypeError : TypeId{c.type[first]};
    if (row.operation == Collection::Some) return some(i, first);
    if (type == kTypeError) return absorb_arguments(i);
    const bool of_option = is_of_option(row.operation);
    if (of_option ? !is_option(c, type) : !has_elements(c, type)) {
      fail(i, DiagnosticCode::ArgumentType, settled(type));
      return absorb_arguments(i);
    }
    if (changes_receiver(row.operation)) {
      if (!check_variable(i, first)) return absorb_arguments(i);
      expect(first, kTypeInPlace);
    } else if (!of_option) {
      expect_container(first);
    }
    others(i, row.operation, first, settled(held_type(c, type)));
    const bool dropped = row.operation == Collection::Pop && c.want[i] == kTypeStatement;
    if (!dropped) settle(i, c.type[i]);
  }

  // Checks that `push` and the like change a variable, or a part of one.
  HD bool check_variable(Index call, Index receiver) const {
    const Index root = path_root(c, receiver), name = call_name(c, call);
    if (root == kNone || is_slice(c, c.type[receiver])) {
      report(g, c, name, DiagnosticCode::NotAPlace);
      c.type[call] = kTypeError;
      return false;
    }
    const Index bind = c.ref[root];
    if (c.bind_kind[bind] != BindKind::Var) {
      report(g, c, root, DiagnosticCode::NotVariable, c.bind_node[bind]);
      c.type[call] = kTypeError;
      return false;
    }
    for (Index o = c.owner[root]; o != kNone; o = c.owner[o]) {
      if (!is_lambda(c, o) || c.bind_node[bind] >= c.begin[o]) continue;
      report(g, c, root, DiagnosticCode::LambdaAssigns);
      c.type[call] = kTypeError;
      return false;
    }
    if (row_needs_list(c.ref[name]) && form_of(c, c.type[receiver]) != TypeForm::List) {
      fail(call, DiagnosticCode::ArgumentType, c.type[receiver]);
      return false;
    }
    return true;
  }

 private:
  // True for a variable that may change, and for a part of one.
  HD bool is_variable(Index value) const {
    const Index root = path_root(c, value);
    return root != kNone && c.bind_kind[c.ref[root]] == BindKind::Var;
  }
  HD static bool changes_receiver(Collection operation) {
    return operation == Collection::Push || operation == Collection::Pop ||
           operation == Collection::Swap;
  }
  HD void others(Index i, Collection operation, Index first, TypeId held) const {
    ArgumentsBackwards arguments(c, i);
    for (Index e = arguments.next(); e != first; e = arguments.next()) {
      if (operation == Collection::Push || operation == Collection::Or) {
        expect(e, operation == Collection::Or ? value_of_or(i, held) : held);
        continue;
      }
      const TypeId type = settled(c.type[e]);  // an index
      expect(e, type);
      if (type == kTypeError || (is_scalar(type) && is_integer(as_scalar(type)))) continue;
      fail(e, DiagnosticCode::IndexType, type);
      expect(e, kTypeError);
    }
    if (operation == Collection::Or) {
      const TypeId type = value_of_or(i, held);
      expect(first, held == kTypeNever ? TypeId{c.type[first]} : settled(c.type[first]));
      c.type[i] = type;
    }
  }
  HD TypeId value_of_or(Index i, TypeId held) const {
    return is_tuple(held) || is_scalar(held) ? held : settled(c.type[i]);
  }
  HD void some(Index i, Index value) const {
    const TypeId want = c.want[i], own = c.type[i];
    if (own == kTypeError)
      return absorb_arguments(i);  // the node around it has reported that it does not fit
    const TypeId type = is_option(c, want) ? want : settled(own);
    const TypeId held = held_type(c, type);
    expect(value, held);
    if (held == kTypeError) {  // has been reported
      c.type[i] = kTypeError;
      return;
    }
    if (is_tuple(held) && holds_nothing(c, held)) return fail(i, DiagnosticCode::ElementUnknown);
    if (!is_value(held)) return fail(i, DiagnosticCode::ElementCells, held);
    if (is_slice(c, held)) return fail(i, DiagnosticCode::SliceValue);
    if (type == want) {
      c.type[i] = type;
      return;
    }
    settle(i, type);
  }
  HD static bool row_needs_list(Index ref) {
    return names_collection(ref, Collection::Push) || names_collection(ref, Collection::Pop) ||
           names_chain(ref, ChainOp::Extend);
  }
  HD void absorb_arguments(Index call) const {
    ArgumentsBackwards arguments(c, call);
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) c.want[e] = kTypeError;
    c.type[call] = kTypeError;
  }

  // Expects a value that is looked at in place, or kept so that it can be.
  HD void expect_container(Index i) const {
    if (i == kNone) return;
    if (is_placed(c, i)) return expect(i, kTypeInPlace);
    // Parentheses and branches settle when their turn comes.
    expect(i, is_view(c, i) ? kTypeInPlace : settled(c.type[i]));
    keep_in_slots(i);
  }
  HD void keep(Index i) const {
    expect(i, settled(c.type[i]));
    keep_in_slots(i);
  }
  HD void keep_in_slots(Index i) const {
    if (i < c.nodes && c.type[i] != kTypeError) add_tail(c, i, kKept);
  }
  HD void keep_held(Index i, const Container& own, TypeId held) const {
    c.cell[i] = Container{own.form, own.is_open, own.count, settled(held)}.packed();
  }
  HD void expect_elements(Index i, TypeId held) const {
    if (c.type[i] == kTypeError || held == kTypeError || c.want[i] == kTypeError)
      c.type[i] = kTypeError;
    if (c.right[i] == kNone || node_context(c, c.right[i]) == Context::Skipped) return;
    if (repeats(c, i)) return expect(repeated(c, i), held);
    ElementsBackwards elements(c, i);
    for (Index e = elements.next(); e != kNone; e = elements.next()) expect(e, held);
  }
  // Reports elements that have no type in common: those that differ from the first concrete one. If each of them
  // fits that one alone, reports the last.
  HD void unlike(Index i) const {
    const TypeId concrete = first_concrete(i);
    bool differ = false;
    Index last = kNone;
    ElementsBackwards elements(c, i);
    for (Index e = elements.next(); e != kNone; e = elements.next()) {
      if (last == kNone) last = e;
      differ = differ || !passes_for(c, c.type[e], concrete);
    }
    expect_elements(i, differ ? concrete : kTypeError);
    if (!differ) fail(last, DiagnosticCode::Mismatch, concrete, settled(c.type[last]));
  }
  HD TypeId first_concrete(Index i) const {
    TypeId concrete = kTypeError;
    ElementsBackwards elements(c, i);
    for (Index e = elements.next(); e != kNone; e = elements.next())
      if (!is_literal(c.type[e])) concrete = settled(c.type[e]);
    return concrete == kTypeError ? type_of(Scalar::F64) : concrete;
  }
  // The most instructions that put the elements in their places.
  [[nodiscard]] HD u32 literal_code(Index i, const Container& own, TypeId held) const {
    const u32 blocks = count_blocks(c, settled(held));
    const u32 elements = repeats(c, i) || blocks == 1 ? 2 : own.count;
    return 16 + blocks * (elements + 4);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
