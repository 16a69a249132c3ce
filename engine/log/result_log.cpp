// SPDX-License-Identifier: Apache-2.0
#include "engine/log/result_log.h"

#include <algorithm>
#include <utility>

#include "engine/log/log_header.h"

namespace komuz::engine {
namespace {

// Bytes kept before they are written, between two epochs.
constexpr size_t kMostPending = size_t{1} << 20;
// A move takes as long as copying the file. In a log with more edited places, the rest is evaluated again.
constexpr u32 kMostMoves = 16;

}  // namespace

Problem ResultLog::start(const std::string& line) {
  if (file_.read_error()) return file_.read_error();  // nothing is known about the rest
  if (Problem error = file_.cut(0)) return error;
  written_ = 0;
  lines_ = 1;
  seals_.begin(line);
  pending_ = line + "\n";
  is_begun_here_ = true;
  return flush();
}

void ResultLog::discard() {
  pending_.clear();
  has_failed_ = true;
  if (is_begun_here_) static_cast<void>(file_.cut(0));
}

Problem ResultLog::create(const std::string& path, const LogHeader& header, const LogWait& wait) {
  if (Problem error = file_.open_to_write(path, wait)) return error;
  // A file with no more than a header comes from a run that failed before it began.
  const std::optional<std::string_view> first = file_.read_line();
  const bool is_mere_header = !first || read_header(*first).has_value();
  if (!is_mere_header || file_.read_line() || !file_.read_rest().empty())
    return input_problem({path}, "there is something in this file already",
                         "go on with it by `--resume`, or take another name");
  return start(header_line(header));
}

Problem ResultLog::resume(const std::string& path, const LogHeader& header, const LogWait& wait) {
  if (Problem error = file_.open_to_write(path, wait)) return error;
  const std::string own = header_line(header);
  std::optional<std::string_view> first = file_.read_line();
  if (first && !is_whole_first_line(*first)) {
    if (Problem error = mend_header(own)) return error;
    file_.go_to(0, 1);
    first = file_.read_line();
  }
  if (first) {
    written_ = file_.position();
    seals_.begin(*first);
    is_reading_ = true;
    Problem other = check_header(*first, header);
    if (!other || !read_header(*first)) return other;
    const bool is_mere_header = !file_.read_line() && file_.read_rest().empty();
    if (!is_mere_header) return other;
    is_reading_ = false;
    return start(own);
  }
  // A run that was killed at its start leaves a part of its own header. Any other text is no log of this run.
  if (own.starts_with(file_.read_rest())) return start(own);
  return input_problem({path}, "this is no results log", "name one that `--log` has written");
}

// Only a header with one changed byte is mended. A run with other options differs in more bytes: in the options and
// in the checksum. A longer line is no header of this run.
Problem ResultLog::mend_header(const std::string& own) {
  const std::string line = own + '\n';
  std::string found = file_.read_start(line.size() + 1);
  if (found.size() < line.size() || found.substr(own.size()) == "\r\n") return {};
  found.resize(line.size());
  const auto [theirs, ours] = std::ranges::mismatch(found, line);
  if (theirs == found.end() || !std::equal(theirs + 1, found.end(), ours + 1)) return {};
  damages_.push_back({1, 1});
  return file_.write_at(0, line);
}

Problem ResultLog::check_header(std::string_view line, const LogHeader& header) const {
  const std::optional<LogHeader> found = read_header(line);
  if (!found) return header_error(path(), line);
  // Compared after reading, so that blanks and the like do not count.
  const LogHeader known = without_side(*found);
  const LogHeader own = without_side(read_header(header_line(header)).value_or(LogHeader()));
  if (known == own) return {};
  const auto [theirs, ours] = std::ranges::mismatch(known, own);
  const bool same_name = theirs != known.end() && ours != own.end() && theirs->first == ours->first;
  std::string message = "the log is of another run";
  const std::string difference = difference_text(known, own);
  if (same_name && ours->first == "cases_hash")
    message += ": the cases differ";
  else if (!difference.empty())
    message += ": " + difference;
  else if (same_name)
    message += ": `" + ours->first + "` is not the same";
  else if (theirs != known.end())
    message += ": it was begun with `" + theirs->first + "` " + theirs->second;
  else
    message += ": it was begun without `" + ours->first + "`";
  return input_problem({path(), 1}, std::move(message),
                       "give the options and files that it was begun with");
}

Problem ResultLog::damaged() const {
  return file_.error_here("this line of the log is damaged",
                          "cut the log before it, and go on by `--resume`");
}

Problem ResultLog::begin_appending(u64 end, u64 lines) {
  if (file_.read_error()) return file_.read_error();
  is_reading_ = false;
  written_ = end;
  lines_ = lines;
  return file_.cut(written_);
}

// If line ends were damaged, or lines were lost or added, the lines behind have other numbers than their positions
// suggest.
Problem ResultLog::open_gap(std::string_view line) {
  Gap gap{file_.line_begin(), 0, file_.line(), 0, {}, 0};
  std::optional<std::string_view> next = line;
  while (next) {
    // Other first bytes may give the same checksum with another number.
    if (line_kind(*next) != LogLine::Other)
      gap.end_line = seals_.find_number(*next, file_.line(), gap.first_line);
    if (gap.end_line != 0) break;
    next = file_.read_line();
  }
  if (!next) {
    damages_.push_back({gap.first_line, file_.line()});
    return begin_appending(gap.begin, gap.first_line - 1);
  }
  gap.end = file_.line_begin();
  file_.go_to(gap.end, gap.end_line);
  gap_ = std::move(gap);
  return {};
}

Problem ResultLog::fill_gap(std::string_view line) {
  added_begin_ = gap_->begin + gap_->text.size();
  seals_.append(gap_->text, line, gap_->first_line + gap_->lines);
  ++gap_->lines;
  return gap_->first_line + gap_->lines < gap_->end_line ? Problem() : close_gap();
}

Problem ResultLog::close_gap() {
  const Gap gap = *std::exchange(gap_, std::nullopt);
  damages_.push_back({gap.first_line, gap.end_line - 1});
  if (gap.text.size() == gap.end - gap.begin) return file_.write_at(gap.begin, gap.text);
  if (++moves_ > kMostMoves) {
    if (Problem error = begin_appending(gap.begin, gap.end_line - 1)) return error;
    pending_ = gap.text;
    return {};
  }
  if (Problem error = file_.replace(gap.begin, gap.end, gap.text)) return error;
  file_.go_to(gap.begin + gap.text.size(), gap.end_line);
  return {};
}

Problem ResultLog::read_line(std::optional<std::string_view>& out) {
  out.reset();
  if (gap_) return {};
  out = file_.read_line();
  if (!out) return begin_appending(file_.position(), file_.line());
  if (!seals_.is_whole(*out, file_.line())) {
    const std::string_view line = *std::exchange(out, std::nullopt);
    return open_gap(line);
  }
  if (!end_.empty()) return damaged();  // no line follows an end
  if (line_kind(*out) != LogLine::End) return {};
  end_ = *out;
  end_begin_ = file_.line_begin();
  return read_line(out);
}

Problem ResultLog::take_row(std::optional<Taken>& out) {
  out.reset();
  std::optional<std::string_view> line;
  while (is_reading_) {
    if (Problem error = read_line(line)) return error;
    if (!line) break;
    switch (line_kind(*line)) {
      case LogLine::Header:
      case LogLine::End:
      case LogLine::Other: return damaged();
      case LogLine::Module:
      case LogLine::Signature: expected_.emplace_back(*line); break;
      case LogLine::Row: {
        Taken& taken = out.emplace();
        if (!read_row_line(*line, taken.row)) return damaged();
        taken.details = details_of(*line);
        taken.line = file_.line();
        if (keeps_places_) begins_.push_back(file_.line_begin());
        ++taken_;
        return {};
      }
    }
  }
  return {};
}

Problem ResultLog::add_line(std::string_view line, std::string_view what) {
  std::optional<std::string> known;
  if (!expected_.empty()) {
    known = std::move(expected_.front());
    expected_.pop_front();
  } else if (is_reading_) {
    std::optional<std::string_view> next;
    if (Problem error = read_line(next)) return error;
    known = next;
  }
  if (!known && gap_) return fill_gap(line);
  if (known) {
    added_begin_ = file_.line_begin();
    if (without_seal(*known) == body_of(line)) return {};
    return input_problem({path()},
                         "the log is of another run: " + std::string(what) + " is not the same",
                         "give the files that it was begun with");
  }
  if (!end_.empty()) {
    end_.clear();
    --lines_;
    written_ = end_begin_;
    if (Problem error = file_.cut(written_)) return error;
  }
  added_begin_ = written_ + pending_.size();
  seals_.append(pending_, line, ++lines_);
  return pending_.size() < kMostPending ? Problem() : flush();
}

Problem ResultLog::add_module(const Module& module) {
  return add_line(module_line(module.path, module.text), "the module `" + module.path + "`");
}

Problem ResultLog::add_signature(const LoggedSignature& signature) {
  return add_line(signature_line(signature), "the signature");
}

Problem ResultLog::add_row(const Results& results, u32 row, std::string_view first_id,
                           const frontend::TextHash& program,
                           std::optional<std::string_view> source) {
  line_.clear();
  append_row_line(line_, results, row, first_id, program, source);
  if (Problem error = add_line(line_, "candidate " + shown(results.id(row)))) return error;
  if (keeps_places_) begins_.push_back(added_begin_);
  return {};
}

namespace {

// True if the ends differ only in the held-out results. Nothing else depends on these, so a run may go on with other
// held-out cases.
bool is_other_held_out(std::string_view before, const LogEnd& end) {
  std::optional<LogEnd> was = read_end(before);
  if (!was || was->held_out == end.held_out) return false;
  was->held_out = end.held_out;
  return end_line(*was) == end_line(end);
}

}  // namespace

Problem ResultLog::add_end(const LogEnd& end) {
  // A log that was complete is read up to its end.
  std::optional<Taken> more;
  if (Problem error = take_row(more)) return error;
  if (more || gap_)
    return input_problem(
        {path(), gap_ ? gap_->first_line : file_.line()},
        "the log has more candidates than there are",
        "give the candidates that it was begun with, and to a search as many generations and the "
        "same `--target`");
  const std::string line = end_line(end);
  if (end_.empty()) {
    if (Problem error = add_line(line, "what comes last")) return error;
  } else if (is_other_held_out(end_, end)) {
    if (Problem error = add_line(line, "what comes last")) return error;
  } else if (without_seal(end_) != body_of(line)) {
    return input_problem({path(), file_.line()},
                         "the log is of another run: the candidates are not the same",
                         "give the candidates that it was begun with");
  }
  if (Problem error = flush()) return error;
  return file_.check_still_there();
}

Problem ResultLog::flush() {
  if (has_failed_ || pending_.empty()) return {};
  // Lines are written once, even if there is no memory to say what became of them.
  has_failed_ = true;
  Problem error = file_.append(pending_);
  written_ += pending_.size();
  pending_.clear();
  has_failed_ = static_cast<bool>(error);
  if (!error) return {};
  return std::move(error).with_remedy(
      "what is in it stays; once it can be written `--resume` goes on with it");
}

// After an interrupt the last lines may be in a gap that is not filled yet.
std::string_view ResultLog::written_line(u64 begin) {
  if (!gap_ || begin < gap_->begin || begin >= gap_->begin + gap_->text.size())
    return file_.read_line_at(begin);
  const std::string_view rest = std::string_view(gap_->text).substr(begin - gap_->begin);
  return rest.substr(0, rest.find('\n'));
}

void ResultLog::write_details(std::string& out, const Results& results, u32 row) {
  const u32 first = results.rows[row].duplicate_of;
  const u32 program = first == kNone ? row : first;
  // A run that ran out of memory may have rows that the log lacks.
  const std::string_view details =
      program < begins_.size() ? details_of(written_line(begins_[program])) : "";
  if (details.empty() && !missing_)
    missing_ =
        input_problem({path()}, "the log has no line of the candidate " + shown(results.id(row)));
  out += details;
}

}  // namespace komuz::engine
