// SPDX-License-Identifier: Apache-2.0
// komuz repl: runs a session of expressions and definitions, from standard input, scripts and the command line.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "base/counts.h"
#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/whole_file.h"
#include "cli/process/interrupt.h"
#include "cli/process/stop_pipe.h"
#include "cli/programs/native_run.h"
#include "cli/session/terminal_session.h"
#include "cli/terminal/bar_watch.h"
#include "repl/repl.h"
#include "services/files/project.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"eval", "EXPR", "evaluate this and end; may be given several times", {}, 'e'},
    {"fuel", "N", "ticks that an input may use (default 1000000)"},
    kNativeOption,
    {"json", "", "one object for each input"},
    kProgressOption,
    kMemoryOption,
};
constexpr std::string_view kInputName = "<stdin>", kEvalName = "<eval>";

// Standard input as it comes, until an interrupt.
class InputStream {
 public:
  // `is_open`: standard input was open when the process started.
  InputStream(bool is_open, const LiveEditors& editors) : is_open_(is_open), editors_(editors) {}

  // Waits for input; `out` is empty at its end and at an interrupt. `on_called`: called when editors have sent something meanwhile.
  Problem read(std::string& out, const std::stop_token& stop,
               const std::function<void()>& on_called) const {
    out.clear();
    if (!is_open_) return input_problem("standard input is closed");
    if (stop.stop_requested()) return {};
    const StopPipe woken(stop);
    pollfd waited[] = {{STDIN_FILENO, POLLIN, 0},
                       {woken.readable_end(), POLLIN, 0},
                       {editors_.readable_end(), POLLIN, 0}};
    for (;;) {
      if (poll(waited, std::size(waited), -1) < 0 && errno == EINTR) continue;
      if (waited[1].revents != 0) return {};
      if (waited[0].revents != 0 || waited[2].revents == 0) break;
      on_called();
    }
    out.resize(size_t{1} << 16);
    const ssize_t count = ::read(STDIN_FILENO, out.data(), out.size());
    Problem problem = count < 0 ? services::system_error("read", "standard input") : Problem();
    out.resize(count < 0 ? 0 : static_cast<size_t>(count));
    return problem;
  }

 private:
  bool is_open_;
  const LiveEditors& editors_;
};

class VariantBar final : public repl::VariantProgress {
 public:
  // `end`: called after all have run, before the session reports.
  VariantBar(Terminal& terminal, Interrupt& interrupt, const std::function<void()>& end)
      : bar_(terminal), interrupt_(interrupt), end_(end) {
    interrupt_.set_tick([this] { bar_.tick(); });
  }
  ~VariantBar() override {
    interrupt_.set_tick({});
    end_();
  }
  VariantBar(const VariantBar&) = delete;
  VariantBar& operator=(const VariantBar&) = delete;

  void on_progress(u64 done, std::optional<u64> total) override {
    bar_.update({done, total, -1, "variants", best_});
  }
  void on_best(std::string score) override { best_ = std::move(score); }

 private:
  ProgressBar bar_;
  std::string best_;
  Interrupt& interrupt_;
  const std::function<void()>& end_;
};

