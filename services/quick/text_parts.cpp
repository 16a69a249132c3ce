// SPDX-License-Identifier: Apache-2.0
#include "services/quick/text_parts.h"

#include <algorithm>
#include <cstring>

#include "frontend_gpu/view.h"
#include "lang/text/text_signature.h"
#include "mend/builtin_words.h"
#include "services/front_end_names.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

using frontend::ItemKind;
using frontend::TokenRange;

u32 end_of_token(const Columns& c, Index t) { return c.token_start[t] + c.token_length[t]; }

size_t equal_bytes(std::string_view a, std::string_view b) {
  constexpr size_t kBlock = 4096;
  const size_t most = std::min(a.size(), b.size());
  size_t at = 0;
  while (at + kBlock <= most && std::memcmp(a.data() + at, b.data() + at, kBlock) == 0)
    at += kBlock;
  while (at < most && a[at] == b[at]) ++at;
  return at;
}
size_t equal_bytes_at_end(std::string_view a, std::string_view b) {
  constexpr size_t kBlock = 4096;
  const size_t most = std::min(a.size(), b.size());
  const char* const end_a = a.data() + a.size();
  const char* const end_b = b.data() + b.size();
  size_t count = 0;
  while (count + kBlock <= most &&
         std::memcmp(end_a - count - kBlock, end_b - count - kBlock, kBlock) == 0)
    count += kBlock;
  while (count < most && end_a[-1 - static_cast<std::ptrdiff_t>(count)] ==
                             end_b[-1 - static_cast<std::ptrdiff_t>(count)])
    ++count;
  return count;
}

// The comment right behind a token, in which what was meant as an operand may stand, as in `total // count`; empty: there is none.
std::string_view comment_behind(const Columns& c, Index t, std::string_view text) {
  const Token token = frontend::token_at(c, t);
  if (token_row(token).ends != Ends::Yes) return {};
  const size_t at = text.find_first_not_of(" \t", end_of_token(c, t));
  if (at == std::string_view::npos || !text.substr(at).starts_with("//")) return {};
  return text.substr(at, text.find('\n', at) - at);
}

void add_words(std::string_view comment, std::vector<std::string>& out) {
  for (size_t at = 0; at < comment.size();) {
    size_t end = at;
    while (end < comment.size() && is_word_byte(comment[end])) ++end;
    if (end != at) out.emplace_back(comment.substr(at, end - at));
    at = end + 1;
  }
}

// The first `{` of tokens [first, end), before which all brackets match; kNone: there is none.
Index find_body(const Columns& c, Index first, Index end) {
  i32 depth = 0;
  for (Index t = first; t < end; ++t) {
    const Token token = frontend::token_at(c, t);
    if (token == Token::LBrace) return depth == 0 ? t : kNone;
    depth += token_row(token).act == Act::Paren;
    depth -= token_row(token).act == Act::Close;
  }
  return kNone;
}
// Does the bracket match the last of the tokens, and do all between them match?
bool is_whole_body(const Columns& c, Index body, Index end) {
  std::vector<Index> open;
  for (Index t = body; t < end; ++t) {
    const Token token = frontend::token_at(c, t);
    const Act act = token_row(token).act;
    if (act == Act::Paren || act == Act::Brace) open.push_back(t);
    if (act != Act::Close) continue;
    const bool fits = !open.empty() && static_cast<u8>(frontend::token_at(c, open.back())) + 1 ==
                                           static_cast<u8>(token);
    if (!fits) return false;
    open.pop_back();
    if (open.empty() && t + 1 != end) return false;
  }
  return open.empty();
}

