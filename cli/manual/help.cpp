// SPDX-License-Identifier: Apache-2.0
// komuz help: describes commands, their arguments and exit codes, as text and as man pages.
#include "cli/manual/help.h"

#include <algorithm>

#include "cli/manual/man_page.h"
#include "mend/near_miss.h"
#include "services/options/environment.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"man", "", "print the source of a man page; without a name the page of `komuz` itself"},
};
constexpr std::string_view kExitCodes = "exit-codes", kEnvironment = "environment";

std::string padded(std::string_view text, size_t width) {
  std::string out(text);
  out.resize(std::max(out.size(), width), ' ');
  return out;
}

std::string exit_codes_text() {
  std::string text = "Exit codes:\n";
  for (const ExitRow& row : kExitRows) {
    std::string number = std::to_string(static_cast<int>(row.code));
    number.insert(0, 5 - number.size(), ' ');
    text += number + "  " + std::string(row.meaning) + "\n";
  }
  return text;
}

std::string environment_text() {
  size_t width = 0;
  for (const services::EnvironmentRow& row : services::kEnvironmentRows)
    width = std::max(width, row.name.size());
  std::string text = "Environment:\n";
  for (const services::EnvironmentRow& row : services::kEnvironmentRows)
    text += "  " + padded(row.name, width + 2) + std::string(row.meaning) + "\n";
  return text;
}

std::vector<std::string> topics() {
  std::vector<std::string> names;
  for (const Command* command : kCommands) names.emplace_back(command->name);
  for (const std::string_view name : {kExitCodes, kEnvironment}) names.emplace_back(name);
  return names;
}

Exit no_help(std::string_view topic, Terminal& terminal) {
  const std::vector<std::string> names = topics();
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string_view near = nearest_word(topic, known);
  return terminal.usage_error(
      "", "there is no help on `" + std::string(topic) + "`" +
              (near.empty() ? "" : "; did you mean `" + std::string(near) + "`?"));
}

Exit run(Args& args, Terminal& terminal) {
  const bool is_page = args.has("man");
  if (args.positional.size() > 1 || args.has_rest)
    return terminal.usage_error("help", "one topic at a time");
  if (args.positional.empty()) {
    terminal.out.write(is_page ? man_page() : overview());
    return Exit::Success;
  }
  const std::string_view topic = args.positional[0];
  const auto* const command =
      std::ranges::find(kCommands, topic, [](const Command* row) { return row->name; });
  if (command != std::end(kCommands))
    terminal.out.write(is_page ? man_page(**command) : command_help(**command));
  else if (is_page && (topic == kExitCodes || topic == kEnvironment))
    return terminal.usage_error(
        "help",
        "`" + std::string(topic) + "` has no page of its own: it is on that of `komuz help --man`");
  else if (topic == kExitCodes)
    terminal.out.write(exit_codes_text());
  else if (topic == kEnvironment)
    terminal.out.write(environment_text());
  else
    return no_help(topic, terminal);
  return Exit::Success;
}

}  // namespace

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Usage usage_of(const Command& command) {
  constexpr std::string_view kIndent = "  ";
  Usage usage;
  for (std::string_view line : lines_of(command.usage)) {
    if (!line.starts_with(kIndent)) {
      usage.sentences.push_back(line);
      continue;
    }
    line.remove_prefix(kIndent.size());
    usage.forms.push_back(line);
  }
  return usage;
}

std::string overview() {
  std::string text =
      "komuz: from the source text of thousands of candidate programs to ranked results\n\n"
      "Usage:\n  komuz COMMAND [OPTIONS] …\n\nCommands:\n";
  size_t width = 0;
  for (const Command* command : kCommands) width = std::max(width, command->name.size());
  for (const Command* command : kCommands)
    text += "  " + padded(command->name, width + 2) + std::string(command->summary) + "\n";
  return text + "\nExamples:\n" + std::string(kExamples);
}

std::string command_help(const Command& command) {
  std::string text = "komuz " + std::string(command.name) + ": " + std::string(command.summary);
  text += "\n\nUsage:\n" + std::string(command.usage);
  text += "\nExamples:\n" + std::string(command.examples);
  text += "\nOptions:\n" + options_text(command.options) + options_text({&kHelpOption, 1});
  return text + "\nExit codes: see `komuz help exit-codes`\n";
}

constinit const Command kHelpCommand = {
    .name = "help",
    .summary = "show this text, or help on one command, on `exit-codes` or on `environment`",
    .usage =
        "  komuz help [COMMAND | exit-codes | environment]\n"
        "  komuz help [COMMAND] --man\n",
    .examples =
        "  komuz help eval\n"
        "  komuz help exit-codes\n"
        "  komuz help eval --man | man -l -\n",
    .arguments = {one_of(topics), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
