// SPDX-License-Identifier: Apache-2.0
#include "services/fit/fit_tables.h"

#include "engine/cases/cases_table.h"
#include "engine/cases/column_names.h"

namespace komuz::services {
namespace {

// Columns of all kinds: what they are is found out by fit_data_of().
Problem read_table(TableText table, const FitRequest& request, const engine::Watch& watch,
                   engine::CasesTable& out) {
  engine::CaseFields fields;
  fields.has_expectations = false;
  fields.form = request.form;
  if (table.columns)
    return engine::read_given_cases(table.name, std::move(table.columns), fields, out, watch);
  return engine::read_cases(table.name, std::move(table.bytes), fields, out, watch);
}

}  // namespace

Result<FitTables> read_fit_tables(TableText table, TableText* held_out, const FitRequest& request,
                                  const engine::Watch& watch) {
  FitTables tables;
  engine::CasesTable cases;
  if (Problem problem = read_table(std::move(table), request, watch, cases)) return problem;
  Result<engine::FitData> read = engine::fit_data_of(cases, request.fields, watch);
  if (read.problem()) return std::move(read).problem();
  tables.data = std::move(read).value();
  tables.made_names = engine::made_names_text(cases);
  tables.unnamed = engine::unnamed_columns_text(cases);
  if (held_out == nullptr) return tables;
  engine::CasesTable other;
  if (Problem problem = read_table(std::move(*held_out), request, watch, other)) return problem;
  Result<engine::FitData> like = engine::fit_data_like(tables.data, other, request.fields, watch);
  if (like.problem()) return std::move(like).problem();
  tables.held_out = std::move(like).value();
  return tables;
}

}  // namespace komuz::services
