// SPDX-License-Identifier: Apache-2.0
// The results of a run as a file, line by line as they come, so that an interrupted run can go on. Lines that the
// file already has are taken in order, and compared with those that the run would write; the lines behind them are
// written. An interrupted and an uninterrupted run end with the same bytes.
//
// Damaged lines are a gap. From the gap to the end of the batch no line is taken: candidates are evaluated again, and
// their lines replace the gap. The number of the next whole line says how many lines belong there. If the new lines
// have another length, the rest of the file is moved. Lines behind the gap are compared as usual. A gap at the end is
// cut off.
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
  // Creates a log. An existing file is not overwritten.
  Problem create(const std::string& path, const LogHeader& header, const LogWait& wait = {});
  // Opens the log that an earlier run with the same header began, or creates one. The earlier run may have been
  // completed, since there may be more candidates now.
  Problem resume(const std::string& path, const LogHeader& header, const LogWait& wait = {});

  // Takes the log's next row with its details, if it has one.
  struct Taken {
    LoggedRow row;
    std::string details;
    u64 line = 0;  // of the log
  };
  Problem take_row(std::optional<Taken>& out);

  // The next lines of the run: compared if the log has them, else written. Rows that were taken are not added again.
  // Added rows are compared, too.
  Problem add_module(const Module& module);
  Problem add_signature(const LoggedSignature& signature);
  // `first_id`: for a duplicate, the id of the first candidate with its program.
  Problem add_row(const Results& results, u32 row, std::string_view first_id,
                  const frontend::TextHash& program, std::optional<std::string_view> source);
  Problem add_end(const LogEnd& end);
  // Writes what was added. After an error nothing more is written.
  Problem flush();
  // Gives up the run. A log that this run began is removed, and nothing more is written.
  void discard();

  // The number of rows that the log had when it was opened, as far as they have been taken.
  [[nodiscard]] u64 taken() const { return taken_; }
  // The number of rows whose lines write_details() knows.
  [[nodiscard]] u32 rows() const { return static_cast<u32>(begins_.size()); }
  // Nobody will ask for details, so the places of the rows' lines need not be kept.
  void forget_places() {
    keeps_places_ = false;
    begins_ = {};
  }
  // Appends the details of a row from the file. Faults of reading are in read_error().
  void write_details(std::string& out, const Results& results, u32 row);
  [[nodiscard]] const Problem& read_error() const {
    return missing_ ? missing_ : file_.read_error();
  }
  // Damaged lines that are written again, from the first to the last.
  struct Damage {
    u64 first_line, last_line;
  };
  [[nodiscard]] const std::vector<Damage>& damages() const { return damages_; }
  // True if an earlier run left lines that were not taken yet.
  [[nodiscard]] bool has_more() const { return is_reading_; }
  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  Problem start(const std::string& line);
  Problem check_header(std::string_view line, const LogHeader& header) const;
  Problem add_line(std::string_view line, std::string_view what);
  Problem damaged() const;
  // Reads the next line other than the end. None: there is no further line, and from now on lines are appended.
  Problem read_line(std::optional<std::string_view>& out);
  // Cuts the file behind so many bytes and lines.
  Problem begin_appending(u64 end, u64 lines);
  // Handles a first line that is no header of this version. It is mended if it can only be this run's own header.
  Problem mend_header(const std::string& own);
  // The line read last is damaged, and so are the lines up to the next whole one.
  Problem open_gap(std::string_view line);
  Problem fill_gap(std::string_view line);
  Problem close_gap();
  // The line of a row. It stays until another line is read.
  [[nodiscard]] std::string_view written_line(u64 begin);

  LogFile file_;
  bool is_reading_ = false;
  std::deque<std::string> expected_;  // lines read ahead of the rows that follow them
  std::string end_;                   // the log's end, removed if a line precedes it; empty: none
  u64 end_begin_ = 0;                 // where it stands
  // A gap of damaged lines, which the run's next lines fill.
  struct Gap {
    u64 begin, end;
    u64 first_line, end_line;  // the lines that belong there
    std::string text;          // text so far
    u64 lines = 0;             // lines in `text`
  };
  std::optional<Gap> gap_;
  std::vector<Damage> damages_;
  u32 moves_ = 0;        // of the rest behind a gap
  std::string pending_;  // to be written
  std::string line_;     // of the row added last
  u64 added_begin_ = 0;  // where the line added last begins
  u64 written_ = 0;      // bytes of the file
  u64 lines_ = 0;        // of the file, with the pending ones
  LineSeals seals_;
  bool keeps_places_ = true;
  BlockVector<u64> begins_;  // of the rows' lines
  u64 taken_ = 0;
  bool has_failed_ = false;
  bool is_begun_here_ = false;
  Problem missing_;  // a line that write_details() did not find
};

}  // namespace komuz::engine
