// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/completions.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kHead =
    R"(# Made by `komuz completions bash`; sourced by bash 4.1 and later. Needs nothing else.
)";

// The functions that read the tables above.
constexpr std::string_view kBody = R"(
# Adds what `offer` says, of what begins with `current`.
_komuz_offer() {
  local name ending
  case "${offer[0]}" in
    words)
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -W "${offer[*]:1}" -- "$current")
      ;;
    files)
      compopt -o filenames 2>/dev/null
      while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen -d -- "$current")
      while IFS= read -r name; do
        ((${#offer[@]} > 1)) || COMPREPLY+=("$name")
        for ending in "${offer[@]:1}"; do
          [[ $name != *."$ending" ]] || COMPREPLY+=("$name")
        done
      done < <(compgen -f -- "$current")
      ;;
  esac
}

_komuz() {
  local current=${COMP_WORDS[COMP_CWORD]} command= option= word at count=0 most=0 is_rest=
  local offer=() options=()
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    if [[ $word == '=' ]]; then
      continue # bash parts `--name=value` there
    elif [[ -n $option ]]; then
      option=
    elif [[ -z $command ]]; then
      command=$word
    elif [[ $word == -- ]]; then
      is_rest=yes
      break
    elif [[ $word == -?* ]]; then
      if [[ $word != *=* ]] && _komuz_value "$command" "$word"; then option=$word; fi
    else
      ((++count))
    fi
  done
  [[ $current != '=' ]] || current=
  if [[ -z $option && $current == --*=* ]]; then
    option=${current%%=*}
    current=${current#*=}
  fi
  if [[ -n $is_rest ]]; then
    return
  elif [[ -n $option ]]; then
    offer=()
    if _komuz_value "$command" "$option"; then _komuz_offer; fi
  elif [[ -z $command ]]; then
    offer=(words "${_komuz_commands[@]}" --help --version)
    _komuz_offer
  else
    _komuz_arguments "$command"
    if [[ $current == -* ]]; then
      offer=(words "${options[@]}")
      _komuz_offer
    elif ((count < most)); then
      _komuz_offer
    fi
  fi
}

complete -F _komuz komuz
)";

// (files csv jsonl)
std::string offer_text(const Offer& offer) {
  switch (offer.kind) {
    case Offer::Kind::Nothing: return "(nothing)";
    case Offer::Kind::Files:
      return "(files" + (offer.endings.empty() ? "" : " " + std::string(offer.endings)) + ")";
    case Offer::Kind::Words: return "(words " + joined_words(offered_words(offer)) + ")";
  }
  return {};
}

// Pattern of `case` for an option of a command: "'build --output' | 'build -o'".
std::string pattern(const Command& command, const OptionRow& option) {
  const std::string name(command.name);
  std::string text = "'" + name + " " + long_option(option) + "'";
  if (option.short_name != 0) text += " | '" + name + " " + short_option(option) + "'";
  return text;
}

}  // namespace

std::string bash_completions() {
  std::vector<std::string> names;
  std::string values, arguments;
  for (const Command* command : kCommands) {
    names.emplace_back(command->name);
    std::vector<std::string> options;
    for (const OptionRow& option : options_of(*command)) {
      options.push_back(long_option(option));
      if (option.short_name != 0) options.push_back(short_option(option));
      if (!option.value.empty())
        values +=
            "    " + pattern(*command, option) + ") offer=" + offer_text(option.offer) + " ;;\n";
    }
    const Arguments& taken = command->arguments;
    arguments += "    " + std::string(command->name) + ")\n      options=(" +
                 joined_words(options) + ")\n      offer=" + offer_text(taken.offer) +
                 " most=" + std::to_string(taken.most) + "\n      ;;\n";
  }
  return std::string(kHead) + "_komuz_commands=(" + joined_words(names) +
         ")\n\n# What the value of an option of a command may be, in `offer`; fails where it takes "
         "none.\n"
         "_komuz_value() {\n  case \"$1 $2\" in\n" +
         values +
         "    *) return 1 ;;\n  esac\n}\n\n"
         "# What a command takes besides.\n"
         "_komuz_arguments() {\n  case \"$1\" in\n" +
         arguments + "  esac\n}\n" + std::string(kBody);
}

}  // namespace komuz::cli
