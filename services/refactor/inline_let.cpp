// SPDX-License-Identifier: Apache-2.0
// The value of a `let` in the place of its name.
#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/refactor/expression.h"
#include "services/refactor/proposals.h"
#include "services/symbols.h"

namespace komuz::services {
namespace {

struct LetStatement {
  u32 binding = 0;
  Index let = kNone;
  Expression value;
  std::vector<Index> uses;  // in the order of the text
};

// `let x = e` or `let x: T = e`, whose name or a use of it is at the byte.
std::optional<LetStatement> let_at(const Analysis& analysis, u32 byte) {
  const Columns& c = analysis.columns();
  const Symbol symbol = symbol_around(analysis, byte);
  if (symbol.kind != Symbol::Kind::Binding || c.bind_kind[symbol.number] != BindKind::Let)
    return std::nullopt;
  LetStatement out;
  out.binding = symbol.number;
  const Index name = c.bind_node[out.binding];
  Index assign = frontend::parent_of(c, name);
  if (assign != kNone && frontend::node_kind(c, assign) == Node::Colon && c.left[assign] == name)
    assign = frontend::parent_of(c, assign);
  if (assign == kNone || frontend::node_kind(c, assign) != Node::Assign) return std::nullopt;
  const Index target = c.left[assign];
  const bool is_plain =
      target == name || (frontend::node_kind(c, target) == Node::Colon && c.left[target] == name);
  out.let = frontend::parent_of(c, assign);
  if (!is_plain || out.let == kNone || frontend::node_kind(c, out.let) != Node::Let)
    return std::nullopt;
  const auto value = expression_of(analysis, c.right[assign]);
  if (!value) return std::nullopt;
  out.value = *value;
  for (Index i = c.end[out.let]; i < c.nodes && c.token[i] < analysis.own_tokens(); ++i)
    if (frontend::node_kind(c, i) == Node::Name && c.ref[i] == out.binding) out.uses.push_back(i);
  return out;
}

// Does everything that the value names mean the same where it is used, and have the value that it had?
bool means_the_same(const Analysis& analysis, const LetStatement& let) {
  const Columns& c = analysis.columns();
  const Index value_begin = c.begin[let.value.node], value_end = c.end[let.value.node];
  const Index from = c.end[let.let], until = c.bind_until[let.binding];
  for (Index v = value_begin; v < value_end; ++v) {
    if (frontend::node_kind(c, v) != Node::Name) continue;
    for (u32 b = 0; b < c.binds; ++b) {
      const Index node = c.bind_node[b];
      if (node >= from && node < until && frontend::same_text(c, node, v)) return false;
    }
    const u32 ref = c.ref[v];
    const bool is_variable = ref < c.binds && c.bind_kind[ref] == BindKind::Var;
    for (Index i = from; is_variable && i < std::min<Index>(until, c.nodes); ++i) {
      if (frontend::node_kind(c, i) != Node::Name || c.ref[i] != ref) continue;
      const frontend::NameRole role = frontend::name_role(frontend::node_context(c, i));
      // `x = …`, `x += …`, `x[0] = …`, `x.push(…)`: what stands before a dot or a bracket may be changed.
      if (role != frontend::NameRole::Value) return false;
      const Index above = frontend::parent_of(c, i);
      if (above != kNone && frontend::node_kind(c, above) == Node::Dot) return false;
    }
  }
  return true;
}

// The bytes that go with the statement: its line, where nothing else stands there.
Edit removal(const Analysis& analysis, const LetStatement& let) {
  const std::string_view text = analysis.text();
  const frontend::Span span = frontend::subtree_span(analysis.columns(), let.let);
  size_t begin = span.begin, end = std::max(span.end, let.value.end);
  const auto skip_blanks = [&](size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    return at;
  };
  if (const size_t semi = skip_blanks(end); semi < text.size() && text[semi] == ';') end = semi + 1;
  const size_t rest = skip_blanks(end);
  const size_t line = text.rfind('\n', begin == 0 ? 0 : begin - 1);
  const size_t line_begin = begin == 0 || line == std::string_view::npos ? 0 : line + 1;
  const bool is_first = skip_blanks(line_begin) == begin;
  const bool is_last =
      rest == text.size() || text[rest] == '\n' || text.substr(rest).starts_with("\r\n");
  if (is_first && is_last) {
    begin = line_begin;
    end = rest == text.size() ? rest : text.find('\n', rest) + 1;
  } else if (!is_last) {
    end = rest;  // also before a comment, which stays
  }
  return {static_cast<u32>(begin), static_cast<u32>(end), ""};
}

// Where the value needs no parentheses: nothing beside it takes a part of it.
bool stands_alone(const Columns& c, Index use) {
  const Index above = frontend::parent_of(c, use);
  if (above == kNone) return true;
  switch (frontend::node_kind(c, above)) {
    case Node::Paren:
    case Node::Bracket:
    case Node::Block:
    case Node::Comma:
    case Node::Semi: return true;
    case Node::Assign: return c.right[above] == use;
    default: return false;
  }
}

// A number is a whole, but for `2.0.sqrt()`.
bool is_bare_number(const Columns& c, Index value, Index use) {
  const Node kind = frontend::node_kind(c, value);
  const Index above = frontend::parent_of(c, use);
  return (kind == Node::Int || kind == Node::Float) &&
         (above == kNone || frontend::node_kind(c, above) != Node::Dot);
}

}  // namespace

std::vector<Proposal> inline_let(const Analysis& analysis, u32 begin, u32 end) {
  const auto let = let_at(analysis, begin);
  if (!let || let->uses.empty()) return {};
  const Columns& c = analysis.columns();
  const u32 name_begin = c.token_start[c.token[c.bind_node[let->binding]]];
  const u32 let_begin = c.token_start[c.token[let->let]];
  if (end > begin && end > std::max(let->value.end, begin) && begin < let_begin) return {};
  if (has_jump(analysis, let->value) || has_comment(analysis, let_begin, let->value.end)) return {};
  // Each place of a hole without a name is a decision of its own.
  if (let->uses.size() > 1 && has_hole(analysis, let->value)) return {};
  if (name_begin >= let->value.begin || !means_the_same(analysis, *let)) return {};
  const std::string value(text_of(analysis, let->value));
  Proposal proposal = {{removal(analysis, *let)}};
  const u32 removed_end = proposal.front().edit.end;
  for (const Index use : let->uses) {
    const u32 at = c.token_start[c.token[use]], length = c.token_length[c.token[use]];
    if (at < removed_end) return {};
    const bool is_bare = is_whole(analysis, let->value) || stands_alone(c, use) ||
                         is_bare_number(c, let->value.node, use);
    proposal.push_back({{at, at + length, is_bare ? value : "(" + value + ")"}, let->value.type});
  }
  return {std::move(proposal)};
}

}  // namespace komuz::services
