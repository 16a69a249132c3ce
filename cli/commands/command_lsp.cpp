// SPDX-License-Identifier: Apache-2.0
// komuz lsp: the language server, for editors.
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/editor/connect.h"
#include "cli/editor/disk_files.h"
#include "cli/files/whole_file.h"
#include "cli/process/freed_memory.h"
#include "cli/process/version.h"
#include "cli/terminal/bar_watch.h"
#include "lsp/record.h"
#include "lsp/transport/serve.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"tcp", "PORT", "listen there, for editors of this machine; 0: any port that is free"},
    {"connect", "PORT", "hand on what is said to a session that listens there (`:lsp`)"},
    {"websocket", "PORT", "listen there, for a page of this machine; 0: any port that is free"},
    {"page", "", "serve a page, an editor with the ranking of sketches; alone: any port"},
    {"socket", "PATH", "listen there, for editors of the same user", files()},
    {"parent", "PID", "end with this process"},
    {"record", "FILE", "keep what comes and what is sent, for `--replay`", files()},
    {"replay", "FILE", "play a record again: are the answers the same?", files()},
};
constexpr FileLimit kRecordLimit = {"a record", size_t{1} << 32};

// A record is written line by line: whatever ends the process, what led there is kept.
class RecordFile {
 public:
  Problem open(const std::string& path) {
    path_ = path;
    file_.reset(std::fopen(path.c_str(), "we"));
    if (file_ == nullptr) return services::system_error("write", path);
    return {};
  }
  void write(std::string_view line) {
    const bool is_written = std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() &&
                            std::fflush(file_.get()) == 0;
    if (!is_written && !problem_) problem_ = services::system_error("write", path_);
  }
  // Why the record has not all lines. The editor is served to the end nevertheless.
  [[nodiscard]] const Problem& problem() const { return problem_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  Problem problem_;
};

Exit replay_record(const std::string& path, Terminal& terminal) {
  std::string record;
  {
    const BarWatch bar(terminal, nullptr, {});
    if (const auto error = read_whole_file(path, kRecordLimit, bar, record))
      return terminal.input_error(error.message(), error.remedy());
  }
  const lsp::Replayed replayed = lsp::replay(record, kVersion);
  if (!replayed.is_record) return terminal.input_error(path + ": " + replayed.problem);
  if (!replayed.problem.empty()) {
    terminal.error(path + ": " + replayed.problem,
                   "the record is of another version, or this is a fault of the server");
    return Exit::Failure;
  }
  terminal.out.write("the same: " + counted(replayed.messages, "message") + "\n");
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  constexpr u64 kMostPort = 65535;
  if (args.has_rest || !args.positional.empty())
    return terminal.usage_error("lsp", "it takes options alone: files come from the editor");
  lsp::Serving serving;
  serving.version = kVersion;
  if (args.has("tcp")) serving.tcp_port = static_cast<u16>(args.number("tcp", 0, 0, kMostPort));
  serving.has_page = args.has("page");
  if (args.has("websocket") || serving.has_page)
    serving.web_port = static_cast<u16>(args.number("websocket", 0, 0, kMostPort));
  serving.socket = args.value("socket").value_or("");
  if (args.has("parent"))
    serving.parent = static_cast<i64>(args.number("parent", 1, 1, u64{1} << 31));
  constexpr u64 kNoPort = 0;
  const u64 session = args.number("connect", kNoPort, 1, kMostPort);
  if (!args.error().empty()) return terminal.usage_error("lsp", args.error());
  const int places = args.has("tcp") + args.has("socket") + serving.web_port.has_value();
  if (places > 1)
    return terminal.usage_error(
        "lsp", "`--tcp`, `--socket` and `--websocket` (or `--page`) do not go together");
  if (session != kNoPort) {
    if (places > 0 || args.has("record") || args.has("parent") || args.has("replay"))
      return terminal.usage_error("lsp", "`--connect` goes with no other option");
    const Result<Connected> ended = connect_streams(static_cast<u16>(session));
    if (ended.problem())
      return terminal.input_error(ended.problem().message(), ended.problem().remedy());
    if (ended.value() == Connected::Left) return Exit::Success;
    if (ended.value() == Connected::Lost)
      terminal.error("the session has ended the connection",
                     "say `:lsp " + std::to_string(session) +
                         "` there, and start the server again in the editor");
    return Exit::Failure;
  }
  if (const auto path = args.value("replay")) {
    if (places > 0 || args.has("record") || args.has("parent"))
      return terminal.usage_error("lsp", "`--replay` goes with no other option");
    return replay_record(std::string(*path), terminal);
  }
  give_freed_memory_back();
  DiskFiles disk;
  RecordFile file;
  std::optional<lsp::Record> record;
  std::optional<lsp::RecordedFiles> recorded;
  if (const auto path = args.value("record")) {
    if (const auto error = file.open(std::string(*path)))
      return terminal.input_error(error.message(), error.remedy());
    record.emplace([&file](std::string_view line) { file.write(line); }, kVersion);
    recorded.emplace(disk, *record);
    serving.record = &*record;
  }
  serving.on_ready = [&terminal](std::string_view where) {
    terminal.err.write("listening on " + std::string(where) + "\n");
    terminal.err.flush();
  };
  lsp::Files& files = recorded ? static_cast<lsp::Files&>(*recorded) : disk;
  const lsp::Served served = lsp::serve(files, serving);
  if (!served.problem.empty()) return terminal.input_error(served.problem);
  if (const Problem& problem = file.problem())
    return terminal.input_error(problem.message(), problem.remedy());
  return served.exit == 0 ? Exit::Success : Exit::Failure;
}

}  // namespace

constinit const Command kLspCommand = {
    .name = "lsp",
    .summary = "answer an editor: the language server",
    .usage =
        "  komuz lsp [--tcp PORT | --socket PATH | --websocket PORT] [--page] [--parent PID] "
        "[--record FILE]\n"
        "  komuz lsp --connect PORT\n"
        "  komuz lsp --replay FILE\n"
        "Editors start it and talk to it by standard input and output; docs/lsp.md says how each "
        "is\n"
        "set up.\n",
    .examples =
        "  komuz lsp                      # what an editor starts\n"
        "  komuz lsp --tcp 8940           # for editors that connect\n"
        "  komuz lsp --connect 8940       # what an editor starts to talk to a session\n"
        "  komuz lsp --page               # a page to try sketches in: open the printed address\n"
        "  komuz lsp --record lsp.jsonl   # keep a session; --replay lsp.jsonl plays it again\n",
    .arguments = {{}, 0},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
