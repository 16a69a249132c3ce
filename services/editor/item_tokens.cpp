// SPDX-License-Identifier: Apache-2.0
#include "services/editor/item_tokens.h"

#include <algorithm>
#include <unordered_set>

#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

// The first of the lines that hold nothing but a comment right above a place; else the place.
u32 with_comments(std::string_view text, u32 place, u32 least) {
  size_t begin = place;
  for (;;) {
    const size_t line = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    if (line == std::string_view::npos || line < least) break;
    const size_t before = line == 0 ? std::string_view::npos : text.rfind('\n', line - 1);
    const size_t above = before == std::string_view::npos ? 0 : before + 1;
    const size_t words = text.find_first_not_of(" \t", above);
    if (above < least || words >= line || !text.substr(words).starts_with("//")) break;
    begin = above;
  }
  return static_cast<u32>(begin);
}

class KeepItems {
 public:
  KeepItems(const Columns& c, std::string_view text, const std::vector<std::string_view>& names)
      : c_(c), text_(text), names_(names), items_(list_token_items(c, text)) {
    keep_.resize(items_.size(), Keep::None);
  }

  KeptText operator()() {
    KeptText out;
    for (const TokenItem& item : items_)
      if (item.word == Token::Use) add_module(item, out.modules);
    if (items_.empty()) {
      add_piece(0, static_cast<u32>(text_.size()), out);
      return out;
    }
    for (size_t k = 0; k < items_.size(); ++k)
      if (spells_name(k)) keep(k, Keep::All);
    // What is kept needs what it names.
    while (!open_.empty()) {
      const std::string_view word = open_.back();
      open_.pop_back();
      for (size_t k = 0; k < items_.size(); ++k)
        if (keep_[k] == Keep::None && defines(items_[k], word)) keep(k, Keep::Head);
    }
    for (size_t k = 0; k < items_.size(); ++k) {
      if (keep_[k] == Keep::All) add_piece(begin_of(k), items_[k].end, out);
      if (keep_[k] == Keep::Head) {
        const u32 begin = c_.token_start[items_[k].first];
        const auto at = static_cast<u32>(out.text.size());
        add_piece(begin, items_[k].end, out);
        open_body(items_[k], begin, at, out.text);
      }
    }
    return out;
  }

 private:
  enum class Keep : u8 { None, Head, All };

  void add_piece(u32 begin, u32 end, KeptText& out) const {
    out.pieces.push_back({static_cast<u32>(out.text.size()), begin, end - begin});
    out.text.append(text_.substr(begin, end - begin));
    if (end != text_.size()) out.text += '\n';
  }
  void add_module(const TokenItem& item, std::vector<std::string>& modules) const {
    std::string path;
    for (Index t = item.first + 1; t < item.last; ++t) {
      const Token token = frontend::word_at(c_, t);
      if (token == Token::LBrace || token == Token::Semi) break;
      if (token == Token::Name || token == Token::Dot) path += text_of_token(c_, t);
    }
    while (path.ends_with('.')) path.pop_back();
    if (!path.empty()) modules.push_back(std::move(path));
  }
  // All that stands before an item belongs to it: an example may be further above than its other comments.
  [[nodiscard]] u32 begin_of(size_t k) const { return k == 0 ? 0 : items_[k - 1].end; }
  [[nodiscard]] bool spells_name(size_t k) const {
    const std::string_view own = text_.substr(begin_of(k), items_[k].end - begin_of(k));
    return std::ranges::any_of(names_, [&](std::string_view name) { return has_word(own, name); });
  }
  void keep(size_t k, Keep how) {
    keep_[k] = how;
    const TokenItem& item = items_[k];
    const Index end = how == Keep::All ? item.last : body_of(item);
    for (Index t = item.first; t < end; ++t) {
      if (frontend::word_at(c_, t) != Token::Name && frontend::token_at(c_, t) != Token::Hole)
        continue;
      std::string_view word = text_of_token(c_, t);
      if (word.starts_with('?')) word.remove_prefix(1);
      note(word);
    }
    // Examples, whose names are no tokens.
    if (how == Keep::All)
      note_words(text_.substr(begin_of(k), c_.token_start[item.first] - begin_of(k)));
  }
  void note_words(std::string_view text) {
    for (size_t k = 0; k < text.size();) {
      size_t end = k;
      while (end < text.size() && is_word_byte(text[end])) ++end;
      if (end != k) note(text.substr(k, end - k));
      k = std::max(end, k + 1);
    }
  }
  void note(std::string_view word) {
    if (seen_.insert(word).second) open_.push_back(word);
  }
  // The token of the brace that opens a function's body; else the item's end.
  [[nodiscard]] Index body_of(const TokenItem& item) const {
    if (item.word != Token::Fn) return item.last;
    for (Index t = item.first; t < item.last; ++t)
      if (frontend::token_at(c_, t) == Token::LBrace) return t;
    return item.last;
  }
  [[nodiscard]] bool defines(const TokenItem& item, std::string_view word) const {
    switch (item.word) {
      case Token::Fn:
      case Token::Const:
      case Token::Space: return item.name == word;
      case Token::Type:
      case Token::Use: {
        for (Index t = item.first; t < item.last; ++t) {
          if (frontend::word_at(c_, t) != Token::Name) continue;
          const std::string_view own = text_of_token(c_, t);
          // With the name of a type come its constructors.
          const bool may_bring = item.word == Token::Use && own[0] >= 'A' && own[0] <= 'Z';
          if (own == word || may_bring) return true;
        }
        return false;
      }
      default: return false;
    }
  }
  // Its item begins at `begin` in the text, and at `at` in what is kept.
  void open_body(const TokenItem& item, u32 begin, u32 at, std::string& kept) const {
    const Index body = body_of(item);
    if (body + 1 >= item.last || frontend::token_at(c_, item.last - 1) != Token::RBrace) return;
    const u32 inside = c_.token_start[body] + 1 - begin + at,
              end = c_.token_start[item.last - 1] - begin + at;
    if (inside >= end) return;
    for (u32 k = inside; k < end; ++k)
      if (kept[k] != '\n' && kept[k] != '\r') kept[k] = ' ';
    const size_t room = kept.find(' ', inside);
    if (room < end) kept[room] = '?';
  }

