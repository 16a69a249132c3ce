// SPDX-License-Identifier: Apache-2.0
#include "cli/programs/native_program.h"

#include <algorithm>
#include <map>

#include "backend/c/c_interface.h"
#include "cli/process/version.h"
#include "cli/programs/native_errors.h"
#include "engine/cases/signature.h"
#include "engine/cases/slice_cases.h"
#include "lang/source_places.h"

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

// Programs that were read as bytecode have no text, so nothing is known of places in it.
backend::SourceMap source_map_of(const Program& program, const CodeView& code) {
  backend::SourceMap map;
  std::map<u32, u32> files;  // the number of a file of the program → of one of the map
  std::vector<services::NamedSource> sources;
  std::map<u32, backend::SourcePlace> known;
  const auto place_of = [&](u32 place) {
    if (program.is_code) return backend::SourcePlace{};
    const auto [at, is_new] = known.try_emplace(place);
    if (!is_new) return at->second;
    const auto [file, is_new_file] =
        files.try_emplace(file_of(place), static_cast<u32>(sources.size()));
    if (is_new_file) sources.push_back(program.source_of(place));
    const Place found = sources[file->second].place(offset_of(place));
    return at->second = {file->second, found.line, found.column};
  };
  // File 0 is the program's own.
  static_cast<void>(place_of(0));
  for (const u32 place : code.places) map.places.push_back(place_of(place));
  for (const Function& f : code.functions) map.functions.push_back(place_of(f.place));
  for (const services::NamedSource& source : sources) map.files.emplace_back(source.name);
  if (map.files.empty()) map.files.push_back(program.path);
  return map;
}

// dir/a.komuz → a.komuz
std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Without folders: headers go elsewhere.
std::vector<std::string> file_names(const backend::SourceMap& source) {
  std::vector<std::string> names;
  for (const std::string& file : source.files) names.emplace_back(file_name(file));
  return names;
}

}  // namespace

std::optional<NativeFiles> native_files(const Program& program, const NativeRequest& wanted,
                                        std::string_view command, Args& args, Terminal& terminal,
                                        Exit& exit) {
  const CodeView code = program.code.view();
  const bool has_header = !wanted.header.empty();
  const std::string prefix(args.value("prefix").value_or(""));
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  NativeErrors errors(command, terminal, exit);
  if (!args.error().empty()) return errors.usage(args.error());
  if (!is_c_prefix(prefix))
    return errors.usage("`--prefix` is the beginning of a name in C: letters, digits and `_`");
  for (const std::string_view option : {"prefix", "fuel", "limits"})
    if (!has_header && args.has(option))
      return errors.usage("`--" + std::string(option) +
                          "` is for functions of C: `--header FILE.h`");

  const std::optional<std::string_view> entry_name = errors.entry(args);
  if (!entry_name) return std::nullopt;
  const std::string_view named = *entry_name;
  std::string refusal;
  std::vector<u32> functions;
  if (has_header) {
    functions = functions_of(code, named, refusal);
  } else {
    const engine::EntryChoice entry = engine::choose_entry(code, named);
    refusal = entry.refusal;
    functions = {static_cast<u32>(entry.function)};
  }
  if (!refusal.empty()) return errors.usage(program.path + ": " + refusal);
  const Function& function = code.functions[functions[0]];
  const std::string name(code.name(function));
  if (!has_header && engine::has_slices(engine::signature_of(code, function).parameter_types))
    return errors.usage(
        "`" + name +
        "` takes slices, which callers of native code cannot give it; write a function "
        "that takes lists");
  const std::string wanted_code = "native code of `" + name + "`";

  NativeFiles files;
  std::optional<backend::SourceMap> source;
  const bool has_lines = args.has(kDebugOption.name) && !program.is_code;
  if (wanted.has_places || has_header || has_lines) source = source_map_of(program, code);
  std::optional<backend::CInterface> interface;
  if (has_header) {
    Result<backend::CInterface> made =
        backend::CInterface::make(code, functions,
                                  {.prefix = prefix,
                                   .fuel = fuel,
                                   .header = wanted.header,
                                   .about = "Made of " + std::string(file_name(program.path)) +
                                            " by Komuz " + std::string(kVersion) + ".",
                                   .has_limits = args.has(kLimitsOption.name),
                                   .files = file_names(*source)});
    if (made.problem()) {
      const Problem& problem = made.problem();
      return errors.usage(program.path + ": " + problem.message() +
                          (problem.remedy().empty() ? "" : "; " + problem.remedy()) +
                          (functions.size() > 1 ? "; or name one function: `--entry NAME`" : ""));
    }
    interface = std::move(made.value());
    files.header = interface->header();
  }
  const Result<const backend::Backend*> opened = backend::open_backend();
  if (opened.problem()) return errors.missing(wanted_code, opened.problem());
  backend::EmitRequest request = {.form = wanted.form,
                                  .effort = wanted.effort,
                                  .symbol = name + "_case",
                                  .processor = std::string(args.value("cpu").value_or("x86-64")),
                                  .shape = wanted.shape,
                                  .has_lines = has_lines};
  if (interface) request.c_functions = interface->functions();
  if (source && (wanted.has_places || !program.is_code)) request.source = &*source;
  Result<std::string> bytes = opened.value()->emit(code, functions[0], request);
  if (bytes.problem()) return errors.missing(wanted_code, bytes.problem());
  files.code = std::move(bytes.value());
  errors.warn_of_holes(program.path, code);
  return files;
}

}  // namespace komuz::cli
