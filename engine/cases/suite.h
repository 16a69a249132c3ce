// SPDX-License-Identifier: Apache-2.0
// The cases, typed for one signature: columns to run on, and expectations to score by.
#pragma once
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/cases/cases_table.h"
#include "engine/cases/indicators.h"
#include "engine/cases/score_scale.h"
#include "engine/cases/signature.h"
#include "engine/values/case_cells.h"
#include "lang/cases.h"

namespace komuz::engine {

struct TypedColumn;
class TypedColumns;

// The cases as arguments for one signature. Signatures share columns (typed_columns.h).
class CaseArguments {
 public:
  Signature signature;
  bool by_name = true;  // false: parameters take columns by position, and names count for nothing
  u32 count = 0;        // cases
  std::string case_types;              // the parameters as the cases hold them: slices as lists
  bool has_slices = false;             // some parameter holds a slice
  std::vector<Scalar> argument_types;  // one a cell of case_types
  std::vector<Indicator> indicators;   // parameters that are one

  // Rows [begin, begin + rows); `begin` is a multiple of 64, which keeps the columns aligned. The view points to
  // `columns`.
  [[nodiscard]] CasesView view(u32 begin, u32 rows, std::vector<ArgumentColumn>& columns) const;
  // A cell of case_types in a case, in canonical form.
  [[nodiscard]] u64 argument_cell(u32 slot, u32 case_index) const;
  // Bytes of this object, without the columns.
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
  bool expects_traps = false;        // some case expects one
  bool has_variable_parts = false;   // in the result's type (signature.h)
  std::vector<u64> keys;             // count; odd, the same for every suite (score.h, behaviour)
  std::vector<f64> tolerances;       // count, or empty if no case has its own; negative: none
  std::vector<f64> weights;          // count, from 0 on, or empty: all are 1
  std::optional<ScoreScale> scale;   // of scores; none: it follows from the expected values

  // The expected values of a cell of the result: a canonical cell for each case.
  [[nodiscard]] const u64* expected_column(size_t cell) const { return expected_columns_[cell]; }
  [[nodiscard]] u64 expected_cell(size_t cell, u32 case_index) const {
    return expected_columns_[cell][case_index];
  }
  // True if every case expects 0 in the cell.
  [[nodiscard]] bool expects_zeros(size_t cell) const {
    return static_cast<const void*>(expected_columns_[cell]) == zeros_.get();
  }
  // All expected columns, one behind the other, as a device holds them.
  [[nodiscard]] std::vector<u64> all_expected() const;
  [[nodiscard]] std::vector<u64> expected_cells(u32 case_index) const {
    std::vector<u64> cells(result_types.size());
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = expected_cell(i, case_index);
    return cells;
  }

 private:
  friend class SuiteBuilder;
  std::shared_ptr<const std::byte[]> expected_;  // copies share it
  std::shared_ptr<const std::byte> zeros_;
  std::vector<const u64*> expected_columns_;  // in these
};

// What the texts of expected values are: those of the result's type; or classes of a number, which may be written `false`
// and `true`, too.
enum class ExpectedForm : u8 { Values, Classes };

// Matches the table's columns to the parameters and reads every cell. After an error, which is stopped() for a stop,
// `out` is unfinished.
Problem make_suite(const CasesTable& table, const Signature& signature, Suite& out,
                   const std::stop_token& stop = {});
// The same with columns that may have been read before. make_columns reads the columns alone, without expected
// values, and ignores the result's type.
Problem make_columns(const CasesTable& table, const Signature& signature, Suite& out,
                     const std::stop_token& stop = {});
Problem make_suite(TypedColumns& columns, const Signature& signature, Suite& out,
                   const std::stop_token& stop = {}, ExpectedForm form = ExpectedForm::Values);

}  // namespace komuz::engine
