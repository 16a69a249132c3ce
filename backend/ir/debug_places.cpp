// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/debug_places.h"

#include <llvm/IR/Module.h>

namespace komuz::backend::ir {
namespace {

// dir/a.komuz → dir, a.komuz
std::pair<llvm::StringRef, llvm::StringRef> folder_and_name(llvm::StringRef path) {
  const size_t slash = path.rfind('/');
  if (slash == llvm::StringRef::npos) return {".", path};
  return {path.substr(0, slash == 0 ? 1 : slash), path.substr(slash + 1)};
}

}  // namespace

DebugPlaces::DebugPlaces(llvm::Module& module, const CodeView& code, const SourceView& source,
                         bool is_optimised)
    : code_(code), source_(source), is_optimised_(is_optimised), builder_(module) {
  for (const char* const path : source.files) {
    const auto [folder, name] = folder_and_name(path);
    files_.push_back(builder_.createFile(name, folder));
  }
  module.setSourceFileName(source.files[0]);
  // Debuggers know no Komuz; what they show of C fits best.
  builder_.createCompileUnit(llvm::dwarf::DW_LANG_C99, files_[0], "Komuz", is_optimised, "", 0, "",
                             llvm::DICompileUnit::LineTablesOnly);
  type_ = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
}

llvm::DIFile* DebugPlaces::file(u32 number) { return files_[number < files_.size() ? number : 0]; }

void DebugPlaces::open(llvm::Function& of, u32 function) {
  const SourcePlace& place = source_.functions[function];
  const std::string_view name = code_.name(code_.functions[function]);
  function_ = builder_.createFunction(
      file(place.file), llvm::StringRef(name.data(), name.size()), "", file(place.file), place.line,
      type_, place.line, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit |
          (is_optimised_ ? llvm::DISubprogram::SPFlagOptimized : llvm::DISubprogram::SPFlagZero));
  of.setSubprogram(function_);
}

llvm::DebugLoc DebugPlaces::at(u32 instruction) {
  const SourcePlace& place = source_.places[instruction];
  llvm::DILocalScope* scope = function_;
  if (file(place.file) != function_->getFile())
    scope = builder_.createLexicalBlockFile(function_, file(place.file));
  return llvm::DILocation::get(function_->getContext(), place.line, place.column, scope);
}

}  // namespace komuz::backend::ir
