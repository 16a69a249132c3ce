// SPDX-License-Identifier: Apache-2.0
// Reads the logs of a run's shards as the results of the whole run, or a single log as the results of its own run.
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
  // Reads the logs of all shards, in any order. If a log has no end, the results are incomplete. Take::Whole then
  // gives the candidates before the first missing one; Take::Parts gives all that there are, and logs may be missing.
  // A part needs no log if the ends of other logs show that it has no candidates.
  enum class Take : u8 { Whole, Parts };
  // `watch` is told how many bytes of the logs have been read.
  Problem read(std::span<const std::string> paths, Results& out, Take take = Take::Whole,
               const Watch& watch = Watch());

  // Appends the details of a row. Faults of reading are in read_error().
  void write_details(std::string& out, const Results& results, u32 row);
  // The source of a candidate, or its edited text if it was edited. For variants, only the sources of the best are
  // known.
  [[nodiscard]] std::optional<std::string> source_of(const Results& results, u32 row);
  // The line of a row with a score that fits one, if it fits an f64.
  [[nodiscard]] std::optional<ScoreLine> line_of(const Results& results, u32 row);
  [[nodiscard]] const Problem& read_error() const;
  // True if memory did not suffice for all rows: the results are those of the first ones.
  [[nodiscard]] bool lacks_memory() const { return lacks_memory_; }

  // The header of the log that was named first.
  [[nodiscard]] const LogHeader& header() const { return header_; }
  // The ways in which variants of a sketch became code, in words. Logs may differ in this; each way is listed once.
  [[nodiscard]] const std::vector<std::string>& variants() const { return variants_; }
  // A shard whose log is missing or has no end yet.
  struct Unfinished {
    Shard shard;
    std::string path;           // empty: there is no log
    u64 rows = 0;               // candidates taken, from its first on
    u64 damaged_line = 0;       // reading ended at this line; 0: the log has no end
    bool has_all_rows = false;  // the ends of other logs show that no row is missing
  };
  [[nodiscard]] const std::vector<Unfinished>& unfinished() const { return unfinished_; }
  // For Take::Parts: logs without a first line, whose runs did not begin. Their parts are unknown.
  [[nodiscard]] const std::vector<std::string>& unbegun() const { return unbegun_; }

 private:
  // The line of a row that is no duplicate. It stays until the next call.
  [[nodiscard]] std::string_view line_of(u32 row);
  struct Log {
    LogFile file;
    LineSeals seals;
    std::optional<LogEnd> end;
    bool is_read = false;
    u64 damaged_line = 0;  // for Take::Parts, where reading ended
    u64 rows = 0;          // taken
    u64 row_lines = 0;     // seen, as far as the log was read
  };
  Problem open(std::span<const std::string> paths, Take take);
  Problem check_unbegun(Take take) const;
  Problem read_rows(Take take, WatchedLoop& loop, Results& out);
  Problem read_rest(Take take, WatchedLoop& loop, Results& out);
  void find_unfinished(Take take);
  // Adds the row read last. `position`: its candidate's place in the input of the whole run.
  Problem add_row(Log& log, u64 position, Results& out);
  [[nodiscard]] Log& log_at(u64 position) { return logs_[position / Shard::kBlock % logs_.size()]; }
  [[nodiscard]] u64 position_of(u32 row) const;
  // Reads up to the next row. `found` is false if there is none.
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
  // The identities of all rows, needed only while reading.
  std::optional<IdentityTable> identities_;
  std::optional<BehaviourTable> behaviours_;
  // Positions of the rows' candidates in the input: consecutive from this row on, up to the next gap.
  struct Stretch {
    u32 row;
    u64 position;
  };
  std::vector<Stretch> stretches_;
  BlockVector<u64> begins_;                                  // of the rows' lines
  std::map<std::string, std::string, std::less<>> modules_;  // their lines, by path
  std::vector<Unfinished> unfinished_;
  std::vector<std::string> unbegun_;
  Problem missing_;  // a line that write_details() did not find
  u32 whole_rows_ = 0;
  u64 read_bytes_ = 0;  // of all logs
  bool lacks_memory_ = false;
};

}  // namespace komuz::engine
