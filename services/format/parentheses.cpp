// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "frontend_gpu/named_types.h"
#include "services/format/layout.h"

namespace komuz::services {

namespace {

// Binds tighter than all constructs with a place of their own between delimiters: ranges, operators, operands.
constexpr u8 kOperatorLevel = node_row(Node::Range).level;

class Finder {
 public:
  Finder(Tree& tree, Layout& layout, const Comments& comments)
      : tree_(tree), layout_(layout), comments_(comments) {}

  // In post-order, so that inner parentheses have been decided.
  void run() {
    for (Index rank = 0; rank < tree_.c.nodes; ++rank) {
      const Index i = tree_.c.order[rank];
      if (tree_.kind(i) == Node::Paren && is_redundant(i)) drop(i);
      if (tree_.kind(i) == Node::LeadingOr) drop_bar(i);
    }
  }

 private:
  [[nodiscard]] Index opener(Index i) const { return tree_.c.token[i]; }
  void drop(Index i) {
    layout_.dropped[opener(i)] = 1;
    layout_.dropped[tree_.mate(opener(i))] = 1;
    tree_.unwrap(i);
  }
  // Before a single alternative it says that this is no name of another type.
  void drop_bar(Index i) {
    const bool has_others =
        tree_.kind(tree_.right(i)) == Node::BitOr || tree_.kind(tree_.parent(i)) == Node::BitOr;
    if (!has_others || tree_.right(i) == kNone) return;
    layout_.dropped[tree_.c.token[i]] = 1;
    tree_.unwrap(i);
  }
  [[nodiscard]] bool is_redundant(Index i) const {
    const Index open = opener(i), close = tree_.mate(open), content = tree_.right(i);
    if (tree_.is_applied(i) || content == kNone || close == kNone) return false;
    if (tree_.parent(i) == kNone || has_own_lines(open + 1) || has_own_lines(close)) return false;
    const Index last = close - 1;
    if (!stays_name(open + 1, i64{open} - 1) ||
        !stays_name(last, last == open + 1 ? i64{open} - 1 : i64{last} - 1))
      return false;
    if (is_operand(content)) return may_stand_bare(i, content) && !is_argument_real(i, content);
    if (is_control(content)) return is_enclosed(i, tree_.kind(content) == Node::Block);
    return tree_.level(content) >= kOperatorLevel && tree_.kind(content) != Node::Spread &&
           (is_enclosed(i, false) || is_in_head(i));
  }
  [[nodiscard]] bool has_own_lines(Index t) const {
    return std::ranges::any_of(comments_.before(t), &Comment::owns_line);
  }
  [[nodiscard]] Token lexed(Index t) const { return tree_.token(t); }
  // A word such as `limit` is a keyword only behind an operand. Other words depend on what follows as well.
  [[nodiscard]] bool stays_name(Index t, i64 before) const {
    const Token word = lexed(t);
    if (!is_contextual(word)) return true;
    const bool asks_left = word >= Token::Limit && word <= Token::Rec;
    if (!asks_left || before < 0) return false;
    const Token left = lexed(static_cast<Index>(before));
    return token_row(left).ends == Ends::No && !is_contextual(left);
  }

  // True for a single operand, of which no operator could take a part.
  [[nodiscard]] bool is_operand(Index content) const {
    switch (tree_.kind(content)) {
      case Node::Name:
      case Node::Int:
      case Node::Float:
      case Node::String:
      case Node::Char:
      case Node::Hole:
      case Node::True:
      case Node::False:
      case Node::Paren:
      case Node::Bracket: return true;
      default: return tree_.level(content) == kPostfixLevel;
    }
  }
  [[nodiscard]] bool may_stand_bare(Index i, Index content) const {
    const Index parent = tree_.parent(i);
    const Node kind = tree_.kind(content);
    const bool is_left = tree_.left(parent) == i;
    switch (tree_.kind(parent)) {
      case Node::Call: return false;
      case Node::Index: return kind != Node::Hole;  // `(?x)[0]` is no choice
      case Node::Dot: return is_left && kind != Node::Int && kind != Node::Float;
      case Node::Lambda:
        return !is_left || kind != Node::Paren;  // `((a, b)) => …` has one parameter
      case Node::Rec:
      case Node::Depth:
      case Node::Limit: return is_left;
      case Node::Neg:
      case Node::NegExponent: return !starts_with_number(content);
      default: return true;
    }
  }
  // `?s((real))` expands a space; `?s(real)` is any number.
  [[nodiscard]] bool is_argument_real(Index i, Index content) const {
    Index around = tree_.parent(i);
    if (tree_.kind(around) == Node::Comma && tree_.right(around) == kNone)
      around = tree_.parent(around);
    return tree_.kind(content) == Node::Name && frontend::name_text(tree_.c, content) == "real" &&
           tree_.kind(around) == Node::Paren && tree_.is_applied(around) &&
           tree_.kind(tree_.left(tree_.parent(around))) == Node::Hole;
  }
  // A sign right before a number belongs to it: `-(1.0.f())`.
  [[nodiscard]] bool starts_with_number(Index content) const {
    const Token first = tree_.token(tree_.first_token(content));
    return first == Token::Int || first == Token::Float;
  }
  // `if c { a } else { b }` and the like.
  [[nodiscard]] bool is_control(Index content) const {
    const Node kind = tree_.kind(content);
    return kind == Node::Body || kind == Node::Else || kind == Node::Block;
  }
  // True if a delimiter on either side, or the end of a statement, holds it together. A block is no statement.
  [[nodiscard]] bool is_enclosed(Index i, bool is_block) const {
    const Index parent = tree_.parent(i);
    const bool is_right = tree_.right(parent) == i;
    switch (tree_.kind(parent)) {
      case Node::Paren:
      case Node::Bracket:
      case Node::Comma:
      case Node::Return: return true;
      case Node::Block:
      case Node::Semi: return !is_block;
      case Node::Lambda:
      case Node::Colon:
      case Node::Assign: return is_right;
      default: return is_right && node_row(tree_.kind(parent)).node_class == NodeClass::Update;
    }
  }
  // True if it is all that stands between a word and the block or word behind it.
  [[nodiscard]] bool is_in_head(Index i) const {
    const Index parent = tree_.parent(i);
    const bool is_right = tree_.right(parent) == i;
    switch (tree_.kind(parent)) {
      case Node::Assert: return true;
      case Node::If:
      case Node::Match: return !ends_in_block(tree_.right(i));
      case Node::While:
      case Node::In:
      case Node::Guard: return is_right && !ends_in_block(tree_.right(i));
      case Node::Limit: return !is_right && !ends_in_block(tree_.right(i));
      default: return false;
    }
  }
  // `x < { 3 }`: in a head, the block would be taken for the body, or for the end of a statement.
  [[nodiscard]] bool ends_in_block(Index content) const {
    Index last = content;
    while (node_row(tree_.kind(last)).side != Side::Open && tree_.right(last) != kNone)
      last = tree_.right(last);
    return tree_.kind(last) == Node::Block;
  }

  Tree& tree_;
  Layout& layout_;
  const Comments& comments_;
};

}  // namespace

void drop_redundant_tokens(Tree& tree, Layout& layout, const Comments& comments) {
  Finder(tree, layout, comments).run();
}

}  // namespace komuz::services
