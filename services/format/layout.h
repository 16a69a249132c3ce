// SPDX-License-Identifier: Apache-2.0
// How a tree is laid out, by its tokens: which of them go, what stands before each, which stretches break together. Each
// function adds what it knows of one kind of construct; make_document puts the words that stay in their places.
//
// Positions are those of document.h, with tokens for words: 2t is what stands before token t, 2t + 1 the token.
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
  std::vector<u8> dropped;        // tokens that are left out
  std::vector<u8> has_separator;  // is it more than what the neighbours say?
  std::vector<Separator> separators;
  std::vector<Group> groups;
  std::vector<Indent> indents;

  // What stands before token t.
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

// Leaves out the `|` before a first alternative, and parentheses around what a delimiter encloses anyway, and around single
// operands. Those between operators stay, also where precedence would do. To be called first.
void drop_redundant_tokens(Tree& tree, Layout& layout, const Comments& comments);
// Items, blocks with statements or arms, and the control around them.
void lay_out_blocks(Layout& layout);
// What stands in brackets with commas.
void lay_out_lists(Layout& layout);
// Chains of operators and of methods; what stands behind `=` and `=>`.
void lay_out_expressions(Layout& layout);

// Is anything between two neighbours that nothing else separates? Tokens, in the order of the source.
[[nodiscard]] SeparatorKind plain_separator(const Tree& tree, Index before, Index behind);

[[nodiscard]] Document make_document(const Layout& layout, const Comments& comments);

// The operands that nodes of one or two kinds separate (`,` or `;`, which group to the left), in order.
struct Elements {
  std::vector<Index> nodes;
  std::vector<Index> separators;  // the nodes between or behind them
};
[[nodiscard]] Elements elements_of(const Tree& tree, Index root, Node separator,
                                   Node other = Node::None);
// Where `f(a, x => {` may end its line: the opening bracket in which the last of a list's elements goes on; kNone: nowhere.
[[nodiscard]] Index hugged_token(const Tree& tree, Index element);

}  // namespace komuz::services
