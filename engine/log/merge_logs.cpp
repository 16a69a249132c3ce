// SPDX-License-Identifier: Apache-2.0
#include "engine/log/merge_logs.h"

#include <sys/resource.h>

#include <algorithm>
#include <new>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "engine/log/log_header.h"
#include "engine/results/read_details.h"

namespace komuz::engine {
namespace {

constexpr const char* kRunAgain = "run again what has written it";
constexpr const char* kGiveAll = "give the logs of all shards of one run, each once";

Problem other_run(const std::string& path, const LogHeader& header, const std::string& than,
                  const LogHeader& first) {
  const std::string difference = difference_text(without_shard(first), without_shard(header));
  const bool is_search = header_text(header, "command") == "search";
  return input_problem(
      {path, 1},
      "this log is of another run than " + than + (difference.empty() ? "" : ": " + difference),
      is_search ? "searches are ranked each by itself" : kGiveAll);
}

Problem damaged(const LogFile& file) {
  return file.error_here("this line of the log is damaged",
                         "run that part again with `--resume " + file.path() +
                             "`, which evaluates again what is damaged");
}

// True for the start of a header: the run was killed before its first line was complete.
bool is_cut_header(std::string_view text) {
  const std::string line = header_line({});
  const std::string_view begin = std::string_view(line).substr(0, line.find('}'));
  return begin.starts_with(text) || text.starts_with(begin);
}

// Raises the limit on open files by `files`.
void allow_open_files(u32 files) {
  constexpr rlim_t kOthers = 64;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= files + kOthers) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, files + kOthers);
  setrlimit(RLIMIT_NOFILE, &limit);  // if this fails, opening will fail
}

}  // namespace

Problem MergedLogs::open(std::span<const std::string> paths, Take take) {
  for (const std::string& path : paths) {
    LogFile file;
    if (Problem error = file.open_to_read(path)) return error;
    const std::optional<std::string_view> line = file.read_line();
    if (!line && is_cut_header(file.read_rest())) {
      unbegun_.push_back(path);
      continue;
    }
    const std::optional<LogHeader> header = line ? read_header(*line) : std::nullopt;
    Shard shard;
    if (!header || !read_shard(*header, shard)) return header_error(path, line.value_or(""));
    if (logs_.empty()) {
      header_ = *header;
      logs_.resize(shard.of);
      allow_open_files(shard.of);
    }
    if (without_shard(*header) != without_shard(header_) || shard.of != logs_.size())
      return other_run(path, *header, paths.front(), header_);
    Log& log = logs_[shard.index];
    if (!log.file.path().empty())
      return input_problem({path},
                           "this is shard " + shard_text(shard) + ", and so is " + log.file.path(),
                           kGiveAll);
    log.seals.begin(*line);
    log.file = std::move(file);
    const std::optional<std::string> way = header_text(*header, "variants");
    if (way && std::ranges::find(variants_, *way) == variants_.end()) variants_.push_back(*way);
  }
  if (Problem error = check_unbegun(take)) return error;
  for (u32 i = 0; i < logs_.size() && take == Take::Whole; ++i)
    if (logs_[i].file.path().empty())
      return input_problem(
          {paths.front()},
          "shard " + shard_text({i, static_cast<u32>(logs_.size())}) + " is missing",
          std::string(kGiveAll) + "; `--shard " + shard_text({i, static_cast<u32>(logs_.size())}) +
              " --log FILE` makes it, and `--partial` does without");
  return {};
}

Problem MergedLogs::check_unbegun(Take take) const {
  if (unbegun_.empty()) return {};
  const std::string& path = unbegun_.front();
  Problem error = input_problem({path}, "the log is empty: its run did not begin",
                                "run it again with `--resume " + path + "`");
  if (logs_.empty()) return error;
  const auto absent = static_cast<size_t>(
      std::ranges::count_if(logs_, [](const Log& log) { return log.file.path().empty(); }));
  if (unbegun_.size() > absent)
    return input_problem({path}, "the log is empty, and no part of the run is missing", kGiveAll);
  if (take == Take::Parts) return {};
  return std::move(error).with_remedy(error.remedy() + "; `--partial` does without");
}

Problem MergedLogs::read_other(Log& log, std::string_view line, Results& out) {
  switch (line_kind(line)) {
    case LogLine::Module: {
      const std::string_view name = line.substr(0, line.find(", \"text\": "));
      const auto [known, is_new] = modules_.emplace(name, without_seal(line));
      if (is_new || known->second == without_seal(line)) return {};
      return log.file.error_here("the shards have used different texts of a module",
                                 "run them with the same files");
    }
    case LogLine::Signature: {
      const std::optional<LoggedSignature> signature = read_signature_line(line);
      if (!signature) return damaged(log.file);
      if (out.typed && (out.signature != signature->text || out.scale != signature->scale))
        return log.file.error_here("the shards have found different signatures",
                                   "run them with the same files");
      out.typed = true;
      out.signature = signature->text;
      out.scale = signature->scale;
      return {};
    }
    case LogLine::End: log.end = read_end(line); return log.end ? Problem() : damaged(log.file);
    case LogLine::Row:
    case LogLine::Header:
    case LogLine::Other: break;
  }
  return damaged(log.file);
}

