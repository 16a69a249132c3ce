// SPDX-License-Identifier: Apache-2.0
#include "services/editor/text_meaning.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "mend/mend.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

bool is_of_module(const Columns& c, const Symbol& symbol) {
  switch (symbol.kind) {
    case Symbol::Kind::Field: return frontend::module_of(c, symbol.number) != 0;
    case Symbol::Kind::Binding: return frontend::module_of(c, c.bind_node[symbol.number]) != 0;
    case Symbol::Kind::None:
    case Symbol::Kind::Builtin:
    case Symbol::Kind::Scalar: break;
  }
  return false;
}

// What the analysis has made of the tokens as they are written: a token that was mended away is in none of the nodes.
std::optional<u32> find_unclear(const Analysis& analysis, std::string_view spelled) {
  if (analysis.is_sound()) return std::nullopt;
  const Columns& c = analysis.columns();
  const Columns& written = analysis.written();
  for (Index t = 0; t < analysis.written_tokens(); ++t) {
    if (frontend::word_at(written, t) != Token::Name || text_of_token(written, t) != spelled)
      continue;
    const u32 begin = written.token_start[t];
    const Index token = analysis.token_around(begin);
    const Index node = token == kNone ? kNone : analysis.node_of(token);
    const bool is_there = node != kNone && c.token_start[token] == begin &&
                          c.token_length[token] == written.token_length[t];
    const bool is_known = is_there && (frontend::node_context(c, node) != Context::Skipped ||
                                       symbol_of(analysis, node).kind != Symbol::Kind::None);
    if (!is_known) return begin;
  }
  return std::nullopt;
}

}  // namespace

TextMeaning read_meaning(const Analysis& analysis, std::string_view spelled) {
  TextMeaning out;
  const Columns& c = analysis.columns();
  for (Index i = 0; i < c.nodes && c.token[i] < analysis.own_tokens(); ++i)
    out.nodes.push_back(u32{c.kind[i]} << 8 | c.context[i]);
  for (Index t = 0; t < analysis.own_tokens(); ++t) {
    const Index node = analysis.node_of(t);
    if (node == kNone) continue;
    const Node kind = frontend::node_kind(c, node);
    if (kind != Node::Name && kind != Node::Hole) continue;
    TextMeaning::Name name;
    name.begin = c.token_start[t];
    name.symbol = symbol_of(analysis, node);
    if (is_of_module(c, name.symbol)) {
      name.shared = shared_name(analysis, name.symbol);
      name.symbol = {};
    }
    out.names.push_back(std::move(name));
  }
  const std::string_view text = analysis.text();
  for (const Diagnostic& d : analysis.diagnostics()) {
    if (d.begin > text.size()) continue;
    out.findings.push_back({d.code(), d.begin, diagnostic_message(d, analysis.told_text())});
  }
  out.unclear = find_unclear(analysis, spelled);
  return out;
}

std::optional<MeaningChange> find_change(const TextMeaning& before, const TextMeaning& after,
                                         const std::function<u32(u32)>& place,
                                         const std::function<SharedName(SharedName)>& renamed) {
  std::vector<std::pair<u32, DiagnosticCode>> found;
  for (const TextMeaning::Finding& then : before.findings)
    found.emplace_back(place(then.begin), then.code);
  std::ranges::sort(found);
  for (const TextMeaning::Finding& now : after.findings)
    if (!std::ranges::binary_search(found, std::pair(now.begin, now.code)))
      return MeaningChange{now.begin, now.message};
  const size_t names = std::min(before.names.size(), after.names.size());
  for (size_t k = 0; k < names; ++k) {
    const TextMeaning::Name &then = before.names[k], &now = after.names[k];
    const bool is_same = then.symbol == now.symbol &&
                         then.shared.has_value() == now.shared.has_value() &&
                         (!then.shared || renamed(*then.shared) == *now.shared);
    if (!is_same) return MeaningChange{now.begin, ""};
  }
  // The same tokens make the same nodes: others are a change wherever they are.
  if (before.nodes != after.nodes || before.names.size() != after.names.size() ||
      before.findings.size() != after.findings.size())
    return MeaningChange{after.names.empty() ? 0 : after.names.front().begin, ""};
  return std::nullopt;
}

}  // namespace komuz::services
