// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/organize_uses.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "services/editor/item_tokens.h"
#include "services/format.h"
#include "services/front_end_names.h"
#include "services/item_text.h"
#include "services/refactor/check_proposal.h"
#include "services/symbols.h"

namespace komuz::services {
namespace {

// `use std.math;` or `use std.math.{lerp, clamp};`
struct UseItem {
  u32 begin = 0, end = 0;  // bytes of the text
  std::string path;
  Index module = kNone;  // the token of its last name
  bool has_list = false;
  std::vector<Index> names;  // tokens of the list
};

// Nothing: it is of another form, or a comment stands in it.
std::optional<UseItem> read_use(const Columns& c, std::string_view text, const TokenItem& item) {
  UseItem out;
  out.begin = c.token_start[item.first];
  const Index last = item.last - 1;
  out.end = c.token_start[last] + c.token_length[last];
  if (item.is_public || item.begin != out.begin) return std::nullopt;
  if (frontend::token_at(c, last) != Token::Semi) return std::nullopt;
  if (text.substr(out.begin, out.end - out.begin).find("//") != std::string_view::npos)
    return std::nullopt;
  for (Index t = item.first + 1; t < last; ++t) {
    switch (frontend::word_at(c, t)) {
      case Token::Name:
        if (out.has_list) {
          out.names.push_back(t);
          break;
        }
        out.path += text_of_token(c, t);
        out.module = t;
        break;
      case Token::Dot:
        if (out.has_list) return std::nullopt;
        if (frontend::token_at(c, t + 1) != Token::LBrace) out.path += '.';
        break;
      case Token::LBrace: out.has_list = true; break;
      case Token::Comma:
      case Token::RBrace: break;
      default: return std::nullopt;
    }
  }
  if (out.module == kNone) return std::nullopt;
  return out;
}

// What the names of a sound text mean, outside of its `use` items.
class UsedNames {
 public:
  UsedNames(const Analysis& analysis, const std::vector<TokenItem>& items) : analysis_(analysis) {
    const Columns& c = analysis.columns();
    auto item = items.begin();
    for (Index t = 0; t < analysis.own_tokens(); ++t) {
      // A hole may take an expression from a space that is listed.
      const Token token = frontend::word_at(c, t);
      if (token != Token::Name && token != Token::Hole) continue;
      while (item != items.end() && item->end <= c.token_start[t]) ++item;
      const bool is_inside = item != items.end() && item->begin <= c.token_start[t];
      if (is_inside && item->word == Token::Use && c.token_start[t] >= c.token_start[item->first])
        continue;
      const Index node = analysis.node_of(t);
      const Symbol symbol = node == kNone ? Symbol{} : symbol_of(analysis, node);
      if (symbol.kind != Symbol::Kind::Binding) continue;
      bindings_.insert(symbol.number);
      items_.insert(c.item[c.bind_node[symbol.number]]);
    }
  }
  // Of a token in a `use`. What nobody knows is used.
  [[nodiscard]] bool has(Index token) const {
    const Columns& c = analysis_.columns();
    const Index node = analysis_.node_of(token);
    const Symbol symbol = node == kNone ? Symbol{} : symbol_of(analysis_, node);
    if (symbol.kind != Symbol::Kind::Binding) return true;
    if (bindings_.contains(symbol.number)) return true;
    // Constructors come with their type.
    const bool is_type = c.bind_kind[symbol.number] == BindKind::Type;
    return is_type && items_.contains(c.item[c.bind_node[symbol.number]]);
  }

