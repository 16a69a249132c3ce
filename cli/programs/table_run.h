// SPDX-License-Identifier: Apache-2.0
// `komuz run --cases`: a function on each row of a table, and the table with its results beside them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/process/interrupt.h"
#include "cli/programs/program.h"
#include "cli/terminal/terminal.h"
#include "engine/cases/table_form.h"
#include "engine/native/native_tier.h"

namespace komuz::cli {

struct TableRun {
  std::string cases_path;
  std::string out_path = "-";       // standard output
  std::string column;               // of the results; empty: named as the entry
  std::vector<std::string> inputs;  // columns that parameters take; none: those of their names
  engine::TableForm form;           // how the table is read
  u64 fuel = 0;
};
// Failure if a row trapped. `function`: the entry in the code of the program, which may get a function for slices.
[[nodiscard]] Exit run_on_table(const TableRun& request, Program& program, u32 function,
                                engine::NativeTier* native, Terminal& terminal);

}  // namespace komuz::cli
