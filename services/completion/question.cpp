// SPDX-License-Identifier: Apache-2.0
#include "services/completion/question.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "services/item_text.h"

namespace komuz::services {

using frontend::Columns;
using frontend::Index;

namespace {

size_t line_start(std::string_view text, u32 byte) {
  const size_t end = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}
// The closers for brackets that the line opens before `begin` and does not close behind `end`.
std::string missing_closers(std::string_view text, u32 begin, u32 end) {
  std::string closers;
  for (size_t k = line_start(text, begin); k < begin; ++k) {
    if (text[k] == '(') closers.insert(0, ")");
    if (text[k] == '[') closers.insert(0, "]");
    if (!closers.empty() && text[k] == closers[0]) closers.erase(0, 1);
  }
  for (size_t k = end; k < text.size() && text[k] != '\n' && !closers.empty(); ++k)
    if (text[k] == closers[0]) closers.erase(0, 1);
  return closers;
}

// True if a word may stand at a place that touches or is inside of a token that is no word.
bool takes_word(Token token, std::string_view spelling, bool is_inside) {
  switch (token) {
    case Token::Int:
    case Token::Float:
    case Token::Hole: return false;
    case Token::String:
    case Token::Char:
    case Token::Error:  // an unclosed one extends to the end of its line
      return !is_inside && spelling.size() > 1 && spelling.front() == spelling.back();
    default: return !is_inside;
  }
}
bool ends_in_comment(std::string_view text) {
  const size_t comment = text.rfind("//");
  return comment != std::string_view::npos && text.find('\n', comment) == std::string_view::npos;
}

}  // namespace

WordAt word_at(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const std::string_view text = analysis.program();
  WordAt word{true, false, byte, byte, ""};
  const u32* const starts = &c.token_start[0];
  const auto behind = static_cast<Index>(
      std::lower_bound(starts, starts + analysis.written_tokens(), byte) - starts);
  const u32 begin = behind == 0 ? 0 : c.token_start[behind - 1];
  const u32 end = behind == 0 ? 0 : begin + c.token_length[behind - 1];
  if (byte > end || behind == 0) {
    word.is_open = !ends_in_comment(text.substr(end, byte - end));
    return word;
  }
  const Token token = frontend::token_at(c, behind - 1);
  const bool is_word = is_word_byte(text[begin]) && token != Token::Int && token != Token::Float;
  if (token == Token::Hole && byte > begin) {
    word.is_hole = true;
    word.begin = begin + 1;
    word.end = end;
    word.prefix = text.substr(begin + 1, byte - begin - 1);
  } else if (is_word) {
    word.begin = begin;
    word.end = end;
    word.prefix = text.substr(begin, byte - begin);
  } else {
    word.is_open = takes_word(token, text.substr(begin, end - begin), byte < end);
  }
  return word;
}

void read_with_name(const Analysis& analysis, const WordAt& word, std::string_view name,
                    Analysis& question, LineRest rest) {
  const std::string_view text = analysis.program();
  std::string words(name);
  words.append(rest.behind_word).append(missing_closers(text, word.begin, word.end));
  u32 end = word.end;
  if (!rest.at_end.empty()) {
    end = static_cast<u32>(std::min(text.find('\n', end), text.size()));
    words.append(text.substr(word.end, end - word.end)).append(rest.at_end);
  }
  question.read_edited(analysis, word.begin, end, words);
}

bool is_in_type(const Analysis& question, u32 byte) {
  const Index token = question.token_around(byte);
  const Index node = token == frontend::kNone ? token : question.node_of(token);
  if (node == frontend::kNone) return false;
  const frontend::NameRole role =
      frontend::name_role(frontend::node_context(question.columns(), node));
  return role == frontend::NameRole::Type || role == frontend::NameRole::Bound;
}

bool read_as_type(const Analysis& analysis, const WordAt& word, std::string_view name,
                  Analysis& question) {
  // A value, the end of an item, the rest of a function's head. A list type is incomplete without its length.
  constexpr std::string_view kEnds[] = {" = 0", ";", " -> i64 { 0 }", " { 0 }", ") -> i64 { 0 }"};
  const std::string_view text = analysis.program();
  const size_t line = line_start(text, word.begin);
  const std::string_view before = text.substr(line, word.begin - line);
  if (before.find(':') == std::string_view::npos && before.find("->") == std::string_view::npos)
    return false;
  for (const std::string_view behind_word : {"", ", 1"})
    for (const std::string_view at_end : kEnds) {
      read_with_name(analysis, word, name, question, {behind_word, at_end});
      if (is_in_type(question, word.begin)) return true;
    }
  return false;
}

bool read_as_pattern(const Analysis& analysis, const WordAt& word, std::string_view name,
                     Analysis& question) {
  read_with_name(analysis, word, name, question, {" => 0,", ""});
  const Index token = question.token_around(word.begin);
  const Index node = token == frontend::kNone ? token : question.node_of(token);
  return node != frontend::kNone &&
         frontend::is_in_arm(frontend::node_context(question.columns(), node));
}

}  // namespace komuz::services
