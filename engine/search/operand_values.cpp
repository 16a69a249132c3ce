// SPDX-License-Identifier: Apache-2.0
#include "engine/search/operand_values.h"

#include <cstring>

#include "engine/search/number_fit.h"
#include "lang/op_costs.h"
#include "vm/vm.h"

namespace komuz::engine {
namespace {

// How high the stack stands behind each instruction; empty if the code is no straight line.
std::vector<u32> heights_of(const CodeView& code, const Function& f) {
  std::vector<u32> out;
  u32 height = 0;
  for (u32 at = f.code_begin; at + 1 < f.code_end; ++at) {
    const Instruction i = code.instructions[at];
    const OpForm form = op_row(i.op).form;
    if (i.op == Op::LoadVar || i.op == Op::LoadConst)
      ++height;
    else if (i.op == Op::StoreVar)
      --height;
    else if (i.op == Op::Repeat)
      height += i.a * (i.b - 1);
    else if (is_pure_form(form))
      height = height - operand_count(form) + 1;
    else
      return {};
    out.push_back(height);
  }
  return out;
}

// The code up to an instruction, which gives the topmost value.
Code beginning_of(const CodeView& code, const Function& f, u32 behind, u32 height) {
  Code out;
  out.instructions.assign(code.instructions.begin() + f.code_begin,
                          code.instructions.begin() + behind);
  if (height > 1)
    out.instructions.push_back({Op::Project, Scalar::None, 1, height << 16 | (height - 1)});
  out.instructions.push_back({Op::Return, Scalar::None, 0, 0});
  out.places.resize(out.instructions.size());
  out.constants.assign(code.constants.begin(), code.constants.end());
  out.slot_types.assign(code.slot_types.begin() + f.slots_begin,
                        code.slot_types.begin() + f.slots_begin + f.slots);
  const std::string_view types = code.type_codes().substr(f.types_begin);
  out.types.assign(types.begin(), types.end());
  Function own = f;
  own.code_begin = own.types_begin = own.slots_begin = own.name_begin = own.name_end = 0;
  own.code_end = static_cast<u32>(out.instructions.size());
  out.functions.push_back(own);
  return out;
}

}  // namespace

void visit_operands(
    const CodeView& code, u32 function, std::span<const std::vector<f64>> points,
    const std::function<bool(Instruction)>& is_wanted,
    const std::function<void(u32, std::span<const u64>, std::span<const Trap>)>& visit) {
  const Function& f = code.functions[function];
  const std::vector<u32> heights = heights_of(code, f);
  if (heights.empty() || points.size() != f.parameter_slots || points.empty()) return;
  const auto count = static_cast<u32>(points[0].size());
  AlignedColumns memory;
  memory.resize(points.size(), count * sizeof(f64));
  std::vector<ArgumentColumn> columns;
  for (size_t k = 0; k < points.size(); ++k) {
    std::memcpy(memory[k], points[k].data(), count * sizeof(f64));
    columns.push_back({Scalar::F64, memory[k]});
  }
  std::vector<u64> cells(count), fuel(count);
  std::vector<Trap> traps(count);
  std::vector<u32> places(count), depths(count);
  vm::BatchMachine machine;
  for (u32 at = f.code_begin + 1; at + 1 < f.code_end; ++at) {
    if (!is_wanted(code.instructions[at])) continue;
    const Code operand = beginning_of(code, f, at, heights[at - 1 - f.code_begin]);
    machine.run({operand.view(), 0, {columns, count}}, {cells, traps, places, depths, fuel});
    visit(at, cells, traps);
  }
}

}  // namespace komuz::engine
