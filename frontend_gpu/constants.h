// SPDX-License-Identifier: Apache-2.0
// The values of `const` items: their code, run on a small stack while it is made.
#pragma once
#include "frontend_gpu/emit_node.h"
#include "lang/eval_cells.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Runs instructions as they come. What is no pure operation is not constant.
struct EvaluateSink {
  static constexpr u32 kStack = 256;

  const Columns& c;
  Column<u8> known;  // by item: is the constant's value in the pool?
  u64 stack[kStack] = {};
  u32 height = 0;
  Index node = 0;
  Index skip_until = kNone;  // the right side of `&&` and `||` that does not count
  DiagnosticCode error = DiagnosticCode::None;
  Trap trap = Trap::None;
  bool waits = false;  // for another constant

  HD void push(u64 cell) {
    if (height == kStack) {
      error = DiagnosticCode::NotConstant;
      return;
    }
    stack[height++] = cell;
  }
  HD void op(Op op, Scalar type, u32 a = 0, u32 b = 0) {
    const OpForm form = op_row(op).form;
    if (form == OpForm::Project) {
      const u32 taken = b >> 16, first = b & 0xFFFF;
      height -= taken;
      for (u32 k = 0; k < a; ++k) stack[height + k] = stack[height + first + k];
      height += a;
      return;
    }
    if (form == OpForm::Copy) return push(stack[height - 1 - a]);
    if (!is_pure_form(form)) {
      error = DiagnosticCode::NotConstant;
      return;
    }
    height -= operand_count(form);
    const EvaluatedCell result = evaluate({op, type, static_cast<u16>(a), b}, stack + height);
    if (result.trap != Trap::None) {
      error = DiagnosticCode::ConstantTrap;
      trap = result.trap;
      return;
    }
    push(result.value);
  }
  HD_COLD static EvaluatedCell evaluate(Instruction instruction, const u64* operands) {
    return eval_cells(instruction, operands);
  }
  HD void constant(Scalar, u64 cell) { push(cell); }
  HD void constant_of(Scalar, Index item, u32 number) {
    if (known[item] == 0) {
      waits = true;
      return push(0);
    }
    push(c.constants[c.item_constant[item] + number]);
  }
  HD void short_circuit(Op op, Index parent) {
    const bool top = stack[height - 1] != 0;
    if (top == (op == Op::JumpIfTrueOrPop))
      skip_until = parent;
    else
      --height;
  }
  HD void branch(Index) { error = DiagnosticCode::NotConstant; }
  HD void loop(Index) { error = DiagnosticCode::NotConstant; }
  HD void end_loop(Index) { error = DiagnosticCode::NotConstant; }
  HD void second_arm(Index, u32) { error = DiagnosticCode::NotConstant; }
};

// One item; true when its value is in the pool or it is in error.
template <class G>
HD_COLD bool evaluate_constant(G& g, Columns& c, Index item, Column<u8> known) {
  const Index value = c.right[c.right[c.item_body[item]]];
  const u32 last = c.rank[value], size = c.end[value] - c.begin[value];
  EvaluateSink sink{c, known};
  for (u32 r = last + 1 - size; r <= last; ++r) {
    const Index i = c.order[r];
    if (sink.skip_until != kNone && sink.skip_until != i) continue;
    sink.skip_until = kNone;
    sink.node = i;
    EmitNode<EvaluateSink>{c, sink}(i);
    if (sink.waits) return false;
    if (sink.error == DiagnosticCode::None) continue;
    report(g, c, i, sink.error, static_cast<u32>(sink.trap));
    return true;
  }
  for (u32 k = 0; k < sink.height; ++k) c.constants[c.item_constant[item] + k] = sink.stack[k];
  return true;
}

// Constants may use others in any order: rounds until none is left, or none can go on. Every other round goes backwards,
// so that a chain takes one or two of them whichever way it is written.
template <class G>
HD void evaluate_constants(G& g, Columns& c, Column<u8> known) {
  g.for_each(c.items, [&](u32 item) { known[item] = c.item_kind[item] != ItemKind::Constant; });
  g.once([&] {
    bool backwards = false;
    for (bool moved = true, open = true; open; backwards = !backwards) {
      moved = open = false;
      for (Index k = 0; k < c.items; ++k) {
        const Index item = backwards ? c.items - 1 - k : k;
        if (known[item] != 0) continue;
        known[item] = evaluate_constant(g, c, item, known);
        (known[item] != 0 ? moved : open) = true;
      }
      if (open && !moved) {
        for (Index item = 0; item < c.items; ++item)
          if (known[item] == 0) report(g, c, c.item_name[item], DiagnosticCode::CyclicConstant);
        return;
      }
    }
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
