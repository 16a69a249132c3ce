// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/ptx_module.h"

#include <algorithm>

#include "backend/backend.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"
#include "lang/type_heads.h"

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

}  // namespace

std::optional<std::string> ptx_module(std::span<const Program> programs, std::string_view command,
                                      Args& args, Terminal& terminal, Exit& exit) {
  const auto usage = [&](const std::string& why) {
    exit = terminal.usage_error(command, why);
    return std::nullopt;
  };
  backend::PtxRequest request;
  if (const auto named = args.value("cpu")) request.target = *named;
  if (request.target != "sm_75" && request.target != "sm_90")
    return usage("`--cpu` of PTX is sm_75, which all later GPUs run, or sm_90, not `" +
                 request.target + "`");
  std::vector<backend::PtxProgram> kernels;
  std::string head;
  for (const Program& program : programs) {
    const CodeView code = program.code.view();
    const engine::EntryChoice entry = engine::choose_entry(code, args.value("entry").value_or(""));
    if (!entry.refusal.empty()) return usage(program.path + ": " + entry.refusal);
    const u32 number = static_cast<u32>(entry.function);
    const std::string name(code.name(code.functions[number]));
    const engine::Signature signature = engine::signature_of(code, code.functions[number]);
    if (engine::has_slices(signature.parameter_types))
      return usage(program.path + ": `" + name +
                   "` takes slices, which columns cannot give it; write a function that takes "
                   "lists");
    const std::string symbol =
        (programs.size() == 1 ? "" : stem_of(program.path) + "_") + name + "_kernel";
    const auto same = std::ranges::find(kernels, symbol, &backend::PtxProgram::symbol);
    if (same != kernels.end())
      return usage(programs[static_cast<size_t>(same - kernels.begin())].path + " and " +
                   program.path + " would both have the kernel `" + symbol + "`");
    kernels.push_back({code, number, symbol});
    head += "// " + symbol + ": " + signature.text() + "\n";
  }
  const auto fail = [&](const std::string& why) {
    terminal.err.write("komuz: error: no PTX: " + why + "\n");
    exit = Exit::Device;
    return std::nullopt;
  };
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return fail(opened.problem().message());
  const Result<std::string> made = opened.value()->emit_ptx(kernels, request);
  if (made.problem()) return fail(made.problem().message());
  return head + made.value();
}

}  // namespace komuz::cli
