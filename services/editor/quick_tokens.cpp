// SPDX-License-Identifier: Apache-2.0
#include "services/editor/quick_tokens.h"

#include <algorithm>

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
  // How an item that is broken is mended depends on what stands around it, and it may lose its name.
  if (!edit || edit->is_broken) return false;
  std::vector<TextPart>& parts = parts_.all();
  const TextPart& part = parts[edit->part];
  parts_.take(*edit);
  TextParts::settle(parts[edit->part]);
  parts[edit->part].is_kept = true;
  part_.read(parts_.only_needed(text));
  parts[edit->part].is_kept = false;
  if (part_.is_mended()) return false;
  // With the comments behind it.
  const bool has_next = edit->part + 1 < parts.size();
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
