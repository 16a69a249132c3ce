// SPDX-License-Identifier: Apache-2.0
// What a formula is fitted to: numbers in columns, made of a table of texts.
//
//   numbers   stay as they are
//   bool      true is 1, false is 0
//   texts     of few values become indicators: a column for each value but the most frequent one, 1 where the table
//             has it; so do numbers that are said to be categories
//
// A column that cannot help is left out, and the data say why. A row in which a number is missing is left out on
// request.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "engine/fit/units.h"
#include "engine/support/watch.h"

namespace komuz::engine {

struct FitInput {
  std::string name;    // in formulas
  std::string column;  // in the header of the table
  // Not empty: the column holds texts, and the input is 1 where it has this one, else 0.
  std::string category;
  Unit unit;  // where units are stated; indicators have none
};

// How whoever asked for a fit says what is to be changed. Default: the command line.
struct FitWords {
  std::string_view target = "`--target`";  // what names the target
  std::string_view other_target = "name another column by `--target`";
  std::string_view without_column = "leave out columns by `--ignore COLUMN`";
  // Behind `--skip-missing`, which both have; false: a column cannot be left out.
  bool has_ignore = true;
  std::string_view other_split = "`--split-seed N` draws others, and `--split 0` holds out none";
  // What holds rows out where there are few.
  std::string_view split = "`--split 0.2` holds out a fifth of the rows instead";
  // What judges by all rows.
  std::string_view folds = "`--folds 5` judges by all rows in turn";
};

struct FitData {
  std::string file;
  FitWords words;
  std::string target, target_name;  // in the header, and in formulas
  // Units are stated (FitFields::units): then formulas have to be sound by them.
  bool has_units = false;
  Unit target_unit;
  std::vector<FitInput> inputs;
  std::vector<std::vector<f64>> columns;  // a column for each input, of finite numbers
  std::vector<f64> expected;
  std::vector<f64> weights;    // 0 or more; empty: all rows weigh the same
  std::string weights_column;  // in the header
  // Of each row the number of its group, from 0 on; empty: there are none.
  std::vector<f64> groups;
  u32 group_count = 0;
  std::string group_column;  // in the header
  std::vector<u64> lines;    // of the file

  // Of a column whose texts became indicators: all of them. One has no indicator, as the others say that it is none of them.
  struct ColumnTexts {
    std::string column;
    std::vector<std::string> texts;
  };
  std::vector<ColumnTexts> texts;

  struct LeftOutColumn {
    std::string column, why;
  };
  std::vector<LeftOutColumn> left_out;
  // Rows that are left out, since a number is missing in them, and where the first one is.
  struct MissingRows {
    u64 count = 0;
    u64 line = 0;        // of the first
    std::string column;  // whose number is missing there
  };
  MissingRows left_out_rows;

  [[nodiscard]] u32 rows() const { return static_cast<u32>(expected.size()); }
};

// Which columns play which role. Each is said by its header, or by its name in programs.
struct FitFields {
  std::string target = {};                // empty: default_target()
  std::string weights = {};               // empty: none
  std::vector<std::string> inputs = {};   // empty: all others
  std::vector<std::string> ignored = {};  // of these
  std::vector<std::string> categories =
      {};                      // whose values are categories, also if they are numbers
  std::string group = {};      // whose rows with the same value stay together; no input by default
  bool skips_missing = false;  // rows in which a number is missing are left out
  // "x=m, v=m/s", or the units of all columns in the order of the header, "m, m/s"; empty: none. A column that is
  // not named has none.
  std::string units = {};
  FitWords words = {};
};

// A column called `target`, `expected` or `y`, else the last one.
[[nodiscard]] std::string default_target(const CasesTable& table);

// `table`: read with all fields as parameters (CaseFields::has_expectations is false), and without
// TableForm::skips_missing.
Result<FitData> fit_data_of(const CasesTable& table, const FitFields& fields,
                            const Watch& watch = Watch());
// The same inputs from another table, whose columns are found by their headers.
Result<FitData> fit_data_like(const FitData& model, const CasesTable& table,
                              const FitFields& fields, const Watch& watch = Watch());

// The rows with these numbers, in this order.
[[nodiscard]] FitData rows_of(const FitData& data, std::span<const u32> rows);
// `inputs`: numbers of inputs; only these stay, in this order.
void keep_inputs(std::span<const u32> inputs, FitData& data);

}  // namespace komuz::engine
