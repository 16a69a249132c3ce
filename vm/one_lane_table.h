// SPDX-License-Identifier: Apache-2.0
// The table of handlers for one lane, built from ops.def and types.def. Only one_lane_portable.cpp and
// one_lane_avx2.cpp include it.
#pragma once
#include "vm/one_lane_handlers.h"

namespace komuz::vm {
inline namespace KOMUZ_ISA_NAMESPACE {

template <Op op, OpForm form, Scalar type>
constexpr void add_one_lane(HandlerTable& table) {
  using T = typename LaneElement<type>::Type;
  Handler(&row)[kScalarCount] = table.pure[static_cast<u32>(op)][static_cast<u32>(type)];
  PartingHandlers& control = table.one_word;
  if constexpr (form == OpForm::ForNext) {
    constexpr LoopTest kTest = LoopTest::Plain;
    control.for_next[static_cast<u32>(type)][0] = one_lane::run_for_next<kTest, T, false>;
    control.for_next[static_cast<u32>(type)][1] = one_lane::run_for_next<kTest, T, true>;
  } else if constexpr (form == OpForm::LoadAt) {
    row[0] = one_lane::run_load_at<T>;
  } else if constexpr (form == OpForm::StoreAt) {
    row[0] = one_lane::run_store_at<T>;
  } else if constexpr (form == OpForm::Ref) {
    row[0] = one_lane::run_refer;
  } else if constexpr (form == OpForm::RefPart) {
    row[0] = one_lane::run_part_of_reference;
  } else if constexpr (form == OpForm::LoadRef) {
    row[0] = one_lane::run_load_ref<T, true>;
    row[1] = one_lane::run_rest_of_reference;
    row[2] = one_lane::run_load_ref<T, false>;
  } else if constexpr (form == OpForm::Shift) {
#define SCALAR(Name, spelling, A, bytes, cls) \
  if constexpr (is_integer(Scalar::Name))     \
    row[static_cast<u32>(Scalar::Name)] = one_lane::run_shift<op, T, A>;
#include "lang/types.def"
  } else if constexpr (form == OpForm::Convert) {
#define SCALAR(Name, spelling, From, bytes, cls)             \
  if constexpr (converts_lanes_from<op, type>(Scalar::Name)) \
    row[static_cast<u32>(Scalar::Name)] = one_lane::run_convert<op, T, From>;
#include "lang/types.def"
  } else if constexpr (is_pure_form(form)) {
    row[0] = one_lane::run_pure<op, form, T, type == Scalar::Bool>;
    if constexpr (form == OpForm::Compare) {
      const u32 comparison = comparison_number(op);
      control.if_compared[comparison][static_cast<u32>(type)] = one_lane::run_if_compared<op, T>;
      control.break_compared[comparison][static_cast<u32>(type)] =
          one_lane::run_break_compared<LoopTest::Plain, op, T>;
    }
  }
}

template <Op op, OpForm form, TypeSet types>
constexpr void add_one_lane_operation(HandlerTable& table) {
#define SCALAR(Name, spelling, T, bytes, cls) \
  if constexpr ((types & type_bit(Scalar::Name)) != 0) add_one_lane<op, form, Scalar::Name>(table);
#include "lang/types.def"
}

template <u8 division, Scalar type>
constexpr void add_one_lane_divisions(HandlerTable& table) {
  table.by_power_of_two[division][static_cast<u32>(type)] =
      one_lane::run_by_power_of_two<kDivision[division], typename LaneElement<type>::Type>;
  if constexpr (division + 1 < kDivisions) add_one_lane_divisions<division + 1, type>(table);
}

constexpr Handler one_lane_control(Control control) {
  switch (control) {
    case Control::If:
    case Control::IfElse: return one_lane::run_if;
    case Control::Enter:
    case Control::Merge:
    case Control::Rejoin:
    case Control::Loop: return one_lane::run_nothing;
    case Control::Else:
    case Control::LoopEnd:
    case Control::Break:
    case Control::Continue:
    case Control::ReturnEarly: return one_lane::run_jump;
    case Control::BreakIfFalse: return one_lane::run_break_if_false<LoopTest::Plain>;
    case Control::Limit: return one_lane::run_limit;
    case Control::Tick: return one_lane::run_tick;
    case Control::Call: return one_lane::run_call;
    case Control::FunctionEnd: return one_lane::run_function_end;
    case Control::Require: return one_lane::run_require;
    case Control::TrapNow: return one_lane::run_trap_now;
    case Control::Ticks:
    case Control::ElementsStart:
    case Control::Elements:
    case Control::ElementsEnd:
    case Control::Finish: return nullptr;
  }
  return nullptr;
}

constexpr HandlerTable make_one_lane_handlers() {
  using namespace type_set;
  HandlerTable table{};
#define OP(Name, mnemonic, form, types, traps, meaning) \
  add_one_lane_operation<Op::Name, OpForm::form, types>(table);
#include "lang/ops.def"
#define SCALAR(Name, spelling, T, bytes, cls)                                           \
  table.move[static_cast<u32>(Scalar::Name)] = one_lane::run_move<T>;                   \
  table.move_cells[static_cast<u32>(Scalar::Name)] = one_lane::run_move_cells<T>;       \
  table.compare_cells[static_cast<u32>(Scalar::Name)] = one_lane::run_compare_cells<T>; \
  if constexpr (is_integer(Scalar::Name)) add_one_lane_divisions<0, Scalar::Name>(table);
#include "lang/types.def"
  for (u32 c = 0; c < kControlCount; ++c)
    table.one_word.control[c] = one_lane_control(static_cast<Control>(c));
  return table;
}

// Variants exist for f64 and i64, the usual types of programs, and for operations that take little time.
struct VariantList {
  OneLaneVariants list[160] = {};
  u32 count = 0;
};

// The places of operands a and b, by rows of OneLaneVariants.
template <u32 places>
inline constexpr OperandPlace kPlaceOfA = places == 0   ? OperandPlace::Any
                                          : places == 3 ? OperandPlace::Fixed
                                                        : OperandPlace::Frame;
template <u32 places>
inline constexpr OperandPlace kPlaceOfB = places == 0   ? OperandPlace::Any
                                          : places == 2 ? OperandPlace::Fixed
                                                        : OperandPlace::Frame;

template <Op op, OpForm form, class T, u32 places>
constexpr void add_placed(OneLaneVariants& row) {
  row.handlers[0][places] =
      one_lane::run_pure<op, form, T, false, kPlaceOfA<places>, kPlaceOfB<places>>;
}
template <Op op, class T, LoopTest form, u32 places>
constexpr void add_placed_test(OneLaneVariants& row) {
  row.handlers[static_cast<u32>(form)][places] =
      one_lane::run_break_compared<form, op, T, kPlaceOfA<places>, kPlaceOfB<places>>;
}
template <Op op, class T, u32 places>
constexpr void add_placed_tests(OneLaneVariants& row) {
  add_placed_test<op, T, LoopTest::Plain, places>(row);
  add_placed_test<op, T, LoopTest::WithLimit, places>(row);
  add_placed_test<op, T, LoopTest::AtEnd, places>(row);
  add_placed_test<op, T, LoopTest::AtEndWithLimit, places>(row);
}
template <class T, bool inclusive>
constexpr void add_for_next_variants(VariantList& variants) {
  OneLaneVariants& row = variants.list[variants.count++];
  row.is_test = true;
  row.handlers[0][0] = one_lane::run_for_next<LoopTest::Plain, T, inclusive>;
  row.handlers[1][0] = one_lane::run_for_next<LoopTest::WithLimit, T, inclusive>;
  row.handlers[2][0] = one_lane::run_for_next<LoopTest::AtEnd, T, inclusive>;
  row.handlers[3][0] = one_lane::run_for_next<LoopTest::AtEndWithLimit, T, inclusive>;
}

template <Op op, OpForm form, Scalar type>
constexpr void add_variants_of(VariantList& variants) {
  using T = typename LaneElement<type>::Type;
  constexpr bool is_common = type == Scalar::F64 || type == Scalar::I64;
  if constexpr (form == OpForm::ForNext) {
    add_for_next_variants<T, false>(variants);
    add_for_next_variants<T, true>(variants);
  } else if constexpr (is_common && (form == OpForm::Unary || form == OpForm::Binary ||
                                     form == OpForm::Compare)) {
    OneLaneVariants& row = variants.list[variants.count++];
    add_placed<op, form, T, 0>(row);
    add_placed<op, form, T, 1>(row);
    add_placed<op, form, T, 2>(row);
    add_placed<op, form, T, 3>(row);
  }
  if constexpr (form == OpForm::Compare) {
    OneLaneVariants& row = variants.list[variants.count++];
    row.is_test = true;
    add_placed_tests<op, T, 0>(row);
    if constexpr (is_common) {
      add_placed_tests<op, T, 1>(row);
      add_placed_tests<op, T, 2>(row);
      add_placed_tests<op, T, 3>(row);
    }
  }
}
template <Op op, OpForm form, TypeSet types>
constexpr void add_variants(VariantList& variants) {
#define SCALAR(Name, spelling, T, bytes, cls)          \
  if constexpr ((types & type_bit(Scalar::Name)) != 0) \
    add_variants_of<op, form, Scalar::Name>(variants);
#include "lang/types.def"
}

constexpr VariantList make_one_lane_variants() {
  using namespace type_set;
  VariantList variants;
#define OP(Name, mnemonic, form, types, traps, meaning) \
  add_variants<Op::Name, OpForm::form, types>(variants);
#define MATH(Name, mnemonic, form, types, traps, meaning)
#include "lang/ops.def"
  OneLaneVariants& row = variants.list[variants.count++];
  row.is_test = true;
  row.handlers[0][0] = one_lane::run_break_if_false<LoopTest::Plain>;
  row.handlers[1][0] = one_lane::run_break_if_false<LoopTest::WithLimit>;
  row.handlers[2][0] = one_lane::run_break_if_false<LoopTest::AtEnd>;
  row.handlers[3][0] = one_lane::run_break_if_false<LoopTest::AtEndWithLimit>;
  return variants;
}

inline constexpr VariantList kOneLaneVariants = make_one_lane_variants();
inline constexpr OneLaneHandlers kOneLaneHandlers = {
    make_one_lane_handlers(),
    one_lane::run_of_lanes,
    one_lane::run_limit,
    {kOneLaneVariants.list, kOneLaneVariants.count}};

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::vm
