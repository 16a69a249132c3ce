// SPDX-License-Identifier: Apache-2.0
// The lines of a results log, written and read. docs/scale.md shows them to users.
//
//   {"komuz_log": 2, "run": {…}}   first: what the results depend on, as whoever evaluates says
//   {"module": "lib.packing", "text": "32 digits"}     a module that the candidates from here on may use, and its hash
//   {"signature": "(x: f64) -> f64"}                   what the candidates from here on are run with, and as report.h says "floor"
//                                                      and "scale", by which they are scored
//   {"id": "a17", "program": "32 digits", …}           a candidate; they come in input order
//   {"end": {"candidates": 1000, "input": "32 digits", …}}    last, of a run that came to its end; also the report's "held_out",
//                                                      where there is that
//
// Each of them has a checksum as its last field (line_seal.h), which whoever writes and reads the file adds and looks at, but for
// the first line. A field has one type in all lines, or is null or absent, so that what reads tables from JSON Lines finds a type
// for each column.
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
// By its first field. What follows may still be damaged.
[[nodiscard]] LogLine line_kind(std::string_view line);

// Names, and values as JSON.
using LogHeader = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string header_line(const LogHeader& header);
// Of a header of this version; none: it is none.
[[nodiscard]] std::optional<LogHeader> read_header(std::string_view line);
// Why a first line is none.
Problem header_error(const std::string& path, std::string_view line);

[[nodiscard]] std::string module_line(std::string_view path, std::string_view text);
struct LoggedSignature {
  std::string text;
  ScoreScale scale;  // as it was written: floors that are all the same are one
};
[[nodiscard]] std::string signature_line(const LoggedSignature& signature);
// None: the line is damaged.
[[nodiscard]] std::optional<LoggedSignature> read_signature_line(std::string_view line);

// A candidate's line. That of a duplicate names the first candidate that has its program, and no more: all is said there.
struct LoggedRow {
  std::string id;
  frontend::TextHash
      program;  // equal: duplicates; zeros: not known, as of a text that cannot be read
  bool is_duplicate = false;
  ResultRow row;                      // without rank, places in Results and `duplicate_of`
  std::optional<std::string> source;  // of a candidate that is no variant
};
// Appends the line. `first_id`: of a duplicate the id of the first candidate that has its program. Of a variant, which the header's sketch gives, there is no `source`.
void append_row_line(std::string& out, const Results& results, u32 row, std::string_view first_id,
                     const frontend::TextHash& program, std::optional<std::string_view> source);
// False: the line is damaged.
[[nodiscard]] bool read_row_line(std::string_view line, LoggedRow& out);
// The fields of report.h from `first_failure` on. Empty: of a duplicate, or a damaged line.
[[nodiscard]] std::string_view details_of(std::string_view line);

struct LogEnd {
  u64 candidates = 0;
  Hash128 input;     // of all candidates, those of other shards, too
  std::string best;  // id of the first in the ranking, where its cases are there …
  std::vector<f64> expected, actual;  // … as in BestCases
  // Of a sketch the texts of the best variants, by id: whoever reads the log may not have what the sketch uses.
  std::vector<std::pair<std::string, std::string>> sources;
  std::string held_out;  // as JSON (report.h); empty: no cases were held out
};
[[nodiscard]] std::string end_line(const LogEnd& end);
[[nodiscard]] std::optional<LogEnd> read_end(std::string_view line);

}  // namespace komuz::engine
