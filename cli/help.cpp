// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/commands/command.h"
#include "mend/near_miss.h"

namespace komuz::cli {
namespace {

std::string exit_codes_text() {
  std::string text = "Exit codes:\n";
  for (const ExitRow& row : kExitRows) {
    std::string number = std::to_string(static_cast<int>(row.code));
    number.insert(0, 5 - number.size(), ' ');
    text += number + "  " + std::string(row.meaning) + "\n";
  }
  return text;
}

std::string overview() {
  std::string text =
      "komuz: from the source text of thousands of candidate programs to ranked results\n\n"
      "Usage:\n  komuz COMMAND [OPTIONS] …\n\nCommands:\n";
  constexpr size_t kColumn = 10;
  for (const Command* command : kCommands) {
    std::string name(command->name);
    name.resize(kColumn, ' ');
    text += "  " + name + std::string(command->summary) + "\n";
  }
  return text +
         "  help      this, or `komuz help COMMAND`, or `komuz help exit-codes`\n"
         "  version   the version of this executable\n\n"
         "Examples:\n"
         "  komuz eval examples/collatz --cases examples/collatz/cases.jsonl "
         "--input input1 --output output1\n"
         "  komuz run examples/tour.komuz --entry gcd -- 1071 462\n"
         "  komuz test examples/tour.komuz\n";
}

}  // namespace

std::string command_help(const Command& command) {
  std::string text = "komuz " + std::string(command.name) + ": " + std::string(command.summary);
  text += "\n\nUsage:\n" + std::string(command.usage);
  text += "\nExamples:\n" + std::string(command.examples);
  text += "\nOptions:\n" + options_text(command.options);
  return text +
         "  -h, --help                this text\n\nExit codes: see `komuz help exit-codes`\n";
}

Exit print_help(std::span<const std::string_view> words, Terminal& terminal) {
  // What the overview says all of.
  constexpr std::string_view kOverview[] = {"help", "version", "--help", "-h"};
  if (words.empty() || std::ranges::count(kOverview, words[0]) > 0) {
    terminal.out.write(overview());
    return Exit::Success;
  }
  const std::string_view topic = words[0];
  if (topic == "exit-codes") {
    terminal.out.write(exit_codes_text());
    return Exit::Success;
  }
  std::vector<std::string_view> topics = {"exit-codes"};
  for (const Command* command : kCommands) {
    if (command->name == topic) {
      terminal.out.write(command_help(*command));
      return Exit::Success;
    }
    topics.push_back(command->name);
  }
  const std::string_view near = nearest_word(topic, topics);
  return terminal.usage_error(
      "", "there is no help on `" + std::string(topic) + "`" +
              (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?"));
}

}  // namespace komuz::cli
