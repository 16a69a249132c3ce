// SPDX-License-Identifier: Apache-2.0
#include "services/editor/indentation.h"

#include <algorithm>
#include <vector>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"

namespace komuz::services {
namespace {

constexpr u32 kStep = 4;

struct LineSpan {
  u32 begin = 0, words = 0, end = 0;  // `words`: where its blanks end
};
LineSpan line_around(std::string_view text, u32 place) {
  const size_t before = place == 0 ? std::string_view::npos : text.rfind('\n', place - 1);
  LineSpan line;
  line.begin = before == std::string_view::npos ? 0 : static_cast<u32>(before) + 1;
  line.end = static_cast<u32>(std::min(text.find('\n', place), text.size()));
  line.words = line.begin;
  while (line.words < line.end && (text[line.words] == ' ' || text[line.words] == '\t'))
    ++line.words;
  return line;
}

// True if an expression goes on behind the token, or before it: an operator, a `=`, a `.`.
bool joins(Token token) {
  const TokenRow& row = token_row(token);
  return row.act == Act::Infix || row.act == Act::Minus || row.act == Act::Range;
}

// Takes the opening bracket that fits a closing one, and those inside of it, which nobody has closed yet. kNone: none
// fits.
Index close(const Columns& c, Token closer, std::vector<Index>& open) {
  for (size_t k = open.size(); k-- > 0;) {
    const Index opener = open[k];
    if (static_cast<u8>(frontend::token_at(c, opener)) + 1 != static_cast<u8>(closer)) continue;
    open.resize(k);
    return opener;
  }
  return kNone;
}

}  // namespace

std::optional<LineIndentation> indentation_at(std::string_view text, u32 place) {
  place = std::min(place, static_cast<u32>(text.size()));
  const LineSpan line = line_around(text, place);
  if (text.substr(line.words).starts_with("//")) return std::nullopt;
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  if (c.bytes != text.size()) return std::nullopt;
  // Brackets that are open where the line begins.
  std::vector<Index> open;
  Index t = 0;
  for (; t < c.tokens && c.token_start[t] < line.begin; ++t) {
    const Act act = token_row(frontend::word_at(c, t)).act;
    // `fn` and its like begin an item whatever is open before it.
    if (act == Act::Item && (c.token_kind[t] & kFirstOnLine) != 0 &&
        line_around(text, c.token_start[t]).words == line_around(text, c.token_start[t]).begin)
      open.clear();
    if (act == Act::Paren || act == Act::Brace) open.push_back(t);
    if (act == Act::Close) close(c, frontend::token_at(c, t), open);
  }
  const bool has_words = t < c.tokens && c.token_start[t] < line.end;
  const Token first = has_words ? frontend::word_at(c, t) : Token::Semi;
  const Act act = token_row(first).act;
  LineIndentation out{line.begin, line.words, 0};
  // An item begins at the margin.
  if (has_words && act == Act::Item && open.empty()) return out;
  const auto blanks_of = [&](Index token) {
    const LineSpan own = line_around(text, c.token_start[token]);
    return own.words - own.begin;
  };
  if (has_words && act == Act::Close) {
    if (const Index opener = close(c, first, open); opener != kNone) out.blanks = blanks_of(opener);
    return out;
  }
  if (!open.empty()) out.blanks = blanks_of(open.back()) + kStep;
  const bool goes_on = (has_words && joins(first) && first != Token::Minus) ||
                       (t > 0 && joins(frontend::token_at(c, t - 1)));
  // The alternatives of a type, and what is behind the first line of an expression.
  if (goes_on && t > 0) out.blanks += kStep;
  return out;
}

}  // namespace komuz::services
