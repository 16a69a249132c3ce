// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/native_program.h"

#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"

namespace komuz::cli {

std::optional<std::string> native_file(const Program& program, backend::Form form,
                                       std::string_view command, const Args& args,
                                       Terminal& terminal, Exit& exit) {
  const CodeView code = program.code.view();
  const engine::EntryChoice entry = engine::choose_entry(code, args.value("entry").value_or(""));
  if (!entry.refusal.empty()) {
    exit = terminal.usage_error(command, program.path + ": " + entry.refusal);
    return std::nullopt;
  }
  const Function& function = code.functions[entry.function];
  const std::string name(code.name(function));
  if (engine::has_slices(engine::signature_of(code, function).parameter_types)) {
    exit = terminal.usage_error(command, "`" + name +
                                             "` takes slices, which callers of native code cannot "
                                             "give it; write a function that takes lists");
    return std::nullopt;
  }
  const auto fail = [&](const std::string& why) {
    terminal.err.write("komuz: error: no native code of `" + name + "`: " + why + "\n");
    exit = Exit::Device;
    return std::nullopt;
  };
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return fail(opened.problem().message());
  const Result<std::string> bytes =
      opened.value()->emit(code, static_cast<u32>(entry.function),
                           {.form = form,
                            .symbol = name + "_case",
                            .processor = std::string(args.value("cpu").value_or("x86-64"))});
  if (bytes.problem()) return fail(bytes.problem().message());
  return bytes.value();
}

}  // namespace komuz::cli
