// SPDX-License-Identifier: Apache-2.0
#include "vm/cuda/lower_warp.h"

namespace komuz::vm {

void WarpBatch::clear() {
  programs.clear();
  ops.clear();
  places.clear();
  constants.clear();
  types.clear();
}

void WarpBatch::append(const WarpBatch& from, u32 number) {
  WarpProgram program = from.programs[number];
  // A program's part of a column ends where the next program's begins.
  const WarpProgram* const next =
      number + 1 < from.programs.size() ? &from.programs[number + 1] : nullptr;
  const auto copy = [](const auto& column, auto& to, u32& begin, size_t end) {
    const auto first = static_cast<u32>(to.size());
    to.insert(to.end(), column.begin() + begin, column.begin() + static_cast<i64>(end));
    begin = first;
  };
  const size_t ops_end = next != nullptr ? next->ops_begin : from.ops.size();
  places.insert(places.end(), from.places.begin() + program.ops_begin,
                from.places.begin() + static_cast<i64>(ops_end));
  copy(from.ops, ops, program.ops_begin, ops_end);
  copy(from.constants, constants, program.constants_begin,
       next != nullptr ? next->constants_begin : from.constants.size());
  copy(from.types, types, program.types_begin,
       next != nullptr ? next->types_begin : from.types.size());
  programs.push_back(program);
}

bool WarpLowering::add(const CodeView& code, u32 function, WarpBatch& batch) {
  static_cast<void>(list_result_types(code, results_.types, results_.begins));
  const LoweringInput input{.instructions = code.instructions.data(),
                            .constants = code.constants.data(),
                            .functions = code.functions.data(),
                            .slot_types = code.slot_types.data(),
                            .result_types = results_.types.data(),
                            .result_begins = results_.begins.data(),
                            .function_count = static_cast<u32>(code.functions.size())};
  WarpProgram program;
  if (lowering_.run(input, function, {&batch.ops, &batch.places, &batch.constants}, program) !=
      Lowered::Done) {
    batch.ops.resize(program.ops_begin);
    batch.places.resize(program.ops_begin);
    batch.constants.resize(program.constants_begin);
    return false;
  }
  program.types_begin = static_cast<u32>(batch.types.size());
  const u8* const types = input.result_types + input.result_begins[function];
  batch.types.insert(batch.types.end(), types, types + program.results);
  batch.programs.push_back(program);
  return true;
}

}  // namespace komuz::vm
