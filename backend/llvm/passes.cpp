// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/passes.h"

#include <llvm/Passes/PassBuilder.h>

namespace komuz::backend {
namespace {

constexpr char kRegisters[] =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)";

// Most of what -O2 gains, in a third of its time: slots become registers, and entries their callers' code.
constexpr char kTrimmed[] =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),cgscc(inline),"
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),"
    "simplifycfg),globaldce";

// The same for GPUs, where ptxas looks at code again. What is known of the range of values takes checks away
// and makes divisions narrower, and calculations go to where they are used.
constexpr char kTrimmedForGpus[] =
    "function(sroa,early-cse,simplifycfg),cgscc(inline),globaldce,"
    "function(sroa,instcombine<no-verify-fixpoint>,correlated-propagation,simplifycfg,early-cse,"
    "sink)";

// Behind -O2, for GPUs.
constexpr char kSunk[] = "function(simplifycfg,instcombine<no-verify-fixpoint>,sink,simplifycfg)";

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, const char* pipeline) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::ModulePassManager passes;
  if (pipeline == nullptr)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  else
    llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

}  // namespace

void find_registers(llvm::Module& module, llvm::TargetMachine& machine) {
  run_passes(module, machine, kRegisters);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort, bool for_device) {
  if (effort == Effort::Quick) return;
  if (effort == Effort::Normal)
    return run_passes(module, machine, for_device ? kTrimmedForGpus : kTrimmed);
  run_passes(module, machine, nullptr);
  if (for_device) run_passes(module, machine, kSunk);
}

}  // namespace komuz::backend
