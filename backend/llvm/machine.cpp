// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/machine.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

namespace komuz::backend {
namespace {

const llvm::Target* find_target(const std::string& triple, std::string& why) {
  static const bool is_ready = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)is_ready;
  return llvm::TargetRegistry::lookupTarget(triple, why);
}

// The floating-point code has to give the same bits on all processors: nothing is fused or reassociated.
llvm::TargetOptions options() {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  options.UnsafeFPMath = options.NoInfsFPMath = options.NoNaNsFPMath = options.NoSignedZerosFPMath =
      false;
  return options;
}

llvm::CodeGenOptLevel level_of(Effort effort) {
  return effort == Effort::Quick ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor, Effort effort,
                                                  std::string& why) {
  const std::string triple = "x86_64-pc-linux-gnu";
  const llvm::Target* const target = find_target(triple, why);
  if (target == nullptr) return nullptr;
  std::string name = processor, features;
  if (processor == "native") {
    name = llvm::sys::getHostCPUName().str();
    llvm::SubtargetFeatures found;
    for (const auto& feature : llvm::sys::getHostCPUFeatures())
      found.AddFeature(feature.first(), feature.second);
    features = found.getString();
  }
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, "", ""));
  if (subtarget == nullptr || !subtarget->isCPUStringValid(name)) {
    why = "LLVM knows no x86-64 processor \"" + processor + "\"";
    return nullptr;
  }
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, name, features, options(), llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, level_of(effort)));
  if (machine == nullptr) {
    why = "LLVM makes no code for \"" + processor + "\"";
    return nullptr;
  }
  machine->setFastISel(effort == Effort::Quick);
  return machine;
}

std::unique_ptr<llvm::TargetMachine> make_ptx_machine(const std::string& name, Effort effort,
                                                      std::string& why) {
  const std::string triple = "nvptx64-nvidia-cuda";
  const llvm::Target* const target = find_target(triple, why);
  if (target == nullptr) return nullptr;
  // The oldest PTX that knows them: drivers from 2018 and 2024 on take it.
  const bool is_portable = name == "sm_75";
  if (!is_portable && name != "sm_90") {
    why = "PTX is written for sm_75, which all later GPUs run, and for sm_90, not for \"" + name +
          "\"";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, name, is_portable ? "+ptx63" : "+ptx85", options(),
                                  llvm::Reloc::PIC_, std::nullopt, level_of(effort)));
}

ir::TargetTraits traits_of(const llvm::TargetMachine& machine) {
  const llvm::MCSubtargetInfo& subtarget = *machine.getMCSubtargetInfo();
  return {.fuses = subtarget.checkFeatures("+fma"),
          .rounds = subtarget.checkFeatures("+sse4.1"),
          .converts = subtarget.checkFeatures("+avx512dq,+avx512vl"),
          .gathers = subtarget.checkFeatures("+avx512f,+avx512vl")};
}

}  // namespace komuz::backend
