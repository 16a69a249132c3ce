// SPDX-License-Identifier: Apache-2.0
// The passes by phases: between two of them the host makes room. A runner runs them on one group.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/group/column_extent.h"
#include "frontend_gpu/code/header_rows.h"
#include "frontend_gpu/columns/column_counts.h"
#include "frontend_gpu/columns/work_meter.h"

namespace komuz::frontend {

enum class Phase : u8 {
  FindTokens,      // blocks to token positions
  ClassifyTokens,  // tokens, and the text's identity
  Analyse,         // tokens to a tree with names and types
  WriteCode,       // instructions, as far as there is room for them
  FinishCode,  // values of constants, the bounds of recursion that they give, and the places that code names
  WriteHeaders,  // the rows beside the instructions, to memory of the host's
};

// What phases take and give beside the columns.
struct PhaseValues {
  u32 token_limit = 0;
  bool tokens_fit = false;
  u64 hash_low = 0, hash_high = 0;
  u32 functions = 0, traps = 0, constants = 0;  // how long the code is: two regions; cells
  HeaderSizes header_sizes;                     // of finished code
  HeaderRows header_rows;                       // where there is room for them
  WorkMeter* meter = nullptr;                   // of the serial group
  std::span<const ColumnExtent> extents;  // of the columns so far; for runners that watch them
};

class PhaseRunner {
 public:
  virtual ~PhaseRunner() = default;
  // False when something went wrong between lanes; the next program may start anew. `columns` are Columns, of whose type
  // the emulated build of the passes has one of its own, of the same layout.
  [[nodiscard]] virtual bool run(Phase phase, ColumnCounts& columns, PhaseValues& values) = 0;
  // What went wrong between lanes in the last phase; empty: nothing.
  [[nodiscard]] virtual std::string_view fault() const { return {}; }
};

// Runs short programs in columns of its own, and of `columns` uses the counts alone.
class CompactRunner : public PhaseRunner {
 public:
  // Where its columns are, in the order of columns.def.
  [[nodiscard]] virtual std::vector<void*> columns() = 0;
};

[[nodiscard]] std::unique_ptr<PhaseRunner> serial_runner();
[[nodiscard]] std::unique_ptr<CompactRunner> compact_runner();

}  // namespace komuz::frontend
