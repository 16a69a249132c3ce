// SPDX-License-Identifier: Apache-2.0
#include "engine/log/logged_candidates.h"

#include <optional>
#include <string_view>
#include <utility>

#include "engine/log/line_seal.h"
#include "engine/log/log_file.h"
#include "engine/log/log_lines.h"
#include "engine/results/read_details.h"

namespace komuz::engine {
namespace {

// Is there a sound line behind the one that was read last?
bool has_more(LogFile& file, const LineSeals& seals, u64 damaged) {
  while (const std::optional<std::string_view> line = file.read_line())
    if (line_kind(*line) != LogLine::Other && seals.find_number(*line, file.line(), damaged) != 0)
      return true;
  return false;
}

// Of a candidate that could not be read: its only finding.
std::string reason_of(std::string_view line) {
  FindingsText findings;
  if (!read_findings(details_of(line), findings) || findings.diagnostics.empty())
    return "it could not be read";
  return std::move(findings.diagnostics.front().message);
}

}  // namespace

Problem read_logged_candidates(const std::string& path, std::vector<LoggedCandidate>& out) {
  LogFile file;
  if (Problem error = file.open_to_read(path)) return error;
  std::optional<std::string_view> line = file.read_line();
  LineSeals seals;
  if (line) seals.begin(*line);
  LoggedRow row;
  while (line && (line = file.read_line())) {
    const u64 number = file.line();
    const bool is_whole = seals.is_whole(*line, number);
    if (is_whole && line_kind(*line) != LogLine::Row) continue;
    if (!is_whole || !read_row_line(*line, row) || !row.source) {
      if (!is_whole && !has_more(file, seals, number)) break;
      return input_problem(
          {path, number},
          "this line of the log is damaged, and has a candidate that nobody knows now",
          "cut the log before it");
    }
    LoggedCandidate& candidate = out.emplace_back();
    candidate.id = std::move(row.id);
    candidate.source = std::move(*row.source);
    if (candidate.source.empty() && row.program == frontend::TextHash{})
      candidate.error = reason_of(*line);
  }
  return file.read_error();
}

}  // namespace komuz::engine
