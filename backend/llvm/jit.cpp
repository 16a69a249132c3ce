// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/jit.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <cstring>

#include "backend/llvm/code_maps.h"

namespace komuz::backend {
namespace {

std::string text_of(llvm::Error error) { return "LLVM: " + llvm::toString(std::move(error)); }

// All that LLVM's code may call besides itself. A name that is none of these is an error, not a call into whatever
// library has it.
llvm::Error add_functions(llvm::orc::LLJIT& jit, const CompiledModule& compiled) {
  llvm::orc::SymbolMap functions;
  const auto add = [&](const char* name, auto* function) {
    functions[jit.mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                            llvm::JITSymbolFlags::Exported};
  };
  for (const LoadedKernel& kernel : compiled.kernels)
    add(kernel.name.c_str(), static_cast<std::byte*>(kernel.address));
  add("memset", &std::memset);
  add("memcpy", &std::memcpy);
  add("memmove", &std::memmove);
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(functions)));
}

// Code in memory.
struct Loaded {
  // `jit` writes to these as long as it is there: they go behind it.
  CodeMap map;
  std::string said;  // of linking by LLVM, which else only says that it has failed
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::unique_ptr<ToldCode> told;
};

// Systems with memory that is never written and then run refuse it here.
void listen(Loaded& loaded) {
  loaded.jit->getExecutionSession().setErrorReporter([&loaded](llvm::Error error) {
    llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase& info) {
      loaded.said =
          (info.isA<llvm::ECError>() ? "the system gives no memory for code: " : "LLVM: ") +
          info.message();
    });
  });
}

// Links the object file and looks for a function.
std::string link(const CompiledModule& compiled, const std::string& symbol, Loaded& loaded,
                 llvm::orc::ExecutorAddr& address) {
  std::unique_ptr<llvm::orc::LLJIT>& jit = loaded.jit;
  auto made = llvm::orc::LLJITBuilder()
                  .setJITTargetMachineBuilder(
                      llvm::orc::JITTargetMachineBuilder(compiled.machine->getTargetTriple()))
                  .setDataLayout(compiled.machine->createDataLayout())
                  .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                  .setLinkProcessSymbolsByDefault(false)
                  .create();
  if (!made) return text_of(made.takeError());
  jit = std::move(*made);
  loaded.map.maps = compiled.maps;
  loaded.map.entry_symbol = symbol;
  loaded.map.entry = compiled.entry;
  loaded.map.lanes = compiled.lanes;
  watch_links(*jit, loaded.map);
  listen(loaded);
  if (llvm::Error error = add_functions(*jit, compiled)) return text_of(std::move(error));
  const llvm::StringRef bytes(compiled.bytes.data(), compiled.bytes.size());
  if (llvm::Error error = jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(bytes, "komuz")))
    return text_of(std::move(error));
  auto found = jit->lookup(symbol);
  if (!found) {
    std::string why = text_of(found.takeError());
    return loaded.said.empty() ? why : loaded.said;
  }
  address = *found;
  loaded.told = std::make_unique<ToldCode>(loaded.map);
  return {};
}

}  // namespace

std::string load_for_good(const CompiledModule& compiled, const std::string& symbol,
                          void*& address) {
  auto loaded = std::make_unique<Loaded>();
  llvm::orc::ExecutorAddr found;
  std::string why = link(compiled, symbol, *loaded, found);
  if (!why.empty()) return why;
  address = found.toPtr<void*>();
  static_cast<void>(loaded.release());
  return {};
}

std::string load_object(const CompiledModule& compiled, const char* symbol, CompiledCode& out) {
  auto loaded = std::make_unique<Loaded>();
  llvm::orc::ExecutorAddr found;
  std::string why = link(compiled, symbol, *loaded, found);
  if (!why.empty()) return why;
  out.lanes = compiled.lanes;
  out.has_slices = compiled.has_slices ? 1 : 0;
  if (out.lanes == 1)
    out.run = found.toPtr<RunCase>();
  else
    out.run_lanes = found.toPtr<RunLanes>();
  out.scratch_bytes = compiled.scratch_bytes;
  out.stack_bytes = compiled.stack_bytes;
  out.code_bytes = compiled.bytes.size();
  out.owner = loaded.release();
  return {};
}

void unload(CompiledCode& code) {
  delete static_cast<Loaded*>(code.owner);
  code = {};
}

}  // namespace komuz::backend
