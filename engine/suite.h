// SPDX-License-Identifier: Apache-2.0
// The cases typed for one signature: columns to run on and expectations to score by.
#pragma once
#include <memory>
#include <new>
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
  std::vector<u64> expected;           // result_types.size() columns of `count` canonical cells
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
  [[nodiscard]] u64 expected_cell(size_t cell, u32 case_index) const {
    return expected[cell * count + case_index];
  }
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
  std::unique_ptr<std::byte[], Release> storage_;  // all columns, each on a multiple of 64 bytes
  std::vector<size_t> offsets_;                    // of each column in storage_
};

// Matches the table's columns to the parameters and reads every cell. On an error `out` is left unfinished.
[[nodiscard]] MaybeError make_suite(const CasesTable& table, const Signature& signature,
                                    Suite& out);

}  // namespace komuz::engine
