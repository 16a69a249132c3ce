// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/man_page.h"

#include <algorithm>
#include <cctype>

#include "cli/manual/help.h"
#include "cli/process/version.h"
#include "services/options/environment.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kEllipsis = "…", kBold = "\\fB", kItalic = "\\fI", kRoman = "\\fR";

// Escapes a text so that roff prints it literally, in ASCII: `-` becomes that of options, not a hyphen. A test
// ensures that the tables have no other characters beyond ASCII than those handled here.
std::string escaped(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kEllipsis)) {
      out += "...";
      at += kEllipsis.size() - 1;
    } else if (text[at] == '\\') {
      out += "\\e";
    } else if (text[at] == '-') {
      out += "\\-";
    } else if (text[at] == '\'') {
      out += "\\(aq";
    } else if (text[at] == '^') {
      out += "\\(ha";
    } else if (text[at] == '~') {
      out += "\\(ti";
    } else if (text[at] == '`') {
      out += "\\(ga";
    } else {
      out += text[at];
    }
  }
  return out;
}

// A line that starts with a dot or a quote would be a request.
std::string line(std::string text) {
  if (text.starts_with('.') || text.starts_with("\\(aq")) text.insert(0, "\\&");
  return text + "\n";
}

// Text in backticks becomes bold.
std::string prose(std::string_view text) {
  std::string out;
  bool is_code = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('`'), text.size());
    out += escaped(text.substr(0, end));
    text.remove_prefix(end);
    if (text.empty()) break;
    text.remove_prefix(1);
    is_code = !is_code;
    out += is_code ? kBold : kRoman;
  }
  return out;
}

// Words in capitals are placeholders for the user's values.
std::string with_placeholders(std::string_view text) {
  std::string out;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/';
  };
  while (!text.empty()) {
    const bool is_word = is_part(text[0]);
    const auto end = std::ranges::find_if(text, [&](char c) { return is_part(c) != is_word; });
    const std::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
    const bool is_placeholder = std::isupper(static_cast<unsigned char>(word[0])) != 0;
    out +=
        is_placeholder ? std::string(kItalic) + escaped(word) + std::string(kRoman) : escaped(word);
    text.remove_prefix(word.size());
  }
  return out;
}

std::string bold(std::string_view text) {
  return std::string(kBold) + escaped(text) + std::string(kRoman);
}

std::string heading(std::string_view name) {
  return ".TH " + std::string(name) + " 1 " + std::string(kCommit.date) + " \"komuz " +
         std::string(kVersion) + "\" \"User Commands\"\n";
}
std::string section(std::string_view name) { return ".SH " + std::string(name) + "\n"; }
std::string tagged(const std::string& tag, const std::string& text) {
  return ".TP\n" + line(tag) + line(text);
}

// For whatis(1), which knows no fonts.
std::string name_section(std::string_view name, std::string_view summary) {
  std::string plain(summary);
  std::erase(plain, '`');
  return section("NAME") + escaped(name) + " \\- " + escaped(plain) + "\n";
}

// Lines break only between words.
std::string synopsis(const std::string& command, std::span<const std::string_view> forms) {
  std::string text = section("SYNOPSIS") + ".nh\n.ad l\n";
  for (size_t k = 0; k < forms.size(); ++k) {
    std::string_view form = forms[k];
    if (k > 0) text += ".br\n";
    if (form.starts_with(command)) {
      text += bold(command);
      form.remove_prefix(command.size());
    }
    text += with_placeholders(form) + "\n";
  }
  return text + ".ad b\n.hy\n";
}

std::string example_lines(std::string_view text) {
  std::string out = section("EXAMPLES") + ".EX\n";
  for (std::string_view shown : lines_of(text)) {
    if (shown.starts_with("  ")) shown.remove_prefix(2);
    out += line(escaped(shown));
  }
  return out + ".EE\n";
}

std::string option_tag(const OptionRow& option) {
  std::string tag;
  if (option.short_name != 0) tag = bold(std::string("-") + option.short_name) + ", ";
  tag += bold("--" + std::string(option.name));
  if (!option.value.empty()) tag += " " + with_placeholders(option.value);
  return tag;
}

std::string options_section(std::span<const OptionRow> options) {
  std::string text = section("OPTIONS");
  for (const OptionRow& option : options) text += tagged(option_tag(option), prose(option.help));
  return text + tagged(option_tag(kHelpOption), prose(kHelpOption.help));
}

// Joins lines that the table breaks.
std::string one_line(std::string_view text) {
  std::string out;
  for (std::string_view part : lines_of(text)) {
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    out += (out.empty() ? "" : " ") + std::string(part);
  }
  return out;
}

std::string exit_section() {
  std::string text = section("EXIT STATUS");
  for (const ExitRow& row : kExitRows)
    text += tagged(bold(std::to_string(static_cast<int>(row.code))), prose(one_line(row.meaning)));
  return text;
}

std::string environment_section() {
  std::string text = section("ENVIRONMENT");
  for (const services::EnvironmentRow& row : services::kEnvironmentRows)
    text += tagged(bold(row.name), prose(row.meaning));
  return text;
}

std::string page_name(const Command& command) { return "komuz-" + std::string(command.name); }

}  // namespace

std::string man_page() {
  constexpr std::string_view kForms[] = {"komuz COMMAND [OPTIONS] …", "komuz"};
  std::string text = heading("KOMUZ");
  text += name_section("komuz", "compile, run and rank thousands of candidate programs at once");
  text += synopsis("komuz", kForms);
  text += section("DESCRIPTION") +
          "Komuz takes a batch of candidate programs from text to a ranking.\n"
          "Without a command, on a terminal, it begins a session, as " +
          bold("komuz repl") + " does.\n";
  text += section("COMMANDS");
  for (const Command* command : kCommands)
    text += ".TP\n.BR " + escaped(page_name(*command)) + " (1)\n" + line(prose(command->summary));
  text += example_lines(kExamples) + exit_section() + environment_section();
  text += section("SEE ALSO");
  for (const Command* command : kCommands)
    text += ".BR " + escaped(page_name(*command)) + " (1)" +
            (command == std::end(kCommands)[-1] ? "\n" : ",\n");
  return text;
}

std::string man_page(const Command& command) {
  const Usage usage = usage_of(command);
  std::string name = escaped(page_name(command));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string text = heading(name);
  text += name_section(page_name(command), command.summary);
  text += synopsis("komuz " + std::string(command.name), usage.forms);
  if (!usage.sentences.empty()) text += section("DESCRIPTION");
  for (const std::string_view sentence : usage.sentences) text += line(prose(sentence));
  text += options_section(command.options);
  text += example_lines(command.examples);
  return text + section("SEE ALSO") +
         ".BR komuz (1),\nwhich has the exit codes and the variables of the environment\n";
}

}  // namespace komuz::cli
