// SPDX-License-Identifier: Apache-2.0
#include "services/completion/candidates.h"

#include <algorithm>
#include <tuple>

#include "services/item_text.h"

namespace komuz::services {

namespace {

char lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}
bool begins(std::string_view name, std::string_view prefix, bool exactly) {
  if (name.size() < prefix.size()) return false;
  for (size_t k = 0; k < prefix.size(); ++k)
    if (exactly ? name[k] != prefix[k] : lower(name[k]) != lower(prefix[k])) return false;
  return true;
}
bool has_letters(std::string_view name, std::string_view letters) {
  size_t k = 0;
  for (const char byte : name)
    if (k < letters.size() && lower(byte) == lower(letters[k])) ++k;
  return k == letters.size();
}

}  // namespace

std::optional<u32> Candidates::match(std::string_view name) const {
  if (begins(name, prefix_, true)) return 0;
  if (begins(name, prefix_, false)) return 1;
  // The first letter must match; later letters may be skipped.
  if (has_letters(name, prefix_) && lower(name[0]) == lower(prefix_[0])) return 2;
  return std::nullopt;
}

bool Candidates::differs(std::string_view type) const {
  if (expected_.empty()) return scalars_ != 0 && !has_type(scalars_, type);
  return type != expected_;
}

bool Candidates::wants(std::string_view name) const {
  return !name.empty() && match(name) && !seen_.contains(std::string(name));
}

void Candidates::add(Completion completion, Nearness nearness, u32 order) {
  const auto found = match(completion.text);
  if (!found || !seen_.insert(completion.text).second) return;
  const bool is_other = differs(completion.type);
  found_.push_back({std::move(completion), *found, is_other, nearness, order});
}
void Candidates::add(const SymbolText& text, Nearness nearness, u32 order) {
  add({text.name, text.kind, text.signature, text.type, first_sentence(text.text), text.text},
      nearness, order);
}

std::vector<Completion> Candidates::take() {
  if ((function_ || leaves_out_others_) && !std::ranges::all_of(found_, &Ranked::differs))
    std::erase_if(found_, [](const Ranked& r) { return r.differs; });
  const auto key = [](const Ranked& r) {
    return std::tie(r.match, r.differs, r.nearness, r.order, r.completion.text);
  };
  std::ranges::sort(found_, [&](const Ranked& a, const Ranked& b) { return key(a) < key(b); });
  std::vector<Completion> out;
  for (Ranked& ranked : found_) out.push_back(std::move(ranked.completion));
  return out;
}

}  // namespace komuz::services
