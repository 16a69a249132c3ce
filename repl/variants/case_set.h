// SPDX-License-Identifier: Apache-2.0
// The cases of a session, and the parameters that lines have on them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/cases/cases_table.h"
#include "engine/cases/suite.h"
#include "engine/results/results.h"
#include "services/snippet.h"

namespace komuz::repl {

class CaseSet {
 public:
  // How a file is read.
  struct Reading {
    std::string target;  // the column of what is expected; empty: `expected`
    // "(x: f64, n: i64)", the types of parameters; empty: those that the columns have.
    std::string signature;
    // Types of columns that they have where none are said and all of these fit: who calls a function with them means its own.
    std::vector<services::SnippetName> preferred = {};
  };
  // Takes the cases of a file for a score: of one that is a value nothing is expected, so that every column is a
  // parameter. Columns without a type, or of which none was said, are no parameters.
  // Where there is a problem, a stop that the watch has asked for among them, nothing has changed.
  Problem load(std::string file, std::string bytes, Reading reading, engine::ScoreKind score,
               const engine::Watch& watch);
  // The same cases, with other types that are preferred.
  Problem prefer(std::vector<services::SnippetName> types, engine::ScoreKind score,
                 const engine::Watch& watch);
  // The same cases for another score.
  Problem set_score(engine::ScoreKind score, const engine::Watch& watch);
  void forget() { *this = {}; }

  [[nodiscard]] const std::string& file() const { return table_.file; }
  [[nodiscard]] bool is_there() const { return !table_.file.empty(); }
  [[nodiscard]] const engine::CasesTable& table() const { return table_; }
  [[nodiscard]] const std::vector<services::SnippetName>& parameters() const { return parameters_; }
  [[nodiscard]] bool has_parameter(std::string_view name) const;
  // "(x: f64, y: f64)"
  [[nodiscard]] std::string types() const;
  // The column of what is expected.
  [[nodiscard]] std::string_view target() const;
  // Its type; empty: nothing is expected, or what is has a type of its own name.
  [[nodiscard]] const std::string& expected() const { return expected_; }
  // Is anything, whatever its type? Of a score that is a value nothing is.
  [[nodiscard]] bool has_expectations() const { return has_expectations_; }
  // Do cases say how far off a value may be? They mean equality up to that.
  [[nodiscard]] bool has_tolerances() const;
  // "data.csv z (x: f64, y: f64)", as `:cases` takes it, the column and the types where they were said.
  [[nodiscard]] std::string source() const;
  // "256 cases of data.csv: (x: f64, y: f64), expected f64", which columns are no parameters, and which have other names.
  [[nodiscard]] std::string text() const;
  // What a column holds, or what is expected, as numbers: NaN where that is a trap. Empty where it holds none. An error
  // is also a stop that the watch has asked for, here and below.
  Problem numbers(std::string_view column, const engine::Watch& watch, std::vector<f64>& out) const;
  // "256 cases of data.csv", and of each column its type, and the least and the largest of what it holds.
  Problem summary(const engine::Watch& watch, std::string& out) const;

 private:
  // A column and the name that it has in programs, where that is another one.
  struct Renamed {
    std::string column, name;
  };
  // Gives columns names that programs can use: `flow_rate` for `flow rate`.
  void name_columns();
  // Types that are preferred, where these fit the rows. False: stopped.
  [[nodiscard]] bool take_preferred(const engine::Watch& watch);
  [[nodiscard]] std::string renamed_text() const;

  // What is wrong where a column is named that is not there.
  Problem missing_target(const engine::CaseFields& fields) const;
  // Columns that are no parameters, as they have no type or no name that a program can use; of those that have names.
  [[nodiscard]] std::string left_out() const;
  // The cases with the types that the columns have. What is expected stays out where it has no type.
  Problem make_suite(engine::Suite& out, const engine::Watch& watch) const;

  std::string bytes_;
  Reading reading_;
  engine::CasesTable table_;
  std::vector<Renamed> renamed_;
  std::vector<services::SnippetName> parameters_;
  bool has_preferred_ = false;  // the parameters have types that are preferred
  bool has_expectations_ = true;
  std::string expected_;  // the type; empty: none is needed, or it has no name of its own
};

// Of "(x: f64, n: i64) -> f64" the names and the types; empty: these are not all types of the language.
[[nodiscard]] std::vector<services::SnippetName> parameter_types(std::string_view signature);

}  // namespace komuz::repl