// Programs talk through pipes and sockets. A user who has written a file waits for all of it.
bool is_file_input() {
  struct stat status {};
  return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

// `end_variants` and `scripts` outlive the host.
repl::Host host_of(services::ProjectFiles& files, Terminal& terminal, Interrupt& interrupt,
                   const std::function<void()>& end_variants,
                   std::span<const std::string_view> scripts, LiveEditors& editors) {
  repl::Host host;
  host.editors = &editors;
  host.read_file = [](const std::string& path) {
    std::string text;
    Problem problem = services::read_file(path, text, services::kMostSourceBytes);
    return problem ? Result<std::string>(std::move(problem)) : std::move(text);
  };
  host.read_cases = [](const std::string& path, const engine::Watch& watch) {
    std::string text;
    Problem problem = read_whole_file(path, kCasesLimit, watch, text);
    return problem ? Result<std::string>(std::move(problem)) : std::move(text);
  };
  host.make_watch = [&terminal, &interrupt](const std::stop_token& stop) {
    return std::make_unique<BarWatch>(terminal, &interrupt, stop);
  };
  host.write_file = [scripts](const std::string& path, std::string_view text,
                              std::span<const std::string> read) {
    std::vector<std::string> inputs(read.begin(), read.end());
    inputs.insert(inputs.end(), scripts.begin(), scripts.end());
    if (is_file_input()) inputs.emplace_back("/dev/stdin");
    for (const std::string& input : inputs)
      if (services::is_same_file(path, input))
        return input_problem("this would overwrite " + input +
                             ", which is read; name another file");
    return write_file(path, text);
  };
  host.file_stamp = [](const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return std::string();
    return std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec) +
           "." + std::to_string(status.st_size);
  };
  host.list_modules = [&files] { return files.list(); };
  host.read_module = [&files](std::string_view path) -> std::optional<std::string> {
    std::optional<engine::ModuleText> module = files.read(path);
    return module ? std::optional(std::move(module->text)) : std::nullopt;
  };
  host.make_progress = [&terminal, &interrupt, &end_variants] {
    return std::make_unique<VariantBar>(terminal, interrupt, end_variants);
  };
  return host;
}

Exit run_scripts(std::span<const std::string_view> paths, Terminal& terminal, repl::Repl& session,
                 Interrupt& interrupt) {
  const std::stop_token stop = interrupt.token();
  for (const std::string_view path : paths) {
    std::string text;
    Problem error;
    {
      const BarWatch bar(terminal, &interrupt, stop);
      error = read_whole_file(std::string(path), kScriptLimit, bar, text);
    }
    if (error) return terminal.input_error(error.message(), error.remedy());
    if (stop.stop_requested()) break;
    session.add(text, path, stop);
    session.end(path, stop);
  }
  return Exit::Success;
}

// Evaluates input from a program: an interrupt stops the running input, and later inputs still run.
template <class Add>
void answer_program(Interrupt& interrupt, const repl::Repl& session, const Add& add) {
  std::stop_token stop;
  do {
    stop = interrupt.begin_part();
    add(stop);
  } while (stop.stop_requested() && !interrupt.requested() && !session.has_quit());
  interrupt.end_part_before_rest();
}
bool is_talk(const Terminal& terminal) {
  return isatty(STDIN_FILENO) != 0 && terminal.out.is_terminal();
}

void take_items(Terminal& terminal, repl::Repl& session, LiveEditors& editors,
                const std::stop_token& stop) {
  const std::string items = editors.take();
  if (!items.empty()) session.define(items, kEditorName, stop);
  terminal.out.flush();
  terminal.err.flush();
}

Exit answer_programs(Terminal& terminal, repl::Repl& session, const InputStream& input,
                     Interrupt& interrupt, LiveEditors& editors) {
  const std::stop_token stop = interrupt.token();
  std::string text;
  Problem problem;
  while (!session.has_quit()) {
    problem = input.read(text, stop, [&] {
      answer_program(interrupt, session, [&](const std::stop_token& part) {
        take_items(terminal, session, editors, part);
      });
    });
    if (text.empty()) break;
    answer_program(interrupt, session, [&](const std::stop_token& part) {
      session.add(text, kInputName, part);
      text.clear();
    });
  }
  if (!stop.stop_requested())
    answer_program(interrupt, session,
                   [&](const std::stop_token& part) { session.end(kInputName, part); });
  return problem ? terminal.input_error(problem.message()) : Exit::Success;
}

