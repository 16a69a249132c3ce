// SPDX-License-Identifier: Apache-2.0
// Cases for a generated program, of which some expect what it does, and others do not.
#pragma once
#include <optional>
#include <string>

#include "base/random.h"
#include "engine/engine.h"
#include "gen/gen.h"
#include "tests/frontend/everywhere.h"

namespace komuz::test {

inline std::string quoted_cell(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}
inline std::string cell_text(std::string_view type, std::span<const u64> cells) {
  std::string text;
  engine::print_value(text, type, cells, engine::ValueStyle::Text);
  return quoted_cell(text);
}

// None: the entry takes what cannot be generated, or traps in all cases.
inline std::optional<engine::CasesTable> random_suite(const CodeView& code, u32 entry, u64 seed,
                                                      u32 count, u64 fuel) {
  const Function& f = code.functions[entry];
  const std::string_view types = code.parameter_types(f);
  if (types.find(kSliceCode) != std::string_view::npos) return std::nullopt;
  Random random(seed);
  const engine::Signature signature = engine::signature_of(code, f);
  const auto rows = gen::generate_values(random.next(), types, count);
  const ArgumentColumns columns(code, f, rows);
  Outcomes outcomes;
  vm::run_reference({code, entry, columns.view(), fuel}, outcomes.prepare(f.result_cells, count));
  const std::vector<u64> zeros(f.result_cells);
  std::string csv;
  for (const std::string& name : signature.names) csv += name + ",";
  csv += "expected,trap\n";
  for (u32 row = 0; row < count; ++row) {
    size_t cell = 0;
    for (size_t at = read_type_head(types, 0).end; at < types.size();) {
      const std::string_view type = types.substr(at, skip_type(types, at) - at);
      const size_t cells = count_cells(type);
      csv += cell_text(type, std::span(rows[row]).subspan(cell, cells)) + ",";
      cell += cells;
      at += type.size();
    }
    const bool is_trap = outcomes.traps[row] != Trap::None;
    if (is_trap && seed % 2 == 0) {
      csv += "," + std::string(trap_name(outcomes.traps[row])) + "\n";
      continue;
    }
    std::vector<u64> cells;
    for (u32 k = 0; k < f.result_cells && !is_trap; ++k)
      cells.push_back(outcomes.values[size_t{k} * count + row]);
    // What traps was to give a value, so that its trap is shown.
    csv += cell_text(signature.result_type, is_trap ? zeros : cells) + ",\n";
  }
  engine::CasesTable table;
  if (engine::read_csv_cases("cases.csv", csv, {}, table)) return std::nullopt;
  return table;
}

}  // namespace komuz::test
