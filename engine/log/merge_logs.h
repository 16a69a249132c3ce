// SPDX-License-Identifier: Apache-2.0
// The logs of a run's shards as the results of the whole run; one log alone as those of its own.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/candidates/shard.h"
#include "engine/log/line_seal.h"
#include "engine/log/log_file.h"
#include "engine/log/log_lines.h"
#include "engine/results/identity_table.h"
#include "engine/support/watch.h"

namespace komuz::engine {

class MergedLogs {
 public:
  // The logs of all shards, in any order. Where one of them has no end, the results are not complete: they are those of
  // the candidates before the first that is missing or, of parts, of all that there are, and logs may be missing, too.
  // Where the ends of others say that a part has no candidates, nothing is missing without its log.
  enum class Take : u8 { Whole, Parts };
  // `watch` is told how many bytes of the logs have been read.
  Problem read(std::span<const std::string> paths, Results& out, Take take = Take::Whole,
               const Watch& watch = Watch());

  // Appends the details of a row. What cannot be read is read_error().
  void write_details(std::string& out, const Results& results, u32 row);
  // The source of a candidate, what it was edited to where it was; of a variant, those of the best alone are known.
  [[nodiscard]] std::optional<std::string> source_of(const Results& results, u32 row);
  [[nodiscard]] const Problem& read_error() const;
  // There was no memory for the rows of all: the results are those of the first.
  [[nodiscard]] bool lacks_memory() const { return lacks_memory_; }

  // Of the log that was named first.
  [[nodiscard]] const LogHeader& header() const { return header_; }
  // How the variants of a sketch became code, in words: of each of the logs, which may differ in that, but each way
  // once.
  [[nodiscard]] const std::vector<std::string>& variants() const { return variants_; }
  // A shard that has no log, or whose log has no end yet.
  struct Unfinished {
    Shard shard;
    std::string path;           // empty: there is no log
    u64 rows = 0;               // of its candidates, the first ones, that were taken
    u64 damaged_line = 0;       // where the log is read no further; 0: it has no end
    bool has_all_rows = false;  // the ends of other logs say that it lacks none
  };
  [[nodiscard]] const std::vector<Unfinished>& unfinished() const { return unfinished_; }
  // Of Take::Parts: logs without a first line, whose runs did not begin. Of which parts nobody knows.
  [[nodiscard]] const std::vector<std::string>& unbegun() const { return unbegun_; }

 private:
  // Of a row that is no duplicate; it stays until the next one is asked for.
  [[nodiscard]] std::string_view line_of(u32 row);
  struct Log {
    LogFile file;
    LineSeals seals;
    std::optional<LogEnd> end;
    bool is_read = false;
    u64 damaged_line = 0;  // of Take::Parts: it is read up to there
    u64 rows = 0;          // that were taken
    u64 row_lines = 0;     // that there are, as far as it is read
  };
  Problem open(std::span<const std::string> paths, Take take);
  Problem check_unbegun(Take take) const;
  Problem read_rows(Take take, WatchedLoop& loop, Results& out);
  Problem read_rest(Take take, WatchedLoop& loop, Results& out);
  void find_unfinished(Take take);
  // The row read last. `position`: of its candidate in the input of the whole run.
  Problem add_row(Log& log, u64 position, Results& out);
  [[nodiscard]] Log& log_at(u64 position) { return logs_[position / Shard::kBlock % logs_.size()]; }
  [[nodiscard]] u64 position_of(u32 row) const;
  // Reads up to the next row. False: there is none any more.
  Result<bool> next_row(Log& log, Take take, Results& out);
  Problem read_other(Log& log, std::string_view line, Results& out);
  Problem check_ends(Take take) const;
  void take_best(Results& out);
  Problem take_held_out(Results& out) const;
  void rank_what_is_there(Results& out);

  LogHeader header_;
  std::vector<std::string> variants_;
  std::vector<Log> logs_;  // by shard
  LoggedRow row_;          // read last
  // Of all rows, while they are read.
  std::optional<IdentityTable> identities_;
  std::optional<BehaviourTable> behaviours_;
  // Where the candidates of rows are in the input: from this row on one after the other, up to the next gap.
  struct Stretch {
    u32 row;
    u64 position;
  };
  std::vector<Stretch> stretches_;
  BlockVector<u64> begins_;                                  // of the rows' lines
  std::map<std::string, std::string, std::less<>> modules_;  // their lines, by what they name
  std::vector<Unfinished> unfinished_;
  std::vector<std::string> unbegun_;
  Problem missing_;  // a line that write_details() did not find
  u32 whole_rows_ = 0;
  u64 read_bytes_ = 0;  // of all logs
  bool lacks_memory_ = false;
};

}  // namespace komuz::engine
