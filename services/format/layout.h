// SPDX-License-Identifier: Apache-2.0
// Lays out a tree by its tokens: which tokens are dropped, what precedes each, which stretches break together. Each
// function handles one kind of construct. make_document then puts the remaining words in their places.
//
// Positions are those of document.h, with tokens in place of words: 2t is the separator before token t, 2t + 1 the
// token.
#pragma once
#include "services/format/document.h"
#include "services/format/tree.h"

namespace komuz::services {

constexpr u32 before_token(Index t) { return 2 * t; }
constexpr u32 at_token(Index t) { return 2 * t + 1; }

struct Layout {
  explicit Layout(const Tree& of)
      : tree(of),
        dropped(of.c.tokens, 0),
        has_separator(of.c.tokens + 1, 0),
        separators(of.c.tokens + 1) {}

  const Tree& tree;
  std::vector<u8> dropped;        // dropped tokens
  std::vector<u8> has_separator;  // it depends on more than the neighbours
  std::vector<Separator> separators;
  std::vector<Group> groups;
  std::vector<Indent> indents;

  // The separator before token t.
  Separator& separate(Index t, SeparatorKind kind) {
    has_separator[t] = 1;
    separators[t].kind = kind;
    return separators[t];
  }
  u32 add_group(u32 from, u32 to, GroupKind kind, u32 hug_end = 0) {
    groups.push_back({from, to, kind, hug_end});
    return static_cast<u32>(groups.size()) - 1;
  }
  void add_indent(u32 from, u32 to, u32 group) {
    if (from <= to) indents.push_back({from, to, group});
  }
};

// Drops the `|` before a first alternative, parentheses that a delimiter surrounds anyway, and parentheses around
// single operands. Parentheses between operators stay, even if precedence makes them redundant. Must be called first.
void drop_redundant_tokens(Tree& tree, Layout& layout, const Comments& comments);
// Items, blocks with statements or arms, and the control around them.
void lay_out_blocks(Layout& layout);
// Contents of brackets with commas.
void lay_out_lists(Layout& layout);
// Chains of operators and of methods, and expressions behind `=` and `=>`.
void lay_out_expressions(Layout& layout);

// The separator between two neighbours where nothing else decides. The tokens are in the order of the source.
[[nodiscard]] SeparatorKind plain_separator(const Tree& tree, Index before, Index behind);

[[nodiscard]] Document make_document(const Layout& layout, const Comments& comments);

// The operands of separators of one or two kinds (`,` or `;`, which group to the left), in order.
struct Elements {
  std::vector<Index> nodes;
  std::vector<Index> separators;  // the nodes between or behind them
};
[[nodiscard]] Elements elements_of(const Tree& tree, Index root, Node separator,
                                   Node other = Node::None);
// Where `f(a, x => {` may end its line: the opening bracket in which the last element of a list continues; kNone if
// there is none.
[[nodiscard]] Index hugged_token(const Tree& tree, Index element);

}  // namespace komuz::services
