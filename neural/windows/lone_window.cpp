// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lang/check/check_code.h"
#include "neural/windows/targets.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

constexpr std::string_view kName = "window";

// The slots of a window in the order of a lone function's: those that it reads before it stores them, then its own.
struct WindowSlots {
  std::vector<u16> slots;
  std::vector<Scalar> types;
  u16 inputs = 0;
};

WindowSlots slots_of(std::span<const Instruction> code) {
  WindowSlots inputs, own;
  const auto has = [](const WindowSlots& in, u16 slot) {
    return std::ranges::find(in.slots, slot) != in.slots.end();
  };
  const auto add = [](WindowSlots& to, Instruction i) {
    to.slots.push_back(i.a);
    to.types.push_back(i.type);
  };
  for (const Instruction i : code) {
    if (i.op == Op::StoreVar && !has(own, i.a)) add(own, i);
    if (i.op == Op::LoadVar && !has(own, i.a) && !has(inputs, i.a)) add(inputs, i);
  }
  inputs.inputs = static_cast<u16>(inputs.slots.size());
  inputs.slots.insert(inputs.slots.end(), own.slots.begin(), own.slots.end());
  inputs.types.insert(inputs.types.end(), own.types.begin(), own.types.end());
  return inputs;
}

// The type of the scalar that a window leaves.
Scalar result_of(std::span<const Instruction> code) {
  std::vector<Scalar> stack;
  for (const Instruction i : code) {
    const OpForm form = op_row(i.op).form;
    switch (form) {
      case OpForm::Const:
      case OpForm::Load: stack.push_back(i.type); break;
      case OpForm::Store:
      case OpForm::Branch:
      case OpForm::Jump:                                   // the second arm pushes the value again
      case OpForm::ShortCircuit: stack.pop_back(); break;  // and so does the right operand
      default:
        stack.resize(stack.size() - operand_count(form));
        stack.push_back(result_type(form, i.type));
        break;
    }
  }
  return stack.back();
}

template <class T>
void splice(std::vector<T>& column, u32 begin, u32 end, const std::vector<T>& in_place) {
  const auto at = column.erase(column.begin() + begin, column.begin() + end);
  column.insert(at, in_place.begin(), in_place.end());
}

u32 constant_number(std::vector<u64>& constants, u64 cell) {
  const auto found = std::ranges::find(constants, cell);
  const u32 number = static_cast<u32>(found - constants.begin());
  if (found == constants.end()) constants.push_back(cell);
  return number;
}

// The function's slots that those of `better` become; slots that `lone` does not have are added.
std::vector<u16> slots_for(Code& code, Function& f, const LoneWindow& lone,
                           const CodeView& better) {
  std::vector<u16> slots = lone.slots;
  const Function& made = better.functions[0];
  if (made.slots <= slots.size()) return slots;
  // Those of a function are one behind the other: they move to the end of the pool to have room.
  const u32 moved = static_cast<u32>(code.slot_types.size());
  for (u32 slot = 0; slot < f.slots; ++slot)
    code.slot_types.push_back(code.slot_types[f.slots_begin + slot]);
  f.slots_begin = moved;
  while (slots.size() < made.slots) {
    code.slot_types.push_back(better.slot_types[made.slots_begin + slots.size()]);
    slots.push_back(f.slots++);
  }
  return slots;
}

}  // namespace

LoneWindow lone_window(const CodeView& code, const CodeWindow& window) {
  LoneWindow lone;
  const u32 first = code.functions[window.function].code_begin;
  const auto taken = code.instructions.subspan(first + window.begin, window.end - window.begin);
  WindowSlots slots = slots_of(taken);
  Code& out = lone.code;
  out.names = kName;
  Function f;
  f.name_end = static_cast<u32>(kName.size());
  f.parameter_slots = slots.inputs;
  f.slots = static_cast<u16>(slots.slots.size());
  f.result_cells = 1;
  f.is_public = true;
  out.types = {kTupleCode, static_cast<u8>(slots.inputs)};
  for (size_t slot = 0; slot < slots.types.size(); ++slot) {
    const u8 type = static_cast<u8>(slots.types[slot]);
    out.slot_types.push_back(type);
    if (slot < slots.inputs) {
      out.types.push_back(type);
      out.parameter_names.push_back({0, f.name_end});
    }
  }
  out.types.push_back(static_cast<u8>(result_of(taken)));
  for (Instruction i : taken) {
    if (i.op == Op::LoadConst) i.b = constant_number(out.constants, code.constants[i.b]);
    if (i.op == Op::LoadVar || i.op == Op::StoreVar)
      i.a = static_cast<u16>(std::ranges::find(slots.slots, i.a) - slots.slots.begin());
    if (has_target(i.op)) i.b -= window.begin;
    out.instructions.push_back(i);
  }
  out.instructions.push_back({Op::Return, Scalar::None, 0, 0});
  out.places.resize(out.instructions.size());
  f.code_end = static_cast<u32>(out.instructions.size());
  out.functions.push_back(f);
  lone.slots = std::move(slots.slots);
  // A window of checked code is sound by itself; this sets the frame's size.
  if (check_code(out.view(), out.functions)) out.clear();
  return lone;
}

std::string key_of_lone(const Code& lone) {
  std::string key;
  const auto add = [&](const auto& column) {
    for (const auto& row : column) key.append(reinterpret_cast<const char*>(&row), sizeof row);
    key += '|';
  };
  add(lone.instructions);
  add(lone.constants);
  add(lone.types);
  add(lone.slot_types);
  return key;
}

void put_window(Code& code, const CodeWindow& window, const LoneWindow& lone,
                const CodeView& better) {
  Function& f = code.functions[window.function];
  const std::vector<u16> slots = slots_for(code, f, lone, better);
  const Function& from = better.functions[0];
  std::vector<Instruction> made;
  // All but the RETURN.
  for (u32 at = from.code_begin; at + 1 < from.code_end; ++at) {
    Instruction i = better.instructions[at];
    if (i.op == Op::LoadConst) i.b = constant_number(code.constants, better.constants[i.b]);
    if (i.op == Op::LoadVar || i.op == Op::StoreVar) i.a = slots[i.a];
    if (has_target(i.op)) i.b += window.begin;
    made.push_back(i);
  }
  const u32 shift = static_cast<u32>(made.size()) - (window.end - window.begin);  // modulo 2^32
  const u32 first = f.code_begin;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    Instruction& i = code.instructions[at];
    const bool is_replaced = at >= first + window.begin && at < first + window.end;
    if (!is_replaced && has_target(i.op) && i.b >= window.end) i.b += shift;
  }
  const u32 place = code.places[first + window.end - 1];
  splice(code.places, first + window.begin, first + window.end,
         std::vector<u32>(made.size(), place));
  splice(code.instructions, first + window.begin, first + window.end, made);
  for (Function& other : code.functions) {
    if (other.code_begin <= first) continue;
    other.code_begin += shift;
    other.code_end += shift;
  }
  f.code_end += shift;
}

}  // namespace komuz::neural
