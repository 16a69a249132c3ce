// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_spaces.h"

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/names/modules.h"
#include "frontend_gpu/tree/tree.h"

namespace komuz::frontend {

namespace {

// True if a `use` of the program lists the name.
bool is_listed(const Columns& c, std::string_view name) {
  count_work(c, c.binds);
  for (u32 b = 0; b < c.binds; ++b)
    if (c.bind_kind[b] == BindKind::Import && module_of(c, c.bind_node[b]) == 0 &&
        text_of(c, c.token[c.bind_node[b]]) == name)
      return true;
  return false;
}
// The node of the space with a name that the program has, by itself or by a `use`; kNone: there is none.
Index space_called(const Columns& c, std::string_view name) {
  count_work(c, c.nodes);
  for (Index i = 0; i < c.nodes; ++i) {
    const Index t = c.token[i];
    // The head of a module.
    if (node_kind(c, i) == Node::Use && token_at(c, i64{t} - 1) == Token::Pub &&
        !is_listed(c, name))
      break;
    if (node_kind(c, i) == Node::Space && text_of(c, i64{t} + 1) == name) return i;
  }
  return kNone;
}

// True if the arguments of a call, which stands in a space's own alternatives, are the space's parameters. A space
// passes these on by itself.
bool repeats_parameters(const Columns& c, Index head, Index call) {
  const Index open = head + 1, close = closer_of(c, open), last = closer_of(c, call);
  if (close == kNone || last == kNone) return false;
  Index argument = call + 1;
  for (Index t = open + 1; t < close; ++t) {
    const Token before = token_at(c, i64{t} - 1);
    const bool is_name = (t == open + 1 || before == Token::Comma) && opener_of(c, t) == open;
    if (!is_name) continue;
    if (text_of(c, argument) != text_of(c, t)) return false;
    argument += token_at(c, i64{argument} + 1) == Token::Comma ? 2 : 1;
  }
  return argument == last;
}

}  // namespace

bool refine_space(const Columns& c, Index name, Diagnostic& row) {
  const Index t = c.token[name];
  const Index space = space_called(c, text_of(c, t));
  if (space == kNone) return false;
  const Index call = parent_of(c, name);
  const bool is_called = call != kNone && node_kind(c, call) == Node::Call && c.left[call] == name;
  if (c.item[name] == c.item[space] && is_called)
    become(row, DiagnosticCode::SpaceInItself, subtree_span(c, call).end,
           repeats_parameters(c, c.token[space] + 1, t + 1) ? 0 : kNoEdit);
  else
    become(row, DiagnosticCode::SpaceWithoutMark, is_called ? 0 : kNoEdit, 0);
  return true;
}

}  // namespace komuz::frontend
