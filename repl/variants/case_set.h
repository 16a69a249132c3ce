// SPDX-License-Identifier: Apache-2.0
// The cases of a session, and the parameters that lines have on them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/cases_table.h"
#include "engine/results.h"
#include "services/snippet.h"

namespace komuz::repl {

class CaseSet {
 public:
  // Takes the cases of a file for a score: of one that is a value nothing is expected, so that every column is a parameter.
  // `signature`: "(x: f64, n: i64)", the types of parameters; empty: those that the columns have. Columns without a
  // type, or of which none was said, are no parameters. Returns what is wrong; then
  // nothing has changed: kStopped where the watch has asked for that.
  [[nodiscard]] std::string load(std::string file, std::string bytes, std::string_view signature,
                                 engine::ScoreKind score, const engine::Watch& watch);
  static constexpr std::string_view kStopped = "interrupted";
  // The same cases for another score.
  [[nodiscard]] std::string set_score(engine::ScoreKind score, const engine::Watch& watch);
  void forget() { *this = {}; }

  [[nodiscard]] const std::string& file() const { return table_.file; }
  [[nodiscard]] bool is_there() const { return !table_.file.empty(); }
  [[nodiscard]] const engine::CasesTable& table() const { return table_; }
  [[nodiscard]] const std::vector<services::SnippetName>& parameters() const { return parameters_; }
  [[nodiscard]] bool has_parameter(std::string_view name) const;
  // "(x: f64, y: f64)"
  [[nodiscard]] std::string types() const;
  // "data.csv (x: f64, y: f64)", as `:cases` takes it, the types where they were said.
  [[nodiscard]] std::string source() const;
  // "256 cases of data.csv: (x: f64, y: f64), expected f64", and which columns are no parameters.
  [[nodiscard]] std::string text() const;

 private:
  // Columns that are no parameters, as they have no type or no name that a program can use; of those that have names.
  [[nodiscard]] std::string left_out() const;
  [[nodiscard]] engine::MaybeError check_types(bool has_expectations,
                                               const engine::Watch& watch) const;

  std::string bytes_, signature_;
  engine::CasesTable table_;
  std::vector<services::SnippetName> parameters_;
  std::string expected_;  // the type; empty: none is needed, or it has no name of its own
};

}  // namespace komuz::repl
