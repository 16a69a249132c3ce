// SPDX-License-Identifier: Apache-2.0
#include "services/editor/unimported_names.h"

#include <algorithm>
#include <unordered_set>

#include "engine/candidates/load_modules.h"
#include "lang/standard_modules.h"
#include "mend/standard_uses.h"
#include "services/editor/item_tokens.h"
#include "services/editor/use_links.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

class UnimportedNames {
 public:
  UnimportedNames(const Analysis& analysis, const Completions& known, std::string_view prefix)
      : analysis_(analysis), known_(known), prefix_(prefix) {
    for (const Completion& one : known.list) seen_.insert(one.text);
    for (UseLink& link : list_use_links(analysis.written(), analysis.program()))
      if (!link.has_list) used_.insert(std::move(link.path));
  }

  std::vector<UnimportedName> list() {
    for (const StandardModule& module : standard_modules())
      add_module(std::string(engine::kStandardPrefix) + std::string(module.name), module.text);
    if (const Library* const library = analysis_.library())
      for (u32 k = 0; k < library->size(); ++k)
        if (!(*library)[k].path.starts_with(engine::kStandardPrefix))
          add_module((*library)[k].path, (*library)[k].text);
    std::ranges::stable_sort(found_, {},
                             [](const UnimportedName& one) { return one.completion.text; });
    return std::move(found_);
  }

 private:
  void add_module(const std::string& path, std::string_view text) {
    if (text.find(prefix_) == std::string_view::npos) return;
    static_cast<void>(lexer_.identify(text));
    const Columns& c = lexer_.columns();
    if (c.bytes != text.size()) return;
    for (const TokenItem& item : list_token_items(c, text))
      if (item.is_public && may_stand(item) && item.name.starts_with(prefix_))
        add(path, text, item);
  }
  [[nodiscard]] bool may_stand(const TokenItem& item) const {
    switch (item.word) {
      case Token::Fn:
      case Token::Const: return known_.takes_values;
      case Token::Type: return known_.takes_types || (known_.takes_values && is_record(item));
      default: return false;
    }
  }
  // `pub type Vec2 = Vec2(…)`: its name also makes one.
  [[nodiscard]] bool is_record(const TokenItem& item) const {
    const Columns& c = lexer_.columns();
    const Index name = item.first + 2;
    return name + 2 < item.last && frontend::token_at(c, name + 1) == Token::Assign &&
           text_of_token(c, name + 2) == item.name;
  }
  static NameKind kind_of(Token word) {
    switch (word) {
      case Token::Fn: return NameKind::Function;
      case Token::Type: return NameKind::Type;
      default: return NameKind::Constant;
    }
  }
  void add(const std::string& path, std::string_view text, const TokenItem& item) {
    // A module that is used has its names behind its own.
    const std::string name(item.name), own = path.substr(path.rfind('.') + 1);
    std::string shown = used_.contains(path) ? own + "." + name : name;
    if (seen_.contains(name) || seen_.contains(shown)) return;
    const Columns& c = lexer_.columns();
    Index end = item.first;
    // A `;` may stand in a type, `[i64; 26]`.
    for (u32 depth = 0; end < item.last; ++end) {
      const Token token = frontend::token_at(c, end);
      if (token == Token::LBrace || (token == Token::Semi && depth == 0)) break;
      if (token_row(token).act == Act::Paren) ++depth;
      if (token_row(token).act == Act::Close && depth > 0) --depth;
    }
    UnimportedName& out = found_.emplace_back();
    out.module = path;
    out.completion.text = std::move(shown);
    out.completion.kind = kind_of(item.word);
    out.completion.signature = on_one_line(c, {item.first, end});
    out.completion.comment = comment_above(text, c.token_start[item.first]);
    out.completion.text_line = first_sentence(out.completion.comment);
  }

  const Analysis& analysis_;
  const Completions& known_;
  std::string_view prefix_;
  frontend::Compiler lexer_;
  std::unordered_set<std::string> seen_, used_;
  std::vector<UnimportedName> found_;
};

}  // namespace

std::vector<UnimportedName> list_unimported_names(const Analysis& analysis,
                                                  const Completions& known, u32 place) {
  if ((!known.takes_values && !known.takes_types) || place < known.begin + kFewestLetters)
    return {};
  return UnimportedNames(analysis, known, analysis.text().substr(known.begin, place - known.begin))
      .list();
}

std::optional<Edit> bring_name(std::string_view module, std::string_view name,
                               std::string_view text) {
  // What stands behind the module's own name needs nothing more.
  if (name.find('.') != std::string_view::npos) return std::nullopt;
  return use_edit(use_with(module, name, text), text);
}
std::optional<Edit> bring_module(std::string_view module, std::string_view text) {
  return use_edit("use " + std::string(module) + ";", text);
}

}  // namespace komuz::services
