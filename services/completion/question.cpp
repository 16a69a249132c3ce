// SPDX-License-Identifier: Apache-2.0
#include "services/completion/question.h"

#include <algorithm>

namespace komuz::services {

using frontend::Columns;
using frontend::Index;

namespace {

bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}
// Of the brackets that the line opens before `begin` those that it does not close behind `end`, to be closed.
std::string missing_closers(std::string_view text, u32 begin, u32 end) {
  const size_t line = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
  std::string closers;
  for (size_t k = line == std::string_view::npos ? 0 : line + 1; k < begin; ++k) {
    if (text[k] == '(') closers.insert(0, ")");
    if (text[k] == '[') closers.insert(0, "]");
    if (!closers.empty() && text[k] == closers[0]) closers.erase(0, 1);
  }
  for (size_t k = end; k < text.size() && text[k] != '\n' && !closers.empty(); ++k)
    if (text[k] == closers[0]) closers.erase(0, 1);
  return closers;
}

}  // namespace

WordAt word_at(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.written();
  const std::string_view text = analysis.program();
  WordAt word{true, byte, byte, ""};
  const u32* const starts = &c.token_start[0];
  const auto behind = static_cast<Index>(
      std::lower_bound(starts, starts + analysis.written_tokens(), byte) - starts);
  u32 gap = 0;
  if (behind > 0) {
    const Index t = behind - 1;
    const u32 end = c.token_start[t] + c.token_length[t];
    const Token token = frontend::token_at(c, t);
    const bool is_word =
        is_word_byte(text[c.token_start[t]]) && token != Token::Int && token != Token::Float;
    if (byte <= end && is_word) {
      word.begin = c.token_start[t];
      word.end = end;
    }
    // A string or a character that is not closed goes on to the end of its line.
    const bool is_text = token == Token::String || token == Token::Char || token == Token::Error;
    if ((byte < end || is_text) && byte <= end && !is_word)
      word.is_open = is_text && byte == end && text[end - 1] == text[c.token_start[t]] &&
                     end - c.token_start[t] > 1;
    if ((token == Token::Int || token == Token::Float) && byte <= end) word.is_open = false;
    if (token == Token::Hole && byte <= end) word.is_open = false;
    gap = end;
  }
  // Comments stand between tokens.
  if (gap < byte) {
    const std::string_view between = text.substr(gap, byte - gap);
    const size_t comment = between.rfind("//");
    if (comment != std::string_view::npos && between.find('\n', comment) == std::string_view::npos)
      word.is_open = false;
  }
  word.prefix = text.substr(word.begin, byte - word.begin);
  return word;
}

void read_with_name(const Analysis& analysis, const WordAt& word, std::string_view name,
                    Analysis& question) {
  const std::string closers = missing_closers(analysis.program(), word.begin, word.end);
  question.read_edited(analysis, word.begin, word.end, std::string(name) + closers);
}

}  // namespace komuz::services
