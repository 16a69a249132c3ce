// SPDX-License-Identifier: Apache-2.0
// Writes and reads the lines of a results log. docs/scale.md shows them to users.
//
//   {"komuz_log": 2, "run": {…}}   first: the settings that the results depend on, given by whoever evaluates
//   {"module": "lib.packing", "text": "32 digits"}     a module that the following candidates may use, and its hash
//   {"signature": "(x: f64) -> f64"}                   how the following candidates are run, with "floor", "delta" or "quantile", and "scale"
//                                                      of report.h, by which they are scored
//   {"id": "a17", "program": "32 digits", …}           a candidate; candidates come in input order
//   {"end": {"candidates": 1000, "input": "32 digits", …}}    last, if the run was completed; with the report's
//                                                      "held_out" and the best's "worst", if there are any
//
// Each line has a checksum as its last field (line_seal.h). The reader and writer of the file handle the checksum,
// except on the first line. A field has the same type in all lines, or is null or absent, so that programs that load
// JSON Lines as tables find a type for each column.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/problem.h"
#include "engine/results/results.h"
#include "engine/support/shown.h"
#include "frontend_gpu/frontend.h"

namespace komuz::engine {

inline constexpr u64 kLogVersion = 2;

enum class LogLine : u8 { Header, Module, Signature, Row, End, Other };
// Decided by the line's first field. The rest may still be damaged.
[[nodiscard]] LogLine line_kind(std::string_view line);

// Names, and values as JSON.
using LogHeader = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string header_line(const LogHeader& header);
// The header, if the line is one of this version.
[[nodiscard]] std::optional<LogHeader> read_header(std::string_view line);
// Why a first line is no header.
Problem header_error(const std::string& path, std::string_view line);

[[nodiscard]] std::string module_line(std::string_view path, std::string_view text);
struct LoggedSignature {
  std::string text;
  ScoreScale scale;  // as it was written: floors that are all the same are one
};
[[nodiscard]] std::string signature_line(const LoggedSignature& signature);
// None: the line is damaged.
[[nodiscard]] std::optional<LoggedSignature> read_signature_line(std::string_view line);

// A candidate's line. A duplicate's line names the first candidate with its program, whose line says all but the text.
struct LoggedRow {
  std::string id;
  frontend::TextHash
      program;  // equal: duplicates; zeros: not known, for example for an unreadable text
  bool is_duplicate = false;
  ResultRow row;                      // without rank, places in Results and `duplicate_of`
  std::optional<std::string> source;  // of a candidate that is no variant
};
// Appends the line. `first_id`: for a duplicate, the id of the first candidate with its program. A variant has no
// `source`, since the header's sketch gives it.
void append_row_line(std::string& out, const Results& results, u32 row, std::string_view first_id,
                     const frontend::TextHash& program, std::optional<std::string_view> source);
// False: the line is damaged.
[[nodiscard]] bool read_row_line(std::string_view line, LoggedRow& out);
// The fields of report.h from `first_failure` on; empty for a duplicate or a damaged line.
[[nodiscard]] std::string_view details_of(std::string_view line);

struct LogEnd {
  u64 candidates = 0;
  Hash128 input;                      // of all candidates, in other shards as well
  std::string best;                   // id of the first in the ranking, if its cases are present
  std::vector<f64> expected, actual;  // as in BestCases
  // For a sketch, the texts of the best variants by id: a reader of the log may lack the modules that the sketch
  // uses.
  std::vector<std::pair<std::string, std::string>> sources;
  std::string
      worst;  // of the best candidate, as JSON (report.h); empty: nobody has looked for them
  std::string held_out;  // the same; empty: no cases were held out
};
[[nodiscard]] std::string end_line(const LogEnd& end);
[[nodiscard]] std::optional<LogEnd> read_end(std::string_view line);

}  // namespace komuz::engine
