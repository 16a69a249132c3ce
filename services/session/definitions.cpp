// SPDX-License-Identifier: Apache-2.0
#include "services/session/definitions.h"

#include <algorithm>
#include <unordered_set>

#include "services/item_text.h"

namespace komuz::services {

namespace {

// True for the name of an alternative: behind the `=` or a `|` of a type with alternatives, or with fields.
bool is_constructor(std::string_view type_item, std::string_view word) {
  const auto at = static_cast<size_t>(word.data() - type_item.data());
  const auto other_than_blank = [&](size_t found) {
    return found == std::string_view::npos ? ' ' : type_item[found];
  };
  const char before = other_than_blank(type_item.substr(0, at).find_last_not_of(" \t\r\n"));
  const char behind = other_than_blank(type_item.find_first_not_of(" \t\r\n", at + word.size()));
  return before == '|' || (before == '=' && (behind == '(' || behind == '|'));
}
// Replaces comments by blanks; items of types have no quoted texts.
std::string without_comments(std::string_view item) {
  std::string text(item);
  for (size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at)) {
    const size_t length = std::min(text.find('\n', at), text.size()) - at;
    text.replace(at, length, length, ' ');
  }
  return text;
}
// The names by which others refer to it, including the alternatives of a type, and all names in a `use`.
std::vector<std::string> names_given(ItemForm form, const std::string& name,
                                     std::string_view text) {
  std::vector<std::string> names;
  if (form != ItemForm::Use) names.push_back(name);
  if (form != ItemForm::Type && form != ItemForm::Use) return names;
  const std::string code = without_comments(text);
  for (const std::string_view word : words_of(code))
    if (form == ItemForm::Use || is_constructor(code, word)) names.emplace_back(word);
  return names;
}

// True if it has the name, imports it, or gives it to an alternative.
bool gives_name(const Definition& definition, std::string_view name) {
  const auto has_name = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  // A definition that has not been added has no list of names yet.
  return has_name(definition.gives.empty()
                      ? names_given(definition.form, definition.name, definition.text)
                      : definition.gives);
}

}  // namespace

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    if (!services::is_word_byte(text[at])) {
      ++at;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && services::is_word_byte(text[at])) ++at;
    const bool is_number = text[begin] >= '0' && text[begin] <= '9';
    if (!is_number) words.push_back(text.substr(begin, at - begin));
  }
  return words;
}

bool replaces(const Definition& next, const Definition& old) {
  if (old.is_implied && gives_name(next, old.name)) return true;
  if (next.form == ItemForm::Use || old.form == ItemForm::Use)
    return next.form == old.form && next.text == old.text;
  return (next.form == ItemForm::Type) == (old.form == ItemForm::Type) && next.name == old.name;
}

void DefinitionText::add(const Definition& definition) {
  parts.push_back({static_cast<u32>(text.size()), &definition});
  text += definition.text;
  text += '\n';
}

const DefinitionText::Part* DefinitionText::part_at(u32 byte) const {
  const auto behind = std::ranges::upper_bound(parts, byte, {}, &Part::begin);
  return behind == parts.begin() ? nullptr : &*std::prev(behind);
}

void Definitions::Index::add(const Definition& definition, u64 number) {
  for (const std::string& name : definition.gives) giving.add(name, number);
  for (const std::string_view word : words_of(definition.text)) naming.add(word, number);
}

void Definitions::Index::remove(const Definition& definition, u64 number) {
  for (const std::string& name : definition.gives) giving.remove(name, number);
  for (const std::string_view word : words_of(definition.text)) naming.remove(word, number);
}

bool Definitions::add(Definition definition) {
  ++changes_;
  definition.gives = names_given(definition.form, definition.name, definition.text);
  std::set<u64> replaced;  // they share a name with it
  for (const std::string& name : definition.gives)
    for (const u64 number : kept_.index().giving.find(name))
      if (replaces(definition, kept_.at(number))) replaced.insert(number);
  for (const u64 number : replaced) kept_.remove(number);
  kept_.add(std::move(definition));
  return !replaced.empty();
}

DefinitionText Definitions::needed_by(std::string_view text,
                                      std::span<const Definition> without) const {
  const IsLeftOut is_replaced = [&](const Definition& old) {
    return std::ranges::any_of(without,
                               [&](const Definition& next) { return replaces(next, old); });
  };
  return needed_by(text, is_replaced);
}
DefinitionText Definitions::needed_by(std::string_view text, const IsLeftOut& is_left_out) const {
  std::set<u64> needed;
  std::unordered_set<std::string_view> asked;
  std::vector<std::string_view> words = words_of(text);
  for (size_t next = 0; next < words.size(); ++next) {
    if (!asked.insert(words[next]).second) continue;
    for (const u64 number : kept_.index().giving.find(words[next])) {
      const Definition& definition = kept_.at(number);
      if (is_left_out(definition) || !needed.insert(number).second) continue;
      const std::vector<std::string_view> more = words_of(definition.text);
      words.insert(words.end(), more.begin(), more.end());
    }
  }
  DefinitionText out;
  for (const u64 number : needed) out.add(kept_.at(number));
  return out;
}

std::vector<const Definition*> Definitions::users_of(std::span<const std::string> names) const {
  std::vector<std::string_view> changed(names.begin(), names.end());
  std::unordered_set<std::string_view> asked;
  std::set<u64> users;
  for (size_t next = 0; next < changed.size(); ++next) {
    const std::string_view name = changed[next];
    if (!asked.insert(name).second) continue;
    for (const u64 number : kept_.index().naming.find(name)) {
      const std::vector<std::string>& gives = kept_.at(number).gives;
      if (std::ranges::find(gives, name) != gives.end() || !users.insert(number).second) continue;
      changed.insert(changed.end(), gives.begin(), gives.end());
    }
  }
  std::vector<const Definition*> out;
  for (const u64 number : users) out.push_back(&kept_.at(number));
  return out;
}

const Definition* Definitions::find_name(std::string_view name) const {
  const std::set<u64>& numbers = kept_.index().giving.find(name);
  return numbers.empty() ? nullptr : &kept_.at(*numbers.begin());
}

DefinitionText Definitions::whole() const {
  DefinitionText out;
  for (const Definition& definition : all()) out.add(definition);
  return out;
}

}  // namespace komuz::services
