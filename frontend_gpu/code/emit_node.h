// SPDX-License-Identifier: Apache-2.0
// The instructions of one node, given those of its children. They are written once, for every kind of sink: one
// counts instructions, one writes them, one fills in places, one evaluates constants. Code is in post-order. What
// stands between two children (the test of `&&`, the start of `while`) belongs to the left child, or to a leaf of
// its own.
//
// A sink has these functions: op(Op, Scalar, a, b), constant(Scalar, cell), constants_of(Scalar, item, number,
// count), text(string, count); and one for each instruction that names a place in the code: branch, loop, end_loop,
// second_arm, short_circuit, skip_guard, next_arm, end_arm, next_alternative, end_alternative. They take nodes;
// only the sink that fills in places looks up where the code of the nodes lies. own_branch, own_jump and jump_over
// jump inside of the code of one node.
#pragma once
#include "frontend_gpu/code/compare_cells.h"
#include "frontend_gpu/code/emit_builtin.h"
#include "frontend_gpu/code/emit_chain.h"
#include "frontend_gpu/code/emit_container.h"
#include "frontend_gpu/code/emit_holes.h"
#include "frontend_gpu/code/emit_names.h"
#include "frontend_gpu/code/emit_pattern.h"
#include "frontend_gpu/code/emit_slices.h"
#include "frontend_gpu/code/record_arguments.h"
#include "frontend_gpu/names/modules.h"
#include "frontend_gpu/questions/powers.h"
#include "frontend_gpu/types/synthesise.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD u32 value_slot(const Columns& c, Index bind) { return c.bind_value[bind]; }

// The place where the value of node i's subtree is complete, as an instruction number in its region.
HD u32 code_end(const Columns& c, Index i) { return c.offset[i] + c.own_code[i]; }

template <class Sink>
struct EmitNode {
  Columns& c;
  Sink& sink;

  HD void operator()(Index i) const {
    if (node_context(c, i) == Context::Skipped || c.role[i] == Role::Gone) return;
    if (is_whole_pattern(c.role[i])) return EmitPattern<Sink>{c, sink}(i);
    if (is_lambda_pattern(c.role[i])) return chains().pattern(i);
    if (c.role[i] == Role::Function) return chains().applied(i);
    if (c.role[i] == Role::ChoiceHole) return holes().start(alternatives_of_choice(c, i));
    if (c.role[i] == Role::Folded)
      sink.constant(scalar(c.type[i]), c.cell[i]);
    else if (c.role[i] == Role::Shared)
      sink.op(Op::LoadVar, scalar(c.type[i]), kept_slot(c, c.ref[i]));
    else if (c.role[i] != Role::Neutral)
      emit_plain(i);
    if ((c.tails[i] & kShared) != 0) {
      sink.op(Op::StoreVar, scalar(c.type[i]), kept_slot(c, i));
      sink.op(Op::LoadVar, scalar(c.type[i]), kept_slot(c, i));
    }
    if ((c.tails[i] & (kKept | kHoisted)) != 0) return chains().tail(i);
    if ((c.tails[i] & kAlternative) != 0) holes().tail(i);
    if ((c.tails[i] & kLazyLeft) != 0) {
      const Index parent = c.end[i];
      sink.short_circuit(node_row(node_kind(c, parent)).op, parent);
    }
  }

 private:
  HD void emit_plain(Index i) const {
    const Node kind = node_kind(c, i);
    const NodeRow& row = node_row(kind);
    switch (row.node_class) {
      case NodeClass::Arithmetic: is_product(c, i) ? product(i) : operation(i, row.op); break;
      case NodeClass::Unary:
        if (!is_negated(c, i + 1)) operation(i, row.op);
        break;
      case NodeClass::Shift:
        sink.op(row.op, scalar(c.type[i]), static_cast<u32>(scalar(c.type[c.right[i]])));
        break;
      case NodeClass::Compare: {
        const TypeId left = c.type[c.left[i]];
        const TypeId type = left == kTypeNever ? c.want[c.left[i]] : left;
        if (compared_slices(c, i) != kTypeError)
          EmitSlices<Sink>{{{c, sink}}}.compare(i);
        else if (is_any_tuple(type))
          CompareCells<Sink>{c, sink}(row.op, type);
        else if (is_value(type))
          sink.op(row.op, scalar(type));
        else
          sink.constant(Scalar::Bool, 0);  // neither side gives a value
        break;
      }
      case NodeClass::Lazy: break;
      case NodeClass::Update: update(i, row.op); break;
      case NodeClass::Other: emit_statement(i, kind); break;
    }
  }
  HD static Scalar scalar(TypeId type) { return is_scalar(type) ? as_scalar(type) : Scalar::Bool; }

