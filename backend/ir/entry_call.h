// SPDX-License-Identifier: Apache-2.0
// What a RunCase and a RunLanes (case_state.h) have in common: they read arguments from columns, call the entry, and
// write results to columns. For many cases at a time, each value is one of each lane, from row `row` on.
#pragma once
#include "backend/ir/module_functions.h"

namespace komuz::backend::ir {

// Calls body(k, type) for each cell k, in a loop where many of one type follow each other.
template <class Body>
void for_each_run(IrWriter& w, const std::vector<Scalar>& types, Body body) {
  constexpr size_t kLoop = 16;
  for (size_t k = 0; k < types.size();) {
    size_t end = k;
    while (end < types.size() && types[end] == types[k]) ++end;
    if (end - k < kLoop) {
      for (; k < end; ++k) body(w.builder.getInt64(k), types[k]);
      continue;
    }
    write_loop(w, w.builder.getInt64(end - k), [&](llvm::Value* i) {
      body(w.builder.CreateAdd(i, w.builder.getInt64(k)), types[k]);
    });
    k = end;
  }
}

// The arguments of a call of the entry behind `given`, which has those of its kind already: a frame that nobody called,
// memory for results, and the cells of the columns. Gives the memory for results; null where there is none.
[[nodiscard]] llvm::Value* give_arguments(IrWriter& writer, const CallShape& shape,
                                          llvm::Value* columns, llvm::Value* row,
                                          llvm::SmallVectorImpl<llvm::Value*>& given);

// Result k that is in that memory.
[[nodiscard]] llvm::Value* load_result(IrWriter& writer, llvm::Value* results, llvm::Value* k,
                                       Scalar type);

}  // namespace komuz::backend::ir
