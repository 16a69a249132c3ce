// SPDX-License-Identifier: Apache-2.0
#include "repl/definitions.h"

#include <algorithm>

namespace komuz::repl {

namespace {

using services::ItemForm;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A type is asked for by its alternatives, too; a `use` by any name in it.
std::vector<std::string> names_given(ItemForm form, const std::string& name,
                                     std::string_view text) {
  if (form != ItemForm::Type && form != ItemForm::Use) return {name};
  std::vector<std::string> names;
  for (const std::string_view word : words_of(text)) names.emplace_back(word);
  return names;
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && is_word(text[at])) ++at;
    words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

bool replaces(const Definition& next, const Definition& old) {
  if (next.form == ItemForm::Use || old.form == ItemForm::Use)
    return next.form == old.form && next.text == old.text;
  return (next.form == ItemForm::Type) == (old.form == ItemForm::Type) && next.name == old.name;
}

bool Definitions::add(Definition definition) {
  const size_t replaced =
      std::erase_if(all_, [&](const Definition& old) { return replaces(definition, old); });
  definition.gives = names_given(definition.form, definition.name, definition.text);
  all_.push_back(std::move(definition));
  return replaced != 0;
}

std::string Definitions::needed_by(std::string_view text,
                                   std::span<const Definition> without) const {
  std::string out;
  if (all_.empty()) return out;
  const auto is_replaced = [&](const Definition& old) {
    return std::ranges::any_of(without,
                               [&](const Definition& next) { return replaces(next, old); });
  };
  std::vector<bool> taken(all_.size());
  std::vector<std::string_view> words = words_of(text);
  for (size_t next = 0; next < words.size(); ++next) {
    for (size_t k = 0; k < all_.size(); ++k) {
      const std::vector<std::string>& gives = all_[k].gives;
      if (taken[k] || std::ranges::find(gives, words[next]) == gives.end()) continue;
      if (is_replaced(all_[k])) continue;
      taken[k] = true;
      const std::vector<std::string_view> more = words_of(all_[k].text);
      words.insert(words.end(), more.begin(), more.end());
    }
  }
  for (size_t k = 0; k < all_.size(); ++k)
    if (taken[k]) out += all_[k].text + "\n";
  return out;
}

}  // namespace komuz::repl