  HD void emit_statement(Index i, Node kind) const {
    const Index right = c.right[i];
    switch (kind) {
      case Node::Name:
        if (c.role[i] == Role::Expansion) return holes().unfilled(c.type[i]);
        return name(i);
      case Node::Hole:
        sink.op(Op::TrapNow, Scalar::None, static_cast<u32>(Trap::Hole));
        return phantom(i);
      case Node::Space: return holes().start(c.right[c.item_body[c.item[i]]]);
      case Node::Int:
        if (node_context(c, i) == Context::Field || node_context(c, i) == Context::RecBound) return;
        if ((c.tails[i] & kFactors) != 0) return;
        [[fallthrough]];
      case Node::Float:
      case Node::Char:
      case Node::True:
      case Node::False: return sink.constant(scalar(c.type[i]), c.cell[i]);
      case Node::Dot: return field(i);
      case Node::Index:
        if (c.role[i] == Role::Choice) return;  // its alternatives have given the value
        return is_view(c, i) ? containers().view(i) : containers().step(i);
      case Node::Bracket:
        if (c.role[i] != Role::Arguments && c.role[i] != Role::ChoiceOpen) containers().array(i);
        return;
      case Node::String: return containers().text(i);
      case Node::Call: return c.role[i] == Role::Grid ? holes().grid(i) : call(i);
      case Node::Assign: return assign(i);
      case Node::Comma:
        if (is_traps_argument(i)) sink.op(Op::Return, Scalar::None);
        return;
      case Node::If: return sink.branch(i);
      case Node::Body: return body(i);
      case Node::LoopStart: return sink.loop(c.end[c.end[i]]);  // the parents are While, then Body
      case Node::Limit: return sink.op(Op::StoreVar, Scalar::I64, c.bind_slot[c.ref[i]]);
      case Node::While:
        sink.op(Op::BreakIfFalse, Scalar::None);
        if (node_kind(c, right) == Node::Limit)
          sink.op(Op::Limit, Scalar::None, c.bind_slot[c.ref[right]]);
        return sink.op(Op::Tick, Scalar::None);
      case Node::In: {
        if (is_consumed(c, run_over(c, i))) return;
        if (!is_range(c, run_over(c, i))) return containers().start_loop(i);
        const Index bind = c.ref[c.left[i]];
        const Scalar type = scalar(c.bind_type[bind]);
        sink.op(Op::StoreVar, type, c.bind_slot[bind] + 1);
        return sink.op(Op::StoreVar, type, c.bind_slot[bind]);
      }
      case Node::For: {
        const Index bind = c.ref[c.left[right]], range = run_over(c, right);
        if (is_consumed(c, range)) {
          store_names(c.left[right]);
          return sink.op(Op::Tick, Scalar::None);
        }
        sink.loop(c.end[i]);  // For is the left child of its Body
        if (!is_range(c, range)) return next_element(right);
        sink.op(Op::ForNext, scalar(c.bind_type[bind]), c.bind_slot[bind],
                node_kind(c, range) == Node::RangeInclusive);
        return sink.op(Op::Tick, Scalar::None);
      }
      case Node::Range:
      case Node::RangeInclusive:
        if (c.role[i] == Role::PropRange) sink.constant(Scalar::Bool, kind == Node::RangeInclusive);
        return;
      case Node::Match: return match(i);
      case Node::Guard: return EmitPattern<Sink>{c, sink}.after_guard(i);
      case Node::Lambda:
        if (!is_lambda(c, i)) end_arm(i);
        return;
      case Node::Return: sink.op(Op::Return, Scalar::None); return phantom(i);
      case Node::Break:
      case Node::Continue:
        sink.op(kind == Node::Break ? Op::Break : Op::Continue, Scalar::None, loops_out(i));
        return phantom(i);
      case Node::Assert:
        if (!is_traps_call(c, right)) sink.op(Op::Assert, Scalar::None);
        return;
      case Node::Prop:
      case Node::Example: return sink.op(Op::Return, Scalar::None);
      default: return;
    }
  }

