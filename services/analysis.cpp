// SPDX-License-Identifier: Apache-2.0
#include "services/analysis.h"

#include <algorithm>

#include "frontend_gpu/text/source_text.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"
#include "services/mend_text.h"
#include "services/module_types.h"
#include "services/quick/text_parts.h"
#include "services/session/session_items.h"

namespace komuz::services {

using frontend::TokenRange;

Analysis::Analysis(const Library* library, Examples examples)
    : library_(library),
      compiler_({.examples = examples == Examples::Tests, .library = library, .is_plain = true}) {}
Analysis::~Analysis() = default;

void Analysis::read(std::string_view text) {
  next_.text = text;
  next_.begin = 0;
  next_.end = next_.items_begin = static_cast<u32>(text.size());
  read_program();
}
void Analysis::read_part(std::string_view part, bool has_errors) {
  read(part);
  has_errors_elsewhere_ = has_errors;
}
void Analysis::read(std::string_view text, std::string_view items) {
  if (items.empty()) return read(text);
  next_.text = with_items(text, items);
  next_.begin = 0;
  next_.end = static_cast<u32>(text.size());
  next_.items_begin = next_.end + 1;
  read_program();
}
void Analysis::read(const Snippet& snippet) {
  lay_out_snippet(snippet, next_);
  read_program();
}

void Analysis::read_edited(const Analysis& other, u32 begin, u32 end, std::string_view words) {
  next_ = other.program_;
  cut_bodies(other, begin, end);
  next_.text.replace(begin, end - begin, words);
  const u32 removed = end - begin, added = static_cast<u32>(words.size());
  next_.end = next_.end - removed + added;
  next_.items_begin = next_.items_begin - removed + added;
  read_program();
}
void Analysis::cut_bodies(const Analysis& other, u32 begin, u32 end) {
  if (other.is_mended_ || other.columns().nodes == 0) return;
  if (parts_ == nullptr) parts_ = std::make_unique<TextParts>();
  if (parts_text_ != other.program_.text) {
    parts_text_ = other.program_.text;
    parts_->read(other.columns(), parts_text_);
  }
  for (TextPart& part : parts_->all()) part.is_kept = part.begin <= end && begin <= part.end;
  next_.text = parts_->with_heads(parts_text_);
}
Analysis& Analysis::scratch() {
  if (scratch_ == nullptr) scratch_ = std::make_unique<Analysis>(library_);
  return *scratch_;
}

void Analysis::read_program() {
  const u32 library_size = library_ == nullptr ? 0 : library_->size();
  has_errors_elsewhere_ = false;
  const bool is_known = has_read_ && library_size == library_size_ &&
                        next_.begin == program_.begin && next_.end == program_.end &&
                        next_.text == program_.text;
  if (is_known) return;
  has_read_ = true;
  library_size_ = library_size;
  std::swap(program_, next_);
  is_mended_ = compile_mended(compiler_, program_.text, compilation_);
  has_written_ = is_mended_ && frontend::check_text(program_.text).code() == DiagnosticCode::None;
  if (has_written_) static_cast<void>(lexer_.identify(program_.text));
  index_nodes();
}

const Columns& Analysis::written() const { return has_written_ ? lexer_.columns() : columns(); }
Index Analysis::written_tokens() const {
  return has_written_ ? Index{lexer_.columns().tokens} : own_tokens_;
}

void Analysis::index_nodes() {
  const Columns& c = columns();
  node_of_.assign(c.tokens, kNone);
  first_nodes_.clear();
  own_tokens_ = c.tokens;
  if (c.nodes == 0) return;
  for (Index i = 0; i < c.nodes; ++i) {
    const Index t = c.token[i];
    if (t >= c.tokens) continue;
    Index& found = node_of_[t];
    // A token's last node is its own, the earlier ones are inserted. In a path `m.x`, which is one name by now, the
    // name comes first.
    const bool is_path = found != kNone && frontend::node_kind(c, found) == Node::Name;
    if (!is_path) found = i;
  }
  first_nodes_ = frontend::find_first_nodes(c);
  const u32* const starts = &c.token_start[0];
  own_tokens_ = static_cast<Index>(
      std::lower_bound(starts, starts + c.tokens, static_cast<u32>(program_.text.size())) - starts);
}

u32 Analysis::in_program(u32 place) const {
  return program_.begin + std::min(place, program_.end - program_.begin);
}

Index Analysis::token_around(u32 byte) const {
  const Columns& c = columns();
  const u32* const starts = &c.token_start[0];
  const auto behind =
      static_cast<Index>(std::upper_bound(starts, starts + own_tokens_, byte) - starts);
  if (behind == 0) return kNone;
  const Index t = behind - 1;
  const u32 end = c.token_start[t] + c.token_length[t];
  if (byte < end) {
    // `f|(`: the word.
    const bool touches =
        t > 0 && c.token_start[t] == byte && c.token_start[t - 1] + c.token_length[t - 1] == byte;
    const Token own = frontend::word_at(c, t);
    const bool is_word = own == Token::Name || token_row(own).act == Act::Operand;
    return touches && !is_word ? t - 1 : t;
  }
  return byte == end ? t : kNone;
}

Index Analysis::node_of(Index token) const {
  return token < node_of_.size() ? node_of_[token] : kNone;
}

const Module* Analysis::find_module(u32 number) const {
  if (library_ == nullptr) return nullptr;
  const u32 found = library_->find(module_path(columns(), number));
  return found == kNoModule ? nullptr : &(*library_)[found];
}
const Module* Analysis::module_of(Index item) const {
  const Columns& c = columns();
  return c.modules == 0 ? nullptr : find_module(c.item_module[item]);
}

std::optional<Analysis::ItemPlace> Analysis::item_place(Index item) const {
  const Columns& c = columns();
  const TokenRange tokens = tokens_of(item);
  if (tokens.first >= own_tokens_) {
    const Module* const module = module_of(item);
    if (module == nullptr || tokens.first >= tokens.end) return std::nullopt;
    // The signature as it stands in the interface, where functions have a `;` in place of their bodies.
    Index last = tokens.end - 1;
    if (last > tokens.first && frontend::token_at(c, last) == Token::Semi) --last;
    const u32 begin = c.token_start[tokens.first], end = c.token_start[last] + c.token_length[last];
    const std::string_view words(reinterpret_cast<const char*>(c.source) + begin, end - begin);
    const size_t at = module->text.find(words);
    if (at == std::string::npos) return std::nullopt;
    return ItemPlace{module->text, static_cast<u32>(at)};
  }
  return ItemPlace{program_.text, c.token_start[tokens.first]};
}

std::optional<TextPlace> Analysis::place_of(Index node) const {
  const Columns& c = columns();
  const Index t = c.token[node];
  const u32 begin = c.token_start[t], length = c.token_length[t];
  if (t < own_tokens_) {
    if (begin >= program_.begin && begin < program_.end)
      return TextPlace{PlaceIn::Text, "", begin - program_.begin, begin - program_.begin + length};
    if (begin < program_.items_begin) return std::nullopt;
    const u32 place = begin - program_.items_begin;
    return TextPlace{PlaceIn::Items, "", place, place + length};
  }
  const Index item = c.item[node];
  const Module* const module = module_of(item);
  if (module == nullptr) return std::nullopt;
  if (c.item_kind[item] == frontend::ItemKind::Module)
    return TextPlace{PlaceIn::Module, module->path, 0, 0};
  const auto place = item_place(item);
  if (!place) return std::nullopt;
  const u32 at = place->begin + begin - c.token_start[tokens_of(item).first];
  return TextPlace{PlaceIn::Module, module->path, at, at + length};
}

}  // namespace komuz::services
