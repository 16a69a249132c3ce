// SPDX-License-Identifier: Apache-2.0
#include "services/format/layout.h"

namespace komuz::services {

namespace {

class Blocks {
 public:
  explicit Blocks(Layout& layout) : layout_(layout), tree_(layout.tree), c_(tree_.c) {}

  void run() {
    items();
    for (Index i = 0; i < c_.nodes; ++i) {
      const Node kind = tree_.kind(i), above = tree_.kind(tree_.parent(i));
      const bool is_chosen = above == Node::Else;  // part of a chain of `else`
      if ((kind == Node::Body && !is_chosen && !is_item(i)) || (kind == Node::Else && !is_chosen))
        control(i);
      if (kind == Node::Body && !is_item(i)) head(i);
      if (kind == Node::Block && above != Node::Dot && above != Node::Body && above != Node::Else)
        block(i, kNoGroup);
    }
  }

 private:
  static constexpr u32 kNoGroup = ~0u;

  [[nodiscard]] bool is_item(Index body) const {
    switch (tree_.kind(tree_.left(body))) {
      case Node::Fn:
      case Node::Test:
      case Node::Prop:
      case Node::Space: return true;
      default: return false;
    }
  }

  void items() {
    for (u32 item = 0; item < c_.items; ++item) {
      const Index end_node = c_.item_node[item], first = c_.token[end_node];
      layout_.separate(first, SeparatorKind::Hard).blank_line = item != 0;
      const Index end = item + 1 < c_.items ? c_.token[c_.item_node[item + 1]] : c_.tokens;
      Index content = tree_.right(end_node);
      if (tree_.kind(content) == Node::Pub) content = tree_.right(content);
      const Elements parts = elements_of(tree_, content, Node::Semi);
      if (parts.nodes.size() != 1) continue;
      for (const Index semi : parts.separators) drop_semicolon(semi);
      const Index whole = parts.nodes.front();
      if (tree_.kind(whole) != Node::Body) {
        layout_.has_separator[end] = 1;
        layout_.separators[end].semicolon = true;
        continue;
      }
      const Index last = tree_.last_token(whole);
      const u32 group = layout_.add_group(at_token(first), at_token(last), GroupKind::Fits);
      block(tree_.right(whole), group);
    }
  }

  // `if c { … } else if d { … } else { … }` and the like: the blocks break together.
  void control(Index i) {
    const u32 group = layout_.add_group(at_token(tree_.first_token(i)),
                                        at_token(tree_.last_token(i)), GroupKind::Fits);
    std::vector<Index> open{i};
    while (!open.empty()) {
      const Index part = open.back();
      open.pop_back();
      if (part == kNone) continue;
      const Node kind = tree_.kind(part);
      if (kind == Node::Block) block(part, group);
      if (kind == Node::Else) open.push_back(tree_.left(part));
      if (kind == Node::Else || kind == Node::Body) open.push_back(tree_.right(part));
    }
  }
  // If the part before a block does not fit, the block starts on a line of its own.
  void head(Index body) {
    const Index brace = c_.token[body];
    if (tree_.kind(tree_.right(body)) != Node::Block) return;
    layout_.separate(brace, SeparatorKind::SoftSpace).hands_comments_on = true;
    layout_.add_group(at_token(tree_.first_token(body)), before_token(brace), GroupKind::Fits);
  }

  void drop_semicolon(Index semi) {
    if (tree_.token(c_.token[semi]) == Token::Semi) layout_.dropped[c_.token[semi]] = 1;
  }
  [[nodiscard]] bool has_arms(Index i) const {
    const Index above = tree_.parent(i);
    if (tree_.kind(above) != Node::Body) return false;
    const Node head = tree_.kind(tree_.left(above));
    return head == Node::Match || head == Node::Space;
  }

  [[nodiscard]] bool is_empty(Index i) const {
    return elements_of(tree_, tree_.right(i), Node::Semi).nodes.empty();
  }
  // `{ }`, or a block that only holds comments.
  void empty(Index i, Index close, u32 group) {
    for (const Index semi : elements_of(tree_, tree_.right(i), Node::Semi).separators)
      drop_semicolon(semi);
    Separator& inside = layout_.separate(close, SeparatorKind::SoftSpace);
    inside.opens = inside.closes = true;
    if (group == kNoGroup)
      layout_.add_group(before_token(close), before_token(close), GroupKind::Fits);
  }

