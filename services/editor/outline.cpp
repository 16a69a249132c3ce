// SPDX-License-Identifier: Apache-2.0
#include "services/editor/outline.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

class Outline {
 public:
  explicit Outline(const Analysis& analysis) : analysis_(analysis), c_(analysis.columns()) {}

  std::vector<OutlineNode> make() {
    std::vector<OutlineNode> nodes;
    for (const TextItem& item : list_items(c_, analysis_.text())) {
      OutlineNode node;
      node.form = item.form;
      node.begin = item.begin;
      node.end = item.end;
      set_name(item, node);
      if (node.name.empty()) continue;
      if (item.form == ItemForm::Type) add_parts(item, node);
      nodes.push_back(std::move(node));
    }
    return nodes;
  }

 private:
  // The first token that begins at a byte or behind it.
  [[nodiscard]] Index token_from(u32 byte) const {
    const u32* const starts = &c_.token_start[0];
    return static_cast<Index>(std::lower_bound(starts, starts + analysis_.own_tokens(), byte) -
                              starts);
  }
  [[nodiscard]] u32 token_end(Index t) const { return c_.token_start[t] + c_.token_length[t]; }

  void set_name(const TextItem& item, OutlineNode& node) const {
    node.name = item.name;
    node.name_begin = item.name_begin;
    const Index head = token_from(item.head_begin);
    if (head >= analysis_.own_tokens()) return;
    // What has no name is called as it is written: a path, or, of what is broken, the word behind the first.
    if (node.name.empty()) {
      const Index first = std::min(head + 1, analysis_.own_tokens() - 1);
      const bool is_path = item.form == ItemForm::Use;
      const bool is_named = is_path || frontend::word_at(c_, first) == Token::Name;
      if (!is_named || c_.token_start[first] >= item.end) return;
      const Index last = is_path ? std::max(first, token_from(item.end) - 1) : first;
      node.name = on_one_line(c_, {first, last + 1});
      node.name_begin = c_.token_start[first];
      node.name_end = token_end(last);
      return;
    }
    const Index name = token_from(item.name_begin);
    node.name_end = name < analysis_.own_tokens() ? token_end(name) : item.name_begin;
    node.name_end = std::min(node.name_end, item.end);
    node.detail = signature_behind(item, name);
  }
  // What stands behind a function's name and before its body.
  [[nodiscard]] std::string signature_behind(const TextItem& item, Index name) const {
    if (item.form != ItemForm::Function && item.form != ItemForm::Space) return "";
    Index end = name + 1;
    while (end < analysis_.own_tokens() && c_.token_start[end] < item.end &&
           frontend::token_at(c_, end) != Token::LBrace &&
           frontend::token_at(c_, end) != Token::Semi)
      ++end;
    return end > name + 1 ? on_one_line(c_, {name + 1, end}) : "";
  }

  void add_parts(const TextItem& item, OutlineNode& node) const {
    for (Index t = token_from(item.head_begin);
         t < analysis_.own_tokens() && c_.token_start[t] < item.end; ++t) {
      const Index name = analysis_.node_of(t);
      if (name == kNone || frontend::node_kind(c_, name) != Node::Name) continue;
      if (frontend::node_context(c_, name) == Context::FieldName) {
        add_part(t, {Symbol::Kind::Field, name}, node);
        continue;
      }
      const Symbol symbol = symbol_of(analysis_, name);
      const bool is_constructor = symbol.kind == Symbol::Kind::Binding &&
                                  c_.bind_kind[symbol.number] == BindKind::Constructor &&
                                  c_.bind_node[symbol.number] == name;
      if (is_constructor) add_part(t, symbol, node);
    }
  }
  void add_part(Index t, const Symbol& symbol, OutlineNode& node) const {
    const SymbolText text = describe(analysis_, symbol);
    OutlineNode& part = node.children.emplace_back();
    part.name = text_of_token(c_, t);
    part.kind = text.kind;
    part.detail = text.kind == NameKind::Field ? text.type : "";
    part.begin = part.name_begin = c_.token_start[t];
    part.end = part.name_end = token_end(t);
  }

  const Analysis& analysis_;
  const Columns& c_;
};

}  // namespace

std::vector<OutlineNode> outline(const Analysis& analysis) { return Outline(analysis).make(); }

}  // namespace komuz::services
