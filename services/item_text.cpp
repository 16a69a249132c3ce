// SPDX-License-Identifier: Apache-2.0
#include "services/item_text.h"

#include <algorithm>

namespace komuz::services {

using frontend::Columns;
using frontend::Index;
using frontend::TokenRange;

namespace {

std::string_view without_blanks(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

}  // namespace

std::string_view text_of_token(const Columns& c, Index t) {
  return {reinterpret_cast<const char*>(c.source) + c.token_start[t], c.token_length[t]};
}

std::string on_one_line(const Columns& c, TokenRange tokens) {
  std::string out;
  for (Index t = tokens.first; t < tokens.end; ++t) {
    const bool apart =
        t != tokens.first && c.token_start[t] != c.token_start[t - 1] + c.token_length[t - 1];
    if (apart) out += ' ';
    out += text_of_token(c, t);
  }
  while (out.ends_with(';') || out.ends_with(' ')) out.pop_back();
  return out;
}

TokenRange signature_tokens(const Columns& c, Index item, TokenRange tokens) {
  const Index body = c.item_body[item];
  const bool is_function = c.item_kind[item] == frontend::ItemKind::Function;
  if (is_function && body != frontend::kNone && frontend::node_kind(c, body) == Node::Body &&
      c.right[body] != frontend::kNone)
    return {tokens.first, c.token[c.right[body]]};
  // Up to its `;`. A `;` in brackets belongs to an array.
  u32 depth = 0;
  for (Index t = tokens.first; t < tokens.end; ++t) {
    const Token token = frontend::token_at(c, t);
    const Act act = token_row(token).act;
    depth += act == Act::Paren || act == Act::Brace;
    if (act == Act::Close && depth != 0) --depth;
    if (token == Token::Semi && depth == 0) return {tokens.first, t};
  }
  return tokens;
}

std::string comment_above(std::string_view source, u32 place) {
  size_t line = source.rfind('\n', place);
  std::string out;
  while (line != std::string_view::npos) {
    const size_t before = line == 0 ? std::string_view::npos : source.rfind('\n', line - 1);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view text = without_blanks(source.substr(begin, line - begin));
    if (!text.starts_with("///")) break;
    out = std::string(text.substr(text.starts_with("/// ") ? 4 : 3)) + "\n" + out;
    line = before;
  }
  return out;
}

std::string first_sentence(std::string_view comment) {
  const size_t line = std::min(comment.find('\n'), comment.size());
  const size_t sentence = std::min(comment.find(". "), line);
  return std::string(comment.substr(0, sentence)) + (sentence < line ? "." : "");
}

}  // namespace komuz::services
