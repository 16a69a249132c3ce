// SPDX-License-Identifier: Apache-2.0
#include "backend/backend.h"

#include <vector>

#include "backend/abi.h"
#include "base/machine/opened_library.h"

namespace komuz::backend {
namespace {

Problem no_backend(std::string why, std::string remedy = {}) {
  return Problem(ProblemKind::Device, {}, std::move(why), std::move(remedy));
}

void configure_table(const AbiTable& table, const BackendSettings& settings) {
  const AbiSettings given = {static_cast<u32>(settings.maps), settings.cache_folder.c_str(),
                             settings.cache_levels};
  table.configure(&given);
}

struct Opened {
  const AbiTable* table = nullptr;
  Problem problem;
};

Opened open_file() {
  const Result<const void*> found = machine::open_own_library({.file = "komuz_backend.so",
                                                               .variable = "KOMUZ_BACKEND",
                                                               .table = kAbiName,
                                                               .version = kAbiVersion,
                                                               .what = "backend",
                                                               .lacks = "LLVM",
                                                               .package = "llvm-19-dev"});
  if (found.problem()) return {nullptr, Problem(found.problem())};
  const auto* const table = static_cast<const AbiTable*>(found.value());
  if (table->layout != kAbiLayout)
    return {nullptr,
            no_backend("komuz_backend.so was built for another Komuz of this version: what they "
                       "exchange is laid out differently",
                       "build both from the same source")};
  const Result<BackendSettings> settings = settings_of_environment();
  if (settings.problem()) return {nullptr, Problem(settings.problem())};
  configure_table(*table, settings.value());
  return {table, {}};
}

void append(void* text, const char* bytes, u64 count) {
  static_cast<std::string*>(text)->append(bytes, count);
}
AbiSink sink(std::string& text) { return {append, &text}; }

// Of a text whose lines all end.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

AbiCode columns_of(const CodeView& code) {
  return {code.instructions.data(), code.instructions.size(), code.constants.data(),
          code.constants.size(),    code.functions.data(),    code.functions.size(),
          code.types.data(),        code.types.size(),        code.slot_types.data(),
          code.slot_types.size(),   code.names.data(),        code.names.size()};
}

AbiRequest request_of(const CodeView& code, u32 function, Effort effort, Shape shape) {
  AbiRequest request = {};
  request.code = columns_of(code);
  request.function = function;
  request.effort = static_cast<u32>(effort);
  request.lanes = shape.lanes;
  request.for_device = shape.for_device ? 1 : 0;
  return request;
}

}  // namespace

Result<const Backend*> open_backend() {
  static const Opened opened = open_file();
  if (opened.problem) return Problem(opened.problem);
  static const Backend backend(*opened.table);
  return &backend;
}

std::string Backend::about() const { return table_.about(); }

void Backend::configure(const BackendSettings& settings) const {
  configure_table(table_, settings);
}

std::vector<std::string> Backend::notes() const {
  std::string text;
  table_.notes(sink(text));
  return lines_of(text);
}

std::vector<std::string> Backend::processors() const {
  std::string text;
  table_.processors(sink(text));
  return lines_of(text);
}

CacheUse Backend::cache_use() const { return table_.cache_use(); }

Result<NativeCode> Backend::compile(const CodeView& code, u32 function, Effort effort,
                                    const std::string& processor, Shape shape,
                                    const LoadedConstants& loaded) const {
  AbiRequest request = request_of(code, function, effort, shape);
  request.loaded = loaded.numbers.data();
  request.loaded_count = loaded.numbers.size();
  request.loaded_of = static_cast<u32>(loaded.of);
  request.processor = processor.c_str();
  request.symbol = "run_case";
  CompiledCode compiled;
  std::string why;
  if (table_.compile(&request, &compiled, sink(why)) == 0) return no_backend(std::move(why));
  NativeCode::Loaded constants = {{loaded.numbers.begin(), loaded.numbers.end()}, {}, loaded.of};
  if (!loaded.numbers.empty()) {
    const std::vector<Scalar> types = loadable_types(code);
    for (const u32 number : loaded.numbers) constants.types.push_back(types[number]);
  }
  return NativeCode(table_, std::move(compiled), code.functions[function], std::move(constants));
}

Result<std::string> Backend::emit(const CodeView& code, u32 function,
                                  const EmitRequest& wanted) const {
  AbiRequest request = request_of(code, function, wanted.effort, wanted.shape);
  request.form = static_cast<u32>(wanted.form);
  request.symbol = wanted.symbol.c_str();
  request.c_functions = wanted.c_functions.data();
  request.c_function_count = wanted.c_functions.size();
  request.processor = wanted.processor.c_str();
  std::vector<const char*> files;
  request.has_lines = wanted.has_lines ? 1 : 0;
  if (wanted.source != nullptr &&
      (wanted.form == Form::Ir || wanted.has_lines || !wanted.c_functions.empty())) {
    for (const std::string& file : wanted.source->files) files.push_back(file.c_str());
    request.files = files.data();
    request.file_count = files.size();
    request.places = wanted.source->places.data();
    request.function_places = wanted.source->functions.data();
  }
  std::string bytes, why;
  if (table_.emit(&request, sink(bytes), sink(why)) == 0) return no_backend(std::move(why));
  return bytes;
}

Result<std::string> Backend::emit_ptx(std::span<const PtxProgram> programs,
                                      const PtxRequest& wanted) const {
  std::vector<AbiPtxProgram> given;
  for (const PtxProgram& program : programs)
    given.push_back({columns_of(program.code), program.function, program.symbol.c_str()});
  const AbiPtxRequest request = {given.data(), given.size(), wanted.target.c_str(),
                                 static_cast<u32>(wanted.effort), static_cast<u32>(wanted.form)};
  std::string bytes, why;
  if (table_.emit_ptx(&request, sink(bytes), sink(why)) == 0) return no_backend(std::move(why));
  return bytes;
}

}  // namespace komuz::backend
