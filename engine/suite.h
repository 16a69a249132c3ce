// SPDX-License-Identifier: Apache-2.0
// The cases typed for one signature: columns to run on and expectations to score by.
#pragma once
#include <memory>
#include <new>
#include <stop_token>
#include <vector>

#include "engine/cases_table.h"
#include "engine/score_scale.h"
#include "engine/signature.h"
#include "lang/cases.h"

namespace komuz::engine {

class Suite {
 public:
  Signature signature;
  bool by_name = true;                 // the signature's names count too
  u32 count = 0;                       // cases
  std::string case_types;              // the parameters as the cases hold them: slices as lists
  bool has_slices = false;             // is there one
  std::vector<Scalar> argument_types;  // one a cell of case_types
  std::vector<Scalar> result_types;    // one a result cell
  std::vector<Trap> expected_traps;    // count; None: a value is expected
  std::vector<u64> lines;              // count; of the file of cases
  bool expects_traps = false;          // is there one
  bool has_variable_parts = false;     // in the result's type (signature.h)
  std::vector<u64> keys;               // count; odd, the same for every suite (score.h, behaviour)
  std::vector<f64> tolerances;         // count, or empty if no case has its own; negative: none
  std::optional<ScoreScale> scale;     // of scores; none: it follows from what is expected

  // Rows [begin, begin + rows); `begin` is a multiple of 64, which keeps the columns aligned. `columns` is what the
  // view points to.
  [[nodiscard]] CasesView view(u32 begin, u32 rows, std::vector<ArgumentColumn>& columns) const;
  // A cell of case_types in a case, in canonical form.
  [[nodiscard]] u64 argument_cell(u32 slot, u32 case_index) const;
  // One canonical cell a case, of a cell of the result.
  [[nodiscard]] const u64* expected_column(size_t cell) const { return expected_columns_[cell]; }
  [[nodiscard]] u64 expected_cell(size_t cell, u32 case_index) const {
    return expected_columns_[cell][case_index];
  }
  // Is it zero in every case?
  [[nodiscard]] bool expects_zeros(size_t cell) const {
    return static_cast<const void*>(expected_columns_[cell]) == zeros_;
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
  struct Release {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };
  using Block = std::unique_ptr<std::byte[], Release>;

  // Of each parameter, and of what is expected. A list's type has room for the longest one that there may be, which most are not: cells
  // that are zero in every case share one column.
  std::vector<Block> blocks_;
  std::vector<const std::byte*> columns_;  // of each argument cell, on a multiple of 64 bytes
  std::vector<const u64*> expected_columns_;
  const void* zeros_ = nullptr;  // what these share
};

// Matches the table's columns to the parameters and reads every cell. On an error `out` is left unfinished; at a stop it is stopped().
[[nodiscard]] MaybeError make_suite(const CasesTable& table, const Signature& signature, Suite& out,
                                    const std::stop_token& stop = {});

}  // namespace komuz::engine