Result<bool> MergedLogs::next_row(Log& log, Take take, Results& out) {
  if (log.file.path().empty()) log.is_read = true;
  while (!log.is_read) {
    const std::optional<std::string_view> line = log.file.read_line();
    log.is_read = !line;
    if (!line && log.file.read_error()) return log.file.read_error();
    if (!line) return false;
    read_bytes_ += line->size() + 1;
    if (!log.seals.is_whole(*line, log.file.line())) {
      if (take == Take::Whole) return damaged(log.file);
      log.damaged_line = log.file.line();
      log.is_read = true;
      return false;
    }
    const bool is_row = line_kind(*line) == LogLine::Row && !log.end;
    if (is_row && read_row_line(*line, row_)) {
      ++log.row_lines;
      return true;
    }
    if (Problem error = read_other(log, *line, out)) return error;
  }
  return false;
}

Problem MergedLogs::add_row(Log& log, u64 position, Results& out) {
  const auto row = static_cast<u32>(out.rows.size());
  u32 first = row;
  if (row_.program != frontend::TextHash{})
    first = identities_->row(identities_->insert(row_.program, row));
  if (first == row && row_.is_duplicate) return damaged(log.file);
  if (stretches_.empty() || position_of(row) != position) stretches_.push_back({row, position});
  begins_.push_back(log.file.line_begin());
  ++log.rows;
  out.add_id(row_.id);
  out.rows.push_back(first == row ? row_.row : out.rows[first]);
  ResultRow& added = out.rows.back();
  if (first != row) {
    added.duplicate_of = first;
  } else if (was_run(added)) {
    const u32 same = behaviours_->insert(row);
    if (same != row) added.same_behaviour_as = same;
  }
  whole_rows_ = row + 1;
  return {};
}

Problem MergedLogs::read_rows(Take take, WatchedLoop& loop, Results& out) {
  for (u64 position = 0; !lacks_memory_; lacks_memory_ = machine::is_memory_short()) {
    Log& log = log_at(position);
    if (loop.is_stopped(read_bytes_)) return stopped();
    Result<bool> found = next_row(log, take, out);
    if (found.problem()) return std::move(found).problem();
    if (found.value()) {
      if (Problem error = add_row(log, position++, out)) return error;
      continue;
    }
    if (take == Take::Whole || std::ranges::all_of(logs_, &Log::is_read)) return {};
    position = (position / Shard::kBlock + 1) * Shard::kBlock;
  }
  return {};
}

// Rows behind a missing one do not count, but the ends of the logs are needed.
Problem MergedLogs::read_rest(Take take, WatchedLoop& loop, Results& out) {
  for (Log& log : logs_)
    while (!log.is_read) {
      if (loop.is_stopped(read_bytes_)) return stopped();
      if (Problem error = next_row(log, take, out).problem()) return error;
    }
  return {};
}

// A part that has an end has no candidates behind its last one, so all parts together have at most that many.
void MergedLogs::find_unfinished(Take take) {
  const auto parts = static_cast<u32>(logs_.size());
  u64 most = ~u64{0};
  for (u32 i = 0; i < parts; ++i)
    if (logs_[i].end) most = std::min(most, Shard{i, parts}.position_of(logs_[i].row_lines));
  for (u32 i = 0; i < parts; ++i) {
    const Log& log = logs_[i];
    if (log.end) continue;
    const Shard shard{i, parts};
    const bool has_all_rows = take == Take::Parts && shard.position_of(log.rows) >= most;
    if (log.file.path().empty() && has_all_rows) continue;
    unfinished_.push_back({shard, log.file.path(), log.rows, log.damaged_line, has_all_rows});
  }
}

void MergedLogs::rank_what_is_there(Results& out) {
  out.rows.cut(whole_rows_);
  out.ids.cut(whole_rows_);
  out.complete = false;
  rank(out);
}

