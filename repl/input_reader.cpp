// SPDX-License-Identifier: Apache-2.0
#include "repl/input_reader.h"

#include <algorithm>

#include "frontend_gpu/columns.h"
#include "frontend_gpu/source_text.h"

namespace komuz::repl {

void InputReader::add(std::string_view text) {
  if (at_ > text_.size() / 2) {
    text_.erase(0, at_);
    scanned_ -= at_;
    at_ = 0;
  }
  text_ += text;
}

bool InputReader::next(std::string_view& text, u32& line) {
  while (scanned_ < text_.size()) {
    const size_t end = text_.find('\n', scanned_);
    if (end == std::string::npos && !has_ended_) return false;
    const size_t begin = scanned_;
    scanned_ = std::min(end, text_.size() - 1) + 1;
    const bool is_last = has_ended_ && scanned_ == text_.size();
    const bool is_command = begin == at_ && text_[at_] == ':';
    const bool whole = is_whole(std::string_view(text_).substr(begin, scanned_ - begin));
    const std::string_view input = std::string_view(text_).substr(at_, scanned_ - at_);
    if (!whole && !is_command && !is_last && input.size() <= frontend::kMaxSourceBytes) continue;
    brackets_ = 0;
    text = input;
    line = line_;
    line_ += static_cast<u32>(std::ranges::count(input, '\n'));
    at_ = scanned_;
    return true;
  }
  return false;
}

// Brackets are the lexer's; no token goes over the end of a line. Without any the line need not be lexed.
bool InputReader::is_whole(std::string_view line) {
  const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  if (line.find_first_of("([{}])") != std::string_view::npos) {
    static_cast<void>(lexer_.identify(line));
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