// Of tokens that end there: what the last one is depends on what stands behind. Where `test "a"` begins no item, a finding about names
// of tests may still mean it.
bool may_begin_item(const Columns& c, Index t, Index end) {
  if (token_row(frontend::token_at(c, t)).act != Act::Item) return false;
  if (t + 1 == end || frontend::word_at(c, t) != Token::Name) return true;
  const Token next = frontend::token_at(c, t + 1);
  return next == Token::String || next == Token::Name;
}
// What others see of a function is its head. Holes are choices of the whole program; items inside of bodies are cut out of them.
bool is_plain_code(const Columns& c, Index first, Index end) {
  for (Index t = first; t < end; ++t) {
    if (frontend::token_at(c, t) == Token::Hole || may_begin_item(c, t, end)) return false;
  }
  return true;
}
// `let type`, where `typed` is being typed, begins an item. It lacks a name, so it brings none, if a statement follows.
enum class ItemWords : u8 { None, Nameless, Others };
ItemWords item_words(const Columns& c, Index first, Index end) {
  ItemWords found = ItemWords::None;
  for (Index t = first; t < end; ++t) {
    const Token token = frontend::token_at(c, t);
    if (token == Token::Hole) return ItemWords::Others;
    if (!may_begin_item(c, t, end)) continue;
    const Token next = t + 1 < end ? frontend::token_at(c, t + 1) : Token::Error;
    const bool is_followed = next == Token::Let || next == Token::Var || next == Token::RBrace;
    if (token != Token::Type || !is_followed) return ItemWords::Others;
    found = ItemWords::Nameless;
  }
  return found;
}
bool has_lines_of_its_own(std::string_view text, u32 begin, u32 end) {
  for (u32 k = begin; k > 0 && text[k - 1] != '\n'; --k)
    if (text[k - 1] != ' ' && text[k - 1] != '\t') return false;
  const size_t behind = text.find_first_not_of(" \t\r", end);
  return behind == std::string_view::npos || text[behind] == '\n' ||
         text.substr(behind).starts_with("//");
}
// May what stands between two parts go where both do? What a comment says may matter to the words around it: marks of other
// languages and of answers in which a program stands, examples that are none.
bool is_plain_gap(std::string_view gap) {
  constexpr std::string_view kMarks = "*\"`~<>^#";
  if (gap.find_first_of(kMarks) != std::string_view::npos) return false;
  // On the line of the part before, a comment may be one of its operands.
  bool is_first = true;
  while (!gap.empty()) {
    const std::string_view line = gap.substr(0, gap.find('\n'));
    gap.remove_prefix(std::min(line.size() + 1, gap.size()));
    const size_t begin = line.find_first_not_of(" \t\r");
    const bool is_comment = begin != std::string_view::npos && line.substr(begin).starts_with("//");
    if (begin != std::string_view::npos && (is_first || !is_comment)) return false;
    is_first = false;
  }
  return true;
}
// A value that a function with the head [first, body) may have, in few bytes.
std::string_view value_of(const Columns& c, Index first, Index body) {
  Index arrow = body;
  while (arrow > first && frontend::token_at(c, arrow) != Token::Arrow) --arrow;
  const Index type = arrow + 1;
  // Behind it only `{` or `rec`.
  const auto ends_at = [&](Index t) { return t == body || frontend::token_at(c, t) == Token::Rec; };
  if (arrow == first || !ends_at(type + 1)) return {};
  const Scalar scalar = scalar_from_name(text_of_token(c, type));
  if (scalar == Scalar::None) return {};
  return scalar == Scalar::Bool ? "false" : is_float(scalar) ? "0.0" : "0";
}
Index first_of_code(const Columns& c, TokenRange tokens) {
  return std::min(tokens.end,
                  tokens.first + (frontend::token_at(c, tokens.first) == Token::Pub ? 2u : 1u));
}

// The token of an item's name. That of a broken function is where it will be seen when it is mended.
Index name_of(const Columns& c, Index item, Index code, Index end) {
  if (const Index name = c.item_name[item]; name != kNone) return c.token[name];
  const bool is_named = c.item_kind[item] == ItemKind::Function && code < end &&
                        frontend::word_at(c, code) == Token::Name;
  return is_named ? code : kNone;
}

}  // namespace

void TextParts::read(const Columns& c, std::string_view text) {
  parts_.clear();
  names_.clear();
  commented_.clear();
  if (c.nodes == 0) return;
  const std::vector<Index> first_nodes = frontend::find_first_nodes(c);
  std::vector<TokenRange> tokens_of_parts;
  for (Index item = 0; item < c.items; ++item) {
    if (c.modules != 0 && c.item_module[item] != 0) continue;
    const TokenRange tokens = frontend::tokens_of(c, first_nodes, item);
    if (tokens.first >= tokens.end) continue;
    TextPart part;
    part.begin = c.token_start[tokens.first];
    part.end = end_of_token(c, tokens.end - 1);
    if (part.end > text.size()) continue;
    const u32 before = parts_.empty() ? 0 : parts_.back().end;
    part.has_plain_gap = before != 0 && before <= part.begin &&
                         is_plain_gap(text.substr(before, part.begin - before));
    const ItemKind kind = c.item_kind[item];
    const bool has_body =
        kind == ItemKind::Function || kind == ItemKind::Test || kind == ItemKind::Prop;
    const Index code = first_of_code(c, tokens);
    const Index body = has_body ? find_body(c, tokens.first, tokens.end) : kNone;
    // What a space is named by is a hole.
    const bool is_space = kind == ItemKind::Function && frontend::is_space(c, item);
    const bool is_plain = !is_space && is_plain_code(c, code, tokens.end) &&
                          has_lines_of_its_own(text, part.begin, part.end);
    const bool is_definition = kind == ItemKind::Constant || kind == ItemKind::Type;
    const bool is_whole = is_definition || kind == ItemKind::Example ||
                          (body != kNone && is_whole_body(c, body, tokens.end));
    // What is broken can change, but is never left out.
    part.is_code = !is_definition;
    part.is_example = kind == ItemKind::Example;
    part.can_change = is_plain && body != kNone;
    part.can_go = is_plain && is_whole && c.item_broken[item] == 0;
    if (body != kNone) part.body = c.token_start[body];
    const auto number = static_cast<u32>(parts_.size());
    if (const Index name = name_of(c, item, code, tokens.end); name != kNone) {
      names_.push_back({c.token_hash[name], number});
      if (kind == ItemKind::Function) {
        part.name = c.token_start[name];
        part.has_builtin_name = is_builtin_word(text_of_token(c, name));
      }
      if (kind == ItemKind::Constant) part.constant = c.token_start[name];
    }
    if (kind == ItemKind::Function && body != kNone) part.value = value_of(c, tokens.first, body);
    // Constructors and fields.
    for (Index t = tokens.first; kind == ItemKind::Type && t < tokens.end; ++t)
      if (frontend::word_at(c, t) == Token::Name) names_.push_back({c.token_hash[t], number});
    for (Index t = tokens.first; t < tokens.end; ++t)
      if (const std::string_view comment = comment_behind(c, t, text); !comment.empty()) {
        part.can_change = false;
        add_words(comment, commented_);
      }
    parts_.push_back(std::move(part));
    tokens_of_parts.push_back(tokens);
  }
  std::ranges::sort(names_);
  for (size_t k = 0; k < parts_.size(); ++k)
    parts_[k].needs = needs_of(c, tokens_of_parts[k].first, tokens_of_parts[k].end);
  // An example stands above an item.
  for (size_t k = 0; k + 1 < parts_.size(); ++k)
    if (frontend::token_at(c, tokens_of_parts[k].first) == Token::Example)
      parts_[k].needs.push_back(static_cast<u32>(k) + 1);
}

