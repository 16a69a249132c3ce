// SPDX-License-Identifier: Apache-2.0
// The front end's tree with the questions of a formatter: parents, the tokens of a subtree, mates of brackets. Its
// tokens stay; parentheses may be removed.
#pragma once
#include <vector>

#include "frontend_gpu/view.h"

namespace komuz::services {

using frontend::Columns;
using frontend::Index;
using frontend::kNone;
// The level of what follows a value: fields, calls, indices.
inline constexpr u8 kPostfixLevel = node_row(Node::Dot).level;

class Tree {
 public:
  explicit Tree(const Columns& c);

  const Columns& c;

  // kNone has the kind None.
  [[nodiscard]] Node kind(Index i) const {
    return i == kNone ? Node::None : frontend::node_kind(c, i);
  }
  [[nodiscard]] u32 level(Index i) const { return node_row(kind(i)).level; }
  [[nodiscard]] Token token(Index t) const { return frontend::token_at(c, t); }
  [[nodiscard]] Index left(Index i) const { return left_[i]; }
  [[nodiscard]] Index right(Index i) const { return right_[i]; }
  [[nodiscard]] Index parent(Index i) const { return parent_[i]; }
  // A token's node; kNone for a closing bracket.
  [[nodiscard]] Index node_of(Index t) const { return node_of_[t]; }
  [[nodiscard]] Node kind_of(Index t) const { return kind(node_of_[t]); }
  // The closing bracket of an opening one.
  [[nodiscard]] Index mate(Index t) const { return mate_[t]; }

  [[nodiscard]] Index first_token(Index i) const { return c.token[c.begin[i]]; }
  [[nodiscard]] Index last_token(Index i) const;
  // True for the parentheses or brackets of a call or an index.
  [[nodiscard]] bool is_applied(Index i) const {
    const Node around = parent_[i] == kNone ? Node::None : kind(parent_[i]);
    return (around == Node::Call || around == Node::Index) && right_[parent_[i]] == i;
  }

  // Replaces parentheses by their content.
  void unwrap(Index parentheses);

 private:
  std::vector<Index> left_, right_, parent_, node_of_, mate_;
};

}  // namespace komuz::services
