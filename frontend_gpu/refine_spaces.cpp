// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/refine_spaces.h"

#include "frontend_gpu/collect.h"
#include "frontend_gpu/tree.h"

namespace komuz::frontend {

namespace {

// The item of the program's own space of a name; kNone: there is none.
Index space_called(const Columns& c, std::string_view name) {
  for (Index i = 0; i < c.nodes; ++i) {
    const Index t = c.token[i];
    // The head of a module.
    if (node_kind(c, i) == Node::Use && token_at(c, i64{t} - 1) == Token::Pub) break;
    if (node_kind(c, i) == Node::Space && text_of(c, i64{t} + 1) == name) return c.item[i];
  }
  return kNone;
}

}  // namespace

bool refine_space(const Columns& c, Index name, Diagnostic& row) {
  const Index t = c.token[name];
  const Index space = space_called(c, text_of(c, t));
  if (space == kNone) return false;
  const Index call = parent_of(c, name);
  const bool is_called = call != kNone && node_kind(c, call) == Node::Call && c.left[call] == name;
  if (c.item[name] == space && is_called)
    become(row, DiagnosticCode::SpaceInItself, subtree_span(c, call).end, 0);
  else
    become(row, DiagnosticCode::SpaceWithoutMark, is_called ? 0 : kNoEdit, 0);
  return true;
}

}  // namespace komuz::frontend
