// SPDX-License-Identifier: Apache-2.0
#include "services/format/layout.h"

#include "frontend_gpu/view.h"

namespace komuz::services {

Elements elements_of(const Tree& tree, Index root, Node separator, Node other) {
  Elements found;
  std::vector<Index> open{root};
  while (!open.empty()) {
    const Index i = open.back();
    open.pop_back();
    if (i == kNone) continue;
    if (tree.kind(i) != separator && (other == Node::None || tree.kind(i) != other)) {
      found.nodes.push_back(i);
      continue;
    }
    found.separators.push_back(i);
    open.push_back(tree.right(i));
    open.push_back(tree.left(i));
  }
  return found;
}

Index hugged_token(const Tree& tree, Index element) {
  const Columns& c = tree.c;
  Index i = element;
  while (tree.kind(i) == Node::Lambda) i = tree.right(i);
  while (tree.kind(i) == Node::Else) i = tree.left(i);
  if (tree.kind(i) == Node::Body) i = tree.right(i);
  const bool goes_on = tree.kind(i) == Node::Block || tree.kind(i) == Node::Bracket;
  return goes_on && tree.right(i) != kNone ? c.token[i] : kNone;
}

namespace {

bool is_literal(const Tree& tree, Index i) {
  if (tree.kind(i) == Node::Neg) i = tree.right(i);
  switch (tree.kind(i)) {
    case Node::Int:
    case Node::Float:
    case Node::String:
    case Node::Char:
    case Node::True:
    case Node::False: return true;
    default: return false;
  }
}

class Lists {
 public:
  explicit Lists(Layout& layout) : layout_(layout), tree_(layout.tree), c_(tree_.c) {}

  void run() {
    for (Index i = 0; i < c_.nodes; ++i) {
      const Node kind = tree_.kind(i);
      const bool names = kind == Node::Block && tree_.kind(tree_.parent(i)) == Node::Dot;
      if (kind == Node::Paren || kind == Node::Bracket || names) list(i);
    }
  }

 private:
  // `(a + b)` and the like.
  [[nodiscard]] bool only_groups(Index i) const {
    return tree_.kind(i) == Node::Paren && !tree_.is_applied(i) &&
           tree_.kind(tree_.right(i)) != Node::Comma;
  }
  // True if a comma may follow the last element.
  [[nodiscard]] bool takes_comma(Index i, const Elements& elements) const {
    if (tree_.kind(tree_.right(i)) == Node::Semi) return false;  // `[e; N]`
    const Index parent = tree_.parent(i);
    if (tree_.is_applied(i) && tree_.kind(parent) == Node::Index)  // `?[a, b]`, not `List[T, N]`
      return elements.nodes.size() > 1 && tree_.kind(tree_.left(parent)) == Node::Hole;
    if (frontend::name_role(frontend::node_context(c_, i)) == frontend::NameRole::Type)
      return tree_.kind(i) != Node::Bracket;  // `[T]`
    return !(tree_.is_applied(i) && frontend::is_traps_call(c_, parent));
  }

  void list(Index i) {
    const Index open = c_.token[i], close = tree_.mate(open);
    if (tree_.right(i) == kNone || close == kNone || only_groups(i)) return;
    const Elements elements = elements_of(tree_, tree_.right(i), Node::Comma);
    if (elements.nodes.empty()) return;
    // `(a,)` is no group.
    const bool is_single_tuple =
        tree_.kind(i) == Node::Paren && !tree_.is_applied(i) && elements.nodes.size() == 1;
    for (const Index comma : elements.separators) {
      const Index t = c_.token[comma];
      if (tree_.right(comma) != kNone)
        layout_.separate(t + 1, SeparatorKind::SoftSpace);
      else if (!is_single_tuple)
        layout_.dropped[t] = 1;
    }
    layout_.separate(open + 1, SeparatorKind::Soft).opens = true;
    Separator& last = layout_.separate(close, SeparatorKind::Soft);
    last.closes = true;
    if (takes_comma(i, elements) && !is_single_tuple) last.comma = CommaKind::IfBroken;
    add_group(i, elements, open, close);
  }

  void add_group(Index i, const Elements& elements, Index open, Index close) {
    const Index hugged = hugged_token(tree_, elements.nodes.back());
    bool fills = tree_.kind(i) == Node::Bracket && elements.nodes.size() > 1;
    for (const Index element : elements.nodes) fills = fills && is_literal(tree_, element);
    const GroupKind kind = fills ? GroupKind::Fill : GroupKind::Hug;
    const u32 group = layout_.add_group(before_token(open + 1), before_token(close), kind,
                                        hugged == kNone ? 0 : at_token(hugged));
    layout_.add_indent(before_token(open + 1), at_token(close - 1), group);
  }

  Layout& layout_;
  const Tree& tree_;
  const Columns& c_;
};

}  // namespace

void lay_out_lists(Layout& layout) { Lists(layout).run(); }

}  // namespace komuz::services
