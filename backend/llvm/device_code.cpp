// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/device_code.h"

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <map>

#include "backend/ir/lower_program.h"
#include "backend/ir/ptx_kernel.h"
#include "backend/llvm/compile.h"
#include "backend/llvm/machine.h"
#include "backend/llvm/passes.h"

namespace komuz::backend {
namespace {

// What a call takes of the memory of its thread at most. No function calls itself any more.
class LocalMemory {
 public:
  u64 of(const llvm::Function& f) {
    if (const auto known = taken_.find(&f); known != taken_.end()) return known->second;
    const llvm::DataLayout& layout = f.getParent()->getDataLayout();
    u64 own = 0, most = 0;
    for (const llvm::BasicBlock& block : f)
      for (const llvm::Instruction& i : block)
        if (const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
          own += variable->getAllocationSize(layout)->getFixedValue();
        else if (const auto* const call = llvm::dyn_cast<llvm::CallInst>(&i))
          if (call->getCalledFunction() != nullptr)
            most = std::max(most, of(*call->getCalledFunction()));
    return taken_[&f] = own + most;
  }

 private:
  std::map<const llvm::Function*, u64> taken_;
};

std::string refusal(const DeviceProgram& program, const std::string& why) {
  return "`" + program.symbol + "`: " + why;
}

std::string too_much_memory(const DeviceProgram& program, u64 bytes) {
  return refusal(program, "a case may take " + std::to_string(bytes) +
                              " bytes of a thread's memory, for arrays and for recursion; kernels "
                              "are made for at most " +
                              std::to_string(kMostLocal));
}

// Each program has mathematical functions of its own: LLVM makes one that is called once a part of its caller, and
// calls cost a kernel many registers.
void own_functions(llvm::Module& module, const std::string& symbol) {
  for (llvm::Function& f : module) {
    if (!f.hasFnAttribute(llvm::Attribute::NoInline)) continue;
    f.removeFnAttr(llvm::Attribute::NoInline);
    f.setName(f.getName() + "." + symbol);
  }
}

// Writes the functions of a program and its kernel. Its cycles are still to be flattened.
std::string add_program(ir::IrWriter& writer, const DeviceProgram& program,
                        std::vector<ir::Cycle>& cycles) {
  const u32 entries[] = {program.function};
  ir::ProgramPlan plan;
  u64 scratch_bytes = 0;
  std::string why = plan_within_limits(program.code, entries, 1, plan, scratch_bytes);
  if (!why.empty()) return refusal(program, why);
  if (scratch_bytes > kMostLocal) return too_much_memory(program, scratch_bytes);
  const std::string run = program.symbol + ".case";
  const std::vector<llvm::Function*> functions =
      ir::lower_program(writer, program.code, plan, run, {}, {}, scratch_bytes);
  for (ir::Cycle& cycle : ir::cycles_of(program.code, functions))
    cycles.push_back(std::move(cycle));
  own_functions(writer.module, program.symbol);
  llvm::Function* const run_case = writer.module.getFunction(run);
  run_case->setLinkage(llvm::GlobalValue::InternalLinkage);
  const Function& entry = program.code.functions[program.function];
  ir::write_ptx_kernel(writer, {.symbol = program.symbol,
                                .run_case = run_case,
                                .results = entry.result_cells,
                                .place = entry.code_begin,
                                .scratch_bytes = scratch_bytes});
  return {};
}

}  // namespace

void flatten_cycles(llvm::Module& module, llvm::TargetMachine& machine, Effort effort,
                    const std::vector<ir::Cycle>& cycles) {
  if (cycles.empty()) return;
  if (effort != Effort::Quick) find_registers(module, machine);
  for (const ir::Cycle& cycle : cycles) ir::flatten_recursion(module, cycle);
}

std::string write_ptx(std::span<const DeviceProgram> programs, const std::string& target,
                      Effort effort, Form form, llvm::SmallVector<char, 0>& bytes) {
  std::string why;
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::TargetMachine> machine = make_ptx_machine(target, effort, why);
  if (machine == nullptr) return why;
  llvm::Module module("komuz", context);
  module.setTargetTriple(machine->getTargetTriple().str());
  module.setDataLayout(machine->createDataLayout());
  std::vector<ir::Cycle> cycles;
  {
    // GPUs have instructions for all that the host may lack.
    ir::IrWriter writer(module, {.fuses = true, .rounds = true, .converts = true, .slices = false},
                        1);
    for (const DeviceProgram& program : programs)
      if (why = add_program(writer, program, cycles); !why.empty()) return why;
  }
  flatten_cycles(module, *machine, effort, cycles);
  std::vector<FunctionStack> stacks;
  why = finish_module(module, *machine, effort, form, Maps::None, bytes, stacks, true);
  if (!why.empty() || form == Form::Ir) return why;
  LocalMemory memory;
  for (const DeviceProgram& program : programs)
    if (const u64 taken = memory.of(*module.getFunction(program.symbol)); taken > kMostLocal)
      return too_much_memory(program, taken);
  return {};
}

}  // namespace komuz::backend