  // If no operand of an operator gives a value, the operator leaves as its operands do.
  HD void operation(Index i, Op op) const {
    if (c.type[i] == kTypeNever) return phantom(i);
    sink.op(op, scalar(c.type[i]));
  }
  HD_COLD void product(Index i) const {
    const u32 factors = written_factors(c, i);
    sink.op(Op::Repeat, Scalar::None, 1, factors);
    for (u32 k = 1; k < factors; ++k) sink.op(Op::Mul, scalar(c.type[i]));
  }
  // `return`, `break` and `continue` fit any type. Zeros stand in place of the value, so that heights are static.
  HD_COLD void phantom(Index i) const {
    const TypeId want = c.want[i];
    if (!is_value(want)) return;
    for_each_block(c, settled(want),
                   [&](Scalar scalar, u32 cells) { containers().zeros(scalar, cells); });
  }
  HD u32 loops_out(Index i) const {
    u32 loops = 0;
    for (Index o = c.owner[i]; o != kNone; o = c.owner[o]) {
      if (node_kind(c, o) != Node::Body) continue;
      const Node head = node_kind(c, c.left[o]);
      if (head == Node::While || head == Node::For) return loops;
    }
    return loops;
  }

  HD EmitHoles<Sink> holes() const { return {{c, sink}}; }
  HD EmitContainer<Sink> containers() const { return {{c, sink}}; }
  HD EmitChain<Sink> chains() const { return {{{c, sink}}}; }

  HD_COLD void load(u32 slot, TypeId type) const {
    const u32 cells = type_cells(c, settled(type));
    if (is_bulk(c, type)) {
      containers().copy_ticks(type, cells);
      return sink.op(Op::LoadVars, Scalar::None, slot, cells);
    }
    for_each_cell(c, settled(type), [&](Scalar cell) { sink.op(Op::LoadVar, cell, slot++); });
  }
  HD void store_backwards(u32 slot, TypeId type) const {
    if (is_scalar(type)) return sink.op(Op::StoreVar, as_scalar(type), slot);
    store_cells(slot, type);
  }
  HD_COLD void store_cells(u32 slot, TypeId type) const {
    if (is_bulk(c, type))
      return sink.op(Op::StoreVars, Scalar::None, slot, type_cells(c, settled(type)));
    Scalar cells[kBulkCells];
    u32 n = 0;
    for_each_cell(c, settled(type), [&](Scalar cell) { cells[n++] = cell; });
    while (n-- != 0) sink.op(Op::StoreVar, cells[n], slot + n);
  }
  // Stores the element of `for p in xs` to the names of p.
  HD_COLD void next_element(Index in) const {
    sink.op(Op::ForNext, Scalar::I64, kept_slot(c, in), 0);
    sink.op(Op::Tick, Scalar::None);
    containers().load_element(in);
    store_names(c.left[in]);
  }

  HD void name(Index i) const {
    const NameRole role = name_role(node_context(c, i));
    if (!gives_value(role) || role == NameRole::Target) return;
    // The node at the end of a path loads the part, and a `match` loads what it needs. A view may look at a copy.
    const bool kept = (c.tails[i] & kKept) != 0;
    const bool waits = !kept && (role == NameRole::Base || c.want[i] == kTypeInPlace);
    if (waits && is_path(c, i)) return;
    const Index ref = c.ref[i];
    if (is_collection(ref)) return containers().none(c.type[i]);
    if (ref >= kBuiltinRef) return builtin_value(i, ref);
    if (c.bind_kind[ref] == BindKind::Constant) return constant_item(ref);
    if (c.bind_kind[ref] == BindKind::Constructor) return build(c.bind_type[ref], ref, nullptr);
    if (is_scalar(c.bind_type[ref]))
      return sink.op(Op::LoadVar, as_scalar(c.bind_type[ref]), value_slot(c, ref));
    if (containers().is_wanted_as_slice(i)) return containers().variable_slice(i);
    load(value_slot(c, ref), c.bind_type[ref]);
  }
  HD_COLD void builtin_value(Index i, Index ref) const {
    const ConstantRow& row = builtin_constant(ref - kBuiltinRef - kBuiltinCount);
    const Scalar type = scalar(c.type[i]);
    sink.constant(type, builtin_cell(row, type));
  }
  HD_COLD void constant_item(Index bind) const {
    const Index item = c.item[c.bind_node[bind]];
    u32 number = 0;
    for_each_block(c, c.bind_type[bind], [&](Scalar scalar, u32 cells) {
      sink.constants_of(scalar, item, number, cells);
      number += cells;
    });
  }

