// SPDX-License-Identifier: Apache-2.0
// The cells of C objects (c/c_layout.h) as code reads and writes them.
#pragma once
#include <llvm/IR/Function.h>

#include <map>
#include <span>

#include "backend/c/c_layout.h"
#include "backend/ir/ir_writer.h"
#include "lang/types.h"

namespace komuz::backend::ir {

// Runs with so many cells, or rows, are loops.
inline constexpr u32 kCellLoop = 16;

// Is there a loop over the rows of a run; over the cells of a row?
[[nodiscard]] inline bool loops_over_rows(const CellRun& run) {
  return run.rows > 1 && u64{run.rows} * run.count >= kCellLoop;
}
[[nodiscard]] inline bool loops_over_cells(const CellRun& run) { return run.count >= kCellLoop; }

// How many cells of the object stand alone in code.
[[nodiscard]] u64 cells_alone(const CObject& object);

// The address of a cell.
[[nodiscard]] llvm::Value* cell_address(IrWriter& w, const CellRun& run, llvm::Value* object,
                                        llvm::Value* row, llvm::Value* k);
// The number of a cell of the run in the value.
[[nodiscard]] llvm::Value* cell_number(IrWriter& w, const CellRun& run, llvm::Value* row,
                                       llvm::Value* k);

// Tells `begin` each row of the run, and `body` each of its cells: the row, the number in it, and what `begin` gave.
template <class Begin, class Body>
void for_cells(IrWriter& w, const CellRun& run, Begin begin, Body body) {
  const auto cells = [&](llvm::Value* row) {
    auto* const given = begin(row);
    if (loops_over_cells(run))
      write_loop(w, w.builder.getInt64(run.count), [&](llvm::Value* k) { body(row, k, given); });
    else
      for (u32 k = 0; k < run.count; ++k) body(row, w.builder.getInt64(k), given);
  };
  if (loops_over_rows(run))
    write_loop(w, w.builder.getInt64(run.rows), cells);
  else
    for (u32 row = 0; row < run.rows; ++row) cells(w.builder.getInt64(row));
}

// Reads the value of one C object as cells.
class ObjectReader {
 public:
  // `at`: the address of the object. `types`: of its cells.
  ObjectReader(IrWriter& w, const CObject& object, llvm::Value* at, std::span<const Scalar> types)
      : w_(w), object_(object), at_(at), types_(types) {}

  // A cell by itself.
  [[nodiscard]] llvm::Value* cell(u32 number);
  // Stores all cells at `memory`, which has 8 bytes for each.
  void store(llvm::Value* memory);
  // Whether one has a value that its type does not have; null: none can.
  [[nodiscard]] llvm::Value* is_bad();

 private:
  llvm::Value* integer(u64 n) { return w_.builder.getInt64(n); }
  [[nodiscard]] const CellRun& run_of(u32 cell) const;
  // A length or the number of an alternative, as i64.
  llvm::Value* wide(llvm::Value* value);
  llvm::Value* wide_guard(u32 number) { return wide(cell(number)); }
  // What the guard of a row says; null: it has none. What it needs is known once `know_guards` was called.
  llvm::Value* guard_of(const CellRun& run, llvm::Value* row);
  void know_guards(const CellRun& run);
  llvm::Value* element(const CellRun& run, llvm::Value* row, llvm::Value* k, llvm::Value* guard);

  IrWriter& w_;
  const CObject& object_;
  llvm::Value* at_;
  std::span<const Scalar> types_;
  std::map<u32, llvm::Value*> cells_;
};

}  // namespace komuz::backend::ir
