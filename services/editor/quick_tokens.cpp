// SPDX-License-Identifier: Apache-2.0
#include "services/editor/quick_tokens.h"

#include <algorithm>
#include <span>

namespace komuz::services {

const std::vector<KnownToken>& QuickTokens::list(std::string_view text, Analysis& whole) {
  const u32 library_size = part_.library() == nullptr ? 0 : part_.library()->size();
  if (is_usable_ && library_size == library_size_) {
    if (text == text_) return tokens_;
    if (list_edit(text)) {
      ++quick_;
      return tokens_;
    }
  }
  whole.read(text);
  tokens_ = list_tokens(whole);
  text_ = text;
  library_size_ = library_size;
  // Places of a mended text are not those of its items.
  is_usable_ = !whole.is_mended() && whole.columns().nodes != 0;
  parts_.clear();
  if (is_usable_) parts_.read(whole.columns(), text);
  return tokens_;
}

bool QuickTokens::list_edit(std::string_view text) {
  const std::optional<BodyEdit> edit = parts_.find_edit(text_, text);
  // An item that is broken may lose its name: others that have it mean nothing then.
  if (!edit || (edit->is_broken && parts_.is_needed(edit->part))) return false;
  std::vector<TextPart>& parts = parts_.all();
  const TextPart& part = parts[edit->part];
  parts_.take(*edit);
  TextParts::settle(parts[edit->part]);
  // Where a bracket is closed for it depends on where the next item begins.
  const bool has_next = edit->part + 1 < parts.size();
  const std::span<TextPart> own =
      std::span(parts).subspan(edit->part, edit->is_broken && has_next ? 2 : 1);
  for (TextPart& one : own) one.is_kept = true;
  part_.read(parts_.only_needed(text));
  for (TextPart& one : own) one.is_kept = false;
  // With the comments behind it.
  const u32 end = has_next ? parts[edit->part + 1].begin : static_cast<u32>(text.size());
  const std::vector<KnownToken> found = list_tokens(part_);
  const auto first = std::ranges::lower_bound(found, part.begin, {}, &KnownToken::begin);
  const auto last = std::ranges::lower_bound(found, end, {}, &KnownToken::begin);
  const auto old_first = std::ranges::lower_bound(tokens_, part.begin, {}, &KnownToken::begin);
  const auto old_last =
      std::ranges::lower_bound(tokens_, end - edit->growth, {}, &KnownToken::begin);
  std::vector<KnownToken> tokens;
  tokens.reserve(tokens_.size() + found.size());
  tokens.insert(tokens.end(), tokens_.begin(), old_first);
  tokens.insert(tokens.end(), first, last);
  for (auto token = old_last; token != tokens_.end(); ++token) {
    tokens.push_back(*token);
    tokens.back().begin += edit->growth;
    tokens.back().end += edit->growth;
  }
  tokens_ = std::move(tokens);
  text_ = text;
  return true;
}

}  // namespace komuz::services
