// SPDX-License-Identifier: Apache-2.0
// The table of functions that komuz_backend.so exports (abi.h).
#include <llvm/Config/llvm-config.h>

#include "backend/abi.h"
#include "backend/llvm/compile.h"
#include "backend/llvm/device_code.h"
#include "backend/llvm/jit.h"
#include "backend/llvm/machine.h"
#include "backend/llvm/object_cache.h"
#include "backend/llvm/process.h"

namespace komuz::backend {
namespace {

CodeView view(const AbiCode& code) {
  CodeView found;
  found.instructions = {code.instructions, code.instruction_count};
  found.constants = {code.constants, code.constant_count};
  found.functions = {code.functions, code.function_count};
  found.types = {code.types, code.type_count};
  found.slot_types = {code.slot_types, code.slot_type_count};
  found.names = {code.names, code.name_bytes};
  return found;
}

u32 tell(const AbiSink& sink, std::string_view text) {
  sink.write(sink.context, text.data(), text.size());
  return 0;
}

const char* about() { return "LLVM " LLVM_VERSION_STRING; }

CompileRequest wanted(const AbiRequest& request, Purpose purpose) {
  return {.entry = request.function,
          .symbol = request.symbol,
          .c_functions = {request.c_functions, request.c_function_count},
          .processor = request.processor,
          .effort = static_cast<Effort>(request.effort),
          .form = static_cast<Form>(request.form),
          .shape = {request.lanes, request.for_device != 0},
          .loaded = {{request.loaded, request.loaded_count},
                     static_cast<ConstantsOf>(request.loaded_of)},
          .purpose = purpose,
          .source = {{request.files, request.file_count}, request.places, request.function_places},
          .has_lines = request.has_lines != 0};
}

u32 compile(const AbiRequest* request, CompiledCode* out, AbiSink why) {
  CompiledModule compiled;
  const CodeView code = view(request->code);
  CompileRequest asked = wanted(*request, Purpose::Process);
  asked.maps = compiled.maps = process_settings().maps;
  compiled.entry = code.name(code.functions[request->function]);
  std::string reason = compile_for_process(code, asked, compiled);
  if (reason.empty()) reason = load_object(compiled, request->symbol, *out);
  return reason.empty() ? 1 : tell(why, reason);
}
void release(CompiledCode* code) { unload(*code); }

u32 emit(const AbiRequest* request, AbiSink out, AbiSink why) {
  CompiledModule compiled;
  const std::string reason =
      compile_program(view(request->code), wanted(*request, Purpose::File), compiled);
  if (!reason.empty()) return tell(why, reason);
  out.write(out.context, compiled.bytes.data(), compiled.bytes.size());
  return 1;
}

u32 emit_ptx(const AbiPtxRequest* request, AbiSink out, AbiSink why) {
  std::vector<DeviceProgram> programs;
  for (u64 k = 0; k < request->program_count; ++k) {
    const AbiPtxProgram& program = request->programs[k];
    programs.push_back({view(program.code), program.function, program.symbol});
  }
  llvm::SmallVector<char, 0> bytes;
  const std::string reason =
      write_ptx(programs, request->target, static_cast<Effort>(request->effort),
                static_cast<Form>(request->form), bytes);
  if (!reason.empty()) return tell(why, reason);
  out.write(out.context, bytes.data(), bytes.size());
  return 1;
}
void configure(const AbiSettings* settings) {
  configure_process(
      {static_cast<Maps>(settings->maps), settings->cache_folder, settings->cache_levels});
  forget_objects();
}
void notes(AbiSink out) {
  for (const std::string& note : noted_problems()) tell(out, note + "\n");
}

void name_processors(AbiSink out) {
  for (const std::string& name : processors()) tell(out, name + "\n");
}

}  // namespace
}  // namespace komuz::backend

extern "C" __attribute__((visibility("default"))) const komuz::backend::AbiTable komuz_backend;
const komuz::backend::AbiTable komuz_backend = {
    komuz::backend::kAbiVersion, komuz::backend::kAbiLayout,       komuz::backend::about,
    komuz::backend::compile,     komuz::backend::release,          komuz::backend::configure,
    komuz::backend::notes,       komuz::backend::object_cache_use, komuz::backend::emit,
    komuz::backend::emit_ptx,    komuz::backend::name_processors};
