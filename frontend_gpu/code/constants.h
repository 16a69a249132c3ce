// SPDX-License-Identifier: Apache-2.0
// The values of `const` items: their code runs on a small stack while it is made.
#pragma once
#include "frontend_gpu/code/emit_once.h"
#include "frontend_gpu/questions/evaluate.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The state of a constant. An item that is no constant is Known.
enum ConstantState : u8 {
  kConstantNew,
  kConstantWaits,  // for another constant, or for its turn
  kConstantKnown,  // its value is in the pool
  kConstantInError
};
HD bool is_settled(u8 state) { return state >= kConstantKnown; }

// Runs instructions as they come. An operation that is not pure is not constant. The lowest cells of the stack are
// those of the constant in the pool, so its value ends up where it belongs.
struct EvaluateSink {
  static constexpr SinkKind kKind = SinkKind::Evaluate;
  static constexpr u32 kStack = 512;  // for what is compared or built on the way

  Columns& c;
  Column<u8> states;  // for each item
  u32 pool, in_pool;  // the constant's cells
  u64 stack[kStack] = {};
  u32 height = 0;
  Index node = 0;
  Index skip_until = kNone;  // the end of a right side of `&&` or `||` that does not count
  DiagnosticCode error = DiagnosticCode::None;
  Trap trap = Trap::None;
  Index awaited = kNone;  // the item of another constant, whose value is missing
  bool fails = false;     // another constant failed, which has been reported

  [[nodiscard]] HD u64 cell(u32 k) const {
    return k < in_pool ? u64{c.constants[pool + k]} : stack[k - in_pool];
  }
  HD void set(u32 k, u64 value) {
    if (k < in_pool)
      c.constants[pool + k] = value;
    else
      stack[k - in_pool] = value;
  }
  HD void push(u64 cell) {
    if (height == in_pool + kStack) {
      error = DiagnosticCode::NotConstant;
      return;
    }
    set(height++, cell);
  }
  HD void copy(u32 first, u32 count) {
    for (u32 k = 0; k < count && error == DiagnosticCode::None; ++k) push(cell(first + k));
  }
  HD_COLD bool moves(Op op, u32 a, u32 b) {
    if (op == Op::Project) {
      const u32 taken = b >> 16, first = b & 0xFFFF;
      height -= taken;
      for (u32 k = 0; k < a; ++k) set(height + k, cell(height + first + k));
      height += a;
      return true;
    }
    if (op == Op::Copy) {
      copy(height - 1 - a - b, b + 1);
      return true;
    }
    if (op == Op::Repeat) {
      for (u32 k = 1; k < b; ++k) copy(height - a, a);
      return true;
    }
    return false;
  }
  HD_COLD bool are_equal(Scalar type, u32 cells, u32 above, u32 above_other) {
    const u32 first = height - above - cells, other = height - above_other - cells;
    bool equal = true;
    for (u32 k = 0; k < cells && equal; ++k) {
      const u64 pair[2] = {cell(first + k), cell(other + k)};
      equal = evaluate_operation({Op::Eq, type, 0, 0}, pair).value != 0;
    }
    return equal;
  }
  HD void op(Op op, Scalar type, u32 a = 0, u32 b = 0) {
    if (error != DiagnosticCode::None) return;
    const OpForm form = op_row(op).form;
    if (moves(op, a, b) || op == Op::Ticks) {
      if (op == Op::Ticks) --height;  // a constant costs nothing when the program runs
      return;
    }
    if (op == Op::EqCells) return push(are_equal(type, a, b & 0xFFFF, b >> 16));
    if (!is_pure_form(form)) {
      error = DiagnosticCode::NotConstant;
      return;
    }
    height -= operand_count(form);
    u64 operands[3] = {};
    for (u32 k = 0; k < operand_count(form); ++k) operands[k] = cell(height + k);
    const EvaluatedCell result = evaluate_operation({op, type, static_cast<u16>(a), b}, operands);
    if (result.trap != Trap::None) {
      error = DiagnosticCode::ConstantTrap;
      trap = result.trap;
      return;
    }
    push(result.value);
  }
  HD void constant(Scalar, u64 cell) { push(cell); }
  HD void text(Index string, u32) {
    (void)string_bytes(node_text(c, string), node_length(c, string), [&](u8 byte) {
      if (error == DiagnosticCode::None) push(byte);
    });
  }
  HD void constants_of(Scalar, Index item, u32 number, u32 count) {
    const u8 state = states[item];
    if (state != kConstantKnown) {
      if (state == kConstantInError)
        fails = true;
      else
        awaited = item;
      return push(0);
    }
    for (u32 k = 0; k < count && error == DiagnosticCode::None; ++k)
      push(c.constants[c.item_constant[item] + number + k]);
  }
  HD void short_circuit(Op op, Index parent) {
    const bool top = cell(height - 1) != 0;
    if (top == (op == Op::JumpIfTrueOrPop))
      skip_until = parent;
    else
      --height;
  }
  HD void own_branch(u32) { error = DiagnosticCode::NotConstant; }
  HD void own_jump(u32, u32) { error = DiagnosticCode::NotConstant; }
  HD void chain_loop(Index, u32) { error = DiagnosticCode::NotConstant; }
  HD void own_loop(u32) { error = DiagnosticCode::NotConstant; }
  HD void own_end(u32) { error = DiagnosticCode::NotConstant; }
  HD void chain_end(Index, u32) { error = DiagnosticCode::NotConstant; }
  HD void branch(Index) { error = DiagnosticCode::NotConstant; }
  HD void loop(Index) { error = DiagnosticCode::NotConstant; }
  HD void end_loop(Index) { error = DiagnosticCode::NotConstant; }
  HD void second_arm(Index, u32) { error = DiagnosticCode::NotConstant; }
  HD void jump_over(u32) { error = DiagnosticCode::NotConstant; }
  HD void skip_guard(Index) { error = DiagnosticCode::NotConstant; }
  HD void next_arm(Index) { error = DiagnosticCode::NotConstant; }
  HD void end_arm(Index, u32) { error = DiagnosticCode::NotConstant; }
  HD void hole(Scalar, Index, u32) { error = DiagnosticCode::NotConstant; }
  HD void next_alternative(Index) { error = DiagnosticCode::NotConstant; }
  HD void end_alternative(Index, u32) { error = DiagnosticCode::NotConstant; }
};

