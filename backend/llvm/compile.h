// SPDX-License-Identifier: Apache-2.0
// From the code of a program to a module, and from a module to machine code.
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/c/c_layout.h"
#include "backend/effort.h"
#include "backend/ir/debug_places.h"
#include "backend/ir/frame_plan.h"
#include "backend/llvm/kernels.h"
#include "backend/loaded_constants.h"
#include "backend/settings.h"
#include "lang/code.h"

namespace komuz::backend {

// The largest program that is compiled: instructions, and the cells that they move, of all its functions together. LLVM
// takes up to 0.3 ms for each, and up to 1.5 ms for many cases at a time.
inline constexpr u64 kMostSize = 20'000, kMostLaneSize = 4'000;
// The most cells that functions for C may move one by one. LLVM takes 1 ms for each, and more the more there are.
inline constexpr u64 kMostCellsAlone = 2'000;
// The most that a call may need of a thread's stack, and of scratch memory, in bytes.
inline constexpr u64 kMostStack = 512u << 10, kMostScratch = 4u << 20;

// The stack of a function, in bytes.
struct FunctionStack {
  std::string function;
  u64 bytes;
};

// A module, and what its code needs.
struct CompiledModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallVector<char, 0> bytes;   // an object file, or text
  std::vector<ir::Kernel> needs;      // mathematical functions that the object file calls
  std::vector<LoadedKernel> kernels;  // the same in memory
  u32 lanes = 1;
  bool has_slices = true;
  u64 scratch_bytes = 0;
  u64 stack_bytes = 0;
  // Who is told where its functions lie, and the name of what its RunCase calls.
  Maps maps = Maps::None;
  std::string entry = {};
};

// Passes and machine code: from a module to what `form` says. Empty if all is well; else why not.
[[nodiscard]] std::string finish_module(llvm::Module& module, llvm::TargetMachine& machine,
                                        Effort effort, Form form, Maps maps,
                                        llvm::SmallVector<char, 0>& bytes,
                                        std::vector<FunctionStack>& stacks,
                                        bool for_device = false);

// Where code goes: into this process, which has the mathematical functions already, or elsewhere, with all that it
// calls.
enum class Purpose : u8 { Process, File };

// What is compiled: an entry of checked code and what it calls, with a RunCase or RunLanes of that name; or functions
// for C, if there are some, which run one case at a time.
struct CompileRequest {
  u32 entry = 0;
  std::string symbol;
  std::span<const CFunction> c_functions = {};
  std::string processor;
  Effort effort = Effort::Normal;
  Form form = Form::Object;
  Shape shape;
  LoadedConstants loaded = {};
  Purpose purpose = Purpose::File;
  ir::SourceView source = {};
  bool has_lines = false;  // of the source, in files that are no IR
  Maps maps = Maps::None;  // what code of this process is made for
};

// Plans what the entries reach. Empty if all is well; else what is too large.
[[nodiscard]] std::string plan_within_limits(const CodeView& code, std::span<const u32> entries,
                                             u32 lanes, ir::ProgramPlan& plan, u64& scratch_bytes);

// Empty if all is well; else why not. `out.machine` may be there already.
[[nodiscard]] std::string compile_program(const CodeView& code, const CompileRequest& request,
                                          CompiledModule& out);

// The same for code of this process: as it was made before, if it was.
[[nodiscard]] std::string compile_for_process(const CodeView& code, const CompileRequest& request,
                                              CompiledModule& out);

}  // namespace komuz::backend
