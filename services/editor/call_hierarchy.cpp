// SPDX-License-Identifier: Apache-2.0
#include "services/editor/call_hierarchy.h"

#include <algorithm>

#include "frontend_gpu/view.h"
#include "services/editor/item_tokens.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

std::optional<ItemForm> running_form(Token word) {
  switch (word) {
    case Token::Fn: return ItemForm::Function;
    case Token::Space: return ItemForm::Space;
    case Token::Test: return ItemForm::Test;
    case Token::Prop: return ItemForm::Property;
    default: return std::nullopt;
  }
}
// Constants call nothing of a program's own; they only use names of constants.
std::optional<CallItem> call_item(const Columns& c, const TokenItem& item) {
  const auto form = running_form(item.word);
  const Index name = item.first + (item.is_public ? 2 : 1);
  if (!form || name >= item.last) return std::nullopt;
  CallItem out;
  out.form = *form;
  out.begin = c.token_start[item.first];
  out.end = item.end;
  out.name_begin = c.token_start[name];
  out.name_end = out.name_begin + c.token_length[name];
  out.name = text_of_token(c, name);
  if (frontend::token_at(c, name) == Token::String && out.name.size() >= 2)
    out.name = out.name.substr(1, out.name.size() - 2);
  if (*form != ItemForm::Function && *form != ItemForm::Space) return out;
  Index end = name + 1;
  while (end < item.last && frontend::token_at(c, end) != Token::LBrace &&
         frontend::token_at(c, end) != Token::Semi)
    ++end;
  if (end > name + 1) out.detail = on_one_line(c, {name + 1, end});
  return out;
}

}  // namespace

std::optional<CallItem> call_item_at(std::string_view text, u32 place) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  if (c.bytes != text.size()) return std::nullopt;
  for (const TokenItem& item : list_token_items(c, text)) {
    auto found = call_item(c, item);
    if (found && found->name_begin <= place && place <= found->name_end) return found;
  }
  return std::nullopt;
}

std::vector<Calls> group_by_item(std::string_view text, const std::vector<NameUse>& uses) {
  std::vector<Calls> calls;
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  if (c.bytes != text.size()) return calls;
  for (const TokenItem& item : list_token_items(c, text)) {
    Calls own;
    for (auto use = std::ranges::lower_bound(uses, c.token_start[item.first], {}, &NameUse::begin);
         use != uses.end() && use->end <= item.end; ++use)
      if (!use->defines) own.places.push_back(*use);
    auto found = call_item(c, item);
    if (own.places.empty() || !found) continue;
    own.item = std::move(*found);
    calls.push_back(std::move(own));
  }
  return calls;
}

std::vector<CalledFunction> functions_called(std::string_view text, const Library& library,
                                             u32 place) {
  std::vector<CalledFunction> called;
  const auto item = call_item_at(text, place);
  if (!item) return called;
  const std::string_view name = text.substr(item->name_begin, item->name_end - item->name_begin);
  frontend::Compiler lexer;
  const KeptText kept = keep_items_naming(lexer, text, {name});
  Analysis analysis(&library);
  analysis.read(kept.text);
  const Columns& c = analysis.columns();
  for (Index t = 0; t < analysis.own_tokens(); ++t) {
    const u32 begin = kept.in_text(c.token_start[t]);
    if (begin < item->name_end || begin >= item->end) continue;
    const Symbol symbol = symbol_of(analysis, analysis.node_of(t));
    if (symbol.kind != Symbol::Kind::Binding || c.bind_kind[symbol.number] != BindKind::Function)
      continue;
    auto at = analysis.place_of(defining_node(analysis, symbol));
    if (!at) continue;
    if (at->in == PlaceIn::Text) {
      const u32 length = at->end - at->begin;
      at->begin = kept.in_text(at->begin);
      at->end = at->begin + length;
    }
    auto known = std::ranges::find(called, *at, &CalledFunction::place);
    if (known == called.end()) known = called.insert(called.end(), {*at, {}});
    const u32 spelled = begin + (frontend::token_at(c, t) == Token::Hole ? 1 : 0);
    known->places.push_back({spelled, begin + c.token_length[t], false});
  }
  return called;
}

}  // namespace komuz::services
