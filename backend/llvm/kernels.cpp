// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/kernels.h"

#include <map>
#include <mutex>

#include "backend/ir/lower_program.h"
#include "backend/llvm/compile.h"
#include "backend/llvm/jit.h"
#include "backend/llvm/machine.h"
#include "backend/llvm/object_cache.h"

namespace komuz::backend {
namespace {

// What was made, by name and processor. Code that is handed out may call it at any time, so nothing is freed.
struct Kept {
  std::mutex mutex;
  std::map<std::string, LoadedKernel> kernels;
};
Kept& kept() {
  static Kept& all = *new Kept;
  return all;
}

std::string compile_kernel(const ir::Kernel& kernel, u32 lanes, Maps maps, CompiledModule& made) {
  made.context = std::make_unique<llvm::LLVMContext>();
  made.module = std::make_unique<llvm::Module>("kernel", *made.context);
  made.module->setTargetTriple(made.machine->getTargetTriple().str());
  made.module->setDataLayout(made.machine->createDataLayout());
  {
    ir::IrWriter writer(*made.module, traits_of(*made.machine), lanes);
    ir::write_kernel(writer, kernel);
  }
  std::vector<FunctionStack> stacks;
  std::string why = finish_module(*made.module, *made.machine, Effort::Normal, Form::Object, maps,
                                  made.bytes, stacks);
  for (const FunctionStack& stack : stacks) made.stack_bytes += stack.bytes;
  return why;
}

std::string make_kernel(const ir::Kernel& kernel, u32 lanes, const std::string& processor,
                        Maps maps, LoadedKernel& out) {
  std::string why;
  CompiledModule made;
  made.machine = make_machine(processor, Effort::Normal, why);
  if (made.machine == nullptr) return why;
  const ObjectKey key = key_of(kernel, lanes, maps, *made.machine);
  if (std::optional<StoredObject> kept_before = find_object(key)) {
    made.bytes = std::move(kept_before->bytes);
    made.stack_bytes = kept_before->stack_bytes;
  } else {
    if (why = compile_kernel(kernel, lanes, maps, made); !why.empty()) return why;
    keep_object(key, {.bytes = made.bytes,
                      .kernels = {},
                      .lanes = lanes,
                      .scratch_bytes = 0,
                      .stack_bytes = made.stack_bytes});
  }
  made.maps = maps;
  out.name = kernel.name;
  out.stack_bytes = made.stack_bytes;
  return load_for_good(made, kernel.name, out.address);
}

}  // namespace

std::string load_kernel(const ir::Kernel& kernel, u32 lanes, const std::string& processor,
                        Maps maps, LoadedKernel& out) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  const std::string key =
      kernel.name + " " + std::to_string(static_cast<u32>(maps)) + " " + processor;
  if (const auto found = all.kernels.find(key); found != all.kernels.end()) {
    out = found->second;
    return {};
  }
  std::string why = make_kernel(kernel, lanes, processor, maps, out);
  if (why.empty()) all.kernels.emplace(key, out);
  return why;
}

}  // namespace komuz::backend
