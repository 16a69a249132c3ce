// SPDX-License-Identifier: Apache-2.0
#include "repl/assistant.h"

#include <algorithm>

#include "repl/command_table.h"
#include "repl/text_styles.h"
#include "services/complete.h"
#include "services/item_text.h"

namespace komuz::repl {

namespace {

using editor::Candidate;
using editor::Completion;
using editor::Description;
using editor::Spans;
using editor::Style;

constexpr size_t kIndent = 4;

// A command and its arguments.
struct CommandText {
  std::string_view name;
  size_t words_begin = 0;
};
bool is_command(std::string_view text) { return text.starts_with(':') && !text.starts_with(":{"); }
CommandText command_of(std::string_view text) {
  const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  return {text.substr(1, end - 1), std::min(text.find_first_not_of(" \t\n", end), text.size())};
}
bool takes_code(const CommandRow& command) {
  return command.words == "EXPR" || command.words == "TEXT";
}
std::string detail_of(const CommandRow& command) {
  return std::string(command.words) + (command.words.empty() ? "" : "  ") +
         std::string(command.summary);
}

// True if the place of an error is where the text still grows. A word is complete when something follows it, an
// operator when an operand does.
bool is_unfinished(std::string_view text, size_t error_end) {
  const size_t last = text.find_last_not_of(" \t\n");
  if (last == std::string_view::npos || error_end >= text.size()) return true;
  return error_end > last && !services::is_word_byte(text[last]);
}

bool is_error(const Diagnostic& d) { return diagnostic_row(d.code()).severity == Severity::Error; }
// True for errors of the form of an input, not of its meaning.
bool is_of_form(const Diagnostic& d) {
  const std::string_view code = diagnostic_row(d.code()).code;
  return is_error(d) && (code.starts_with("K00") || code.starts_with("K01"));
}
template <class Is>
bool has_any(const Answer& answer, Is is) {
  return std::ranges::any_of(answer.sources, [&](const Answer::Source& source) {
    return std::ranges::any_of(source.diagnostics, is);
  });
}
// Possible continuations of an input, from each place where a part of it ends.
// clang-format off
constexpr std::string_view kRests[] = {
    // `let`, `var`, `const`
    " = 0", " i64 = 0", ": i64 = 0", " x = 0", " x: i64 = 0",
    // `fn`, `pub`
    " { 0 }", " i64 { 0 }", "> i64 { 0 }", " -> i64 { 0 }", "() -> i64 { 0 }", " f() -> i64 { 0 }",
    " fn f() -> i64 { 0 }",
    // `type`, `use`
    " P(x: i64)", " = P(x: i64)", " P = P(x: i64)", " std.m",
    // `if`, `while`, `for`, `match`, `return`
    " true { 0 } else { 0 }", " { 0 } else { 0 }", " else { 0 }", " true {}", " {}",
    " i in 0..1 {}", " in 0..1 {}", " 0..1 {}", " 0 { _ => 0 }", " { _ => 0 }", " 0",
    // `test`, `prop`
    " \"t\" {}", "\" {}", " \"t\" (n: i64) {}", "\" (n: i64) {}", " (n: i64) {}",
    // chains
    ".map(i => i).sum()", ".sum()"};
// clang-format on

}  // namespace

Spans Assistant::highlight(std::string_view text) {
  Spans spans;
  size_t begin = 0;
  if (is_command(text)) {
    const CommandText command = command_of(text);
    const CommandRow* const row = CommandRow::find(command.name);
    if (row == nullptr) return spans;
    spans.push_back({0, 1 + command.name.size(), Style::Command});
    if (!takes_code(*row)) return spans;
    begin = command.words_begin;
  }
  for (const services::Stretch& stretch : services::highlight(lexer_, text.substr(begin)))
    spans.push_back({begin + stretch.begin, begin + stretch.end, style_of(stretch.kind)});
  return spans;
}

size_t Assistant::read(std::string_view text, InputReader& reader, std::string_view& last) {
  reader.add(std::string(text) + "\n");
  size_t inputs = 0;
  u32 line = 0;
  for (std::string_view input; reader.next(input, line);) {
    if (input.find_first_not_of(" \t\r\n") == std::string_view::npos) continue;
    last = input;
    ++inputs;
  }
  return inputs;
}

editor::Openness Assistant::openness(std::string_view text) {
  InputReader reader;
  std::string_view last;
  static_cast<void>(read(text, reader, last));
  const i64 brackets = reader.is_open() ? std::max<i64>(reader.open_brackets(), 0) : 0;
  constexpr i64 kMostIndents = 20;
  return {reader.is_open(), kIndent * static_cast<size_t>(std::min(brackets, kMostIndents))};
}

void Assistant::add_files(std::string_view path, Completion& completion) {
  if (!list_files_) return;
  const size_t slash = path.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : path.substr(0, slash + 1));
  const std::string_view name = path.substr(folder.size());
  for (const std::string& file : list_files_(folder.empty() ? "." : folder)) {
    const bool is_hidden = file.starts_with('.') && !name.starts_with('.');
    if (file.starts_with(name) && !is_hidden) completion.candidates.push_back({folder + file, ""});
  }
}

