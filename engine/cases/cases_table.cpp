// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/cases_table.h"

#include <algorithm>
#include <utility>

namespace komuz::engine {
namespace {

const TableCell& read_cell(const CasesTable& table, CellAt cell) {
  return cell.column == CellAt::kExpected ? table.rows[cell.row].expected
                                          : table.cell(cell.row, cell.column);
}

}  // namespace

const GivenColumn* CasesTable::given_column(size_t of) const {
  if (!given.source) return nullptr;
  if (of != CellAt::kExpected) return &given.column(given.columns[of]);
  return given.expected ? &given.column(*given.expected) : nullptr;
}

const NumberColumn* CasesTable::numbers_of(size_t column) const {
  const GivenColumn* const found = given_column(column);
  return found != nullptr && found->is_of_numbers() ? found->parts.data() : nullptr;
}

std::string_view CasesTable::text_of(CellAt cell, std::string& room) const {
  if (!given.source) return text_of(read_cell(*this, cell));
  room.clear();
  if (const GivenColumn* const column = given_column(cell.column))
    column->append_text(room, given.row_of(cell.row));
  return room;
}

InputPlace CasesTable::place_of(CellAt cell, size_t at) const {
  if (!given.source) return place_of(read_cell(*this, cell), at);
  const size_t column =
      cell.column == CellAt::kExpected ? given.expected.value_or(0) : given.columns[cell.column];
  const size_t row = given.row_of(cell.row);
  const u64 begin = at == 0 ? given.source->place_in_line(row, column)
                            : given.source->value_place_in_line(row, column);
  return {file, rows[cell.row].line, begin + at};
}

void keep_rows(std::span<const u32> rows, CasesTable& table) {
  const size_t columns = table.columns.size();
  std::vector<u32> given;
  for (size_t k = 0; k < rows.size(); ++k) {
    const size_t row = rows[k];
    table.rows[k] = table.rows[row];
    if (table.given.source)
      given.push_back(static_cast<u32>(table.given.row_of(row)));
    else
      std::copy_n(table.cells.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                  table.cells.begin() + static_cast<std::ptrdiff_t>(k * columns));
  }
  table.rows.resize(rows.size());
  if (!table.given.source) table.cells.resize(rows.size() * columns);
  table.given.rows = std::move(given);
}

}  // namespace komuz::engine
