// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/expression.h"

#include <algorithm>
#include <tuple>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"
#include "services/value_nodes.h"

namespace komuz::services {
namespace {

// Is something of the kinds in the expression?
template <class Is>
bool has_node(const Analysis& analysis, const Expression& expression, Is is_meant) {
  const Columns& c = analysis.columns();
  for (Index i = c.begin[expression.node]; i < c.end[expression.node]; ++i)
    if (is_meant(frontend::node_kind(c, i))) return true;
  return false;
}

}  // namespace

std::optional<Expression> expression_of(const Analysis& analysis, Index node) {
  const Columns& c = analysis.columns();
  if (node == kNone || c.token[node] >= analysis.own_tokens()) return std::nullopt;
  if (c.item_broken[c.item[node]] != 0 || !is_value_node(c, node)) return std::nullopt;
  Expression out{node, 0, 0, frontend::written_type(c, c.type[node])};
  if (out.type.empty() || out.type == "()") return std::nullopt;
  for (Index i = c.begin[node]; i < c.end[node]; ++i)
    if (c.error[i] != 0) return std::nullopt;
  const frontend::Span span = frontend::subtree_span(c, node);
  out.begin = span.begin;
  out.end = span.end;
  if (out.end > analysis.text().size()) return std::nullopt;
  return out;
}

std::pair<u32, u32> without_blanks(std::string_view text, u32 begin, u32 end) {
  constexpr std::string_view kBlanks = " \t\r\n";
  end = std::min(end, static_cast<u32>(text.size()));
  while (begin < end && kBlanks.find(text[begin]) != std::string_view::npos) ++begin;
  while (begin < end && kBlanks.find(text[end - 1]) != std::string_view::npos) --end;
  return {begin, end};
}

std::optional<Expression> expression_at(const Analysis& analysis, u32 begin, u32 end) {
  const Columns& c = analysis.columns();
  const std::string_view text = analysis.text();
  std::tie(begin, end) = without_blanks(text, begin, end);
  if (begin >= end || c.nodes == 0) return std::nullopt;
  const Index first = analysis.token_around(begin);
  if (first == kNone || c.token_start[first] != begin) return std::nullopt;
  // The node that is meant has its own token within. Several may have one: a call and its parentheses.
  for (Index i = 0; i < c.nodes; ++i) {
    const Index t = c.token[i];
    if (t < first || t >= analysis.own_tokens() || c.token_start[t] >= end) continue;
    const frontend::Span span = frontend::subtree_span(c, i);
    if (span.begin != begin || span.end != end) continue;
    if (auto found = expression_of(analysis, i)) return found;
  }
  return std::nullopt;
}

Index node_around(const Analysis& analysis, u32 byte) {
  const Index token = analysis.token_around(byte);
  return token == kNone || token >= analysis.own_tokens() ? kNone : analysis.node_of(token);
}

std::string_view text_of(const Analysis& analysis, const Expression& expression) {
  return analysis.text().substr(expression.begin, expression.end - expression.begin);
}

bool is_whole(const Analysis& analysis, const Expression& expression) {
  switch (frontend::node_kind(analysis.columns(), expression.node)) {
    case Node::Name:
    case Node::Call:
    case Node::Paren:
    case Node::Index:
    case Node::Dot:
    case Node::Hole:
    case Node::True:
    case Node::False: return true;
    default: return false;
  }
}

bool has_comment(const Analysis& analysis, u32 begin, u32 end) {
  const Columns& c = analysis.columns();
  const std::string_view text = analysis.text();
  u32 at = begin;
  for (Index t = 0; t < analysis.own_tokens() && c.token_start[t] < end; ++t) {
    if (c.token_start[t] < begin) continue;
    if (text.substr(at, c.token_start[t] - at).find("//") != std::string_view::npos) return true;
    at = c.token_start[t] + c.token_length[t];
  }
  return at < end && text.substr(at, end - at).find("//") != std::string_view::npos;
}

std::vector<u32> used_variables(const Analysis& analysis, const Expression& expression) {
  const Columns& c = analysis.columns();
  const Index begin = c.begin[expression.node], end = c.end[expression.node];
  std::vector<u32> used;
  for (Index i = begin; i < end; ++i) {
    if (frontend::node_kind(c, i) != Node::Name || c.ref[i] >= c.binds) continue;
    const u32 binding = c.ref[i];
    const BindKind kind = c.bind_kind[binding];
    if (kind < BindKind::Parameter || frontend::is_hidden(kind)) continue;
    const Index node = c.bind_node[binding];
    const bool is_inside = node >= begin && node < end;
    if (!is_inside && std::ranges::find(used, binding) == used.end()) used.push_back(binding);
  }
  return used;
}

bool has_jump(const Analysis& analysis, const Expression& expression) {
  return has_node(analysis, expression, [](Node kind) {
    return kind == Node::Return || kind == Node::Break || kind == Node::Continue;
  });
}
bool has_hole(const Analysis& analysis, const Expression& expression) {
  return has_node(analysis, expression, [](Node kind) { return kind == Node::Hole; });
}

std::string free_name(const Analysis& analysis, std::string_view name) {
  const Columns& c = analysis.columns();
  const auto is_taken = [&](std::string_view word) {
    for (Index t = 0; t < c.tokens; ++t) {
      std::string_view token = text_of_token(c, t);
      if (token.starts_with('?')) token.remove_prefix(1);
      if (token == word) return true;
    }
    return false;
  };
  std::string out(name);
  for (u32 number = 2; is_taken(out); ++number) out = std::string(name) + std::to_string(number);
  return out;
}

}  // namespace komuz::services
