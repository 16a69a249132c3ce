// SPDX-License-Identifier: Apache-2.0
// The executable: picks the command, and turns its outcome into an exit code.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/machine/memory.h"
#include "cli/commands/command.h"
#include "cli/manual/help.h"
#include "cli/terminal/end_process.h"
#include "cli/terminal/out_of_memory.h"
#include "mend/near_miss.h"
#include "services/options/environment.h"

namespace komuz::cli {
namespace {

// A name of other tools for a command.
struct OtherWord {
  std::string_view word, command;
};
constexpr OtherWord kOtherWords[] = {
    {"evaluate", "eval"}, {"rank", "eval"},     {"score", "eval"},      {"optimize", "search"},
    {"evolve", "search"}, {"tune", "search"},   {"variants", "sketch"}, {"execute", "run"},
    {"lint", "check"},    {"compile", "build"}, {"shell", "repl"},      {"join", "merge"}};

bool is_help(std::string_view word) { return word == "--help" || word == "-h"; }

// `komuz --version` is a command, as with other tools.
std::string_view command_word(std::string_view word) {
  if (is_help(word)) return kHelpCommand.name;
  return word == "--version" || word == "-V" ? kVersionCommand.name : word;
}

// Words behind `--` belong to a program.
bool asks_for_help(std::span<const std::string_view> words) {
  const auto end = std::ranges::find(words, std::string_view("--"));
  return std::any_of(words.begin(), end, is_help);
}

// "; `komuz eval` has it": for an option of few other commands.
std::string who_has(std::string_view option) {
  constexpr size_t kMost = 2;
  std::vector<std::string> commands;
  for (const Command* command : kCommands)
    if (std::ranges::find(command->options, option, &OptionRow::name) != command->options.end())
      commands.push_back("`komuz " + std::string(command->name) + "`");
  if (option.empty() || commands.empty() || commands.size() > kMost) return {};
  return "; " + commands.front() +
         (commands.size() == 1 ? " has it" : " and " + commands.back() + " have it");
}

Exit dispatch(std::span<const std::string_view> words, Terminal& terminal) {
  if (words.empty() && isatty(STDIN_FILENO) != 0 && terminal.out.is_terminal()) {
    const std::string_view session[] = {kReplCommand.name};
    return dispatch(session, terminal);
  }
  if (words.empty()) {
    terminal.out.write(overview());
    return Exit::Usage;
  }
  const std::string_view name = command_word(words[0]);
  const auto rest = words.subspan(1);
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) {
    names.push_back(command->name);
    if (command->name != name) continue;
    if (asks_for_help(rest)) {
      terminal.out.write(command_help(*command));
      return Exit::Success;
    }
    Args args(command->options, rest);
    if (!args.error().empty())
      return terminal.usage_error(command->name, args.error() + who_has(args.unknown()));
    if (command == &kHelpCommand) return command->run(args, terminal);
    if (const std::string wrong = services::environment_error(); !wrong.empty())
      return terminal.usage_error(command->name, wrong);
    terminal.progress_pause = args.duration(kProgressOption.name);
    terminal.began = std::chrono::steady_clock::now();
    const u64 memory = args.bytes(kMemoryOption.name, 0);
    if (!args.error().empty()) return terminal.usage_error(command->name, args.error());
    machine::bound_memory(memory);
    return command->run(args, terminal);
  }
  const auto* const meant = std::ranges::find(kOtherWords, name, &OtherWord::word);
  const std::string_view near =
      meant != std::end(kOtherWords) ? meant->command : nearest_word(name, names);
  return terminal.usage_error(
      "", "there is no command `" + std::string(name) + "`" +
              (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?"));
}

// A file that may not grow any more (`ulimit -f`) counts as one that cannot be written, like one on a full disk. The
// same holds for a pipe without a reader. Other outputs are still written. This uses a handler, since ignored signals
// would stay ignored in programs started from here.
void let_writes_fail() {
  struct sigaction nothing {};
  nothing.sa_handler = [](int) {};
  static_cast<void>(sigaction(SIGXFSZ, &nothing, nullptr));
  static_cast<void>(sigaction(SIGPIPE, &nothing, nullptr));
}
// The first files to be opened would get the numbers of closed standard streams, and would be read as standard input
// or written as standard output. So these numbers are taken by files that cannot be read or written.
void keep_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) == -1)
      static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}
// Long-running commands stop in good order (cli/process/interrupt.h); others end with the same exit code. A process
// that was told to ignore a signal keeps ignoring it.
void end_at_signals() {
  struct sigaction end {
  }, before{};
  end.sa_handler = [](int) { _exit(static_cast<int>(Exit::Interrupted)); };
  for (const int signal : {SIGINT, SIGTERM})
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      static_cast<void>(sigaction(signal, &end, nullptr));
}

}  // namespace
}  // namespace komuz::cli

int main(int count, char** arguments) {
  using namespace komuz::cli;
  const std::vector<std::string_view> words(arguments + 1, arguments + std::max(count, 1));
  keep_closed_streams();
  let_writes_fail();
  end_at_signals();
  Terminal terminal;
  Exit exit = Exit::Memory;
  try {
    exit = dispatch(words, terminal);
  } catch (const std::bad_alloc&) {
    say_out_of_memory(terminal);
  }
  if (terminal.ends_at_once) end_process(terminal, exit);
  return static_cast<int>(finish_output(terminal, exit));
}
