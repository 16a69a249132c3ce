// SPDX-License-Identifier: Apache-2.0
// Cuts the passes into phases; between two phases the host makes room. A runner runs the phases on one group.
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/group/column_extent.h"
#include "frontend_gpu/code/header_rows.h"
#include "frontend_gpu/columns/column_counts.h"
#include "frontend_gpu/columns/kept_head.h"
#include "frontend_gpu/columns/work_meter.h"

namespace komuz::frontend {

enum class Phase : u8 {
  FindTokens,      // blocks to token positions
  ClassifyTokens,  // tokens, and the text's identity
  Analyse,         // tokens to a tree with names and types
  WriteCode,       // instructions, as far as there is room
  FinishCode,      // values of constants, recursion bounds that follow from them, positions
  WriteHeaders,    // the rows beside the instructions, to memory of the host
};

// What phases take and give besides the columns.
struct PhaseValues {
  u32 token_limit = 0;
  bool tokens_fit = false;
  u64 hash_low = 0, hash_high = 0;
  u32 functions = 0, traps = 0, constants = 0;  // lengths of the code: two regions; cells
  HeaderSizes header_sizes;                     // of finished code
  HeaderRows header_rows;                       // room that the host has made
  WorkMeter* meter = nullptr;                   // the serial group's
  const KeptHead* head = &kNoHead;        // what compact columns keep; none: a phase has dropped it
  std::span<const ColumnExtent> extents;  // where the columns lie, for runners that watch them
};

class PhaseRunner {
 public:
  virtual ~PhaseRunner() = default;
  // Returns false if something went wrong between lanes; the next program may still be run. `columns` is a Columns;
  // the emulated build of the passes has its own type Columns, of the same layout.
  [[nodiscard]] virtual bool run(Phase phase, ColumnCounts& columns, PhaseValues& values) = 0;
  // What went wrong between lanes in the last phase; empty: nothing did.
  [[nodiscard]] virtual std::string_view fault() const { return {}; }
};

// Runs short programs in columns of its own. It uses only the counts of the `columns` that it is given.
class CompactRunner : public PhaseRunner {
 public:
  // The addresses of its columns, in the order of columns.def.
  [[nodiscard]] virtual std::vector<void*> columns() = 0;
};

[[nodiscard]] std::unique_ptr<PhaseRunner> serial_runner();
[[nodiscard]] std::unique_ptr<CompactRunner> compact_runner();

}  // namespace komuz::frontend
