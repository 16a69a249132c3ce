// SPDX-License-Identifier: Apache-2.0
// Runs single operations on whole columns of values, for whoever keeps the values of parts of programs. The handlers are those of the
// batch machine, so the bits are the same.
#pragma once
#include <array>
#include <memory>

#include "base/simd_level.h"
#include "lang/cases.h"
#include "lang/code.h"
#include "vm/broadcast_values.h"

namespace komuz::vm {

struct LaneMachine;
struct Tile;

// A workspace for one thread.
class ColumnMachine {
 public:
  explicit ColumnMachine(SimdLevel level = best_simd_level());
  ~ColumnMachine();
  ColumnMachine(ColumnMachine&&) noexcept;
  ColumnMachine& operator=(ColumnMachine&&) = delete;

  // Pure operations that never trap.
  [[nodiscard]] static bool takes(Instruction i);

  // A column as ArgumentColumn has it; or one value for all rows, a BroadcastValue.
  struct Values {
    const void* data = nullptr;
    bool is_one = false;
  };
  // out[row] = the operation on the operands' values in that row. `out` is aligned to 64 bytes, and has room for a multiple of 64
  // values. It may be one of the operands if the type is the same.
  void run(Instruction i, const std::array<Values, 3>& operands, void* out, u32 rows);
  // As the values of an OutcomesView.
  void to_cells(Scalar type, const Values& values, u32 rows, u64* cells);

 private:
  const LaneMachine& machine_;
  std::unique_ptr<Tile> tile_;
};

}  // namespace komuz::vm
