// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/completions.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kHead =
    R"(# Made by `komuz completions fish`: the file komuz.fish of a folder of completions.

# Is the command this one, and is what is typed not the program's (behind `--`)?
function __komuz_is
    set -l words (commandline -opc)
    not contains -- -- $words
    and test "$words[2]" = $argv[1]
end
function __komuz_has_no_command
    test (count (commandline -opc)) -eq 1
end
# Folders, and files with one of these endings; all files without any.
function __komuz_files
    set -l word (string replace -r -- '^--[^=]*=' '' (commandline -ct))
    set -l found (complete -C "__komuz_no_command $word")
    if test (count $argv) -eq 0
        printf '%s\n' $found
    else
        string match -r -- '^.*(?:/|\.(?:'(string join '|' $argv)'))$' $found
    end
end

complete -c komuz -f
complete -c komuz -n __komuz_has_no_command -s h -l help -d 'what there is'
complete -c komuz -n __komuz_has_no_command -s V -l version -d 'what this is'
)";

std::string described(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '`');
  return " -d " + quoted_for_shell(plain);
}

// " -a '…'", which fish splits itself; empty if nothing is offered.
std::string offered(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::Nothing: return {};
    case Offer::Kind::Words: return " -a " + quoted_for_shell(joined_words(offered_words(offer)));
    case Offer::Kind::Files:
      return " -a '(__komuz_files" +
             (offer.endings.empty() ? "" : " " + std::string(offer.endings)) + ")'";
  }
  return {};
}

std::string line_for(const Command& command, const std::string& rest) {
  return "complete -c komuz -n '__komuz_is " + std::string(command.name) + "'" + rest + "\n";
}

}  // namespace

std::string fish_completions() {
  std::string text(kHead);
  for (const Command* command : kCommands)
    text += "complete -c komuz -n __komuz_has_no_command -a " + std::string(command->name) +
            described(command->summary) + "\n";
  for (const Command* command : kCommands) {
    text += "\n";
    if (command->arguments.offer.kind != Offer::Kind::Nothing)
      text += line_for(*command, offered(command->arguments.offer));
    for (const OptionRow& option : options_of(*command)) {
      std::string rest = option.short_name == 0 ? "" : std::string(" -s ") + option.short_name;
      rest += " -l " + std::string(option.name);
      if (!option.value.empty()) rest += " -x" + offered(option.offer);
      text += line_for(*command, rest + described(option.help));
    }
  }
  return text;
}

}  // namespace komuz::cli
