// SPDX-License-Identifier: Apache-2.0
// The tree of a program as a draft: nodes of the front end that may change places, and new ones. Parentheses that
// only group are gone; the text gets those that it needs. Draft also is that text, token by token.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "services/analysis.h"
#include "services/front_end_names.h"

namespace komuz::services {

// Operators whose precedence everybody knows; others keep the parentheses that their author gave them.
[[nodiscard]] bool is_plain_operator(Node kind);

class Draft {
 public:
  // The text has been compiled, and is sound.
  explicit Draft(const Analysis& analysis);

  struct DraftNode {
    Node kind = Node::None;
    Scalar type = Scalar::None;  // None: no scalar
    bool is_own = true;          // it stands for a token, `text`
    bool is_value = false;
    bool is_commented = false;  // a comment stands between its tokens
    Index origin = kNone;       // of the front end; kNone: it is new
    Index place = kNone;        // the node of the front end whose names it sees
    u32 ref = kNone;            // of a name: Columns::ref
    u32 left = kNone, right = kNone, parent = kNone;
    std::string_view text, closing;
  };
  [[nodiscard]] const DraftNode& operator[](u32 n) const { return nodes_[n]; }
  [[nodiscard]] u32 size() const { return static_cast<u32>(nodes_.size()); }
  [[nodiscard]] Node kind(u32 n) const { return n == kNone ? Node::None : nodes_[n].kind; }
  [[nodiscard]] const Analysis& analysis() const { return analysis_; }
  [[nodiscard]] const Columns& columns() const { return analysis_.columns(); }
  // Bodies of the program's own functions: their Body nodes.
  [[nodiscard]] const std::vector<u32>& bodies() const { return bodies_; }

  u32 add(Node kind, Scalar type, u32 left, u32 right, std::string_view text = {});
  // A name that refers to a binding or a built-in.
  u32 add_name(std::string_view text, Scalar type, u32 ref);
  // A call of a built-in function.
  u32 add_call(u32 builtin, Scalar type, std::vector<u32> arguments);
  // Values as a program writes them; kNone: it has no literal for it.
  u32 add_literal(Scalar type, u64 cell);
  // A copy of a name or a literal, for the place of `use`.
  u32 copy_leaf(u32 n, u32 use);
  // Puts `by` where n stands.
  void replace(u32 n, u32 by);
  void rename(u32 n, std::string_view text);
  void set_left(u32 n, u32 child);
  void set_right(u32 n, u32 child);
  // Literals that were not in the text, and whose type is not the one of literals by themselves.
  [[nodiscard]] std::vector<u32> new_typed_literals() const;
  // Writes the type of a literal: `f32(0.1)`.
  void write_type(u32 literal);

  // True for the operand of a conversion to another type, which a literal there would take.
  [[nodiscard]] bool is_converted(u32 n) const;
  // True for a number or its `-`.
  [[nodiscard]] bool is_literal(u32 n) const;
  // The comments before its first token.
  [[nodiscard]] bool has_comment_before(u32 n) const;
  [[nodiscard]] bool has_comment_behind(u32 n) const;

  // Nodes below n, each behind its children.
  void list_below(u32 n, std::vector<u32>& out) const;

  // What is compared after compiling the text: each node that stands for a token, behind its children, and the type of
  // each literal.
  struct Shape {
    Hash128 hash;
    std::vector<u32> literals;  // in the order of the text
  };
  [[nodiscard]] Shape shape() const;
  [[nodiscard]] std::string text() const;
  // How many columns it would take on one line, without parentheses; more than `most` may be too few.
  [[nodiscard]] u32 width(u32 n, u32 most) const;

 private:
  enum class Part : u8 { Before, Between, Behind };
  // Goes through what stands below a node in the order of the text.
  template <class Visit>
  void walk(u32 root, const Visit& visit) const;
  void drop_parentheses();
  [[nodiscard]] bool may_drop(u32 paren) const;
  [[nodiscard]] bool needs_parentheses(u32 n) const;
  [[nodiscard]] bool is_group(u32 n) const;
  [[nodiscard]] bool starts_with_number(u32 n) const;
  [[nodiscard]] bool has_comment(Index first, Index last) const;

  const Analysis& analysis_;
  std::vector<DraftNode> nodes_;
  std::vector<u32> roots_, bodies_;
  std::vector<u32> comments_;        // before token t: how many there are before it
  std::vector<Index> first_, last_;  // tokens of nodes of the front end
  std::deque<std::string> texts_;
};

template <class Visit>
void Draft::walk(u32 root, const Visit& visit) const {
  struct Step {
    u32 node;
    Part part;
  };
  std::vector<Step> steps = {{root, Part::Before}};
  while (!steps.empty()) {
    const Step step = steps.back();
    steps.pop_back();
    const DraftNode& n = nodes_[step.node];
    visit(step.node, step.part);
    switch (step.part) {
      case Part::Before:
        steps.push_back({step.node, Part::Between});
        if (n.left != kNone) steps.push_back({n.left, Part::Before});
        break;
      case Part::Between:
        steps.push_back({step.node, Part::Behind});
        if (n.right != kNone) steps.push_back({n.right, Part::Before});
        break;
      case Part::Behind: break;
    }
  }
}

}  // namespace komuz::services
