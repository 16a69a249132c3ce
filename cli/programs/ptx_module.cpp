// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/ptx_module.h"

#include <algorithm>

#include "backend/backend.h"
#include "cli/programs/cell_columns.h"
#include "cli/programs/native_errors.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"
#include "lang/type_codes.h"

namespace komuz::cli {
namespace {

// dir/best fit.komuz → best_fit
std::string stem_of(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  std::string name(path.substr(0, path.find('.', 1)));
  for (char& c : name)
    if (!type_heads::is_name_byte(c)) c = '_';
  return name.empty() || (name[0] >= '0' && name[0] <= '9') ? "_" + name : name;
}

void add_lines(std::string& text, std::string_view word, u64& number,
               const std::vector<CellColumns>& columns) {
  for (const CellColumns& of : columns) {
    text += "//   " + std::string(word);
    text += of.cells == 1
                ? " " + std::to_string(number)
                : "s " + std::to_string(number) + "-" + std::to_string(number + of.cells - 1);
    text += ": " + of.path + ", " + std::string(scalar_name(of.scalar)) + "\n";
    number += of.cells;
  }
}

// What each column of a kernel holds, and each value.
std::string cell_lines(const engine::Signature& signature) {
  const std::string_view types = signature.parameter_types;
  std::string text;
  u64 column = 0, value = 0;
  size_t at = read_type_head(types, 0).end;
  for (const std::string& name : signature.names) {
    const size_t end = skip_type(types, at);
    add_lines(text, "column", column, cell_columns(types.substr(at, end - at), name));
    at = end;
  }
  add_lines(text, "value", value, cell_columns(signature.result_type, "result"));
  return text;
}

}  // namespace

std::optional<std::string> ptx_module(std::span<const Program> programs, std::string_view command,
                                      Args& args, Terminal& terminal, Exit& exit) {
  NativeErrors errors(command, terminal, exit);
  const std::optional<std::string_view> named = errors.entry(args);
  if (!named) return std::nullopt;
  backend::PtxRequest request;
  if (const auto target = args.value("cpu")) request.target = *target;
  if (request.target != "sm_75" && request.target != "sm_90")
    return errors.usage("`--cpu` of PTX is sm_75, which all later GPUs run, or sm_90, not `" +
                        request.target + "`");
  std::vector<backend::PtxProgram> kernels;
  std::string head;
  for (const Program& program : programs) {
    const CodeView code = program.code.view();
    const engine::EntryChoice entry = engine::choose_entry(code, *named);
    if (!entry.refusal.empty()) return errors.usage(program.path + ": " + entry.refusal);
    const u32 number = static_cast<u32>(entry.function);
    const std::string name(code.name(code.functions[number]));
    const engine::Signature signature = engine::signature_of(code, code.functions[number]);
    if (engine::has_slices(signature.parameter_types))
      return errors.usage(
          program.path + ": `" + name +
          "` takes slices, which columns cannot give it; write a function that takes "
          "lists");
    const std::string symbol =
        (programs.size() == 1 ? "" : stem_of(program.path) + "_") + name + "_kernel";
    const auto same = std::ranges::find(kernels, symbol, &backend::PtxProgram::symbol);
    if (same != kernels.end())
      return errors.usage(programs[static_cast<size_t>(same - kernels.begin())].path + " and " +
                          program.path + " would both have the kernel `" + symbol + "`");
    kernels.push_back({code, number, symbol});
    head += "// " + symbol + ": " + signature.text() + "\n" + cell_lines(signature);
  }
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return errors.missing("PTX", opened.problem());
  const Result<std::string> made = opened.value()->emit_ptx(kernels, request);
  if (made.problem()) return errors.missing("PTX", made.problem());
  for (const Program& program : programs) errors.warn_of_holes(program.path, program.code.view());
  return head + made.value();
}

}  // namespace komuz::cli
