// SPDX-License-Identifier: Apache-2.0
#include "tests/services/format_checks.h"

#include <cstring>

#include "services/apply_edits.h"
#include "services/format.h"
#include "services/format/layout.h"

namespace komuz::test {

using services::Comments;
using services::Index;
using services::kNone;
using services::Tree;

namespace {

// True for nodes that the formatter adds, drops or replaces by equivalent ones.
bool is_bare(const Tree& tree, Index i) {
  const Node kind = tree.kind(i);
  if (kind == Node::Semi || kind == Node::Comma || kind == Node::LeadingOr) return false;
  return kind != Node::Paren || tree.is_applied(i) || tree.c.right[i] == kNone ||
         tree.kind(tree.c.right[i]) == Node::Comma;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// Places apart.
bool same_code(const Code& a, const Code& b) {
  return same_bytes(a.instructions, b.instructions) && same_bytes(a.constants, b.constants) &&
         a.types == b.types && a.slot_types == b.slot_types && a.names == b.names;
}

std::string first_difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (size_t k = 0; k < a.size() || k < b.size(); ++k) {
    const std::string x = k < a.size() ? a[k] : "nothing", y = k < b.size() ? b[k] : "nothing";
    if (x != y) return "number " + std::to_string(k) + " was " + x + ", is " + y;
  }
  return {};
}

}  // namespace

std::vector<std::string> bare_tree(frontend::Compiler& compiler, std::string_view source) {
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  const Tree tree(compiler.columns());
  const frontend::Columns& c = tree.c;
  std::vector<std::string> out;
  for (Index rank = 0; rank < c.nodes; ++rank) {
    const Index i = c.order[rank];
    if (!is_bare(tree, i)) continue;
    const NodeRow& row = node_row(tree.kind(i));
    std::string text = std::to_string(static_cast<int>(tree.kind(i))) + " ";
    const bool has_words = row.side == Side::Leaf && tree.kind(i) != Node::LoopStart;
    if (has_words) text += source.substr(c.token_start[c.token[i]], c.token_length[c.token[i]]);
    if (row.side == Side::Open) {
      const auto elements = services::elements_of(tree, c.right[i], Node::Comma, Node::Semi);
      text += "holds " + std::to_string(elements.nodes.size());
    }
    out.push_back(text);
  }
  return out;
}

std::vector<std::string> comments_of(frontend::Compiler& compiler, std::string_view source) {
  frontend::Compilation compilation;
  compiler.compile(source, compilation);
  const frontend::Columns& c = compiler.columns();
  const Comments comments(c);
  std::vector<std::string> out;
  for (Index t = 0; t <= c.tokens; ++t)
    for (const services::Comment& comment : comments.before(t)) out.emplace_back(comment.text);
  return out;
}

std::string FormatChecker::check(std::string_view source) {
  const services::Formatted result = services::format(compiler, source);
  if (!result.ok) return {};
  ++formatted;
  const auto fail = [&](std::string_view what) {
    return std::string(what) + "\n---- source\n" + std::string(source) + "\n---- formatted\n" +
           result.text;
  };
  const services::Formatted again = services::format(compiler, result.text);
  if (!again.ok) return fail("the result has errors of syntax");
  if (again.text != result.text) return fail("formatted again, it is\n" + again.text);
  const std::string spelled =
      services::fix_source(compiler, source, services::FixKind::Spelling).text;
  const std::string tree =
      first_difference(bare_tree(compiler, spelled), bare_tree(compiler, result.text));
  if (!tree.empty()) return fail("another tree: node " + tree);
  const std::string comments =
      first_difference(comments_of(compiler, spelled), comments_of(compiler, result.text));
  if (!comments.empty()) return fail("other comments: " + comments);
  frontend::Compilation before, after;
  compiler.compile(spelled, before);
  compiler.compile(result.text, after);
  compiled += before.ok;
  if (before.ok && !(after.ok && same_code(before.code, after.code))) return fail("other code");
  return {};
}

}  // namespace komuz::test
