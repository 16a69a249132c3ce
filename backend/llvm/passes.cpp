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

// Behind those, for GPUs: how a case ends is a path, not a number that is tested again.
constexpr char kPaths[] =
    "function(jump-threading,simplifycfg,instcombine<no-verify-fixpoint>,"
    "sink,simplifycfg)";

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

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort) {
  if (effort == Effort::Quick) return;
  run_passes(module, machine, effort == Effort::Full ? nullptr : kTrimmed);
  if (machine.getTargetTriple().isNVPTX()) run_passes(module, machine, kPaths);
}

}  // namespace komuz::backend
