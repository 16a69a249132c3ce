// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/machine.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <algorithm>

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

constexpr char kTriple[] = "x86_64-pc-linux-gnu";

// LLVM also knows processors of 32 bits, and ends the process where it is to make code of 64 for one.
bool is_processor(const llvm::Target& target, llvm::StringRef name) {
  const std::unique_ptr<llvm::MCSubtargetInfo> any(target.createMCSubtargetInfo(kTriple, "", ""));
  if (any == nullptr || !any->isCPUStringValid(name)) return false;
  const std::unique_ptr<llvm::MCSubtargetInfo> found(
      target.createMCSubtargetInfo(kTriple, name, ""));
  return found != nullptr && found->checkFeatures("+64bit");
}

}  // namespace

std::vector<std::string> processors() {
  std::vector<std::string> names;
  std::string why;
  const llvm::Target* const target = find_target(kTriple, why);
  if (target == nullptr) return names;
  llvm::SmallVector<llvm::StringRef, 128> known;
  llvm::X86::fillValidCPUArchList(known, true);
  for (const llvm::StringRef name : known)
    if (is_processor(*target, name)) names.push_back(name.str());
  std::ranges::sort(names);
  return names;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const std::string& processor, Effort effort,
                                                  std::string& why) {
  const std::string triple = kTriple;
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
  if (!is_processor(*target, name)) {
    why = "LLVM makes no x86-64 code for a processor `" + processor +
          "`; say x86-64, x86-64-v2, x86-64-v3, x86-64-v4, native or another name that `--cpu "
          "help` lists";
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
  // The oldest PTX that knows them: drivers from 2018 and 2022 on take it.
  const bool is_portable = name == "sm_75";
  if (!is_portable && name != "sm_90") {
    why = "PTX is written for sm_75, which all later GPUs run, and for sm_90, not for \"" + name +
          "\"";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, name, is_portable ? "+ptx63" : "+ptx78", options(),
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
