// SPDX-License-Identifier: Apache-2.0
// The text of a draft: its tokens, the parentheses that they need, and what stands between them.
#include <algorithm>

#include "services/simplify/draft.h"

namespace komuz::services {

bool is_plain_operator(Node kind) {
  switch (kind) {
    case Node::Add:
    case Node::Sub:
    case Node::Mul:
    case Node::Div:
    case Node::Rem:
    case Node::Pow:
    case Node::Neg:
    case Node::Not:
    case Node::Eq:
    case Node::Ne:
    case Node::Lt:
    case Node::Le:
    case Node::Gt:
    case Node::Ge:
    case Node::AndThen:
    case Node::OrElse: return true;
    default: return false;
  }
}
u32 Draft::width(u32 root, u32 most) const {
  u32 sum = 0;
  std::vector<u32> waiting = {root};
  while (!waiting.empty() && sum <= most) {
    const DraftNode& n = nodes_[waiting.back()];
    waiting.pop_back();
    if (n.left != kNone) waiting.push_back(n.left);
    if (n.right != kNone) waiting.push_back(n.right);
    if (!n.is_own || n.kind == Node::Paren) continue;
    const bool is_infix = n.left != kNone && n.kind != Node::Dot;
    sum += static_cast<u32>(n.text.size()) + (is_infix ? 2 : 0);
  }
  return sum;
}

bool Draft::starts_with_number(u32 n) const {
  while (nodes_[n].left != kNone) n = nodes_[n].left;
  return kind(n) == Node::Int || kind(n) == Node::Float;
}
bool Draft::needs_parentheses(u32 n) const {
  const u32 above = nodes_[n].parent;
  if (above == kNone || !nodes_[n].is_value) return false;
  const Node own = kind(n), outer = kind(above);
  const bool is_right = nodes_[above].right == n;
  const u8 level = node_row(own).level, around = node_row(outer).level;
  const bool is_applied_to =
      !is_right && (outer == Node::Dot || outer == Node::Call || outer == Node::Index);
  if (is_applied_to && (own == Node::Int || own == Node::Float)) return outer == Node::Dot;
  // In a head, a block would be taken for the body.
  const bool is_head = outer == Node::If || outer == Node::Match || outer == Node::While ||
                       outer == Node::In || outer == Node::Guard || outer == Node::Limit ||
                       outer == Node::Range || outer == Node::RangeInclusive;
  if (own == Node::Block || own == Node::Else || own == Node::Body)
    if (is_head || is_applied_to) return true;
  const bool is_operator = is_plain_operator(outer) ||
                           node_row(outer).node_class == NodeClass::Arithmetic ||
                           node_row(outer).node_class == NodeClass::Shift;
  if (!is_operator && !is_applied_to) return false;
  if (own == Node::Block) return true;
  if (node_row(own).side == Side::Leaf || node_row(own).side == Side::Open) return false;
  // `a - -b` is hard to read; somebody may have written it all the same.
  if (own == Node::Neg && is_right && (outer == Node::Add || outer == Node::Sub)) {
    const bool is_written = nodes_[n].origin != kNone && nodes_[above].origin != kNone &&
                            columns().right[nodes_[above].origin] == nodes_[n].origin;
    return !is_written;
  }
  if (own == Node::Neg && outer == Node::Pow && is_right)
    return node_row(kind(nodes_[n].right)).level < node_row(Node::Pow).level;
  if (outer == Node::Neg && !is_literal(above) && starts_with_number(n)) return true;
  if (level != around) return level < around;
  switch (node_row(outer).side) {
    case Side::Left: return is_right;
    case Side::Right: return !is_right;
    case Side::Prefix: return outer == Node::Neg;
    default: return true;
  }
}

std::string Draft::text() const {
  const Columns& c = columns();
  const std::string_view source = analysis_.program();
  std::string out;
  const Index tokens = analysis_.own_tokens();
  Index before = kNone;  // the token of the source that was written last; kNone: another one
  bool is_first = true;
  const auto gap_before = [&](Index t) {
    const u32 begin = t == 0 ? 0 : c.token_start[t - 1] + c.token_length[t - 1];
    const u32 stop = t == tokens ? static_cast<u32>(source.size()) : u32{c.token_start[t]};
    return source.substr(begin, stop - begin);
  };
  // Comments before tokens that are gone stand before the next one that is left.
  Index next_comment = 0;
  const auto put_comments = [&](Index t) {
    bool found = false;
    for (; next_comment <= t; ++next_comment) {
      if (comments_[next_comment + 1] == comments_[next_comment]) continue;
      out += gap_before(next_comment);
      found = true;
    }
    return found;
  };
  const auto put = [&](std::string_view token, Index t) {
    if (t == kNone) {
      out += ' ';
    } else if (!put_comments(t)) {
      const bool follows = is_first ? t == 0 : before != kNone && before + 1 == t;
      const std::string_view gap = gap_before(t);
      // Lines stay short enough to be read.
      out += follows                                    ? gap
             : gap.find('\n') != std::string_view::npos ? std::string_view("\n")
                                                        : std::string_view(" ");
    }
    out += token;
    before = t;
    is_first = false;
  };
  for (const u32 root : roots_)
    walk(root, [&](u32 at, Part part) {
      const DraftNode& n = nodes_[at];
      const Index t = n.origin == kNone ? kNone : Index{c.token[n.origin]};
      switch (part) {
        case Part::Before:
          if (needs_parentheses(at)) put("(", kNone);
          break;
        case Part::Between:
          if (n.is_own)
            put(n.text, t);
          else if (n.kind == Node::Semi && n.left != kNone && n.right != kNone)
            out += '\n';
          break;
        case Part::Behind:
          if (!n.closing.empty()) {
            // The mate of an opening token of the source.
            Index mate = kNone;
            if (n.origin != kNone) mate = last_[n.origin];
            put(n.closing, mate);
          }
          if (needs_parentheses(at)) put(")", kNone);
          break;
      }
    });
  if (!put_comments(tokens)) out += gap_before(tokens);
  return out;
}

Draft::Shape Draft::shape() const {
  Shape shape;
  for (const u32 root : roots_)
    walk(root, [&](u32 at, Part part) {
      if (part != Part::Behind) return;
      const DraftNode& n = nodes_[at];
      const bool is_literal_token = n.kind == Node::Int || n.kind == Node::Float;
      if (is_literal_token && n.is_value) shape.literals.push_back(at);
      if (!n.is_own || n.kind == Node::Paren || n.kind == Node::Semi || n.kind == Node::LeadingOr ||
          (n.kind == Node::Comma && n.right == kNone))
        return;
      shape.hash.add(static_cast<u64>(n.kind));
      add_text(shape.hash, n.text);
    });
  return shape;
}

}  // namespace komuz::services
