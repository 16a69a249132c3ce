// SPDX-License-Identifier: Apache-2.0
// A table of cases with more columns: its own bytes as they are, and what is added to each row.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "engine/cases/cases_table.h"

namespace komuz::engine {

struct AddedColumn {
  std::string_view name;
  // Appends what a row has, in the style of the table: `2.5`, or as JSON. Nothing: an empty cell, or no field.
  std::function<void(std::string& out, size_t row)> append;
};

// Writes the table in pieces. Rows that were left out stay, with nothing in the new columns. Where blanks separate cells, NA stands for
// nothing. `bytes`: of the file that it was read from. Once `write` is false nothing more is written.
void write_widened(std::string_view bytes, const CasesTable& table,
                   std::span<const AddedColumn> columns,
                   const std::function<bool(std::string_view piece)>& write);

}  // namespace komuz::engine
