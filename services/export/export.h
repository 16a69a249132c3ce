// SPDX-License-Identifier: Apache-2.0
// The door of services/export/: a checked program and a target in, the text of its entry in that target out, which means
// the same. What a target has in another form comes along as small functions; what it cannot say is refused with its
// place; what may differ is said in a note. Knows neither files nor terminals.
//
//   read_script    bytecode → expressions and statements (script.h)
//   write_program  these → functions of a target with statements
//   write_formula  these → one expression: variables are put in where they stand (formula.h)
//   target_table   how each target writes each operation (tables/)
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "lang/code.h"
#include "lang/library.h"
#include "services/export/entry_types.h"
#include "services/export/target_table.h"

namespace komuz::services {

// The target of a name, `python`, and that of a file's name, `best.py`.
[[nodiscard]] std::optional<ExportTarget> find_target(std::string_view name);
[[nodiscard]] std::optional<ExportTarget> target_of_file(std::string_view path);
// "python, numpy, …"
[[nodiscard]] std::string target_list();
// The endings of files that a program is written to: "`.komuz`, `.py`, …".
[[nodiscard]] std::string ending_list();

// By how many units in the last place results of a mathematical function were seen to differ; none: it was not measured.
[[nodiscard]] std::optional<u32> measured_ulps(ExportTarget target, Op op, Scalar type);

enum class SqlDialect : u8 { Sqlite, Duckdb };

// One case of the exported file's check of itself: cells of arguments, with lists for slices, and of the result.
struct ExportCase {
  std::vector<u64> arguments, result;
};

// For which values of a parameter a function was made.
struct ExportRange {
  std::string parameter;
  f64 least = 0, most = 0;
};

struct ExportOptions {
  ExportTarget target = ExportTarget::Python;
  std::string entry = {};   // empty: the only `pub fn`
  std::string name = {};    // of the file, for the first line; empty: none
  std::string cells = {};   // of Excel: "x=A2,y=B2"
  std::string table = "t";  // of SQL
  SqlDialect dialect = SqlDialect::Sqlite;
  std::vector<ExportCase> cases = {};  // what the file checks when it is run
  std::string case_types = {};  // the parameters as cases have them; empty: as the entry does
  std::vector<std::string> comments = {};  // lines for readers, where the target has comments
  // A target with functions has one more, `NAME_seen`, which says whether arguments lie in these. Of entries whose
  // parameters are f64.
  std::vector<ExportRange> ranges = {};
};

struct Exported {
  std::string text;
  std::string entry;  // the entry's name there
  std::vector<EntryArgument> arguments;
  EntryTypes types;  // records of arguments and of the result, as they are called there
  std::vector<std::string> notes;  // what may differ, a sentence each
};

// `source`: a program that compiles. `library`: the modules that it uses; null: those of the standard library.
[[nodiscard]] Result<Exported> export_source(const std::string& source,
                                             const ExportOptions& options,
                                             const Library* library = nullptr);
// What is written to a file of this name: the program in the language of its ending (the options' target does not count), or as it is.
[[nodiscard]] Result<Exported> text_for_file(std::string_view path, const std::string& source,
                                             ExportOptions options,
                                             const Library* library = nullptr);
// As export_source(), of code without source, whose variables have no names.
[[nodiscard]] Result<Exported> export_code(const CodeView& code, const ExportOptions& options);

}  // namespace komuz::services