  HD_COLD void field(Index i) const {
    if (name_role(node_context(c, i)) == NameRole::Callee) return;
    if (is_placed(c, i)) return containers().step(i);
    const TypeId base = c.type[c.left[i]];
    const u32 taken = type_cells(c, base);
    const u32 first = cells_before(c, base, field_number(c, base, c.right[i]));
    sink.op(Op::Project, Scalar::None, type_cells(c, c.type[i]), taken << 16 | first);
  }

  HD_COLD void call(Index i) const {
    const Index ref = c.ref[call_name(c, i)];
    if (ref == kNone) return;  // `traps`: its argument is an entry of its own
    if (ref < kBuiltinRef && c.bind_kind[ref] == BindKind::Constructor) return construct(i);
    if (ref < kBuiltinRef)
      return sink.op(Op::Call, Scalar::None, function_number(c, c.item[c.bind_node[ref]]));
    const Index operation = operation_of(c, i);
    if (is_chain(operation)) return chains().call(i);
    if (is_collection(operation)) return containers().call(i, collection_of(operation));
    const BuiltinRow& row = builtin_row(ref);
    ArgumentsBackwards arguments(c, i);
    const Index last = arguments.next();
    Index first = last;
    for (Index e = arguments.next(); e != kNone; e = arguments.next()) first = e;
    // An argument that leaves has no type of its own, only the one that is wanted.
    const TypeId own = c.type[first];
    const TypeId given = own == kTypeNever ? TypeId{c.want[first]} : own;
    const Scalar type = scalar(given);
    if (compared_by_parts(c, i) != kTypeError) return EmitSlices<Sink>{{{c, sink}}}.order(i);
    if (is_any_tuple(given)) return CompareCells<Sink>{c, sink}(row.op, given);
    if (row.shape == BuiltinShape::Exact)
      return containers().exact(TypeId{c.type[i]}, row.target, type);
    emit_builtin(sink, row, type, scalar(c.type[last]), scalar(c.type[i]));
  }

  // The arguments of a constructor lie on the stack in the order of the text. The fields of a record lie in the
  // order of its type.
  HD_COLD void construct(Index call) const {
    const TypeId type = c.type[call];
    if (!is_tuple(type)) return;
    const Index ref = c.ref[call_name(c, call)];
    const RecordArguments arguments(c, call, fields_of(c, c.bind_node[ref]));
    if (is_sum(c, type)) return build(type, ref, &arguments);
    if (arguments.are_in_order()) return;
    u32 wanted = 0;  // cells copied so far
    for (u32 field = 0; field < arguments.fields(); ++field) {
      u32 below = arguments.cells_below(field);
      for_each_block(c, arguments.field_type(field), [&](Scalar scalar, u32 cells) {
        below += cells;
        containers().copy(scalar, arguments.cells() - below + wanted, cells);
        wanted += cells;
      });
    }
    const u32 all = arguments.cells() + wanted;
    sink.op(Op::Project, Scalar::None, wanted, all << 16 | arguments.cells());
  }

  // Builds the value of a sum: the number of its alternative, then the cells of the fields, which are on the stack,
  // with zeros where other alternatives have their cells.
  HD_COLD void build(TypeId sum, u32 ref, const RecordArguments* arguments) const {
    const u32 given = arguments == nullptr ? 0 : arguments->cells();
    sink.constant(kTagScalar, alternative_number(c, sum, c.bind_node[ref]));
    u32 at = 0;
    for_each_block(c, sum, [&](Scalar scalar, u32 count) {
      const bool is_tag = at == 0;
      const u32 taken = is_tag ? 1 : arguments == nullptr ? 0 : copy_fields(*arguments, scalar, at);
      if (taken != count) containers().zeros(scalar, count - taken);
      at += count;
    });
    if (given != 0) sink.op(Op::Project, Scalar::None, at, (given + at) << 16 | given);
  }

  // Copies the blocks of one scalar type of all fields; `above`: cells on top of the arguments. Returns the number
  // of cells copied.
  HD u32 copy_fields(const RecordArguments& arguments, Scalar wanted, u32 above) const {
    u32 taken = 0;
    for (u32 field = 0; field < arguments.fields(); ++field) {
      u32 below = arguments.cells_below(field);
      for_each_block(c, arguments.field_type(field), [&](Scalar scalar, u32 cells) {
        below += cells;
        if (scalar != wanted) return;
        containers().copy(scalar, arguments.cells() - below + above + taken, cells);
        taken += cells;
      });
    }
    return taken;
  }

