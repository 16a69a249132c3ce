// SPDX-License-Identifier: Apache-2.0
// Runs one function on each row of a table, a slice of rows at a time, whose outcomes stay in the first levels of cache.
#pragma once
#include <functional>
#include <vector>

#include "engine/cases/suite.h"
#include "engine/native/tiered_machine.h"
#include "engine/support/watch.h"
#include "lang/cases.h"
#include "lang/code.h"

namespace komuz::engine {

class RowsRun {
 public:
  // `function`: of the code; the one that add_slice_entry() has added, if the suite has slices. All outlive it.
  RowsRun(const CodeView& code, u32 function, const CaseArguments& suite, u64 fuel,
          NativeTier* native = nullptr);

  // Told the outcomes of the rows from `begin` on: as many as there are traps.
  using Visit = std::function<void(u32 begin, const OutcomesView& outcomes)>;
  // False: stopped. A visitor that returns is told the next rows.
  bool run(const Watch& watch, const Visit& visit);

 private:
  CodeView code_;
  u32 function_;
  const CaseArguments& suite_;
  u64 fuel_;
  TieredMachine machine_;
  size_t cells_;
  std::vector<u64> values_, ticks_;
  std::vector<Trap> traps_;
  std::vector<u32> places_, depths_;
  std::vector<ArgumentColumn> columns_;
};

}  // namespace komuz::engine
