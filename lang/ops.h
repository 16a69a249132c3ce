// SPDX-License-Identifier: Apache-2.0
// The operations as an enumeration with a row each. What an operation means is in op_eval.h.
#pragma once
#include <string_view>

#include "lang/traps.h"
#include "lang/types.h"

namespace komuz {

enum class Op : u8 {
#define OP(Name, mnemonic, form, types, traps, meaning) Name,
#include "lang/ops.def"
};
inline constexpr u32 kOpCount = 0
#define OP(Name, mnemonic, form, types, traps, meaning) +1
#include "lang/ops.def"
    ;

// Stack effect and use of the fields. T is the field `type`; fields that a form does not name are 0.
enum class OpForm : u8 {
  Const,    //         -> T       b: index of a constant
  Load,     //         -> T       a: slot
  Store,    // T       ->         a: slot
  Project,  // cells   -> cells   a: cells kept; b: cells taken << 16 | first cell kept
  Copy,     //         -> T       a: cells above the one that is pushed once more
  Branch,   // bool    ->         a: 1 if there is a second arm; b: target
  Jump,     // a cells ->         a: values of an arm, pushed again by the second arm; b: target
  ShortCircuit,  // bool    ->         b: target, where the bool is on the stack
  Loop,          //         ->         b: its END
  BreakIf,       // bool    ->
  ForNext,       //         ->         a: first of three slots of type T; b: 1 if inclusive
  LoopExit,      //         ->         a: how many loops out
  End,           //         ->         b: its LOOP
  Slot,          //         ->         a: slot of type i64
  Plain,         //         ->
  Call,          // params  -> results a: function
  Return,        // results ->
  Assert,        // bool    ->
  TrapNow,       //         ->         a: trap
  Unary,         // T       -> T
  Binary,        // T T     -> T
  Ternary,       // T T T   -> T
  Shift,         // T A     -> T       a: A, an integer type
  Compare,       // T T     -> bool
  Order,         // T T     -> i64
  Predicate,     // T       -> bool
  Count,         // T       -> i64
  Near,          // T T T   -> bool
  Convert,       // A       -> T       a: A
};

struct OpRow {
  std::string_view mnemonic;
  OpForm form;
  TypeSet types;
  u16 traps;  // bit t: may end in trap t
  std::string_view meaning;
};
namespace op_rows {
using namespace type_set;
constexpr u16 trap_bit(Trap t) { return static_cast<u16>(1u << static_cast<u8>(t)); }

#define T(Name) trap_bit(Trap::Name)
HD_TABLE OpRow kRows[kOpCount + 1] = {
#define OP(Name, mnemonic, form, types, traps, meaning) \
  {mnemonic, OpForm::form, types, static_cast<u16>(traps), meaning},
#include "lang/ops.def"
    {"?", OpForm::Plain, kNone, 0, "no operation"}};
#undef T
}  // namespace op_rows
// The last row for what is no operation.
[[nodiscard]] HD constexpr const OpRow& op_row(Op op) {
  const u32 number = static_cast<u8>(op);
  return op_rows::kRows[number < kOpCount ? number : kOpCount];
}

// True for operations that only compute a value from the cells they pop: those of op_eval.h.
HD constexpr bool is_pure_form(OpForm f) { return f >= OpForm::Unary; }

// Cells that a pure operation pops.
HD constexpr u32 operand_count(OpForm form) {
  switch (form) {
    case OpForm::Unary:
    case OpForm::Predicate:
    case OpForm::Count:
    case OpForm::Convert: return 1;
    case OpForm::Binary:
    case OpForm::Shift:
    case OpForm::Compare:
    case OpForm::Order: return 2;
    case OpForm::Ternary:
    case OpForm::Near: return 3;
    case OpForm::Const:
    case OpForm::Load:
    case OpForm::Store:
    case OpForm::Project:
    case OpForm::Copy:
    case OpForm::Branch:
    case OpForm::Jump:
    case OpForm::ShortCircuit:
    case OpForm::Loop:
    case OpForm::BreakIf:
    case OpForm::ForNext:
    case OpForm::LoopExit:
    case OpForm::End:
    case OpForm::Slot:
    case OpForm::Plain:
    case OpForm::Call:
    case OpForm::Return:
    case OpForm::Assert:
    case OpForm::TrapNow: return 0;
  }
  return 0;
}

static_assert(static_cast<u8>(Op::FromBits) + 1 == kOpCount);

}  // namespace komuz
