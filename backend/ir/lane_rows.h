// SPDX-License-Identifier: Apache-2.0
// Cells of memory for many cases: a row has 64 bits for each lane, whatever the type. What loops, or is long where the
// processor has no instruction for it, is a function of the module, written when it is first called.
#pragma once
#include "backend/ir/ir_writer.h"

namespace komuz::backend::ir {

inline const llvm::Align kRowAlign(64);

// A value as a row, and the value of a type that a row holds.
[[nodiscard]] llvm::Value* as_row(llvm::Value* value);
[[nodiscard]] llvm::Value* from_row(llvm::Value* row, Scalar type);

// A place for each lane: `index` counts 8 bytes from `first` on.
struct LanePlaces {
  llvm::Value* first;
  llvm::Value* index;
  llvm::Value* mask;
};
[[nodiscard]] llvm::Value* gather(IrWriter& w, const LanePlaces& from);
void scatter(IrWriter& w, const LanePlaces& to, llvm::Value* row);

// `count` rows one behind the other.
void gather_rows(IrWriter& w, llvm::Value* to, const LanePlaces& from, u64 count);
void scatter_rows(IrWriter& w, const LanePlaces& to, llvm::Value* from, u64 count);
// Only the lanes of the mask.
void blend_rows(IrWriter& w, llvm::Value* to, llvm::Value* from, llvm::Value* mask, u64 count);
// Each of `count` cells of 8 bytes to all lanes of the mask.
void splat_rows(IrWriter& w, llvm::Value* to, llvm::Value* from, llvm::Value* mask, u64 count);

}  // namespace komuz::backend::ir
