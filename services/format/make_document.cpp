// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "services/format/layout.h"

namespace komuz::services {

namespace {

bool is_prefix_sign(Node kind) {
  return kind == Node::Neg || kind == Node::NegExponent || kind == Node::Not ||
         kind == Node::AddressOf;
}
bool holds_tight(Node kind) {
  return kind == Node::Dot || kind == Node::Range || kind == Node::RangeInclusive;
}

// Columns; a character takes one.
u32 width_of(std::string_view text) {
  u32 width = 0;
  for (const char byte : text) width += (static_cast<u8>(byte) & 0xC0) != 0x80;
  return width;
}

// Merges a separator with another one in its place.
void join(Separator& a, const Separator& b) {
  a.kind = std::max(a.kind, b.kind);
  a.comma = std::max(a.comma, b.comma);
  a.semicolon |= b.semicolon;
  a.blank_line |= b.blank_line;
  a.opens |= b.opens;
  a.closes |= b.closes;
  a.hands_comments_on |= b.hands_comments_on;
}

bool is_operator(Token token) {
  const std::string_view spelling = token_row(token).spelling;
  return !spelling.empty() && std::string_view("=+-*/%&|^<>!.:").find(spelling[0]) != spelling.npos;
}
// True if two tokens would be read differently when they touch: `1 .5`, which makes no sense, is no float, and `- -x`
// no decrement.
bool would_join(const Tree& tree, Index before, Index behind) {
  const Columns& c = tree.c;
  const Token a = tree.token(before), b = tree.token(behind);
  if (a == Token::Int || a == Token::Float) {
    const bool ends_in_dot = c.source[c.token_start[before] + c.token_length[before] - 1] == '.';
    return (b == Token::Dot && tree.token(behind + 1) == Token::Int) ||
           (ends_in_dot && c.source[c.token_start[behind]] == '.');
  }
  if (a == Token::Dot && b == Token::Float) return true;  // behind a `.` a number is digits only
  const bool is_sign = b == Token::Minus || b == Token::Bang;
  return is_operator(a) && is_operator(b) && (!is_sign || (a == Token::Minus && b == Token::Minus));
}

class Maker {
 public:
  Maker(const Layout& layout, const Comments& comments)
      : layout_(layout), tree_(layout.tree), comments_(comments) {}

  Document make() {
    words();
    for (const Group& g : layout_.groups) {
      const u32 hug_end = g.hug_end == 0 ? 0 : first_position(g.hug_end);
      made_.groups.push_back({first_position(g.from), last_position(g.to), g.kind, hug_end});
    }
    for (const Indent& s : layout_.indents)
      made_.indents.push_back({first_position(s.from), last_position(s.to), s.group});
    return std::move(made_);
  }

 private:
  void words() {
    const Columns& c = tree_.c;
    const std::string_view source(reinterpret_cast<const char*>(c.source), c.bytes);
    Separator separator;
    bool is_known = false;
    PlacedComments placed;
    Index before = kNone;
    for (Index t = 0; t <= c.tokens; ++t) {
      kept_before_.push_back(static_cast<u32>(made_.words.size()));
      const auto here = comments_.before(t).subspan(left_to_branch(t));
      placed.comments.insert(placed.comments.end(), here.begin(), here.end());
      if (const Index next = t + 1; next < c.tokens && left_to_branch(next) != 0)
        placed.comments.push_back(comments_.before(next).front());
      placed.blank_behind = comments_.has_blank_behind(t);
      if (layout_.has_separator[t] != 0) {
        join(separator, layout_.separators[t]);
        is_known = true;
      }
      if (t < c.tokens && layout_.dropped[t] != 0) continue;
      if (!is_known && before != kNone && t < c.tokens)
        separator.kind = plain_separator(tree_, before, t);
      made_.separators.push_back(separator);
      made_.comments.push_back(std::move(placed));
      separator = {};
      placed = {};
      is_known = false;
      before = t;
      if (t == c.tokens) return;
      const std::string_view text = source.substr(c.token_start[t], c.token_length[t]);
      made_.words.push_back({text, width_of(text)});
    }
  }
  // The number of comments before a token that belong to the branch that ends there: behind `} else {`, a comment on
  // the line of the `}` would refer to the other branch.
  [[nodiscard]] size_t left_to_branch(Index t) const {
    const bool follows_branch = t != 0 && t < tree_.c.tokens && tree_.kind_of(t) == Node::Else &&
                                tree_.token(t - 1) == Token::RBrace;
    const auto comments = follows_branch ? comments_.before(t) : std::span<const Comment>();
    return !comments.empty() && !comments.front().owns_line ? 1 : 0;
  }
  // Maps positions of tokens to positions of words. A dropped token lies behind the word before it, and before the
  // next one.
  [[nodiscard]] u32 first_position(u32 p) const { return 2 * kept_before_[p / 2] + p % 2; }
  [[nodiscard]] u32 last_position(u32 p) const {
    const bool is_dropped = p % 2 != 0 && layout_.dropped[p / 2] != 0;
    return first_position(p) - (is_dropped ? 2 : 0);
  }

  const Layout& layout_;
  const Tree& tree_;
  const Comments& comments_;
  Document made_;
  std::vector<u32> kept_before_;  // by token
};

}  // namespace

SeparatorKind plain_separator(const Tree& tree, Index before, Index behind) {
  constexpr SeparatorKind kNothing = SeparatorKind::None, kSpace = SeparatorKind::Space;
  const Token a = tree.token(before), b = tree.token(behind);
  const Node left = tree.kind_of(before), right = tree.kind_of(behind);
  if (a == Token::LParen || a == Token::LBracket) return kNothing;
  if (b == Token::RParen || b == Token::RBracket || b == Token::Comma || b == Token::Semi)
    return kNothing;
  if (would_join(tree, before, behind)) return kSpace;
  if (right == Node::Colon || holds_tight(left) || holds_tight(right) || left == Node::Spread)
    return kNothing;
  if (is_prefix_sign(left)) return kNothing;
  if (b == Token::LParen || b == Token::LBracket) {
    const Index opener = tree.node_of(behind);
    if (!tree.is_applied(opener)) return kSpace;
    const Index applied = tree.left(tree.parent(opener));
    return tree.kind(applied) == Node::String ? kSpace : kNothing;  // `prop "name" (a: …)`
  }
  return kSpace;
}

Document make_document(const Layout& layout, const Comments& comments) {
  return Maker(layout, comments).make();
}

}  // namespace komuz::services
