// SPDX-License-Identifier: Apache-2.0
// The logs of a run's shards as the results of the whole run; one log alone as those of its own.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/log/log_file.h"
#include "engine/log/log_lines.h"
#include "engine/shard.h"

namespace komuz::engine {

class MergedLogs {
 public:
  // The logs of all shards, in any order. Where one of them has no end, the results are those of the candidates before the
  // first that is missing, and not complete.
  [[nodiscard]] MaybeError read(std::span<const std::string> paths, Results& out);

  // Appends the details of a row. What cannot be read is read_error().
  void write_details(std::string& out, const Results& results, u32 row);
  // The source of a candidate, what it was edited to where it was; of a variant, those of the best alone are known.
  [[nodiscard]] std::optional<std::string> source_of(const Results& results, u32 row);
  [[nodiscard]] const MaybeError& read_error() const;

  // Of the log that was named first.
  [[nodiscard]] const LogHeader& header() const { return header_; }
  // Logs that have no end yet.
  [[nodiscard]] const std::vector<std::string>& unfinished() const { return unfinished_; }

 private:
  // Of a row that is no duplicate; it stays until the next one is asked for.
  [[nodiscard]] std::string_view line_of(u32 row);
  struct Log {
    LogFile file;
    std::optional<LogEnd> end;
    bool is_read = false;
  };
  [[nodiscard]] MaybeError open(std::span<const std::string> paths);
  // Reads up to the next row. False: there is none any more.
  [[nodiscard]] MaybeError next_row(Log& log, Results& out, bool& found);
  [[nodiscard]] MaybeError read_other(Log& log, std::string_view line, Results& out);
  [[nodiscard]] MaybeError check_ends(u64 rows) const;
  void take_best(Results& out) const;

  LogHeader header_;
  std::vector<Log> logs_;                                    // by shard
  LoggedRow row_;                                            // read last
  BlockVector<u64> begins_;                                  // of the rows' lines
  std::map<std::string, std::string, std::less<>> modules_;  // their lines, by what they name
  std::vector<std::string> unfinished_;
  MaybeError missing_;  // a line that write_details() did not find
};

}  // namespace komuz::engine