void Assistant::add_code(std::string_view code, size_t cursor, Completion& completion) {
  std::string items;
  for (const Definition& definition : session_.definitions().all()) items += definition.text + "\n";
  std::vector<services::SnippetName> variables;
  for (const NamedValue& variable : session_.variables().all())
    variables.push_back({variable.name, variable.type});
  for (const services::SnippetName& column : variants_.cases().parameters()) {
    std::erase_if(variables, [&](const auto& variable) { return variable.name == column.name; });
    variables.push_back(column);
  }
  session_.modules().load(code);
  if (starts_item(code))
    analysis_.read(std::string(code) + "\n" + items);
  else
    analysis_.read(services::Snippet{code, variables, items});
  const services::Completions found = services::complete(analysis_, static_cast<u32>(cursor));
  const std::string_view word = code.substr(found.begin, cursor - found.begin);
  // If no word has begun and the place demands nothing particular, anything could follow.
  if (word.empty() && !found.is_specific) return;
  completion.begin -= word.size();
  for (const services::Completion& one : found.list) {
    const bool is_value = one.signature == one.text + ": " + one.type;
    // The menu inserts their common beginning.
    if (one.text.starts_with(word))
      completion.candidates.push_back({one.text, is_value ? one.type : one.signature});
  }
}

Completion Assistant::complete(std::string_view text, size_t cursor) {
  Completion completion{cursor, cursor, {}};
  if (is_command(text)) {
    const CommandText command = command_of(text);
    if (cursor <= command.name.size() + 1) {
      completion.begin = 0;
      completion.end = command.name.size() + 1;
      const bool has_blank = text.substr(completion.end).starts_with(' ');
      for (const CommandRow& row : CommandRow::all())
        if (row.name.starts_with(text.substr(1, std::max<size_t>(cursor, 1) - 1)))
          completion.candidates.push_back(
              {":" + std::string(row.name) + (row.words.empty() || has_blank ? "" : " "),
               detail_of(row)});
      std::ranges::sort(completion.candidates, {}, &Candidate::text);
      return completion;
    }
    const CommandRow* const row = CommandRow::find(command.name);
    if (row != nullptr && row->words.find("FILE") != std::string_view::npos &&
        cursor >= command.words_begin) {
      completion.begin = command.words_begin;
      add_files(text.substr(command.words_begin, cursor - command.words_begin), completion);
    }
    const bool takes_names = row != nullptr && (takes_code(*row) || row->words == "NAME");
    if (takes_names && cursor >= command.words_begin)
      add_code(text.substr(command.words_begin), cursor - command.words_begin, completion);
    else
      std::ranges::sort(completion.candidates, {}, &Candidate::text);
    return completion;
  }
  add_code(text, cursor, completion);
  return completion;
}

bool Assistant::check(std::string_view text, std::string& type, Answer& answer) {
  return variants_.check_input({text, "input"}, type, answer);
}

// The last word may still grow, or become another one.
bool Assistant::lacks_rest(std::string_view input, const Diagnostic& d) {
  // Each rest is compiled with the whole text while the user types.
  constexpr size_t kMostTried = 2000;
  if (input.size() > kMostTried) return false;
  std::string_view starts[] = {input, input, input};
  while (!starts[1].empty() && services::is_word_byte(starts[1].back())) starts[1].remove_suffix(1);
  // These two are complete: hardly a name begins like them.
  const std::string_view word = input.substr(starts[1].size());
  if (word == "true" || word == "false") starts[1] = input;
  starts[2] = starts[1];
  if (starts[2].ends_with('.')) starts[2].remove_suffix(1);
  const auto goes_on = [&](std::string_view start, std::string_view rest) {
    Answer answer;
    std::string type;
    if (check(std::string(start).append(rest), type, answer)) return true;
    if (answer.sources.empty()) return false;
    return is_of_form(d) ? !has_any(answer, is_of_form) : !has_any(answer, is_error);
  };
  const std::string_view* before = nullptr;
  for (const std::string_view& start : starts) {
    if (before != nullptr && start == *before) continue;
    before = &start;
    for (const std::string_view rest : kRests)
      if (goes_on(start, rest)) return true;
  }
  return false;
}

Description Assistant::describe(std::string_view text) {
  if (is_command(text)) {
    const CommandRow* const row = CommandRow::find(command_of(text).name);
    return row == nullptr ? Description() : Description{{{detail_of(*row), Style::Detail}}};
  }
  if (trimmed(text) == kHelpMark)
    return {{{std::string(CommandRow::find("help")->summary), Style::Detail}}};
  InputReader reader;
  std::string_view input;
  if (read(text, reader, input) != 1 || reader.is_open()) return {};
  Answer answer;
  std::string type;
  if (input.ends_with('\n')) input.remove_suffix(1);
  const size_t begin = text.find(input);
  if (check(input, type, answer)) {
    if (type.empty() || type == "()") return {};
    return {{{type, Style::Detail}}};
  }
  if (answer.sources.empty() || begin == std::string_view::npos) return {};
  const Answer::Source& source = answer.sources[0];
  for (const Diagnostic& d : source.diagnostics) {
    if (!is_error(d) || d.begin < source.first_byte) continue;
    const size_t at = begin + d.begin - source.first_byte, end = at + d.length;
    if (is_unfinished(text, end) || lacks_rest(input, d)) return {};
    return {{{services::message_text(d, source.named()), Style::Problem}}, at, end};
  }
  return {};
}

editor::Assistance Assistant::assistance() {
  return {[this](std::string_view text) { return highlight(text); },
          [this](std::string_view text) { return openness(text); },
          [this](std::string_view text, size_t cursor) { return complete(text, cursor); },
          [this](std::string_view text) { return describe(text); }};
}

}  // namespace komuz::repl
