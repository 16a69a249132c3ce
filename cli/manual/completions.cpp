// SPDX-License-Identifier: Apache-2.0
// komuz completions: writes a script that completes command lines in a shell.
#include "cli/manual/completions.h"

#include "cli/manual/help.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
constexpr std::string (*kScripts[])() = {bash_completions, zsh_completions, fish_completions};

Exit run(Args& args, Terminal& terminal) {
  if (args.positional.size() != 1 || args.has_rest)
    return terminal.usage_error("completions", "name one shell: bash, zsh or fish");
  for (size_t k = 0; k < std::size(kShells); ++k) {
    if (kShells[k] != args.positional[0]) continue;
    terminal.out.write(kScripts[k]());
    return Exit::Success;
  }
  return terminal.usage_error("completions",
                              choice_error("completions", kShells, args.positional[0]));
}

}  // namespace

std::string quoted_for_shell(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '\\')
      out += "'\\\\'";
    else
      out += c;
  }
  return out + "'";
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<OptionRow> options_of(const Command& command) {
  std::vector<OptionRow> options(command.options.begin(), command.options.end());
  options.push_back(kHelpOption);
  return options;
}

std::string long_option(const OptionRow& option) { return "--" + std::string(option.name); }
std::string short_option(const OptionRow& option) {
  return option.short_name == 0 ? std::string() : std::string("-") + option.short_name;
}

constinit const Command kCompletionsCommand = {
    .name = "completions",
    .summary = "print the script by which a shell completes command lines",
    .usage =
        "  komuz completions bash|zsh|fish\n"
        "The script completes commands, options, their values, codes and names, and files by "
        "their\n"
        "endings. Packages install the scripts. Without a package, install one by hand:\n"
        "bash: source it in ~/.bashrc; zsh: write it to the file _komuz in a folder of fpath;\n"
        "fish: write it to ~/.config/fish/completions/komuz.fish.\n",
    .examples =
        "  source <(komuz completions bash)\n"
        "  komuz completions fish >~/.config/fish/completions/komuz.fish\n",
    .arguments = {one_of(kShells), 1},
    .options = {},
    .run = run,
};

}  // namespace komuz::cli
