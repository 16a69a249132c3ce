// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/passes.h"

#include <llvm/Passes/PassBuilder.h>

namespace komuz::backend {
namespace {

// Most of what -O2 gains, in a third of its time: slots become registers, and entries their callers' code.
constexpr char kTrimmed[] =
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>),cgscc(inline),"
    "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,loop-mssa(licm),"
    "simplifycfg),globaldce";

}  // namespace

void optimise(llvm::Module& module, llvm::TargetMachine& machine, Effort effort) {
  if (effort == Effort::Quick) return;
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
  if (effort == Effort::Full)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
  else
    llvm::cantFail(builder.parsePassPipeline(passes, kTrimmed));
  passes.run(module, modules);
}

}  // namespace komuz::backend
