// SPDX-License-Identifier: Apache-2.0
#include "services/mend_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "frontend_gpu/expand.h"
#include "frontend_gpu/text/source_text.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"

namespace komuz::services {

using frontend::TokenRange;

namespace {

// A text is mended so many times; the last time, bodies that are still broken are removed.
constexpr u32 kRounds = 4;

void blank(std::string& text, u32 begin, u32 end) {
  for (u32 k = begin; k < end; ++k)
    if (text[k] != '\n') text[k] = ' ';
}

// Bytes that are not text become blanks.
void mend_bytes(std::string& text) {
  if (frontend::check_text(text).code() == DiagnosticCode::None) return;
  for (char& byte : text)
    if (byte == '\0' || static_cast<u8>(byte) >= 0x80) byte = ' ';
}
// Handles `pub use`, at which the front end stops.
void mend_uses(const Columns& c, std::string& text) {
  for (Index t = 1; t < c.tokens; ++t)
    if (frontend::token_at(c, t) == Token::Use && frontend::token_at(c, t - 1) == Token::Pub &&
        c.token_start[t] < text.size())
      blank(text, c.token_start[t - 1], c.token_start[t]);
}

// An item that the front end only knows to be broken: a bracket lacks its mate, or an operator is missing.
class MendItem {
 public:
  MendItem(const Columns& c, TokenRange tokens, std::string& text)
      : c_(c), tokens_(tokens), text_(text) {}

  // False: nothing could be mended.
  bool mend() {
    const bool brackets = mend_brackets();
    return mend_lines() || brackets;
  }
  // Keeps the head, which others need.
  void drop_body() {
    const Index brace = find(Token::LBrace);
    if (brace == kNone || brace + 1 >= tokens_.end) return;
    const Index last = tokens_.end - 1;
    const u32 end = c_.token_start[last] + c_.token_length[last];
    blank(text_, c_.token_start[brace] + 1, end);
    text_[end - 1] = '}';
  }

 private:
  [[nodiscard]] Index find(Token wanted) const {
    for (Index t = tokens_.first; t < tokens_.end; ++t)
      if (frontend::token_at(c_, t) == wanted) return t;
    return kNone;
  }
  [[nodiscard]] bool has(Index t) const { return t >= tokens_.first && t < tokens_.end; }

  // Open brackets are closed as early as there is room; closing brackets without a mate are removed.
  bool mend_brackets() {
    std::vector<Index> open;
    bool mended = false;
    for (Index t = tokens_.first; t < tokens_.end; ++t) {
      const Token token = frontend::token_at(c_, t);
      const Act act = token_row(token).act;
      if (act == Act::Paren || act == Act::Brace) open.push_back(t);
      // A `{` or a `;` behind a `(` without a `)`.
      if (token == Token::Semi && !open.empty() && !is_brace(open.back()) && !closes_later(t)) {
        text_[c_.token_start[t]] = closer_of(open.back());
        open.pop_back();
        mended = true;
      }
      if (act != Act::Close) continue;
      if (!open.empty() && fits(open.back(), token)) {
        open.pop_back();
        continue;
      }
      blank(text_, c_.token_start[t], c_.token_start[t] + 1);
      mended = true;
    }
    return close_at_end(open) || mended;
  }
  [[nodiscard]] bool is_brace(Index t) const { return frontend::token_at(c_, t) == Token::LBrace; }
  [[nodiscard]] char closer_of(Index opener) const {
    switch (frontend::token_at(c_, opener)) {
      case Token::LParen: return ')';
      case Token::LBracket: return ']';
      default: return '}';
    }
  }
  [[nodiscard]] bool fits(Index opener, Token closer) const {
    return static_cast<u8>(frontend::token_at(c_, opener)) + 1 == static_cast<u8>(closer);
  }
  // True if a `)` or `]` stands on the rest of the line.
  [[nodiscard]] bool closes_later(Index t) const {
    for (++t; t < tokens_.end && (c_.token_kind[t] & kFirstOnLine) == 0; ++t)
      if (frontend::token_at(c_, t) == Token::RParen ||
          frontend::token_at(c_, t) == Token::RBracket)
        return true;
    return false;
  }
  // A text without its quote at the end goes on to the end of the line.
  [[nodiscard]] bool is_unended(Index t) const {
    const Token token = frontend::token_at(c_, t);
    if (token == Token::Error) return true;
    if (token != Token::String && token != Token::Char) return false;
    const u32 begin = c_.token_start[t], quote = begin + c_.token_length[t] - 1;
    u32 escapes = 0;
    while (quote - escapes > begin && text_[quote - escapes - 1] == '\\') ++escapes;
    return quote == begin || text_[quote] != text_[begin] || escapes % 2 != 0;
  }
  [[nodiscard]] u32 end_of_line(u32 at) const {
    return static_cast<u32>(std::min(text_.find('\n', at), text_.size()));
  }
  // Writes into the blanks behind the item. What stands behind them is what it was: the last line end stays, as some words begin an item
  // only where they are the first of a line.
  bool close_at_end(const std::vector<Index>& open) {
    const Index last = tokens_.end - 1;
    u32 begin = c_.token_start[last] + c_.token_length[last];
    u32 room = begin;
    while (room < text_.size() &&
           (text_[room] == ' ' || text_[room] == '\r' || text_[room] == '\n'))
      ++room;
    if (is_unended(last)) begin = std::min(room, end_of_line(begin) + 1);
    if (room < text_.size() && room != begin) {
      const size_t line_end = text_.rfind('\n', room - 1);
      room =
          line_end == std::string::npos || line_end < begin ? room - 1 : static_cast<u32>(line_end);
    }
    if (open.empty() || room - begin < open.size()) return false;
    for (size_t k = 0; k < open.size(); ++k)
      text_[begin + k] = closer_of(open[open.size() - 1 - k]);
    return true;
  }
  // Removes lines that lack an operand or an operator, except the item's first.
  bool mend_lines() {
    bool mended = false;
    for (Index i = 0; i < c_.nodes; ++i) {
      if (c_.error[i] == 0 || !has(c_.token[i])) continue;
      const auto code = static_cast<DiagnosticCode>(c_.error[i]);
      if (code != DiagnosticCode::UnclosedBracket) mended |= drop_line(c_.token[i]);
    }
    return mended;
  }
  bool drop_line(Index t) {
    const u32 at = c_.token_start[t];
    // Thousands of errors may stand on one line.
    if (at >= line_begin_ && at < line_end_) return is_line_dropped_;
    const size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
    const u32 begin = before == std::string::npos ? 0 : static_cast<u32>(before) + 1;
    const Index last = tokens_.end - 1;
    const u32 end = std::min(end_of_line(at), c_.token_start[last] + c_.token_length[last]);
    line_begin_ = begin;
    line_end_ = end;
    is_line_dropped_ = c_.token_start[tokens_.first] < begin;
    if (!is_line_dropped_) return false;
    // Braces stay, so that the bodies around the line stay complete.
    for (u32 k = begin; k < end; ++k)
      if (text_[k] != '{' && text_[k] != '}') text_[k] = ' ';
    return true;
  }

