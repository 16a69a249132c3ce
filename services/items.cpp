// SPDX-License-Identifier: Apache-2.0
#include "services/items.h"

#include <algorithm>

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"

namespace komuz::services {

namespace {

using frontend::Columns;
using frontend::Context;
using frontend::Index;
using frontend::ItemKind;

ItemForm item_form_of(const Columns& c, Index item) {
  switch (c.item_kind[item]) {
    case ItemKind::Function:
      return frontend::is_space(c, item) ? ItemForm::Space : ItemForm::Function;
    case ItemKind::Constant: return ItemForm::Constant;
    case ItemKind::Type: return ItemForm::Type;
    case ItemKind::Use: return ItemForm::Use;
    case ItemKind::Test:
    case ItemKind::Example: return ItemForm::Test;
    case ItemKind::Prop: return ItemForm::Property;
    case ItemKind::Other:
    case ItemKind::Module: break;
  }
  return ItemForm::Other;
}

// The start of the first of the lines `// …` right above the line that contains `place`; else `place` itself.
u32 with_comments_above(std::string_view source, u32 place, u32 least) {
  size_t begin = place;
  for (;;) {
    const size_t line = begin == 0 ? std::string_view::npos : source.rfind('\n', begin - 1);
    if (line == std::string_view::npos || line < least) break;
    const size_t before = line == 0 ? std::string_view::npos : source.rfind('\n', line - 1);
    const size_t above = before == std::string_view::npos ? 0 : before + 1;
    const size_t text = source.find_first_not_of(" \t", above);
    if (above < least || text >= line || !source.substr(text).starts_with("//")) break;
    begin = above;
  }
  return static_cast<u32>(begin);
}

}  // namespace

std::vector<TextItem> list_items(const frontend::Compiler& compiler, std::string_view source) {
  return list_items(compiler.columns(), source);
}
std::vector<TextItem> list_items(const Columns& c, std::string_view source) {
  std::vector<TextItem> items;
  if (c.nodes == 0 || c.tokens == 0) return items;
  const std::vector<Index> first_nodes = frontend::find_first_nodes(c);
  for (Index item = 0; item < c.items; ++item) {
    if (c.modules != 0 && c.item_module[item] != 0) continue;  // from a module
    const frontend::TokenRange tokens = frontend::tokens_of(c, first_nodes, item);
    if (tokens.first >= tokens.end) continue;
    TextItem& out = items.emplace_back();
    out.form = item_form_of(c, item);
    const Index name = c.item_name[item];
    if (name != frontend::kNone) {
      out.name = frontend::name_text(c, name);
      out.name_begin = c.token_start[c.token[name]];
    }
    const u32 least = items.size() == 1 ? 0 : items[items.size() - 2].end;
    out.begin = with_comments_above(source, c.token_start[tokens.first], least);
    out.is_public = frontend::token_at(c, i64{tokens.first}) == Token::Pub;
    const Index head = out.is_public ? std::min(tokens.first + 1, tokens.end - 1) : tokens.first;
    out.head_begin = c.token_start[head];
    const Index last = tokens.end - 1;
    out.end = c.token_start[last] + c.token_length[last];
  }
  return items;
}

std::optional<u32> find_statements(const frontend::Compiler& compiler) {
  const Columns& c = compiler.columns();
  std::optional<u32> begin;
  for (Index i = 0; i < c.nodes; ++i) {
    if (frontend::node_kind(c, i) != Node::Semi || frontend::node_context(c, i) != Context::Item)
      continue;
    const Index behind = c.right[i];
    if (behind == frontend::kNone || c.error[behind] != static_cast<u8>(DiagnosticCode::NotAnItem))
      continue;
    const u32 at = c.token_start[c.token[c.begin[behind]]];
    if (!begin || at < *begin) begin = at;
  }
  return begin;
}

}  // namespace komuz::services