HD Index constant_value(const Columns& c, Index item) {
  return c.right[c.right[c.item_body[item]]];
}

// Runs the code of a value, and reports what is wrong with it. Known: the cells are in the sink's stack. Waits: for
// the item `sink.awaited`.
template <class G>
HD_COLD ConstantState run_constant(G& g, Columns& c, Index value, EvaluateSink& sink) {
  const u32 last = c.rank[value], size = c.end[value] - c.begin[value];
  for (u32 r = last + 1 - size; r <= last; ++r) {
    const Index i = c.order[r];
    if (sink.skip_until != kNone && sink.skip_until != i) continue;
    sink.skip_until = kNone;
    if (is_idle(c.role[i])) continue;  // the length in `[e; n]`
    sink.node = i;
    emit_node<G>(c, sink, i);
    if (sink.awaited != kNone) return kConstantWaits;
    if (sink.fails) return kConstantInError;
    if (sink.error == DiagnosticCode::None) continue;
    report(g, c, i, sink.error, static_cast<u32>(sink.trap));
    return kConstantInError;
  }
  return kConstantKnown;
}

// Puts the value of an item into the pool, if it is known by now. `awaited`: the item for which a constant waits.
template <class G>
HD_COLD ConstantState evaluate_constant(G& g, Columns& c, Index item, Column<u8> states,
                                        Index& awaited) {
  EvaluateSink sink{c, states, c.item_constant[item],
                    type_cells(c, annotated_type(c, c.item_name[item]))};
  const ConstantState state = run_constant(g, c, constant_value(c, item), sink);
  awaited = sink.awaited;
  return state;
}

