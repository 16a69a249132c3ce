// SPDX-License-Identifier: Apache-2.0
#include "services/quick/quick_tokens.h"

#include <algorithm>

#include "frontend_gpu/text/source_text.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"

namespace komuz::services {
namespace {

// Far from what a program may have at most (frontend.cpp), so that no edit reaches it.
constexpr size_t kMostTokenBytes = size_t{8} << 20;

// Do others see what has its name there?
bool is_seen(const std::vector<KnownToken>& tokens, u32 place) {
  const auto name = std::ranges::lower_bound(tokens, place, {}, &KnownToken::begin);
  return name != tokens.end() && name->begin == place && name->defines;
}

// Does no other item begin in bytes (first, end)?
bool is_one_item(const Analysis& analysis, u32 first, u32 end) {
  const Columns& c = analysis.columns();
  if (c.nodes == 0) return false;
  for (Index item = 0; item < c.items; ++item) {
    const frontend::TokenRange tokens = analysis.tokens_of(item);
    if (tokens.first >= tokens.end) continue;
    const u32 begin = c.token_start[tokens.first];
    if (begin > first && begin < end) return false;
  }
  return true;
}

}  // namespace

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
  change_.reset();
  text_ = text;
  library_size_ = library_size;
  read_parts(text, whole);
  return tokens_;
}

void QuickTokens::read_parts(std::string_view text, const Analysis& whole) {
  parts_.clear();
  is_usable_ = false;
  const Columns& c = whole.columns();
  if (c.nodes == 0 || text.size() > kMostTokenBytes) return;
  if (whole.is_mended()) {
    // Bytes that are no text are mended wherever they stand.
    if (frontend::check_text(text).code() != DiagnosticCode::None) return;
    // Places of a mended text are not those of its items.
    frontend::Compiler compiler({.library = whole.library(), .is_plain = true});
    frontend::Compilation compilation;
    compiler.compile(text, compilation);
    parts_.read(compiler.columns(), text);
  } else {
    parts_.read(c, text);
  }
  is_usable_ = true;
}

bool QuickTokens::list_edit(std::string_view text) {
  if (text.size() > kMostTokenBytes) return false;
  const std::optional<BodyEdit> edit = parts_.find_edit(text_, text);
  if (!edit) return false;
  std::vector<TextPart>& parts = parts_.all();
  const TextPart& part = parts[edit->part];
  parts_.take(*edit);
  TextParts::settle(parts[edit->part]);
  parts[edit->part].is_kept = true;
  const GatheredText gathered = parts_.only_needed(text, LeftOut::Gone);
  parts[edit->part].is_kept = false;
  part_.read(gathered.text());
  // All of the part, and the comments behind it, have moved together.
  const u32 begin = gathered.byte_of(part.begin), to_whole = part.begin - begin;
  if (!is_one_item(part_, begin, part.end - to_whole)) return false;
  const bool has_next = edit->part + 1 < parts.size();
  const u32 end = has_next ? parts[edit->part + 1].begin : static_cast<u32>(text.size());
  std::vector<KnownToken> found = list_tokens(part_);
  const bool has_name = part.name != 0;
  if (has_name && is_seen(found, part.name - to_whole) != is_seen(tokens_, part.name)) return false;
  const auto first = std::ranges::lower_bound(found, begin, {}, &KnownToken::begin);
  const auto last = std::ranges::lower_bound(found, end - to_whole, {}, &KnownToken::begin);
  const auto old_first = std::ranges::lower_bound(tokens_, part.begin, {}, &KnownToken::begin);
  const auto old_last =
      std::ranges::lower_bound(tokens_, end - edit->growth, {}, &KnownToken::begin);
  for (auto token = first; token < last; ++token) {
    token->begin += to_whole;
    token->end += to_whole;
  }
  const auto removed = static_cast<u32>(old_last - old_first);
  const auto added = static_cast<u32>(std::max(first, last) - first);
  note({static_cast<u32>(old_first - tokens_.begin()), removed, added});
  for (auto token = old_last; token != tokens_.end(); ++token) {
    token->begin += edit->growth;
    token->end += edit->growth;
  }
  const u32 both = std::min(removed, added);
  std::copy(first, first + both, old_first);
  auto behind = old_first + both;
  if (removed > both) tokens_.erase(behind, old_last);
  if (added > both) behind = tokens_.insert(behind, first + both, first + added);
  text_ = text;
  return true;
}

// Both changes as one.
void QuickTokens::note(const Change& next) {
  if (!change_) return;
  if (change_->removed == 0 && change_->added == 0) {
    change_ = next;
    return;
  }
  const u32 first = std::min(change_->first, next.first);
  const u32 end = std::max(change_->first + change_->added, next.first + next.removed);
  change_ = Change{first, end - change_->added + change_->removed - first,
                   end - next.removed + next.added - first};
}

}  // namespace komuz::services