 private:
  const Analysis& analysis_;
  std::set<u32> bindings_;
  std::set<Index> items_;
};

// As the formatter writes it.
std::string formatted_use(const std::string& use) {
  frontend::Compiler compiler;
  Formatted out = format(compiler, use);
  std::string text = out.ok ? std::move(out.text) : use;
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// Lines of an edit end by LF; those of the text may end otherwise.
std::string without_returns(std::string_view text) {
  std::string out(text);
  std::erase(out, '\r');
  return out;
}

// The edit of items that stand together.
std::optional<Edit> organize(const std::vector<UseItem>& group, const Columns& c,
                             std::string_view text, const UsedNames* used) {
  struct Module {
    bool is_whole = false;
    std::set<std::string> names;
  };
  std::map<std::string, Module> modules;
  for (const UseItem& use : group) {
    if (!use.has_list && (used == nullptr || used->has(use.module)))
      modules[use.path].is_whole = true;
    for (const Index name : use.names)
      if (used == nullptr || used->has(name))
        modules[use.path].names.emplace(text_of_token(c, name));
  }
  Edit edit{group.front().begin, group.back().end, ""};
  const std::string_view there = text.substr(edit.begin, edit.end - edit.begin);
  // The formatter leaves a line between items; a person who does not use it may not.
  const bool is_loose = there.find("\n\n") != std::string_view::npos ||
                        there.find("\n\r\n") != std::string_view::npos || group.size() == 1;
  const auto add = [&](const std::string& use) {
    if (!edit.text.empty()) edit.text += is_loose ? "\n\n" : "\n";
    edit.text += formatted_use(use);
  };
  for (const auto& [path, module] : modules) {
    if (module.is_whole) add("use " + path + ";\n");
    if (module.names.empty()) continue;
    std::string use = "use " + path + ".{";
    for (const std::string& name : module.names)
      use += (name == *module.names.begin() ? "" : ", ") + name;
    add(use + "};\n");
  }
  if (without_returns(there) == edit.text) return std::nullopt;
  // Where nothing is left, neither are its lines, and one of the blank lines around them.
  if (edit.text.empty()) {
    const auto at = [&](u32 byte) { return byte < text.size() ? text[byte] : '\0'; };
    const auto take_line_end = [&] {
      if (at(edit.end) == '\r') ++edit.end;
      if (at(edit.end) == '\n') ++edit.end;
    };
    take_line_end();
    const bool is_behind_blank = edit.begin == 0 || text.substr(0, edit.begin).ends_with("\n\n");
    if (is_behind_blank && (at(edit.end) == '\n' || at(edit.end) == '\r')) take_line_end();
  }
  return edit;
}

}  // namespace

std::vector<Edit> organize_uses(const Analysis& analysis, const std::stop_token& stop) {
  const std::string_view text = analysis.text();
  // Examples in comments use names, too.
  Analysis meaning(analysis.library(), Examples::Tests);
  if (analysis.is_sound()) meaning.read(text);
  const bool is_known = analysis.is_sound() && meaning.is_sound();
  const Columns& c = is_known ? meaning.columns() : analysis.written();
  const std::vector<TokenItem> items = list_token_items(c, text);
  std::optional<UsedNames> used;
  if (is_known) used.emplace(meaning, items);
  Proposal proposal;
  std::vector<UseItem> group;
  const auto end_group = [&] {
    if (group.empty()) return;
    if (auto edit = organize(group, c, text, used ? &*used : nullptr))
      proposal.push_back({std::move(*edit)});
    group.clear();
  };
  for (const TokenItem& item : items) {
    auto use = item.word == Token::Use ? read_use(c, text, item) : std::nullopt;
    if (!use) {
      end_group();
      continue;
    }
    if (!group.empty()) {
      const std::string_view between = text.substr(group.back().end, use->begin - group.back().end);
      if (between.find_first_not_of(" \t\r\n") != std::string_view::npos) end_group();
    }
    group.push_back(std::move(*use));
  }
  end_group();
  if (proposal.empty() || stop.stop_requested() || !is_proven(analysis, proposal, stop)) return {};
  std::vector<Edit> edits;
  for (TypedEdit& one : proposal) edits.push_back(std::move(one.edit));
  return edits;
}

}  // namespace komuz::services