// Constants may use each other in any order. Each is evaluated after those that its text names, by a walk through
// the graph of constants. The walk needs no recursion: a constant has no frame, so its item's columns of slots hold
// how far the walk has come in it, and the constant from which the walk came.
template <class G>
class EvaluateConstants {
 public:
  HD EvaluateConstants(G& g, Columns& c, Column<u8> states) : g_(g), c_(c), states_(states) {}

  HD void all() {
    for (Index item = 0; item < c_.items; ++item)
      if (states_[item] == kConstantNew) walk_from(item);
    settle_cycles();
  }

 private:
  HD void walk_from(Index first) {
    enter(first, kNone);
    for (Index item = first; item != kNone;) {
      const Index other = next_named(item);
      if (other != kNone) {
        enter(other, item);
        item = other;
        continue;
      }
      (void)evaluate(item);
      item = c_.item_slot_base[item];
    }
  }
  HD void enter(Index item, Index from) {
    states_[item] = kConstantWaits;
    c_.item_slots[item] = c_.begin[constant_value(c_, item)];
    c_.item_slot_base[item] = from;
  }
  // The next constant that an item's text names and that the walk has not seen; kNone: there is none.
  HD Index next_named(Index item) {
    const Index end = c_.end[constant_value(c_, item)];
    for (Index i = c_.item_slots[item]; i < end; ++i) {
      if (node_kind(c_, i) != Node::Name) continue;
      const Index ref = c_.ref[i];
      if (ref >= kBuiltinRef || c_.bind_kind[ref] != BindKind::Constant) continue;
      const Index other = c_.item[c_.bind_node[ref]];
      if (states_[other] != kConstantNew) continue;
      c_.item_slots[item] = i + 1;
      return other;
    }
    return kNone;
  }
  // Evaluates an item; returns the item for which it waits.
  HD Index evaluate(Index item) {
    Index awaited = kNone;
    states_[item] = evaluate_constant(g_, c_, item, states_, awaited);
    return awaited;
  }

  // A constant that names itself through others may not need itself, because the right side of `&&` may not count.
  // Goes in rounds until none is left, or none can be evaluated.
  HD void settle_cycles() {
    bool backwards = false;
    for (bool moved = true, open = true; open; backwards = !backwards) {
      moved = open = false;
      for (Index k = 0; k < c_.items; ++k) {
        const Index item = backwards ? c_.items - 1 - k : k;
        if (is_settled(states_[item])) continue;
        c_.item_slot_base[item] = evaluate(item);
        (is_settled(states_[item]) ? moved : open) = true;
      }
      if (open && !moved) return report_cycles();
    }
  }
  // Each constant that is left waits for one other (item_slot_base), so the rest consists of cycles and of
  // constants that lead to them. A walk from each constant marks the constants that it passes (item_slots), and
  // ends at a mark. If the mark is its own, the walk has closed a cycle.
  HD void report_cycles() {
    for (Index item = 0; item < c_.items; ++item)
      if (!is_settled(states_[item])) c_.item_slots[item] = 0;
    for (Index first = 0; first < c_.items; ++first) {
      if (is_settled(states_[first])) continue;
      Index item = first;
      for (; c_.item_slots[item] == 0; item = c_.item_slot_base[item])
        c_.item_slots[item] = first + 1;
      if (c_.item_slots[item] != first + 1) continue;
      const Index start = item;
      do {
        report(g_, c_, c_.item_name[item], DiagnosticCode::CyclicConstant);
        item = c_.item_slot_base[item];
      } while (item != start);
    }
  }

  G& g_;
  Columns& c_;
  Column<u8> states_;
};

template <class G>
HD void evaluate_constants(G& g, Columns& c, Column<u8> states) {
  g.for_each(c.items, [&](u32 item) {
    states[item] = c.item_kind[item] == ItemKind::Constant ? kConstantNew : kConstantKnown;
  });
  g.once([&] { EvaluateConstants<G>(g, c, states).all(); });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
