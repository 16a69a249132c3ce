// SPDX-License-Identifier: Apache-2.0
// The table of handlers, built from ops.def and types.def. Only batch_portable.cpp, batch_avx2.cpp and
// batch_avx512.cpp include it.
#pragma once
#include "vm/lane_areas.h"
#include "vm/lane_cells.h"
#include "vm/lane_control.h"
#include "vm/lane_elements.h"
#include "vm/lane_machine.h"
#include "vm/lane_outcomes.h"
#include "vm/lane_references.h"
#include "vm/lane_ticks.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

template <Op op, class T>
constexpr void add_rest(HandlerTable& table, u32 type) {
  if constexpr (folding_number(op) < kFoldingOps) {
    RestHandler(&row)[2] = table.fold[folding_number(op)][type];
    row[0] = fold_elements<op, T, false>;
    row[1] = fold_elements<op, T, true>;
  }
  if constexpr (comparison_number(op) < kComparisons) {
    RestHandler(&row)[2] = table.pass[comparison_number(op)][type];
    row[0] = pass_elements<op, T, false>;
    row[1] = pass_elements<op, T, true>;
  }
  if constexpr (op == Op::Min || op == Op::Max)
    table.best[op == Op::Max][type] = pass_worse_elements<op, T>;
}

template <Op op, OpForm form, Scalar type>
constexpr void add_handlers(HandlerTable& table) {
  using T = typename LaneElement<type>::Type;
  Handler(&row)[kScalarCount] = table.pure[static_cast<u32>(op)][static_cast<u32>(type)];
  if constexpr (form == OpForm::ForNext) {
    add_for_next<1, type>(table.one_word);
    add_for_next<kMaskWords, type>(table.all_words);
  } else if constexpr (form == OpForm::LoadAt) {
    row[0] = run_load_at<T>;
  } else if constexpr (form == OpForm::StoreAt) {
    row[0] = run_store_at<T>;
  } else if constexpr (form == OpForm::Ref) {
    row[0] = run_refer;
  } else if constexpr (form == OpForm::RefPart) {
    row[0] = run_part_of_reference;
  } else if constexpr (form == OpForm::LoadRef) {
    row[0] = run_load_ref<T, true>;
    row[1] = run_rest_of_reference;
    row[2] = run_load_ref<T, false>;
  } else if constexpr (form == OpForm::Shift) {
#define SCALAR(Name, spelling, A, bytes, cls) \
  if constexpr (is_integer(Scalar::Name)) row[static_cast<u32>(Scalar::Name)] = run_shift<op, T, A>;
#include "lang/types.def"
  } else if constexpr (form == OpForm::Convert) {
#define SCALAR(Name, spelling, From, bytes, cls)             \
  if constexpr (converts_lanes_from<op, type>(Scalar::Name)) \
    row[static_cast<u32>(Scalar::Name)] = run_convert<op, T, From>;
#include "lang/types.def"
  } else if constexpr (is_pure_form(form)) {
    add_rest<op, T>(table, static_cast<u32>(type));
    row[0] = run_pure<op, form, T, type == Scalar::Bool>;
    if constexpr (form == OpForm::Compare) {
      add_compared<1, op, type>(table.one_word);
      add_compared<kMaskWords, op, type>(table.all_words);
    }
  }
}

template <u32 words, Scalar type>
constexpr void add_for_next(PartingHandlers& table) {
  using T = typename LaneElement<type>::Type;
  table.for_next[static_cast<u32>(type)][0] = run_for_next<words, T, false>;
  table.for_next[static_cast<u32>(type)][1] = run_for_next<words, T, true>;
}

template <u32 words, Op op, Scalar type>
constexpr void add_compared(PartingHandlers& table) {
  using T = typename LaneElement<type>::Type;
  constexpr u32 row = comparison_number(op);
  static_assert(row < kComparisons);
  table.if_compared[row][static_cast<u32>(type)] = run_if_compared<words, op, T>;
  table.break_compared[row][static_cast<u32>(type)] = run_break_compared<words, op, T>;
}

