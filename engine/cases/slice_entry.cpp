// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/slice_entry.h"

#include <algorithm>

#include "lang/check/check_code.h"

namespace komuz::engine {
namespace {

class SliceEntry {
 public:
  explicit SliceEntry(Code& code) : code_(code) {}

  void add(u32 entry, std::string_view case_types) {
    Function f = code_.functions[entry];  // its name, its place, its parameters' names
    const std::string parameter_types(code_.view().parameter_types(f));
    const std::string result_type(code_.view().result_type(f));
    place_ = f.place;
    f.is_public = false;
    f.rec = 0;
    f.code_begin = static_cast<u32>(code_.instructions.size());
    f.types_begin = static_cast<u32>(code_.types.size());
    f.slots_begin = static_cast<u32>(code_.slot_types.size());
    code_.types.insert(code_.types.end(), case_types.begin(), case_types.end());
    code_.types.insert(code_.types.end(), result_type.begin(), result_type.end());
    for_each_cell(case_types,
                  [&](Scalar cell) { code_.slot_types.push_back(static_cast<u8>(cell)); });
    f.slots = f.parameter_slots = static_cast<u16>(code_.slot_types.size() - f.slots_begin);
    pass_parameters(parameter_types, case_types);
    emit(Op::Call, Scalar::None, entry, 0);
    emit(Op::Return, Scalar::None, 0, 0);
    f.code_end = static_cast<u32>(code_.instructions.size());
    code_.functions.push_back(f);
  }

 private:
  // Walks both types together: they differ only in lists that stand for slices.
  void pass_parameters(std::string_view parameter_types, std::string_view case_types) {
    u32 slot = 0;
    for (size_t at = 0, held_at = 0; at < parameter_types.size();) {
      const TypeHead head = read_type_head(parameter_types, at);
      const TypeHead held = read_type_head(case_types, held_at);
      if (head.code <= kRecordCode) {
        if (head.is_scalar()) emit(Op::LoadVar, head.scalar(), slot++, 0);
        at = head.end;
        held_at = held.end;
        continue;
      }
      const bool is_slice = head.code == kSliceCode;
      const size_t begin = is_slice ? head.end : at;
      at = skip_type(parameter_types, begin);
      const std::string_view type = parameter_types.substr(begin, at - begin);
      held_at = (is_slice ? held.end : held_at) + type.size();
      slot += is_slice ? pass_slice(type, held.count, slot) : pass_value(type, slot);
    }
  }
  // These functions return the number of slots they passed.
  u32 pass_value(std::string_view type, u32 slot) {
    const u32 cells = static_cast<u32>(count_cells(type));
    if (cells != 0) emit(Op::LoadVars, Scalar::None, slot, cells);
    return cells;
  }
  u32 pass_slice(std::string_view element, u32 capacity, u32 slot) {
    const u32 length = slot++;
    emit(Op::LoadVar, Scalar::I64, length, 0);
    for_each_block(element, [&](LayoutBlock block) {
      const u32 cells = block.cells * capacity;
      emit(Op::LoadVar, Scalar::I64, length, 0);
      if (block.cells != 1) {
        emit(Op::LoadConst, Scalar::I64, 0, static_cast<u32>(code_.constants.size()));
        emit(Op::Mul, Scalar::I64, 0, 0);
        code_.constants.push_back(block.cells);
      }
      emit(Op::Ref, block.scalar, cells == 0 ? 0 : slot, cells);
      slot += cells;
    });
    return slot - length;
  }

  void emit(Op op, Scalar type, u32 a, u32 b) {
    code_.instructions.push_back({op, type, static_cast<u16>(a), b});
    code_.places.push_back(place_);
  }

  Code& code_;
  u32 place_ = 0;
};

}  // namespace

std::string add_slice_entry(Code& code, u32& entry, std::string_view case_types, u32 stack_limit) {
  if (count_cells(case_types) > kMaxTypeCells)
    return "its slices are longer than what fits into a frame";
  SliceEntry(code).add(entry, case_types);
  const u32 added = static_cast<u32>(code.functions.size()) - 1;
  if (CodeError error = check_code(code.view(), code.functions, stack_limit)) return error.reason;
  entry = added;
  return {};
}

void hide_slice_entry(const CodeView& code, u32 entry, const OutcomesView& outcomes) {
  const Function& added = code.functions[entry];
  const Function& called = code.functions[code.instructions[added.code_end - 2].a];
  for (size_t row = 0; row < outcomes.traps.size(); ++row) {
    outcomes.fuel[row] -= outcomes.fuel[row] != 0;
    if (outcomes.traps[row] == Trap::None) continue;
    // A budget of 0 ends at the tick of the call. Started alone, the entry would end at its own first tick.
    const bool is_added = outcomes.places[row] >= added.code_begin;
    if (is_added) outcomes.places[row] = called.code_begin;
    outcomes.depths[row] = is_added ? 1 : outcomes.depths[row] - 1;
  }
}

}  // namespace komuz::engine