  // The lines of a block; `group` breaks them, or a group of its own.
  void block(Index i, u32 group) {
    const Index open = c_.token[i], close = tree_.mate(open);
    if (close == kNone) return;
    if (is_empty(i)) return empty(i, close, group);
    if (group == kNoGroup)
      group = layout_.add_group(before_token(open + 1), before_token(close), GroupKind::Fits);
    layout_.add_indent(before_token(open + 1), at_token(close - 1), group);
    if (has_arms(i))
      arms(i, open, close);
    else
      statements(i, open, close);
  }

  // One arm on each line. Between arms that are blocks the comma may be missing.
  void arms(Index i, Index open, Index close) {
    const Elements arms = elements_of(tree_, tree_.right(i), Node::Comma, Node::Semi);
    for (const Index separator : arms.separators) {
      const Token token = tree_.token(c_.token[separator]);
      if (token == Token::Semi || token == Token::Comma) layout_.dropped[c_.token[separator]] = 1;
    }
    for (const Index arm : arms.nodes)
      layout_.separate(tree_.first_token(arm), SeparatorKind::Hard).comma = CommaKind::Always;
    // The parentheses of the first arm may be dropped, so the arm need not start at the first token.
    layout_.separate(tree_.first_token(arms.nodes.front()), SeparatorKind::Hard).comma =
        CommaKind::None;
    Separator& first = layout_.separate(open + 1, SeparatorKind::Hard);
    first.comma = CommaKind::None;
    first.opens = true;
    Separator& last = layout_.separate(close, SeparatorKind::Hard);
    last.comma = CommaKind::Always;
    last.closes = true;
  }

  void statements(Index i, Index open, Index close) {
    const Index root = tree_.right(i);
    const Elements parts = elements_of(tree_, root, Node::Semi);
    for (const Index semi : parts.separators) drop_semicolon(semi);
    const SeparatorKind kind =
        parts.nodes.size() > 1 ? SeparatorKind::Hard : SeparatorKind::SoftSpace;
    for (size_t k = 0; k < parts.nodes.size(); ++k) {
      const bool is_last = k + 1 == parts.nodes.size();
      const Index behind = is_last ? close : tree_.first_token(parts.nodes[k + 1]);
      const bool drops = tree_.kind(root) == Node::Semi && tree_.right(root) == kNone;
      layout_.separate(behind, kind).semicolon =
          is_last ? ends_with_semicolon(parts.nodes[k], drops, has_value(i))
                  : !ends_like_block(parts.nodes[k]) || !starts_statement(behind);
    }
    layout_.separate(open + 1, kind).opens = true;
    layout_.separators[close].closes = true;
  }
  // True for a statement that needs no `;`, such as `if c { … }`.
  [[nodiscard]] bool ends_like_block(Index statement) const {
    const Node kind = tree_.kind(statement);
    return (kind == Node::Body || kind == Node::Else) &&
           tree_.token(tree_.last_token(statement)) == Token::RBrace;
  }
  // True if a `;` is understood before the token when it starts a line behind a `}`.
  [[nodiscard]] bool starts_statement(Index t) const {
    switch (token_row(tree_.token(t)).act) {
      case Act::Operand:
      case Act::If:
      case Act::Minus:
      case Act::Paren: return true;
      case Act::Item:
      case Act::Brace:
      case Act::Close:
      case Act::Separator:
      case Act::Range:
      case Act::Infix:
      case Act::Foreign: return tree_.kind_of(t) == Node::Name;
    }
    return false;
  }
  // True if the block is more than the body of a loop or of an `if` without `else`.
  [[nodiscard]] bool has_value(Index block) const {
    const Index body = tree_.parent(block);
    if (tree_.kind(body) != Node::Body) return true;
    const Node head = tree_.kind(tree_.left(body));
    if (head == Node::If) return tree_.kind(tree_.parent(body)) == Node::Else;
    return head != Node::While && head != Node::For;
  }
  // A last statement with the value `()` ends in a `;`, unless it is like a block; one with another value does so if
  // the value is dropped.
  [[nodiscard]] bool ends_with_semicolon(Index last, bool drops, bool is_wanted) const {
    if (ends_like_block(last))
      return drops && is_wanted && (tree_.kind(last) == Node::Else || has_value(tree_.right(last)));
    switch (tree_.kind(last)) {
      case Node::Block: return drops;  // it is no statement
      case Node::Let:
      case Node::Var:
      case Node::Assert:
      case Node::Return:
      case Node::Break:
      case Node::Continue:
      case Node::Assign: return true;
      default:
        return drops || !is_wanted || node_row(tree_.kind(last)).node_class == NodeClass::Update;
    }
  }

  Layout& layout_;
  const Tree& tree_;
  const Columns& c_;
};

}  // namespace

void lay_out_blocks(Layout& layout) { Blocks(layout).run(); }

}  // namespace komuz::services
