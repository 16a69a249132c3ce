// SPDX-License-Identifier: Apache-2.0
// The candidates that a log has, in input order: who goes on with the log alone gives them to the run again.
#pragma once
#include <string>
#include <vector>

#include "base/problem.h"

namespace komuz::engine {

struct LoggedCandidate {
  std::string id, source;
  std::string error;  // why it could not be read; empty: it could
};

// Of a log whose header is sound. Lines that were cut at the end are no candidates; a line that is damaged before others is an error, as
// nobody knows its candidate.
Problem read_logged_candidates(const std::string& path, std::vector<LoggedCandidate>& out);

}  // namespace komuz::engine
