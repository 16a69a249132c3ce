// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/kernels.h"

#include <map>
#include <mutex>

#include "backend/ir/lower_program.h"
#include "backend/llvm/compile.h"
#include "backend/llvm/jit.h"
#include "backend/llvm/machine.h"

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

std::string make_kernel(const ir::Kernel& kernel, u32 lanes, const std::string& processor,
                        LoadedKernel& out) {
  std::string why;
  CompiledModule made;
  made.context = std::make_unique<llvm::LLVMContext>();
  made.machine = make_machine(processor, Effort::Normal, why);
  if (made.machine == nullptr) return why;
  made.module = std::make_unique<llvm::Module>("kernel", *made.context);
  made.module->setTargetTriple(made.machine->getTargetTriple().str());
  made.module->setDataLayout(made.machine->createDataLayout());
  {
    ir::IrWriter writer(*made.module, traits_of(*made.machine), lanes);
    ir::write_kernel(writer, kernel);
  }
  std::vector<FunctionStack> stacks;
  why =
      finish_module(*made.module, *made.machine, Effort::Normal, Form::Object, made.bytes, stacks);
  if (!why.empty()) return why;
  out.name = kernel.name;
  for (const FunctionStack& stack : stacks) out.stack_bytes += stack.bytes;
  return load_for_good(made, kernel.name, out.address);
}

}  // namespace

std::string load_kernel(const ir::Kernel& kernel, u32 lanes, const std::string& processor,
                        LoadedKernel& out) {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  const std::string key = kernel.name + " " + processor;
  if (const auto found = all.kernels.find(key); found != all.kernels.end()) {
    out = found->second;
    return {};
  }
  std::string why = make_kernel(kernel, lanes, processor, out);
  if (why.empty()) all.kernels.emplace(key, out);
  return why;
}

}  // namespace komuz::backend
