// SPDX-License-Identifier: Apache-2.0
#include "services/format/layout.h"

namespace komuz::services {

namespace {

// True for an expression with its own brackets, which is best left in place however long it is.
bool keeps_its_line(Node kind) {
  return kind == Node::Block || kind == Node::Body || kind == Node::Else;
}

class Expressions {
 public:
  explicit Expressions(Layout& layout)
      : layout_(layout),
        tree_(layout.tree),
        c_(tree_.c),
        root_(c_.nodes),
        first_(c_.nodes, kNone),
        methods_(c_.nodes, 0) {}

  void run() {
    find_roots();
    for (Index i = 0; i < c_.nodes; ++i) {
      const Node kind = tree_.kind(i);
      if (is_infix(kind)) operate(i);
      if (is_method_call(i)) note_method(i);
      if (kind == Node::Lambda || node_row(kind).level == node_row(Node::Assign).level)
        break_behind(i);
    }
    for (Index i = 0; i < c_.nodes; ++i) {
      if (first_[i] == kNone || root_[i] != i) continue;
      if (is_infix(tree_.kind(i))) chain(i);
      if (methods_[i] > 1) method_chain(i);
    }
  }

 private:
  [[nodiscard]] static bool is_infix(Node kind) {
    switch (node_row(kind).node_class) {
      case NodeClass::Arithmetic:
      case NodeClass::Shift:
      case NodeClass::Compare:
      case NodeClass::Lazy: return true;
      case NodeClass::Unary:
      case NodeClass::Update:
      case NodeClass::Other: return false;
    }
    return false;
  }
  [[nodiscard]] bool is_method_call(Index i) const {
    return tree_.kind(i) == Node::Call && tree_.kind(tree_.left(i)) == Node::Dot;
  }

  // Finds the topmost of operators of one level, and of chained calls. From the root down.
  void find_roots() {
    for (Index rank = c_.nodes; rank-- > 0;) {
      const Index i = c_.order[rank], above = tree_.parent(i);
      root_[i] = i;
      if (above == kNone) continue;
      const bool operates = is_infix(tree_.kind(i)) && is_infix(tree_.kind(above)) &&
                            tree_.level(i) == tree_.level(above);
      const bool applies = tree_.level(i) == kPostfixLevel && tree_.level(above) == kPostfixLevel &&
                           tree_.left(above) == i;
      if (operates || applies) root_[i] = root_[above];
    }
  }

  void operate(Index i) {
    layout_.separate(c_.token[i], SeparatorKind::SoftSpace);
    Index& first = first_[root_[i]];
    if (first == kNone) first = c_.token[i];
  }
  void note_method(Index i) {
    Index& first = first_[root_[i]];
    if (first == kNone) first = c_.token[tree_.left(i)];
    ++methods_[root_[i]];
  }

  void chain(Index i) {
    const u32 to = at_token(tree_.last_token(i));
    const u32 group = layout_.add_group(at_token(tree_.first_token(i)), to, GroupKind::Fits);
    layout_.add_indent(before_token(first_[i]), to, group);
  }
  // `xs.map(f).filter(g)`: a break before each dot that calls.
  void method_chain(Index i) {
    Index hugged = kNone;
    if (tree_.kind(i) == Node::Call && tree_.right(tree_.right(i)) != kNone) {
      const Elements arguments = elements_of(tree_, tree_.right(tree_.right(i)), Node::Comma);
      if (!arguments.nodes.empty()) hugged = hugged_token(tree_, arguments.nodes.back());
    }
    const u32 to = at_token(tree_.last_token(i));
    const u32 group = layout_.add_group(at_token(tree_.first_token(i)), to, GroupKind::Hug,
                                        hugged == kNone ? 0 : at_token(hugged));
    layout_.add_indent(before_token(first_[i]), to, group);
    for (Index k = i; k != kNone && tree_.level(k) == kPostfixLevel; k = tree_.left(k))
      if (is_method_call(k)) layout_.separate(c_.token[tree_.left(k)], SeparatorKind::Soft);
  }

  // `let x = …`, `p => …`
  void break_behind(Index i) {
    const Index right = tree_.right(i);
    if (right == kNone || keeps_its_line(tree_.kind(right))) return;
    const Index t = tree_.first_token(right);
    layout_.separate(t, SeparatorKind::SoftSpace);
    const u32 to = at_token(tree_.last_token(right));
    const u32 group = layout_.add_group(before_token(t), to, GroupKind::First);
    layout_.add_indent(before_token(t), to, group);
  }

  Layout& layout_;
  const Tree& tree_;
  const Columns& c_;
  std::vector<Index> root_;   // by node: the root of its chain
  std::vector<Index> first_;  // by root: the token before which its chain breaks first
  std::vector<u32> methods_;  // by root: how many methods are called
};

}  // namespace

void lay_out_expressions(Layout& layout) { Expressions(layout).run(); }

}  // namespace komuz::services