Problem MergedLogs::read(std::span<const std::string> paths, Results& out, Take take,
                         const Watch& watch) {
  out = Results();
  if (Problem error = open(paths, take)) return error;
  u64 bytes = 0;
  for (const Log& log : logs_) bytes += log.file.size();
  WatchedLoop loop(watch, bytes, "bytes", WatchedLoop::kBytes);
  if (!read_results_head(header_, out))
    return input_problem({paths.front(), 1}, "this line of the log is damaged", "run again");
  identities_.emplace();
  behaviours_.emplace(out.rows);
  try {
    if (Problem error = read_rows(take, loop, out)) return error;
  } catch (const std::bad_alloc&) {
    lacks_memory_ = true;
  }
  identities_.reset();
  behaviours_.reset();
  if (lacks_memory_) {
    rank_what_is_there(out);
    return {};
  }
  if (Problem error = read_rest(take, loop, out)) return error;
  find_unfinished(take);
  out.complete = unfinished_.empty();
  if (Problem error = check_ends(take)) return error;
  rank(out);
  if (out.complete && !out.rows.empty()) take_best(out);
  if (!out.rows.empty()) out.best_line = line_of(out, out.ranking.front());
  return take_held_out(out);
}

// Shards have no held-out results: the best of a shard is not the best of all.
Problem MergedLogs::take_held_out(Results& out) const {
  if (header_text(header_, "held_out_file") || header_number(header_, "split_seed"))
    out.held_out.emplace();
  const Log& log = logs_.front();
  if (!log.end || log.end->held_out.empty()) return {};
  const std::string& json = log.end->held_out;
  if (json == "null" || read_held_out(json, out.held_out.emplace())) return {};
  return input_problem({log.file.path()}, "what it says of the cases that were held out is damaged",
                       kRunAgain);
}

u64 MergedLogs::position_of(u32 row) const {
  const auto behind = std::ranges::upper_bound(stretches_, row, {}, &Stretch::row);
  return std::prev(behind)->position + (row - std::prev(behind)->row);
}

// The first in the ranking is also the first of its shard.
void MergedLogs::take_best(Results& out) {
  const u32 row = out.ranking.front();
  const LogEnd& end = *log_at(position_of(row)).end;
  if (!end.expected.empty() && end.best == out.id(row)) out.best = {row, end.expected, end.actual};
  if (!end.worst.empty()) out.worst.push_back({row, {}, end.worst});
}

std::optional<ScoreLine> MergedLogs::line_of(const Results& results, u32 row) {
  if (!fits_line(results.score) || !results.rows[row].scored) return std::nullopt;
  std::string details;
  write_details(details, results, row);
  CandidateResult of_row;
  const bool is_there = read_details(details, nullptr, of_row) && of_row.line.is_finite();
  return is_there ? std::optional(of_row.line) : std::nullopt;
}

// Checks the candidates that the ends state against those that were read.
Problem MergedLogs::check_ends(Take take) const {
  u64 candidates = 0, rows = 0;
  const Log* first = nullptr;
  for (const Log& log : logs_) {
    if (!log.end) continue;
    if (first == nullptr) first = &log;
    candidates += log.end->candidates;
    rows += log.rows;
    if (log.end->candidates != log.row_lines)
      return log.file.error_here("the end of the log is of " +
                                     counted(log.end->candidates, "candidate") + ", and " +
                                     grouped(log.row_lines) + " are there",
                                 kRunAgain);
    if (log.end->input != first->end->input)
      return input_problem({log.file.path()},
                           "its candidates were others than those of " + first->file.path(),
                           "run the shards with the same files");
  }
  // For Take::Whole, rows behind a missing one were not taken.
  if (candidates == rows || (take == Take::Whole && !unfinished_.empty())) return {};
  return input_problem({first->file.path()},
                       "the logs end after " + std::to_string(candidates) +
                           " candidates, and have " + std::to_string(rows),
                       "run the shards again");
}

std::string_view MergedLogs::line_of(u32 row) {
  return log_at(position_of(row)).file.read_line_at(begins_[row]);
}

std::optional<std::string> MergedLogs::source_of(const Results& results, u32 row) {
  const u32 first = results.rows[row].duplicate_of;
  if (first != kNone) row = first;
  for (const Log& log : logs_) {
    if (!log.end) continue;
    for (const auto& [id, source] : log.end->sources)
      if (id == results.id(row)) return source;
  }
  const std::string line(line_of(row));
  LoggedRow logged;
  CandidateResult details;
  if (!read_row_line(line, logged)) return std::nullopt;
  if (logged.row.fixed && read_details(details_of(line), nullptr, details))
    return std::move(details.fixed.text);
  return std::move(logged.source);
}

void MergedLogs::write_details(std::string& out, const Results& results, u32 row) {
  const u32 first = results.rows[row].duplicate_of;
  const std::string_view details = details_of(line_of(first == kNone ? row : first));
  if (details.empty() && !missing_)
    missing_ =
        input_problem({}, "the log has changed: there is no line of " + shown(results.id(row)));
  out += details;
}

const Problem& MergedLogs::read_error() const {
  for (const Log& log : logs_)
    if (log.file.read_error()) return log.file.read_error();
  return missing_;
}

}  // namespace komuz::engine