// On a terminal an interrupt stops the input that is typed or running, and the session goes on; otherwise it ends the
// session.
Exit run_stream(Terminal& terminal, repl::Repl& session, const InputStream& input, bool is_json,
                Interrupt& interrupt, LiveEditors& editors) {
  const bool talks = is_talk(terminal), prompts = talks && !is_json;
  std::string text;
  Problem problem;
  std::stop_token stop = interrupt.token();
  if (prompts) terminal.out.write(session_banner());
  for (;;) {
    if (talks) stop = interrupt.begin_part();  // before a prompt invites interrupts
    if (prompts) terminal.out.write(session.is_open() ? "… " : "> ");
    terminal.out.flush();
    const u64 inputs = session.inputs();
    problem = input.read(text, stop, [&] { take_items(terminal, session, editors, stop); });
    const bool is_there = !text.empty();
    if (is_there) session.add(text, kInputName, stop);
    if (interrupt.requested() || session.has_quit()) break;
    if (stop.stop_requested()) {
      session.drop();
      // A stopped input reports this itself.
      if (session.inputs() == inputs) terminal.err.write("\n");
    } else if (!is_there) {
      break;
    }
    if (talks) interrupt.end_part();
  }
  if (!stop.stop_requested()) session.end(kInputName, stop);
  if (prompts) terminal.out.write("\n");
  return problem ? terminal.input_error(problem.message()) : Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  const u64 fuel = args.number("fuel", kDefaultFuel, 1, u64{1} << 62);
  NativeRun native(args, terminal);
  if (!args.error().empty()) return terminal.usage_error("repl", args.error());
  if (args.has_rest) return terminal.usage_error("repl", "`--` has no meaning here");
  terminal.began.reset();  // each input counts its own
  const bool is_open = (fcntl(STDIN_FILENO, F_GETFL) & O_ACCMODE) != O_WRONLY;  // see main()
  TerminalSignals signals;
  Interrupt interrupt;
  signals.release();
  const std::stop_token stop = interrupt.token();
  const std::vector<std::string_view> expressions = args.values("eval");
  const bool is_done = !expressions.empty() || !args.positional.empty();
  const bool edits = !is_done && is_open && !args.has("json") && can_edit(terminal);
  const bool serves = !is_done && args.has("json") && !is_file_input() && !is_talk(terminal);
  services::ProjectFiles files;
  LiveEditors editors;
  // The window may have changed while the variants ran.
  std::function<void(u32 columns)> set_columns;
  const std::function<void()> end_variants = [&] {
    if (const auto columns = terminal.out.columns()) set_columns(*columns);
  };
  services::RenderStyle style = terminal.err.style();
  style.wraps = style.wraps && terminal.out.is_terminal();
  repl::Repl session(
      &files, host_of(files, terminal, interrupt, end_variants, args.positional, editors),
      {args.has("json"), style, {terminal.out.style(), terminal.out.columns()}, edits},
      {[&](std::string_view text) {
         terminal.out.write(text);
         if (serves) terminal.out.flush();  // so that a program knows which input is running
       },
       [&](std::string_view text) {
         terminal.out.flush();  // in the order of the inputs, if both streams share a destination
         // A terminal that echoes input shows `^C` at the cursor.
         if (!edits && interrupt.is_stopping() && terminal.err.is_terminal())
           terminal.err.write("\n");
         terminal.err.write(text);
       }});
  set_columns = [&session](u32 columns) { session.set_columns(columns); };
  session.session().set_fuel(fuel);
  session.session().set_native(native.tier());
  Exit end = run_scripts(args.positional, terminal, session, interrupt);
  for (const std::string_view expression : expressions) {
    session.add(expression, kEvalName, stop);
    session.end(kEvalName, stop);
  }
  const InputStream input(is_open, editors);
  if (edits)
    run_terminal_session(terminal, session, kInputName, signals, interrupt, editors);
  else if (end == Exit::Success && !is_done)
    end = serves ? answer_programs(terminal, session, input, interrupt, editors)
                 : run_stream(terminal, session, input, args.has("json"), interrupt, editors);
  if (interrupt.requested()) return Exit::Interrupted;
  if (end != Exit::Success) return end;
  return session.has_failed() && !terminal.out.is_terminal() ? Exit::Failure : Exit::Success;
}

}  // namespace

constinit const Command kReplCommand = {
    .name = "repl",
    .summary = "evaluate expressions and definitions one after another",
    .usage =
        "  komuz repl [SCRIPTS…] [--eval EXPR]… [--json]\n"
        "Inputs come from SCRIPTS and EXPR if there are any, else from standard input. `:help`\n"
        "lists the commands of a session.\n",
    .examples =
        "  echo '[3, 1, 2].sort_by(x => x).list(3)' | komuz repl\n"
        "  komuz repl -e 'let x = 2.0' -e 'x ** 10.0'\n"
        "  komuz repl --json <inputs.txt\n",
    .arguments = {files()},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
