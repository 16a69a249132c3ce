// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/compile.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "backend/ir/c_functions.h"
#include "backend/ir/lower_program.h"
#include "backend/llvm/code_passes.h"
#include "backend/llvm/device_code.h"
#include "backend/llvm/machine.h"
#include "backend/llvm/object_cache.h"
#include "backend/llvm/order_values.h"
#include "backend/llvm/passes.h"
#include "backend/llvm/place_notes.h"

namespace komuz::backend {
namespace {

// LLVM warns of each function that takes more of the stack than the attribute says: of all, as it says 0.
constexpr char kStackAttribute[] = "warn-stack-size";

// Keeps what LLVM says: how much of the stack functions take, and errors.
struct Listener : llvm::DiagnosticHandler {
  explicit Listener(std::vector<FunctionStack>& s) : stacks(s) {}
  std::vector<FunctionStack>& stacks;
  std::string error;

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getKind() == llvm::DK_StackSize) {
      const auto& stack = static_cast<const llvm::DiagnosticInfoStackSize&>(info);
      stacks.push_back({stack.getFunction().getName().str(), stack.getStackSize()});
    } else if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream text(error);
      llvm::DiagnosticPrinterRawOStream printer(text);
      info.print(printer);
    }
    return true;
  }
};

std::string verified(const llvm::Module& module, const char* when) {
  std::string found;
  llvm::raw_string_ostream text(found);
  if (!llvm::verifyModule(module, &text)) return {};
  return std::string("LLVM's verifier refuses the code ") + when + ": " + found;
}

// What a call of the entry takes of the stack at most: functions of the module that are no program's are called by any,
// and one calls no other.
u64 stack_of(const CodeView& code, const ir::ProgramPlan& plan, const CompiledModule& compiled,
             const std::vector<FunctionStack>& stacks) {
  // A return address; vectors start at multiples of their size.
  const u64 besides = compiled.lanes == 1 ? 8 : 8 + 64;
  std::vector<u64> own(code.functions.size(), 0);
  u64 others = 0;
  if (!compiled.has_slices) {
    // No function calls itself there.
    for (const FunctionStack& stack : stacks) others += stack.bytes + besides;
    return others;
  }
  for (const LoadedKernel& kernel : compiled.kernels) others += kernel.stack_bytes + besides;
  for (const FunctionStack& stack : stacks) {
    bool is_program = false;
    for (const u32 f : plan.functions) {
      if (ir::function_symbol(code, f) != stack.function) continue;
      own[f] = stack.bytes + besides;
      is_program = true;
    }
    if (!is_program) others += stack.bytes + besides;
  }
  return ir::most_of_chain(code, plan, own) + others;
}

void prepare(llvm::Function& f, Form form, Maps maps) {
  // Who reads the text has no use for that.
  if (form != Form::Ir) f.addFnAttr(kStackAttribute, "0");
  // perf walks up by frame pointers, and gdb by tables.
  if (maps == Maps::Perf) f.addFnAttr("frame-pointer", "all");
  if (maps == Maps::Gdb) f.setUWTableKind(llvm::UWTableKind::Async);
}

// What C gives and takes is code, too.
std::string objects_within_limits(std::span<const CFunction> functions) {
  u64 cells = 0;
  for (const CFunction& f : functions) cells += ir::cells_alone(f);
  if (cells <= kMostCellsAlone) return {};
  return "of the values that C gives and takes " + std::to_string(cells) +
         " cells are moved one by one, since lists in lists lie in no rows; native code is made "
         "for at most " +
         std::to_string(kMostCellsAlone);
}

std::string load_kernels(const CompileRequest& request, CompiledModule& out) {
  for (const ir::Kernel& kernel : out.needs) {
    std::string why = load_kernel(kernel, request.shape.lanes, request.processor, request.maps,
                                  out.kernels.emplace_back());
    if (!why.empty()) return why;
  }
  return {};
}

}  // namespace

std::string finish_module(llvm::Module& module, llvm::TargetMachine& machine, Effort effort,
                          Form form, Maps maps, llvm::SmallVector<char, 0>& bytes,
                          std::vector<FunctionStack>& stacks, bool for_device) {
  auto handler = std::make_unique<Listener>(stacks);
  const Listener& listener = *handler;
  module.getContext().setDiagnosticHandler(std::move(handler));
  for (llvm::Function& f : module)
    if (!f.isDeclaration()) prepare(f, form, maps);
  std::string why;
  if (why = verified(module, "as it was lowered"); !why.empty()) return why;
  optimise(module, machine, effort, for_device);
  if (for_device && effort != Effort::Quick) order_values(module);
  if (why = verified(module, "behind the passes"); !why.empty()) return why;
  llvm::raw_svector_ostream stream(bytes);
  if (form == Form::Ir) {
    print_with_places(module, stream);
    return {};
  }
  llvm::legacy::PassManager passes;
  const auto kind = form == Form::Assembly ? llvm::CodeGenFileType::AssemblyFile
                                           : llvm::CodeGenFileType::ObjectFile;
  if (!add_code_passes(machine, passes, stream, kind))
    return "LLVM writes no such file for this processor";
  passes.run(module);
  return listener.error.empty() ? std::string() : "LLVM: " + listener.error;
}

