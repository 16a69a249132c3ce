// SPDX-License-Identifier: Apache-2.0
#include "lang/stack_effect.h"

namespace komuz {

i32 stack_effect(const CodeView& code, const Function& f, Instruction i) {
  const auto a = static_cast<i32>(i.a), b = static_cast<i32>(i.b);
  const OpForm form = op_row(i.op).form;
  switch (form) {
    case OpForm::Const:
    case OpForm::Load:
    case OpForm::EqCells:
    case OpForm::Hole: return 1;
    case OpForm::Store:
    case OpForm::Branch:
    case OpForm::ShortCircuit:  // it keeps the bool where it goes to its target
    case OpForm::BreakIf:
    case OpForm::Ticks:
    case OpForm::Assert:
    case OpForm::Require: return -1;
    case OpForm::LoadSlots: return b;
    case OpForm::StoreSlots: return -b;
    case OpForm::LoadAt: return static_cast<i32>(area_access(i).cells) - 1;
    case OpForm::StoreAt: return -static_cast<i32>(area_access(i).cells) - 1;
    case OpForm::RefPart: return -2;
    case OpForm::LoadRef: return a - 2;
    case OpForm::Project: return a - static_cast<i32>(i.b >> 16);
    case OpForm::Copy: return b + 1;
    case OpForm::Repeat: return a * (b - 1);
    case OpForm::Consts: return a;
    case OpForm::Jump: return -a;
    case OpForm::Return: return -i32{f.result_cells};
    case OpForm::Call: {
      const Function& callee = code.functions[i.a];
      return i32{callee.result_cells} - i32{callee.parameter_slots};
    }
    case OpForm::Ref:
    case OpForm::Loop:
    case OpForm::ForNext:
    case OpForm::LoopExit:
    case OpForm::End:
    case OpForm::Slot:
    case OpForm::Plain:
    case OpForm::TrapNow: return 0;
    default: return 1 - static_cast<i32>(operand_count(form));  // the pure forms
  }
}

}  // namespace komuz
