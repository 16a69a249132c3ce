// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/completions.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kHead = R"(#compdef komuz
# Made by `komuz completions zsh`: the file _komuz of a folder of fpath, or sourced.

_komuz() {
  local curcontext=$curcontext state line
  local -a komuz_commands
  typeset -A opt_args
  komuz_commands=(
)";
constexpr std::string_view kCommandsEnd = R"(  )
  _arguments -C -S '(- *)'{-h,--help}'[what there is]' '(- *)'{-V,--version}'[what this is]' \
    '1:command:->command' '*::argument:->arguments'
  case $state in
    command) _describe -t commands command komuz_commands ;;
    arguments)
      curcontext=${curcontext%:*:*}:komuz-$words[1]:
      case $words[1] in
)";
constexpr std::string_view kTail = R"(      esac
      ;;
  esac
}

if [[ $funcstack[1] == _komuz ]]; then
  _komuz "$@"
else
  compdef _komuz komuz
fi
)";

// A text within a specification of _arguments, whose parts end at colons and brackets.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string without_backticks(std::string_view text) {
  std::string out(text);
  std::erase(out, '`');
  return out;
}

// The action that completes a value: "(a b c)", "_files -g ..."; a blank: none.
std::string action(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::Nothing: return " ";
    case Offer::Kind::Words: return "(" + joined_words(offered_words(offer)) + ")";
    case Offer::Kind::Files: {
      if (offer.endings.empty()) return "_files";
      std::string endings(offer.endings);
      for (char& c : endings)
        if (c == ' ') c = '|';
      return "_files -g \"*.(" + endings + ")(-.)\"";
    }
  }
  return {};
}

// '(--output -o)'{--output=,-o+}'[help]:OUT:_files'
std::string specification(const OptionRow& option) {
  const bool has_value = !option.value.empty();
  std::string rest = "[" + escaped(without_backticks(option.help)) + "]";
  if (has_value) rest += ":" + escaped(option.value) + ":" + action(option.offer);
  const std::string name = long_option(option) + (has_value ? "=" : "");
  if (option.short_name == 0) return quoted_for_shell(name + rest);
  const std::string brief = short_option(option) + (has_value ? "+" : "");
  return "'(" + long_option(option) + " " + short_option(option) + ")'{" + name + "," + brief +
         "}" + quoted_for_shell(rest);
}

std::string arguments_of(const Command& command) {
  const Arguments& taken = command.arguments;
  std::string text;
  if (taken.offer.kind != Offer::Kind::Nothing)
    text =
        " \\\n            " +
        quoted_for_shell((taken.most == 1 ? "1:argument:" : "*:argument:") + action(taken.offer));
  return text;
}

}  // namespace

std::string zsh_completions() {
  std::string text(kHead);
  for (const Command* command : kCommands)
    text += "    " +
            quoted_for_shell(std::string(command->name) + ":" +
                             escaped(without_backticks(command->summary))) +
            "\n";
  text += kCommandsEnd;
  for (const Command* command : kCommands) {
    text += "        " + std::string(command->name) + ")\n          _arguments -S";
    for (const OptionRow& option : options_of(*command))
      text += " \\\n            " + specification(option);
    text += arguments_of(*command) + "\n          ;;\n";
  }
  return text + std::string(kTail);
}

}  // namespace komuz::cli
