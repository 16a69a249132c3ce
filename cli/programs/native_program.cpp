// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/native_program.h"

#include <algorithm>

#include "backend/c/c_interface.h"
#include "cli/process/version.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"

namespace komuz::cli {

namespace {

// The functions of C: `entry`, or all public ones.
std::vector<u32> functions_of(const CodeView& code, std::string_view entry, std::string& refusal) {
  std::vector<u32> functions;
  if (entry.empty())
    for (u32 f = 0; f < code.functions.size(); ++f)
      if (code.functions[f].is_public && code.functions[f].kind == FunctionKind::Function)
        functions.push_back(f);
  if (functions.size() > 1) return functions;
  const engine::EntryChoice chosen = engine::choose_entry(code, entry);
  refusal = chosen.refusal;
  return {static_cast<u32>(chosen.function)};
}

bool is_c_prefix(std::string_view text) {
  return std::all_of(text.begin(), text.end(), type_heads::is_name_byte) &&
         (text.empty() || text[0] < '0' || text[0] > '9');
}

// dir/a.komuz → a.komuz
std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::optional<NativeFiles> native_files(const Program& program, const NativeRequest& wanted,
                                        std::string_view command, Args& args, Terminal& terminal,
                                        Exit& exit) {
  const CodeView code = program.code.view();
  const bool has_header = !wanted.header.empty();
  const std::string prefix(args.value("prefix").value_or(""));
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  const auto usage = [&](const std::string& why) {
    exit = terminal.usage_error(command, why);
    return std::nullopt;
  };
  if (!args.error().empty()) return usage(args.error());
  if (!is_c_prefix(prefix))
    return usage("`--prefix` is the beginning of a name in C: letters, digits and `_`");
  for (const std::string_view option : {"prefix", "fuel"})
    if (!has_header && args.has(option))
      return usage("`--" + std::string(option) + "` is for functions of C: `--header FILE.h`");

  const std::string_view named = args.value("entry").value_or("");
  std::string refusal;
  std::vector<u32> functions;
  if (has_header) {
    functions = functions_of(code, named, refusal);
  } else {
    const engine::EntryChoice entry = engine::choose_entry(code, named);
    refusal = entry.refusal;
    functions = {static_cast<u32>(entry.function)};
  }
  if (!refusal.empty()) return usage(program.path + ": " + refusal);
  const Function& function = code.functions[functions[0]];
  const std::string name(code.name(function));
  if (!has_header && engine::has_slices(engine::signature_of(code, function).parameter_types))
    return usage("`" + name +
                 "` takes slices, which callers of native code cannot give it; write a function "
                 "that takes lists");
  const auto fail = [&](const std::string& why) {
    terminal.err.write("komuz: error: no native code of `" + name + "`: " + why + "\n");
    exit = Exit::Device;
    return std::nullopt;
  };

  NativeFiles files;
  std::optional<backend::CInterface> interface;
  if (has_header) {
    Result<backend::CInterface> made =
        backend::CInterface::make(code, functions,
                                  {.prefix = prefix,
                                   .fuel = fuel,
                                   .header = wanted.header,
                                   .about = "Made of " + std::string(file_name(program.path)) +
                                            " by Komuz " + std::string(kVersion) + "."});
    if (made.problem()) {
      const Problem& problem = made.problem();
      return usage(program.path + ": " + problem.message() +
                   (problem.remedy().empty() ? "" : "; " + problem.remedy()) +
                   (functions.size() > 1 ? "; or name one function: `--entry NAME`" : ""));
    }
    interface = std::move(made.value());
    files.header = interface->header();
  }
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return fail(opened.problem().message());
  backend::EmitRequest request = {.form = wanted.form,
                                  .symbol = name + "_case",
                                  .processor = std::string(args.value("cpu").value_or("x86-64"))};
  if (interface) request.c_functions = interface->functions();
  Result<std::string> bytes = opened.value()->emit(code, functions[0], request);
  if (bytes.problem()) return fail(bytes.problem().message());
  files.code = std::move(bytes.value());
  return files;
}

}  // namespace komuz::cli