  const Columns& c_;
  std::string_view text_;
  const std::vector<std::string_view>& names_;
  std::vector<TokenItem> items_;
  std::vector<Keep> keep_;
  std::vector<std::string_view> open_;
  std::unordered_set<std::string_view> seen_;
};

}  // namespace

std::vector<TokenItem> list_token_items(const Columns& c, std::string_view text) {
  std::vector<TokenItem> items;
  // Behind the text there may be what modules show.
  const u32* const starts = &c.token_start[0];
  const auto tokens = static_cast<Index>(
      std::lower_bound(starts, starts + c.tokens, static_cast<u32>(text.size())) - starts);
  for (Index t = 0; t < tokens; ++t) {
    const Token word = frontend::word_at(c, t);
    if (token_row(word).act != Act::Item) continue;
    if (t > 0 && frontend::token_at(c, t - 1) == Token::Pub) continue;
    TokenItem& item = items.emplace_back();
    item.first = t;
    item.is_public = word == Token::Pub;
    const Index head = t + (item.is_public && t + 1 < tokens ? 1 : 0);
    item.word = frontend::word_at(c, head);
    if (head + 1 < tokens && frontend::word_at(c, head + 1) == Token::Name &&
        item.word != Token::Use) {
      item.name = text.substr(c.token_start[head + 1], c.token_length[head + 1]);
      item.name_begin = c.token_start[head + 1];
    }
  }
  for (size_t k = 0; k < items.size(); ++k) {
    TokenItem& item = items[k];
    item.last = k + 1 < items.size() ? items[k + 1].first : tokens;
    item.end = c.token_start[item.last - 1] + c.token_length[item.last - 1];
    item.begin = with_comments(text, c.token_start[item.first], k == 0 ? 0 : items[k - 1].end);
  }
  return items;
}

KeptText keep_items_naming(frontend::Compiler& lexer, std::string_view text,
                           const std::vector<std::string_view>& names) {
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  if (c.tokens == 0 || c.bytes != text.size())
    return {std::string(text), {}, {{0, 0, static_cast<u32>(text.size())}}};
  return KeepItems(c, text, names)();
}

u32 KeptText::in_text(u32 kept) const {
  const auto behind = std::ranges::upper_bound(pieces, kept, {}, &Piece::kept);
  if (behind == pieces.begin()) return 0;
  const Piece& piece = *std::prev(behind);
  return piece.begin + std::min(kept - piece.kept, piece.size);
}
std::optional<u32> KeptText::in_kept(u32 byte) const {
  std::optional<u32> behind;
  for (const Piece& piece : pieces) {
    if (byte < piece.begin || byte > piece.begin + piece.size) continue;
    const u32 kept = piece.kept + byte - piece.begin;
    if (byte < piece.begin + piece.size) return kept;
    behind = kept;
  }
  return behind;
}
std::string uses_of(const std::vector<std::string>& modules) {
  std::string text;
  for (const std::string& module : modules) text += "use " + module + ";\n";
  return text;
}

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t behind = at + word.size();
    const bool begins = at == 0 || !is_word_byte(text[at - 1]);
    if (begins && (behind == text.size() || !is_word_byte(text[behind]))) return true;
  }
  return false;
}

std::vector<std::string> function_names(frontend::Compiler& lexer, std::string_view text) {
  static_cast<void>(lexer.identify(text));
  std::vector<std::string> names;
  for (const TokenItem& item : list_token_items(lexer.columns(), text))
    if (item.word == Token::Fn && !item.name.empty()) names.emplace_back(item.name);
  return names;
}
std::vector<std::string> open_functions(frontend::Compiler& lexer, std::string_view text) {
  static_cast<void>(lexer.identify(text));
  const Columns& c = lexer.columns();
  std::vector<std::string> names;
  for (const TokenItem& item : list_token_items(c, text)) {
    const bool is_open = item.word == Token::Fn && item.last > item.first &&
                         frontend::token_at(c, item.last - 1) == Token::Semi;
    if (is_open && !item.name.empty()) names.emplace_back(item.name);
  }
  return names;
}

}  // namespace komuz::services
