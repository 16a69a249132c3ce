// SPDX-License-Identifier: Apache-2.0
// The cases typed for one signature: columns to run on and expectations to score by.
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/cases/cases_table.h"
#include "engine/cases/score_scale.h"
#include "engine/cases/signature.h"
#include "engine/values/case_cells.h"
#include "lang/cases.h"

namespace komuz::engine {

struct TypedColumn;
class TypedColumns;

// The cases as the arguments of one signature. Columns that several signatures take are shared (typed_columns.h).
class CaseArguments {
 public:
  Signature signature;
  bool by_name = true;      // do its names say which columns they are? Else they count for nothing
  u32 count = 0;            // cases
  std::string case_types;   // the parameters as the cases hold them: slices as lists
  bool has_slices = false;  // is there one
  std::vector<Scalar> argument_types;  // one a cell of case_types

  // Rows [begin, begin + rows); `begin` is a multiple of 64, which keeps the columns aligned. `columns` is what the
  // view points to.
  [[nodiscard]] CasesView view(u32 begin, u32 rows, std::vector<ArgumentColumn>& columns) const;
  // A cell of case_types in a case, in canonical form.
  [[nodiscard]] u64 argument_cell(u32 slot, u32 case_index) const;
  // Of its own, without the columns.
  [[nodiscard]] size_t bytes() const;

 private:
  friend class TypedColumns;
  std::vector<std::shared_ptr<const TypedColumn>> columns_;  // one a parameter
  std::vector<const std::byte*> slots_;                      // one a cell, in these
};

class Suite : public CaseArguments {
 public:
  std::vector<Scalar> result_types;  // one a result cell
  std::vector<Trap> expected_traps;  // count; None: a value is expected
  std::vector<u64> lines;            // count; of the file of cases
  bool expects_traps = false;        // is there one
  bool has_variable_parts = false;   // in the result's type (signature.h)
  std::vector<u64> keys;             // count; odd, the same for every suite (score.h, behaviour)
  std::vector<f64> tolerances;       // count, or empty if no case has its own; negative: none
  std::optional<ScoreScale> scale;   // of scores; none: it follows from what is expected

  // One canonical cell a case, of a cell of the result.
  [[nodiscard]] const u64* expected_column(size_t cell) const { return expected_columns_[cell]; }
  [[nodiscard]] u64 expected_cell(size_t cell, u32 case_index) const {
    return expected_columns_[cell][case_index];
  }
  // Is it zero in every case?
  [[nodiscard]] bool expects_zeros(size_t cell) const {
    return static_cast<const void*>(expected_columns_[cell]) == zeros_.get();
  }
  // Column behind column, as a device has them.
  [[nodiscard]] std::vector<u64> all_expected() const;
  [[nodiscard]] std::vector<u64> expected_cells(u32 case_index) const {
    std::vector<u64> cells(result_types.size());
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = expected_cell(i, case_index);
    return cells;
  }

 private:
  friend class SuiteBuilder;
  CellBlock expected_;
  std::shared_ptr<const std::byte> zeros_;
  std::vector<const u64*> expected_columns_;  // in these
};

// Matches the table's columns to the parameters and reads every cell. On an error, which is stopped() where a stop came, `out` is
// left unfinished.
Problem make_suite(const CasesTable& table, const Signature& signature, Suite& out,
                   const std::stop_token& stop = {});
// The same, of columns some of which may have been read.
// The columns alone, with nothing that is expected: the result's type is of no account.
Problem make_columns(const CasesTable& table, const Signature& signature, Suite& out,
                     const std::stop_token& stop = {});
Problem make_suite(TypedColumns& columns, const Signature& signature, Suite& out,
                   const std::stop_token& stop = {});

}  // namespace komuz::engine