  const Columns& c_;
  TokenRange tokens_;
  std::string& text_;
  // Bytes of the line that was looked at last, and whether it went.
  u32 line_begin_ = 0, line_end_ = 0;
  bool is_line_dropped_ = false;
};

// False: there is nothing left to mend.
bool mend_items(const Columns& c, std::string& text, bool is_last) {
  if (c.nodes == 0) return false;
  bool mended = false;
  const std::vector<Index> first_nodes = frontend::find_first_nodes(c);
  for (Index item = 0; item < c.items; ++item) {
    if (c.item_broken[item] == 0) continue;
    TokenRange tokens = frontend::tokens_of(c, first_nodes, item);
    if (tokens.first >= tokens.end || c.token_start[tokens.end - 1] >= text.size()) continue;
    MendItem one(c, tokens, text);
    if (is_last || !one.mend()) one.drop_body();
    mended = true;
  }
  return mended;
}

// Blanks items that name modules only since the text was mended. False: there are none. Modules are loaded for what a text names
// as it is written; whether others are there depends on what was loaded before.
bool drop_uses(const Columns& c, const std::vector<std::string>& written, std::string& text) {
  std::vector<std::string> paths = frontend::list_paths(c);
  std::erase_if(paths, [&](const std::string& path) {
    return std::ranges::find(written, path) != written.end();
  });
  bool dropped = false;
  for (const Index use : frontend::find_uses(c, paths)) {
    if (c.token_start[use] >= text.size()) continue;
    Index end = use + 1;
    while (end < c.tokens && !frontend::begins_item(c, end) &&
           frontend::token_at(c, end - 1) != Token::Semi)
      ++end;
    const u32 last = c.token_start[end - 1] + c.token_length[end - 1];
    blank(text, c.token_start[use], std::min(last, static_cast<u32>(text.size())));
    dropped = true;
  }
  return dropped;
}

}  // namespace

bool compile_mended(frontend::Compiler& compiler, std::string_view text,
                    frontend::Compilation& out) {
  compiler.compile(text, out);
  if (out.ok) return false;
  const Columns& c = compiler.columns();
  const std::vector<std::string> written = frontend::list_paths(c);
  std::string mended(text);
  mend_bytes(mended);
  if (mended != text) compiler.compile(mended, out);
  if (c.nodes == 0) {
    mend_uses(c, mended);
    compiler.compile(mended, out);
  }
  for (u32 round = 0; round < kRounds && mend_items(c, mended, round + 1 == kRounds); ++round)
    compiler.compile(mended, out);
  if (mended == text) return false;
  if (drop_uses(c, written, mended)) compiler.compile(mended, out);
  return true;
}

}  // namespace komuz::services
