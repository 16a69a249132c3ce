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

bool Definitions::add(ItemForm form, std::string name, std::string text) {
  const auto is_same = [&](const Definition& other) {
    return form == ItemForm::Use ? other.text == text
                                 : other.form != ItemForm::Use && other.name == name;
  };
  const bool replaces = std::erase_if(all_, is_same) != 0 && form != ItemForm::Use;
  std::vector<std::string> gives = names_given(form, name, text);
  all_.push_back({form, std::move(name), std::move(text), std::move(gives)});
  return replaces;
}

std::string Definitions::needed_by(std::string_view text,
                                   const std::vector<services::TextItem>& without) const {
  std::string out;
  if (all_.empty()) return out;
  std::vector<bool> taken(all_.size());
  std::vector<std::string_view> words = words_of(text);
  for (size_t next = 0; next < words.size(); ++next) {
    for (size_t k = 0; k < all_.size(); ++k) {
      if (taken[k] || std::ranges::find(all_[k].gives, words[next]) == all_[k].gives.end())
        continue;
      taken[k] = true;
      const bool is_replaced = std::ranges::any_of(without, [&](const services::TextItem& item) {
        return item.name == all_[k].name && all_[k].form != ItemForm::Use;
      });
      if (is_replaced) continue;
      const std::vector<std::string_view> more = words_of(all_[k].text);
      words.insert(words.end(), more.begin(), more.end());
    }
  }
  for (size_t k = 0; k < all_.size(); ++k) {
    const bool is_replaced = std::ranges::any_of(without, [&](const services::TextItem& item) {
      return item.name == all_[k].name && all_[k].form != ItemForm::Use;
    });
    if (taken[k] && !is_replaced) out += all_[k].text + "\n";
  }
  return out;
}

}  // namespace komuz::repl
