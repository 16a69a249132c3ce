// SPDX-License-Identifier: Apache-2.0
#include "services/files/candidate_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace komuz::services {
namespace {

bool is_jsonl(std::string_view path) {
  return path.ends_with(".jsonl") || path.ends_with(".ndjson");
}

struct Counts {
  u64 read = 0, total = 0;  // bytes
  bool total_known = true;
  u64 candidates = 0;  // in the bytes that were read
};

// Program files, one candidate each; the path is the candidate's id.
class FileCandidates final : public engine::CandidateSource {
 public:
  FileCandidates(std::vector<std::string> paths, Counts& counts)
      : paths_(std::move(paths)), counts_(counts) {}

  void read(engine::CandidateBatch& batch, size_t most) override {
    for (; most > 0 && next_ < paths_.size() && batch.text_bytes() < engine::kMaxBatchText;
         --most, ++next_) {
      engine::Candidate candidate{.id = paths_[next_], .source = {}, .error = {}};
      if (const auto error = read_file(paths_[next_], text_, kMostSourceBytes))
        candidate.error = batch.keep(error.message());
      else
        candidate.source = batch.keep(text_);
      counts_.read += text_.size();
      ++counts_.candidates;
      batch.rows.push_back(candidate);
    }
  }
  [[nodiscard]] std::optional<u64> total() const override { return paths_.size(); }

 private:
  std::vector<std::string> paths_;
  Counts& counts_;
  size_t next_ = 0;
  std::string text_;
};

// Reads the bytes that a descriptor has now. Waits for the first byte, until a stop is requested.
class DescriptorReader {
 public:
  DescriptorReader(int fd, std::string name, Counts& counts, std::stop_token stop)
      : fd_(fd), name_(std::move(name)), counts_(counts), stop_(std::move(stop)) {}
  ~DescriptorReader() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  DescriptorReader(const DescriptorReader&) = delete;
  DescriptorReader& operator=(const DescriptorReader&) = delete;

  size_t read_some(std::span<char> buffer) {
    constexpr int kPatience = 50;  // milliseconds
    pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
    while (!stop_.stop_requested()) {
      if (poll(&waiting, 1, kPatience) == 0) continue;
      const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) error_ = system_error("read", name_);
      if (got <= 0) return 0;
      counts_.read += static_cast<u64>(got);
      counts_.candidates += static_cast<u64>(std::count(buffer.data(), buffer.data() + got, '\n'));
      return static_cast<size_t>(got);
    }
    return 0;
  }
  // The error of a failed read.
  [[nodiscard]] const Problem& error() const { return error_; }

 private:
  int fd_;
  std::string name_;
  Counts& counts_;
  std::stop_token stop_;
  Problem error_;
};

}  // namespace

struct CandidateInput::State {
  engine::CandidateChain chain;
  std::vector<std::unique_ptr<DescriptorReader>> readers;
  std::vector<engine::JsonlCandidates*> streams;  // of the chain
  Counts counts;
};

CandidateInput::CandidateInput() : state_(std::make_unique<State>()) {}
CandidateInput::~CandidateInput() = default;

Problem CandidateInput::open(std::span<const std::string_view> words, const std::stop_token& stop) {
  std::vector<std::string> paths;
  if (std::vector<Problem> errors = find_sources(words, paths); !errors.empty())
    return errors.front();
  for (const std::string& path : paths) {
    const std::string_view kind = path.ends_with(".kbc")    ? "bytecode"
                                  : path.ends_with(".kasm") ? "assembly"
                                                            : "";
    if (path.ends_with(".json"))
      return input_problem({}, path + " is no program",
                           "name JSON Lines of candidates .jsonl, or give them as `-`");
    if (path.ends_with(".csv"))
      return input_problem({}, path + " is no program", "cases are named by `--cases`");
    if (path.ends_with(".gz"))
      return input_problem({}, path + " is compressed",
                           "unpack it: `gzip -dc " + engine::shell_word(path) +
                               " | komuz eval -` takes candidates in JSONL");
    if (!kind.empty())
      return input_problem({},
                           "candidates are source text, and " + path + " is " + std::string(kind),
                           "name what it was built from; `komuz run` takes it as it is");
  }
  Counts& counts = state_->counts;
  std::vector<std::string> programs;
  const auto add_programs = [&] {
    if (programs.empty()) return;
    state_->chain.add(std::make_unique<FileCandidates>(std::move(programs), counts));
    programs.clear();
  };
  for (const std::string& path : paths) {
    std::error_code no_size;
    const u64 size = std::filesystem::file_size(path, no_size);
    counts.total += no_size ? 0 : size;
    counts.total_known = counts.total_known && !no_size;
    if (path != "-" && !is_jsonl(path)) {
      programs.push_back(path);
      continue;
    }
    add_programs();
    // A named pipe is opened at once, whether or not it has a writer.
    const int fd =
        path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return system_error("read", path);
    const std::string name = path == "-" ? "<stdin>" : path;
    state_->readers.push_back(std::make_unique<DescriptorReader>(fd, name, counts, stop));
    auto stream = std::make_unique<engine::JsonlCandidates>(
        name, [reader = state_->readers.back().get()](std::span<char> buffer) {
          return reader->read_some(buffer);
        });
    state_->streams.push_back(stream.get());
    state_->chain.add(std::move(stream));
  }
  add_programs();
  return {};
}

void CandidateInput::answer_ranks(const engine::AskRank& ask) {
  for (engine::JsonlCandidates* stream : state_->streams) stream->answer_ranks(ask);
}
engine::CandidateSource& CandidateInput::source() { return state_->chain; }
Problem CandidateInput::problem() const {
  for (const auto& reader : state_->readers)
    if (reader->error()) return reader->error();
  Problem error = state_->chain.problem();
  if (!error) return {};
  std::string remedy = error.remedy();
  return input_problem({}, std::move(error).with_remedy({}).text(), std::move(remedy));
}
u64 CandidateInput::bytes_read() const { return state_->counts.read; }
double CandidateInput::fraction_of(u64 candidates) const {
  const Counts& counts = state_->counts;
  if (!counts.total_known || counts.total == 0) return -1;
  if (counts.candidates == 0) return counts.read == 0 ? 0 : -1;
  const double read = static_cast<double>(counts.read) / static_cast<double>(counts.total);
  const double of_read = static_cast<double>(candidates) / static_cast<double>(counts.candidates);
  return std::min(1.0, read * of_read);
}

}  // namespace komuz::services
