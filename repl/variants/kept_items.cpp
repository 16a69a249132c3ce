// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/kept_items.h"

#include <algorithm>
#include <set>

#include "services/format.h"
#include "services/renamed_items.h"
#include "services/simplify/simplify.h"

namespace komuz::repl {

namespace {

using services::TextItem;

std::string formatted(const std::string& program) {
  frontend::Compiler compiler;
  const services::Formatted formatted = services::format(compiler, program);
  return formatted.ok ? formatted.text : program;
}

bool names_any(std::string_view text, const std::set<std::string>& names) {
  return std::ranges::any_of(
      words_of(text), [&](std::string_view word) { return names.contains(std::string(word)); });
}

std::string free_name(const std::string& wanted, std::string_view program, const Session& session) {
  const std::vector<std::string_view> words = words_of(program);
  const auto is_taken = [&](std::string_view name) {
    return std::ranges::find(words, name) != words.end() ||
           session.definitions().find_name(name) != nullptr ||
           session.variables().find(name) != nullptr;
  };
  std::string name = wanted;
  for (u32 k = 2; is_taken(name); ++k) name = wanted + std::to_string(k);
  return name;
}

}  // namespace

std::optional<std::string> kept_items(const LineSketch& line, const std::string& variant,
                                      const std::string& name, Session& session) {
  const Definitions& definitions = session.definitions();
  services::RenamedItems literal(formatted(variant), session.modules().library());
  services::RenamedItems program(services::simplified_text(variant, &session.modules().library()),
                                 session.modules().library());
  std::set<std::string> known;  // texts
  for (const Definition& definition : definitions.all()) known.insert(formatted(definition.text));
  // As they are before anything is simplified, which keeps the items and their order.
  std::vector<bool> known_items;
  for (const TextItem& item : literal.items())
    known_items.push_back(known.contains(literal.text_of(item) + "\n"));
  const auto is_known = [&](size_t k) { return k < known_items.size() && known_items[k]; };

  // Items whose names have other meanings in the session, and all items that name such.
  const std::vector<TextItem> all = program.items();
  std::set<std::string> changed;
  for (size_t k = 0; k < all.size(); ++k) {
    const std::string& own = all[k].name;
    if (!own.empty() && own != line.entry() &&
        (own == name || (!is_known(k) && definitions.find_name(own) != nullptr)))
      changed.insert(own);
  }
  for (size_t before = 0; before != changed.size();) {
    before = changed.size();
    for (const TextItem& item : all)
      if (!item.name.empty() && item.name != line.entry() &&
          names_any(program.text_of(item), changed))
        changed.insert(item.name);
  }
  for (const std::string& old : changed)
    if (!program.rename(old, free_name(old + "_" + name, program.text(), session)))
      return std::nullopt;
  if (!program.rename(line.entry(), name)) return std::nullopt;

  std::string items;
  const std::vector<TextItem> renamed = program.items();
  for (size_t k = 0; k < renamed.size(); ++k)
    if (!is_known(k) || changed.contains(all[k].name)) items += program.text_of(renamed[k]) + "\n";
  return items.empty() ? items : formatted(items);
}

}  // namespace komuz::repl
