// SPDX-License-Identifier: Apache-2.0
// The cases of a session, and the parameters of lines on them.
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
  // How to read a file.
  struct Reading {
    std::string target;  // the column of expected values; empty: `expected`
    // "(x: f64, n: i64)", the types of parameters; empty: the columns' own.
    std::string signature;
    engine::TableForm form;
    std::vector<std::string> inputs;  // as CaseFields has them; empty: all columns
    // Types of columns that are used if none are stated and all of these fit: those of a function that the user wants
    // to call.
    std::vector<services::SnippetName> preferred = {};
    // A share of the cases that is held out, drawn by the seed.
    std::optional<f64> split = {};
    u64 split_seed = 0;
  };
  // Takes the cases of a file for a score. A value score expects nothing, so every column is a parameter. Columns
  // without a type, or without a stated one, are no parameters. After a problem, or a stop by the watch, nothing has changed.
  Problem load(std::string file, std::string bytes, Reading reading, engine::ScoreKind score,
               const engine::Watch& watch);
  // The same cases, with other preferred types.
  Problem prefer(std::vector<services::SnippetName> types, engine::ScoreKind score,
                 const engine::Watch& watch);
  // The same cases for another score.
  Problem set_score(engine::ScoreKind score, const engine::Watch& watch);
  // The same cases, with another share held out; nothing: none is.
  Problem split(std::optional<f64> share, u64 seed, engine::ScoreKind score,
                const engine::Watch& watch);
  void forget() { *this = {}; }

  [[nodiscard]] const std::string& file() const { return table_.file; }
  // What the file said, and the column of the expected values if one was named.
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] const Reading& reading() const { return reading_; }
  [[nodiscard]] const std::string& named_target() const { return reading_.target; }
  [[nodiscard]] bool is_there() const { return !table_.file.empty(); }
  [[nodiscard]] const engine::CasesTable& table() const { return table_; }
  // Null: no cases are held out.
  [[nodiscard]] const engine::CasesTable* held_out() const {
    return held_out_.rows.empty() ? nullptr : &held_out_;
  }
  [[nodiscard]] const std::vector<services::SnippetName>& parameters() const { return parameters_; }
  [[nodiscard]] bool has_parameter(std::string_view name) const;
  // "(x: f64, y: f64)"
  [[nodiscard]] std::string types() const;
  // The column of the expected values.
  [[nodiscard]] std::string_view target() const;
  // Its type; empty: nothing is expected, or the type has a name of its own.
  [[nodiscard]] const std::string& expected() const { return expected_; }
  // True if values of any type are expected. A value score expects none.
  [[nodiscard]] bool has_expectations() const { return has_expectations_; }
  // True if cases have tolerances: they demand equality up to these.
  [[nodiscard]] bool has_tolerances() const;
  // "data.csv z --decimal , (x: f64, y: f64)", in the form of `:cases`; only what was stated.
  [[nodiscard]] std::string source() const;
  // "256 cases of data.csv: (x: f64, y: f64), expected f64", then the columns that are no parameters, and those with
  // other names.
  [[nodiscard]] std::string text() const;
  // The values of a column, or the expected ones, as numbers: NaN for a trap. Empty if it has no numbers. Here and
  // below, a requested stop is also an error.
  Problem numbers(std::string_view column, const engine::Watch& watch, std::vector<f64>& out) const;
  // "256 cases of data.csv", and for each column its type, and its least and largest values.
  Problem summary(const engine::Watch& watch, std::string& out) const;

 private:
  // An option that reads what now is a text, or leaves out what is missing; mostly none.
  [[nodiscard]] std::string advice() const;
  [[nodiscard]] std::string left_out_rows_text() const;
  // Uses the preferred types if they fit the rows. False: stopped.
  [[nodiscard]] bool take_preferred(const engine::Watch& watch);

  // The fault of naming a column that does not exist.
  Problem missing_target(const engine::CaseFields& fields) const;
  // Columns that are no parameters, since they have no type or no usable name; only columns with names.
  [[nodiscard]] std::string left_out() const;
  // The cases with the columns' types. Expected values without a type are left out.
  Problem make_suite(engine::Suite& out, const engine::Watch& watch) const;

  std::string bytes_;
  Reading reading_;
  engine::CasesTable table_, held_out_;
  engine::LeftOutRows left_out_rows_;  // as the file was read
  std::vector<services::SnippetName> parameters_;
  bool has_preferred_ = false;  // the parameters have the preferred types
  bool has_expectations_ = true;
  std::string expected_;  // the type; empty: none is needed, or it has a name of its own
};

// The names and types in "(x: f64, n: i64) -> f64"; empty if some type does not belong to the language.
[[nodiscard]] std::vector<services::SnippetName> parameter_types(std::string_view signature);

}  // namespace komuz::repl
