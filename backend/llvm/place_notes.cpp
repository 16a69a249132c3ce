// SPDX-License-Identifier: Apache-2.0
#include "backend/llvm/place_notes.h"

#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/FormattedStream.h>

#include <string>
#include <unordered_map>

namespace komuz::backend {
namespace {

std::string path_of(const llvm::DIScope& scope) {
  const std::string folder = scope.getDirectory().str();
  return (folder == "." ? "" : folder + "/") + scope.getFilename().str();
}

class PlaceNotes final : public llvm::AssemblyAnnotationWriter {
 public:
  explicit PlaceNotes(const llvm::Module& module) {
    for (const llvm::DICompileUnit* const unit : module.debug_compile_units())
      program_ = unit->getFile();
    for (const llvm::Function& f : module) {
      const llvm::DISubprogram* const known = f.getSubprogram();
      if (known != nullptr && known->getLine() != 0)
        notes_[&f] = "; fn " + known->getName().str() + ", " + path_of(*known) + ":" +
                     std::to_string(known->getLine()) + "\n";
      for (const llvm::BasicBlock& block : f)
        for (const llvm::Instruction& i : block) note(i);
    }
  }
  void emitFunctionAnnot(const llvm::Function* f, llvm::formatted_raw_ostream& out) override {
    if (const auto found = notes_.find(f); found != notes_.end()) out << found->second;
  }
  void printInfoComment(const llvm::Value& value, llvm::formatted_raw_ostream& out) override {
    if (llvm::isa<llvm::Function>(value)) return;
    const auto found = notes_.find(&value);
    if (found == notes_.end()) return;
    constexpr unsigned kColumn = 72;
    out.PadToColumn(kColumn) << "; " << found->second;
  }

 private:
  void note(const llvm::Instruction& i) {
    const llvm::DILocation* const at = i.getDebugLoc();
    if (at == nullptr || at->getLine() == 0) return;
    notes_[&i] = (at->getFile() != program_ ? path_of(*at->getScope()) + ":" : "") +
                 std::to_string(at->getLine()) + ":" + std::to_string(at->getColumn());
  }

  const llvm::DIFile* program_ = nullptr;
  std::unordered_map<const llvm::Value*, std::string> notes_;
};

}  // namespace

void print_with_places(llvm::Module& module, llvm::raw_ostream& out) {
  PlaceNotes notes(module);
  llvm::StripDebugInfo(module);
  // The versions of debug information are all that flags say here.
  if (llvm::NamedMDNode* const flags = module.getModuleFlagsMetadata()) flags->eraseFromParent();
  module.print(out, &notes);
}

}  // namespace komuz::backend