std::vector<u32> TextParts::needs_of(const Columns& c, u32 first, u32 end) const {
  std::vector<u32> needs;
  for (Index t = first; t < end; ++t) {
    if (frontend::word_at(c, t) != Token::Name) continue;
    const u32 hash = c.token_hash[t];
    for (auto name = std::ranges::lower_bound(names_, hash, {}, &Name::hash);
         name != names_.end() && name->hash == hash; ++name)
      needs.push_back(name->part);
  }
  std::ranges::sort(needs);
  const auto repeated = std::ranges::unique(needs);
  needs.erase(repeated.begin(), repeated.end());
  return needs;
}

u32 TextParts::first_behind(u32 byte) const {
  return static_cast<u32>(std::ranges::upper_bound(parts_, byte, {}, &TextPart::end) -
                          parts_.begin());
}

std::optional<BodyEdit> TextParts::find_edit(std::string_view before, std::string_view now) {
  if (parts_.empty()) return std::nullopt;
  const size_t begin = equal_bytes(before, now);
  const size_t kept =
      equal_bytes_at_end(before.substr(begin), now.substr(begin));  // not the same byte twice
  const size_t end = before.size() - kept;
  BodyEdit edit;
  edit.growth = static_cast<u32>(now.size() - before.size());
  edit.part = first_behind(static_cast<u32>(begin));
  if (edit.part == parts_.size()) return std::nullopt;
  const TextPart& part = parts_[edit.part];
  if (!part.can_change || begin <= part.body || end >= part.end) return std::nullopt;
  // With the rest of its last line, which an open text may reach into.
  const size_t line_end = std::min(now.find('\n', part.end + edit.growth), now.size());
  const std::string_view text = now.substr(part.begin, line_end - part.begin);
  // A line that is an example is an item, if it comes to stand above one.
  if (text.find("///") != std::string_view::npos) return std::nullopt;
  if (lexer_.identify(text) == frontend::TextHash{}) return std::nullopt;
  const Columns& c = lexer_.columns();
  if (c.tokens < 2) return std::nullopt;
  const Index body = find_body(c, 0, c.tokens);
  const ItemWords words = item_words(c, first_of_code(c, {0, c.tokens}), c.tokens);
  const bool is_same_item =
      body != kNone && c.token_start[body] == part.body - part.begin && words != ItemWords::Others;
  if (!is_same_item) return std::nullopt;
  edit.end = part.begin + end_of_token(c, c.tokens - 1);
  edit.is_broken = words != ItemWords::None || !is_whole_body(c, body, c.tokens);
  for (Index t = 0; t < c.tokens; ++t)
    if (!comment_behind(c, t, text).empty()) return std::nullopt;
  // Whether such a comment of another part is an operand depends on the words of the program.
  const std::string_view old = before.substr(part.begin, part.end - part.begin);
  for (const std::string& word : commented_)
    if (text.find(word) != std::string_view::npos || old.find(word) != std::string_view::npos)
      return std::nullopt;
  edit.needs = needs_of(c, 0, c.tokens);
  return edit;
}

void TextParts::take(const BodyEdit& edit) {
  TextPart& own = parts_[edit.part];
  own.end = edit.end;
  std::vector<u32> needed;
  std::ranges::set_union(own.needed, own.needs, std::back_inserter(needed));
  own.needed = std::move(needed);
  own.needs = edit.needs;
  for (u32 k = edit.part + 1; k < parts_.size(); ++k) {
    TextPart& part = parts_[k];
    part.begin += edit.growth;
    part.end += edit.growth;
    if (part.body != 0) part.body += edit.growth;
    if (part.name != 0) part.name += edit.growth;
    if (part.constant != 0) part.constant += edit.growth;
  }
}

}  // namespace komuz::services
