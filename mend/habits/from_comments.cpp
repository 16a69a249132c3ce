// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_comments.h"

#include <string>

#include "mend/source_text.h"

namespace komuz {

namespace {

u32 end_of_line(std::string_view source, u32 at) {
  return static_cast<u32>(std::min(source.find('\n', at), source.size()));
}
u32 start_of_line(std::string_view source, u32 at) {
  const size_t before = at == 0 ? std::string_view::npos : source.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : static_cast<u32>(before) + 1;
}
bool is_blank(std::string_view text) { return trimmed(text).empty(); }
// The next byte of a line that is no blank.
u32 behind_blanks(std::string_view source, u32 at) {
  while (is_among(source_at(source, at, 1), {" ", "\t"})) ++at;
  return at;
}

// `# …`, `### …`; `#{` and `#(` start values in other languages.
std::optional<Edit> edit_of_hash(u32 begin, std::string_view source) {
  u32 end = begin;
  while (source_at(source, end, 1) == "#") ++end;
  const std::string_view next = source_at(source, end, 1);
  const bool is_blank_next = is_blank(next);
  if (!is_blank_next && !is_word(next[0])) return std::nullopt;
  // `x + y # y`: behind `//` alone it would read as a quotient.
  const std::string_view before = trimmed(between(source, start_of_line(source, begin), begin)),
                         text = trimmed(between(source, end, end_of_line(source, begin)));
  const bool is_behind_operand =
      !before.empty() && (is_word(before.back()) || before.ends_with(')') || before.ends_with(']'));
  const size_t operand = operand_length(text);
  const std::string_view behind = trimmed(text.substr(operand));
  const bool ends =
      behind.empty() || std::string_view("+-*/%)]};,").find(behind[0]) != std::string_view::npos;
  if (is_behind_operand && operand != 0 && ends) return Edit{begin, begin, "// "};
  return Edit{begin, end, is_blank_next ? "//" : "// "};
}

// In a comment of several lines either every line starts with `*`, or none does.
std::string_view without_star(std::string_view line) {
  if (line == "*" || line.starts_with("* ")) line.remove_prefix(1);
  return trimmed(line);
}
// The lines, each with `//` before it, indented like the first one.
std::string comment_lines(std::string_view text, std::string_view margin) {
  std::string out;
  while (true) {
    const size_t end = text.find('\n');
    const std::string_view line = without_star(trimmed(text.substr(0, end)));
    const bool is_last = end == std::string_view::npos;
    // The first and the last of many lines may be empty.
    if (!line.empty() || (!out.empty() && !is_last)) {
      if (!out.empty()) out += "\n" + std::string(margin);
      out += line.empty() ? "//" : "// " + std::string(line);
    }
    if (is_last) return out.empty() ? "//" : out;
    text.remove_prefix(end + 1);
  }
}

std::optional<Edit> edit_of_block(u32 begin, std::string_view closer, std::string_view source) {
  const u32 marks = static_cast<u32>(closer.size());
  const size_t close = source.find(closer, begin + marks);
  if (close == std::string_view::npos) return std::nullopt;
  const u32 end = static_cast<u32>(close) + marks;
  std::string_view text = between(source, begin + marks, static_cast<u32>(close));
  while (text.starts_with('*')) text.remove_prefix(1);
  while (text.ends_with('*')) text.remove_suffix(1);
  const bool ends_line = is_blank(between(source, end, end_of_line(source, end)));
  const bool is_one_line = text.find('\n') == std::string_view::npos;
  // A comment before more code is removed with the blanks behind it.
  if (is_one_line && !ends_line) {
    const u32 stop = behind_blanks(source, end);
    const bool touches = begin > 0 && !is_blank(source.substr(begin - 1, 1));
    const bool joins =
        touches && (stop > end || (is_word(source[begin - 1]) && is_word(source[end])));
    return Edit{begin, stop, joins ? " " : ""};
  }
  const u32 line = start_of_line(source, begin);
  const std::string_view margin = between(source, line, behind_blanks(source, line));
  std::string out = comment_lines(text, margin);
  if (ends_line) return Edit{begin, end, out};
  return Edit{begin, behind_blanks(source, end), out + "\n" + std::string(margin)};
}

}  // namespace

std::optional<Edit> comment_edit(u32 begin, std::string_view source) {
  if (source_at(source, begin, 1) == "#") return edit_of_hash(begin, source);
  constexpr std::string_view kDocstring = "\"\"\"";
  if (source_at(source, begin, 3) == kDocstring) return edit_of_block(begin, kDocstring, source);
  if (source_at(source, begin, 2) == "/*") return edit_of_block(begin, "*/", source);
  return std::nullopt;
}

std::optional<Edit> attribute_edit(u32 begin, std::string_view source) {
  const u32 line = start_of_line(source, begin), stop = end_of_line(source, begin);
  const bool is_attribute = is_among(source_at(source, begin, 1), {"#", "@"});
  if (!is_attribute || !is_blank(between(source, line, begin))) return std::nullopt;
  u32 open = begin + 1;
  if (source[begin] == '@')
    while (open < stop && (is_word(source[open]) || source[open] == '.')) ++open;
  else if (source_at(source, open, 1) == "!")
    ++open;
  u32 end = open;
  if (is_among(source_at(source, open, 1), {"(", "["})) {
    const size_t close = closing_bracket(source, open);
    if (close == std::string_view::npos) return std::nullopt;
    end = static_cast<u32>(close) + 1;
  }
  // The code below `#[test]` is no function of the program.
  if (between(source, begin, end).find("test") != std::string_view::npos) return std::nullopt;
  const std::string_view behind = trimmed(between(source, end, stop));
  const bool is_alone = end > begin + 1 && (behind.empty() || behind.starts_with("//"));
  if (!is_alone) return std::nullopt;
  return Edit{line, std::min(stop + 1, static_cast<u32>(source.size())), ""};
}

namespace {

// `2.0`, `-1`, `[1, 2]`, `Some(3)`, `true`: no sentence. Blanks stand in brackets and texts alone.
bool is_shown_value(std::string_view text) {
  const bool begins_so = text.starts_with("true") || text.starts_with("false") ||
                         text.starts_with("None") || text.starts_with("Some(") ||
                         (!text.empty() && std::string_view("0123456789-[(\"'").find(text[0]) !=
                                               std::string_view::npos);
  if (!begins_so || is_among(text.substr(text.size() - 1), {".", ",", ":", ";"})) return false;
  i32 depth = 0;
  bool is_text = false;
  for (const char c : text) {
    if (c == '"') is_text = !is_text;
    if (is_text) continue;
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth < 0 || (depth == 0 && c == ' ')) return false;
  }
  return depth == 0 && !is_text;
}

}  // namespace

std::optional<Edit> example_edit(u32 begin, u32 end, std::string_view source) {
  constexpr std::string_view kDoc = "///", kExample = "/// >>>";
  const u32 line_end = end_of_line(source, begin);
  const bool is_example =
      trimmed(between(source, start_of_line(source, begin), begin)) == kExample &&
      end <= line_end && is_blank(between(source, end, line_end)) && line_end < source.size();
  if (!is_example) return std::nullopt;
  const u32 next_end = end_of_line(source, line_end + 1);
  std::string_view next = trimmed(between(source, line_end + 1, next_end));
  if (!next.starts_with(kDoc)) return std::nullopt;
  next = trimmed(next.substr(kDoc.size()));
  if (!is_shown_value(next)) return std::nullopt;
  return Edit{begin, next_end,
              std::string(between(source, begin, end)) + " == " + std::string(next)};
}

}  // namespace komuz