template <u8 division, Scalar type>
constexpr void add_divisions(HandlerTable& table) {
  table.by_power_of_two[division][static_cast<u32>(type)] =
      run_by_power_of_two<kDivision[division], typename LaneElement<type>::Type>;
  if constexpr (division + 1 < kDivisions) add_divisions<division + 1, type>(table);
}

template <Op op, OpForm form, TypeSet types>
constexpr void add_operation(HandlerTable& table) {
#define SCALAR(Name, spelling, T, bytes, cls) \
  if constexpr ((types & type_bit(Scalar::Name)) != 0) add_handlers<op, form, Scalar::Name>(table);
#include "lang/types.def"
}

template <u8 first, u8 second>
constexpr void add_pair(HandlerTable& table) {
  constexpr Op f = kPairedOp[first], s = kPairedOp[second];
  table.pair[0][first][second][0] = run_pair<f, s, f32, false>;
  table.pair[0][first][second][1] = run_pair<f, s, f32, true>;
  table.pair[1][first][second][0] = run_pair<f, s, f64, false>;
  table.pair[1][first][second][1] = run_pair<f, s, f64, true>;
  if constexpr (second + 1 < kPairedOps)
    add_pair<first, second + 1>(table);
  else if constexpr (first + 1 < kPairedOps)
    add_pair<first + 1, 0>(table);
}

template <u32 words>
constexpr Handler control_handler(Control control) {
  switch (control) {
    case Control::Enter: return run_enter<words>;
    case Control::If:
    case Control::IfElse: return run_if<words>;
    case Control::Else: return run_else<words>;
    case Control::Merge: return run_merge<words>;
    case Control::Loop: return run_loop<words>;
    case Control::BreakIfFalse: return run_break_if_false<words>;
    case Control::LoopEnd: return run_loop_end<words>;
    case Control::Break:
    case Control::ReturnEarly: return run_wait<words, 0>;
    case Control::Continue: return run_wait<words, 1>;
    case Control::Limit: return run_limit;
    case Control::Tick: return run_tick;
    case Control::Ticks: return run_ticks;
    case Control::Call: return run_call;
    case Control::Rejoin: return run_merge<words>;
    case Control::FunctionEnd: return run_function_end;
    case Control::Require: return run_require<words>;
    case Control::TrapNow: return run_trap_now;
    case Control::ElementsStart: return run_elements_start;
    case Control::Elements: return run_elements<words>;
    case Control::ElementsEnd: return run_elements_end<words>;
    case Control::Finish: return run_finish;
  }
  return nullptr;
}

constexpr HandlerTable make_handlers() {
  using namespace type_set;
  HandlerTable table{};
#define OP(Name, mnemonic, form, types, traps, meaning) \
  add_operation<Op::Name, OpForm::form, types>(table);
#include "lang/ops.def"
#define SCALAR(Name, spelling, T, bytes, cls)                                           \
  table.move[static_cast<u32>(Scalar::Name)] = run_move<T>;                             \
  table.move_cells[static_cast<u32>(Scalar::Name)] = run_move_cells<T>;                 \
  table.load_at_home[static_cast<u32>(Scalar::Name)] = run_load_at_home<T>;             \
  table.load_ref_home[static_cast<u32>(Scalar::Name)][0] = run_load_ref_home<T, true>;  \
  table.load_ref_home[static_cast<u32>(Scalar::Name)][1] = run_load_ref_home<T, false>; \
  table.compare_cells[static_cast<u32>(Scalar::Name)] = run_compare_cells<T>;           \
  table.result[static_cast<u32>(Scalar::Name)] = run_result<T>;                         \
  if constexpr (is_integer(Scalar::Name)) add_divisions<0, Scalar::Name>(table);
#include "lang/types.def"
  add_pair<0, 0>(table);
  for (u32 c = 0; c < kControlCount; ++c) {
    table.one_word.control[c] = control_handler<1>(static_cast<Control>(c));
    table.all_words.control[c] = control_handler<kMaskWords>(static_cast<Control>(c));
  }
  return table;
}

inline constexpr LaneMachine kLaneMachine = {make_handlers(), run_tile, kRegisterBytes};

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
