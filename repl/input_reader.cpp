// SPDX-License-Identifier: Apache-2.0
#include "repl/input_reader.h"

#include <algorithm>

#include "frontend_gpu/text/source_text.h"
#include "frontend_gpu/view.h"
#include "repl/input.h"

namespace komuz::repl {

void InputReader::add(std::string_view text) {
  if (at_ > text_.size() / 2) {
    text_.erase(0, at_);
    scanned_ -= at_;
    searched_ -= std::min(searched_, at_);
    at_ = 0;
  }
  text_ += text;
}

void InputReader::drop() {
  line_ += static_cast<u32>(std::ranges::count(std::string_view(text_).substr(at_), '\n'));
  text_.clear();
  at_ = searched_ = scanned_ = 0;
  brackets_ = 0;
  is_block_ = false;
}

// Takes the next line if it is complete, or longer than a source may be.
bool InputReader::take_line(std::string_view& line) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (!has_begun_ && (text_.size() >= kByteOrderMark.size() || has_ended_)) {
    has_begun_ = true;
    searched_ = 0;
    if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
  }
  const size_t end = text_.find('\n', std::max(scanned_, searched_));
  searched_ = text_.size();
  const bool is_too_long = text_.size() - scanned_ > frontend::kMaxSourceBytes;
  if (scanned_ == text_.size() || (end == std::string::npos && !has_ended_ && !is_too_long))
    return false;
  const size_t begin = scanned_;
  has_begun_ = true;
  scanned_ = std::min(end, text_.size() - 1) + 1;
  searched_ = scanned_;
  line = std::string_view(text_).substr(begin, scanned_ - begin);
  return true;
}

bool InputReader::next(std::string_view& text, u32& line) {
  std::string_view last;
  while (take_line(last)) {
    const bool is_first = scanned_ - last.size() == at_;
    if (is_first) is_block_ = trimmed(last) == ":{";
    const bool is_command = is_first && trimmed(last).starts_with(':') && !is_block_;
    const bool is_whole = is_block_ ? trimmed(last) == ":}" : ends_input(last) || is_command;
    if (is_whole || scanned_ - at_ > frontend::kMaxSourceBytes) return take_input(text, line);
  }
  // An open input at the end counts, too.
  return has_ended_ && at_ < scanned_ && take_input(text, line);
}

bool InputReader::take_input(std::string_view& text, u32& line) {
  text = std::string_view(text_).substr(at_, scanned_ - at_);
  line = line_;
  line_ += static_cast<u32>(std::ranges::count(text, '\n'));
  if (is_block_) {
    ++line;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    const size_t end = text.rfind(":}");
    if (end != std::string_view::npos) text = text.substr(0, end);
  }
  at_ = scanned_;
  brackets_ = 0;
  is_block_ = false;
  return true;
}

// The lexer knows brackets, and no token crosses a line end. A line without brackets need not be lexed.
bool InputReader::ends_input(std::string_view line) {
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  if (line.find_first_of("([{}])") != std::string_view::npos) {
    // The line cannot be lexed, and its input is wrong anyway.
    if (lexer_.identify(line) == frontend::TextHash()) return true;
    const frontend::Columns& c = lexer_.columns();
    for (frontend::Index t = 0; t < c.tokens; ++t) {
      const Act act = token_row(frontend::token_at(c, i64{t})).act;
      brackets_ += act == Act::Paren || act == Act::Brace;
      brackets_ -= act == Act::Close;
    }
  }
  return brackets_ <= 0 && !line.substr(first).starts_with("///");
}

}  // namespace komuz::repl
