// SPDX-License-Identifier: Apache-2.0
// The places of instructions in the source, as LLVM's debug locations.
#pragma once
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Function.h>

#include <span>

#include "backend/source_map.h"
#include "lang/code.h"

namespace komuz::backend::ir {

// A SourceMap as columns.
struct SourceView {
  std::span<const char* const> files = {};
  const SourcePlace* places = nullptr;
  const SourcePlace* functions = nullptr;
  [[nodiscard]] bool is_known() const { return !files.empty(); }
  // Of each instruction; none where they are not known.
  [[nodiscard]] std::span<const SourcePlace> all_places(const CodeView& code) const {
    return {places, is_known() ? code.instructions.size() : 0};
  }
};

class DebugPlaces {
 public:
  DebugPlaces(llvm::Module& module, const CodeView& code, const SourceView& source,
              bool is_optimised);
  // The function's code that follows is that of `function`.
  void open(llvm::Function& of, u32 function);
  [[nodiscard]] llvm::DebugLoc at(u32 instruction);
  // When all code is written.
  void finish() { builder_.finalize(); }

 private:
  [[nodiscard]] llvm::DIFile* file(u32 number);

  const CodeView& code_;
  const SourceView source_;
  const bool is_optimised_;
  llvm::DIBuilder builder_;
  std::vector<llvm::DIFile*> files_;
  llvm::DISubroutineType* type_;
  llvm::DISubprogram* function_ = nullptr;
};

}  // namespace komuz::backend::ir
