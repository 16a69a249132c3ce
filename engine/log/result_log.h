// SPDX-License-Identifier: Apache-2.0
// The results of a run as a file, line by line as they come, so that a run that was interrupted can go on: what the
// file already has is taken from it, in order, and compared with what the run would write; what comes behind is
// written. The end of both runs is the same bytes.
//
// Lines that are damaged are a gap: from there to the end of the batch nothing is taken, candidates are evaluated
// again, and what the run would write is put in the place of the gap, as many lines as the number of the next line that
// is whole says. Where these have another length, what stands behind is moved. It is compared as ever. A gap at the end
// is cut off.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/log/line_seal.h"
#include "engine/log/log_file.h"
#include "engine/log/log_lines.h"
#include "lang/library.h"

namespace komuz::engine {

class ResultLog {
 public:
  // A new log. One that is there is not overwritten.
  Problem create(const std::string& path, const LogHeader& header, const LogWait& wait = {});
  // One that an earlier run of the same header began; a new one where there is none. That run may have come to its end:
  // there may be more candidates now.
  Problem resume(const std::string& path, const LogHeader& header, const LogWait& wait = {});

  // Has the log a next row? Then it is taken, with its details.
  struct Taken {
    LoggedRow row;
    std::string details;
    u64 line = 0;  // of the log
  };
  Problem take_row(std::optional<Taken>& out);

  // What comes next, as it is found by the run: compared where the log has it, written where it ends. Rows that were
  // taken are not added; rows that were not are compared, too.
  Problem add_module(const Module& module);
  Problem add_signature(const LoggedSignature& signature);
  // `first_id`: of a duplicate the id of the first candidate that has its program.
  Problem add_row(const Results& results, u32 row, std::string_view first_id,
                  const frontend::TextHash& program, std::optional<std::string_view> source);
  Problem add_end(const LogEnd& end);
  // Writes what was added. After an error nothing more is.
  Problem flush();
  // There is no run: what was written goes, where this run has begun the log, and nothing more is.
  void discard();

  // How many rows the log had when it was opened, as far as they have been taken.
  [[nodiscard]] u64 taken() const { return taken_; }
  // Of how many rows write_details() knows the lines.
  [[nodiscard]] u32 rows() const { return static_cast<u32>(begins_.size()); }
  // Nobody will ask for details: where the rows' lines begin need not be known.
  void forget_places() {
    keeps_places_ = false;
    begins_ = {};
  }
  // Appends the details of a row, from the file. What cannot be read there is read_error().
  void write_details(std::string& out, const Results& results, u32 row);
  [[nodiscard]] const Problem& read_error() const {
    return missing_ ? missing_ : file_.read_error();
  }
  // Lines that were damaged, and are written again: from the first to the last.
  struct Damage {
    u64 first_line, last_line;
  };
  [[nodiscard]] const std::vector<Damage>& damages() const { return damages_; }
  // Has it more of an earlier run than was taken from it?
  [[nodiscard]] bool has_more() const { return is_reading_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  Problem start(const std::string& line);
  Problem check_header(std::string_view line, const LogHeader& header) const;
  Problem add_line(std::string_view line, std::string_view what);
  Problem damaged() const;
  // The next line that is not the end; none: there is none any more, and lines are appended.
  Problem read_line(std::optional<std::string_view>& out);
  // What is behind so many bytes and lines goes.
  Problem begin_appending(u64 end, u64 lines);
  // Of a first line that is no header of this version: it is mended where it can only have been this run's.
  Problem mend_header(const std::string& own);
  // The line read last is damaged, and so are those up to the next one that is whole.
  Problem open_gap(std::string_view line);
  Problem fill_gap(std::string_view line);
  Problem close_gap();
  // The line of a row, which stays until another one is read.
  [[nodiscard]] std::string_view written_line(u64 begin);

  LogFile file_;
  bool is_reading_ = false;
  std::deque<std::string> expected_;  // lines read ahead of the rows that they stand before
  std::string end_;  // of the log, which goes where something comes before it; empty: there is none
  u64 end_begin_ = 0;  // where it stands
  // Damaged lines, where what the run writes goes next.
  struct Gap {
    u64 begin, end;
    u64 first_line, end_line;  // those that belong there
    std::string text;          // so far …
    u64 lines = 0;             // … of so many lines
  };
  std::optional<Gap> gap_;
  std::vector<Damage> damages_;
  u32 moves_ = 0;        // of what stands behind a gap
  std::string pending_;  // to be written
  std::string line_;     // of the row added last
  u64 added_begin_ = 0;  // where the line added last begins
  u64 written_ = 0;      // bytes of the file
  u64 lines_ = 0;        // of the file, with those that are pending
  LineSeals seals_;
  bool keeps_places_ = true;
  BlockVector<u64> begins_;  // of the rows' lines
  u64 taken_ = 0;
  bool has_failed_ = false;
  bool is_begun_here_ = false;
  Problem missing_;  // a line that write_details() did not find
};

}  // namespace komuz::engine