std::string plan_within_limits(const CodeView& code, std::span<const u32> entries, u32 lanes,
                               ir::ProgramPlan& plan, u64& scratch_bytes) {
  plan = ir::plan_program(code, entries, lanes);
  const u64 most = lanes == 1 ? kMostSize : kMostLaneSize;
  if (plan.size > most)
    return "its instructions and the cells that they move are " + std::to_string(plan.size) +
           "; native code is made for at most " + std::to_string(most) +
           (lanes == 1 ? "" : " where many cases run at a time");
  std::vector<u64> scratch(code.functions.size(), 0);
  for (const u32 f : plan.functions) scratch[f] = u64{plan.frames[f].scratch_bytes} * lanes;
  scratch_bytes = ir::most_of_chain(code, plan, scratch);
  if (scratch_bytes > kMostScratch)
    return "its calls may take " + std::to_string(scratch_bytes) +
           " bytes for arrays; native code is made for at most " + std::to_string(kMostScratch);
  return {};
}

std::string compile_program(const CodeView& code, const CompileRequest& request,
                            CompiledModule& out) {
  const u32 lanes = out.lanes = request.shape.lanes;
  out.has_slices = !request.shape.for_device;
  if (std::find(std::begin(kLanes), std::end(kLanes), lanes) == std::end(kLanes))
    return "there is no native code for " + std::to_string(lanes) +
           " cases at a time, but for 1, 8, 16 or 32";
  if (lanes > 1 && request.shape.for_device)
    return "code for GPUs has one case a thread, not " + std::to_string(lanes);
  if (lanes > 1 && !request.c_functions.empty())
    return "functions for C run one case at a time, not " + std::to_string(lanes);
  if (request.shape.for_device && !request.c_functions.empty())
    return "there are no functions for C in code for GPUs";
  std::vector<u32> entries;
  for (const CFunction& f : request.c_functions) entries.push_back(f.function);
  if (entries.empty()) entries.push_back(request.entry);
  ir::ProgramPlan plan;
  std::string why = plan_within_limits(code, entries, lanes, plan, out.scratch_bytes);
  if (!why.empty()) return why;
  if (why = objects_within_limits(request.c_functions); !why.empty()) return why;
  out.context = std::make_unique<llvm::LLVMContext>();
  if (out.machine == nullptr) out.machine = make_machine(request.processor, request.effort, why);
  if (out.machine == nullptr) return why;

  out.module = std::make_unique<llvm::Module>("komuz", *out.context);
  llvm::Module& module = *out.module;
  module.setTargetTriple(out.machine->getTargetTriple().str());
  module.setDataLayout(out.machine->createDataLayout());
  {
    ir::TargetTraits traits = traits_of(*out.machine);
    traits.slices = !request.shape.for_device;
    ir::IrWriter writer(module, traits, lanes);
    writer.constants = ir::ConstantTable(request.loaded, code, lanes);
    writer.shares_kernels = request.purpose == Purpose::Process && traits.slices;
    std::optional<ir::DebugPlaces> places;
    if (request.source.is_known() && traits.slices &&
        (request.form == Form::Ir || (request.has_lines && lanes == 1)))
      writer.places =
          &places.emplace(module, code, request.source, request.effort != Effort::Quick);
    std::vector<llvm::Function*> functions;
    if (lanes == 1)
      functions = ir::lower_program(
          writer, code, plan, request.c_functions.empty() ? request.symbol : "",
          request.c_functions, request.source.all_places(code), out.scratch_bytes);
    else
      ir::lower_lanes(writer, code, plan, request.symbol);
    if (places) places->finish();
    // Lines are of functions of the program. What calls them has none, so it may not take them in.
    if (request.has_lines)
      for (llvm::Function* const f : functions)
        if (f != nullptr) f->addFnAttr(llvm::Attribute::NoInline);
    for (const CFunction& f : request.c_functions)
      if (why = ir::name_taken(module, f); !why.empty()) return why;
    if (request.shape.for_device)
      flatten_cycles(module, *out.machine, request.effort, ir::cycles_of(code, functions));
    out.needs = std::move(writer.kernels);
  }
  if (why = load_kernels(request, out); !why.empty()) return why;
  // Debuggers and profilers of other programs find their way out of object files.
  if (request.purpose == Purpose::File && !request.shape.for_device)
    for (llvm::Function& f : module)
      if (!f.isDeclaration()) f.setUWTableKind(llvm::UWTableKind::Async);
  std::vector<FunctionStack> stacks;
  why = finish_module(module, *out.machine, request.effort, request.form, request.maps, out.bytes,
                      stacks, request.shape.for_device);
  if (!why.empty() || request.form == Form::Ir) return why;
  out.stack_bytes = stack_of(code, plan, out, stacks);
  if (out.stack_bytes > kMostStack)
    return "its calls may take " + std::to_string(out.stack_bytes) +
           " bytes of the stack; native code is made for at most " + std::to_string(kMostStack);
  return {};
}

std::string compile_for_process(const CodeView& code, const CompileRequest& request,
                                CompiledModule& out) {
  std::string why;
  out.machine = make_machine(request.processor, request.effort, why);
  if (out.machine == nullptr) return why;
  const ObjectKey key = key_of(code, request, *out.machine);
  if (std::optional<StoredObject> kept = find_object(key)) {
    out.lanes = kept->lanes;
    out.has_slices = !request.shape.for_device;
    out.bytes = std::move(kept->bytes);
    out.needs = std::move(kept->kernels);
    out.scratch_bytes = kept->scratch_bytes;
    out.stack_bytes = kept->stack_bytes;
    return load_kernels(request, out);
  }
  why = compile_program(code, request, out);
  if (why.empty())
    keep_object(key, {.bytes = out.bytes,
                      .kernels = out.needs,
                      .lanes = out.lanes,
                      .scratch_bytes = out.scratch_bytes,
                      .stack_bytes = out.stack_bytes});
  return why;
}

}  // namespace komuz::backend