  // Stores the value that a match looks at to slots of the match, unless it is a variable that does not change.
  HD_COLD void match(Index i) const {
    if (matched_variable(c, i) != kNone) return;
    const Index value = c.right[i];
    const TypeId type = settled(c.type[i]);
    if (node_kind(c, value) == Node::Name && is_path(c, value))
      load(value_slot(c, c.ref[value]), type);
    store_backwards(c.bind_slot[c.ref[i]], type);
  }
  HD_COLD void end_arm(Index arm) const {
    if (!is_last_arm(c, arm)) sink.end_arm(arm, match_cells(arm));
  }
  HD u32 match_cells(Index arm) const {
    const Index block = arms_block(c, arm), body = block - 1;
    const TypeId want = c.want[body];
    if (want == kTypeStatement) return 0;
    const TypeId type = is_value(want) ? want : TypeId{c.type[block]};
    return is_value(type) ? type_cells(c, settled(type)) : 0;
  }

  HD_COLD void update(Index i, Op op) const {
    const TypeId type = c.type[c.left[i]];
    const bool shifts = op == Op::Shl || op == Op::Shr;
    sink.op(op, scalar(type), shifts ? static_cast<u32>(scalar(c.type[c.right[i]])) : 0);
    Place place;
    find_place(c, c.left[i], place);
    containers().store(place, 0);
    containers().drop_below(0, place.levels);
  }

  // Stores the value, whose cells are on top. If there are several values, the last is topmost.
  HD_COLD void assign(Index i) const {
    Index target = c.left[i];
    if (node_context(c, target) == Context::ConstTarget) return;
    if (node_kind(c, target) == Node::Colon) target = c.left[target];
    if (node_context(c, target) != Context::Target) return store_names(target);
    // Below the values lie the indices of all places.
    u32 cells = 0, indices = 0, all = 0;
    const auto visit_places = [&](auto visit) {
      for (Index n = c.end[target]; n-- > c.begin[target];)
        if (is_whole_place(target, n)) visit(n);
    };
    visit_places([&](Index n) {
      cells += type_cells(c, c.type[n]);
      all += levels_of(c, n);
    });
    visit_places([&](Index n) {
      Place place;
      find_place(c, n, place);
      if (place.levels == 0) {
        store_backwards(place.first[0], place.type);
        cells -= place.cells();
        return;
      }
      containers().check_indices(n, cells + indices);
      cells -= place.cells();
      containers().store(place, cells + indices);
      indices += place.levels;
    });
    containers().drop_below(0, all);
  }
  // True for a place left of `=`, with all its steps.
  HD bool is_whole_place(Index target, Index n) const {
    const Context own = node_context(c, n);
    if (own != Context::Target && own != Context::TargetList) return false;
    const Node kind = node_kind(c, n);
    if (kind != Node::Name && kind != Node::Dot && kind != Node::Index) return false;
    const Index parent = n == target ? kNone : parent_of(c, n);
    return c.owner[n] == c.owner[target] && (parent == kNone || step_base(c, parent) != n);
  }
  // Stores a value to the names of a pattern that takes every value.
  HD_COLD void store_names(Index pattern) const {
    store_parts(c, sink, pattern, [&](Index name) {
      store_backwards(value_slot(c, c.ref[name]), c.bind_type[c.ref[name]]);
    });
  }

  HD void body(Index i) const {
    switch (node_kind(c, c.left[i])) {
      case Node::If:
        if (node_context(c, i) == Context::ElseBody) sink.second_arm(c.end[i], arm_cells(c.end[i]));
        return;
      case Node::While: return sink.end_loop(i);
      case Node::For: {
        const Index over = run_over(c, c.right[c.left[i]]);
        if (is_consumed(c, over)) return chains().end_for(over);
        return sink.end_loop(i);
      }
      case Node::Match: return;
      default: return sink.op(Op::Return, Scalar::None);
    }
  }
  HD u32 arm_cells(Index otherwise) const {
    const TypeId want = c.want[otherwise];
    if (is_value(want)) return type_cells(c, settled(want));
    return 0;
  }
  HD bool is_traps_argument(Index i) const {
    const Index owner = c.owner[i];
    return node_context(c, i) == Context::Args && owner != kNone && is_traps_call(c, owner) &&
           c.right[c.right[owner]] == i;
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
