// SPDX-License-Identifier: Apache-2.0
#include "lang/link.h"

namespace komuz {

bool is_open(const CodeView& code) {
  // They stand behind all others.
  return !code.functions.empty() && code.functions.back().kind == FunctionKind::Open;
}

Linker::Unit Linker::unit(u32 number) const {
  if (number == 0) return program_;
  const Module& module = (*library_)[number - 1];
  return {module.code.view(), module.heads};
}

void Linker::begin(LinkedProgram program, const Library& library) {
  library_ = &library;
  program_ = {program.code, program.heads};
  harness_ = kNoModule;
  order_.clear();
  const u32 units = library.size() + 1;
  if (numbers_.size() < units) {
    numbers_.resize(units);
    constants_.resize(units);
  }
  for (u32 u = 0; u < units; ++u) {
    numbers_[u].clear();
    constants_[u].clear();
  }
}

std::string Linker::link(LinkedProgram program, const Library& library, Code& out) {
  begin(program, library);
  for (u32 f = 0; f < program.code.functions.size(); ++f)
    if (program.code.functions[f].kind != FunctionKind::Open) static_cast<void>(number_of(0, f));
  return finish(out);
}

std::string Linker::link_harness(u32 harness, std::string_view entry, LinkedProgram program,
                                 const Library& library, Code& out) {
  begin(program, library);
  harness_ = harness;
  const CodeView code = library[harness].code.view();
  const size_t first = code.find_function(entry);
  if (first == code.functions.size()) return "`" + std::string(entry) + "`";
  static_cast<void>(number_of(harness + 1, static_cast<u32>(first)));
  return finish(out);
}

std::string Linker::finish(Code& out) {
  out.clear();
  // Calls append to `order_` as they are met.
  for (size_t k = 0; k < order_.size(); ++k)
    if (std::string missing = append(order_[k], out); !missing.empty()) return missing;
  return {};
}

u32 Linker::number_of(u32 unit_number, u32 function) {
  std::vector<u32>& numbers = numbers_[unit_number];
  if (numbers.empty()) numbers.assign(unit(unit_number).code.functions.size(), kNoModule);
  if (numbers[function] == kNoModule) {
    numbers[function] = static_cast<u32>(order_.size());
    order_.push_back({unit_number, function});
  }
  return numbers[function];
}

bool Linker::define(u32 unit_number, u32 function, Definition& out) const {
  const Unit from = unit(unit_number);
  const Function& f = from.code.functions[function];
  out = {unit_number, function};
  if (f.kind != FunctionKind::Open) return true;
  const bool is_left_open = harness_ != kNoModule && unit_number == harness_ + 1;
  if (f.owner == 0 && !is_left_open) return false;
  if (f.owner > from.heads.size()) return false;
  out.unit = f.owner == 0 ? 0 : from.heads[f.owner - 1] + 1;
  const CodeView code = unit(out.unit).code;
  const size_t found = code.find_function(from.code.name(f));
  out.function = static_cast<u32>(found);
  return found != code.functions.size();
}

std::string Linker::append(Definition what, Code& out) {
  const Unit from = unit(what.unit);
  const CodeView& code = from.code;
  Function f = code.functions[what.function];
  const std::string_view name = code.name(f);
  const u32 begin = static_cast<u32>(out.instructions.size());
  std::vector<u32>& constants = constants_[what.unit];
  if (constants.empty()) constants.assign(code.constants.size(), kNoModule);
  for (u32 k = f.code_begin; k < f.code_end; ++k) {
    Instruction instruction = code.instructions[k];
    if (instruction.op == Op::Call) {
      Definition callee;
      if (!define(what.unit, instruction.a, callee))
        return "`" + std::string(code.name(code.functions[instruction.a])) + "`";
      instruction.a = static_cast<u16>(number_of(callee.unit, callee.function));
    } else if (instruction.op == Op::LoadConsts) {
      const auto stretch = code.constants.subspan(instruction.b, instruction.a);
      instruction.b = static_cast<u32>(out.constants.size());
      out.constants.insert(out.constants.end(), stretch.begin(), stretch.end());
    } else if (instruction.op == Op::LoadConst || instruction.op == Op::LoadHole) {
      u32& number = constants[instruction.b];
      if (number == kNoModule) {
        number = static_cast<u32>(out.constants.size());
        out.constants.push_back(code.constants[instruction.b]);
      }
      instruction.b = number;
    }
    out.instructions.push_back(instruction);
    out.places.push_back(place_in_file(what.unit, code.places[k]));
  }
  f.code_begin = begin;
  f.code_end = static_cast<u32>(out.instructions.size());
  f.place = place_in_file(what.unit, f.place);
  // What modules show is for programs to use, and no entry of these.
  f.is_public = f.is_public && what.unit == (harness_ == kNoModule ? 0 : harness_ + 1);
  if (is_side_entry(f.kind)) f.owner = static_cast<u16>(number_of(what.unit, f.owner));
  f.name_begin = static_cast<u32>(out.names.size());
  out.names += name;
  f.name_end = static_cast<u32>(out.names.size());

  const std::string_view parameters = code.parameter_types(f), result = code.result_type(f);
  const auto append_types = [&out](std::string_view types) {
    for (const char byte : types) out.types.push_back(static_cast<u8>(byte));
  };
  f.types_begin = static_cast<u32>(out.types.size());
  append_types(parameters);
  append_types(result);
  const auto slots = code.slot_types.subspan(f.slots_begin, f.slots);
  f.slots_begin = static_cast<u32>(out.slot_types.size());
  out.slot_types.insert(out.slot_types.end(), slots.begin(), slots.end());
  const u32 count = static_cast<u8>(parameters[1]);
  const auto names = code.parameter_names.subspan(f.parameters_begin, count);
  f.parameters_begin = static_cast<u32>(out.parameter_names.size());
  for (const NameRange& range : names) {
    const u32 at = static_cast<u32>(out.names.size());
    out.names += code.names.substr(range.begin, range.end - range.begin);
    out.parameter_names.push_back({at, static_cast<u32>(out.names.size())});
  }
  out.functions.push_back(f);
  return {};
}

}  // namespace komuz
