// SPDX-License-Identifier: Apache-2.0
#include "services/variants/kept_variant.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/cases/signature.h"
#include "services/format.h"
#include "services/item_text.h"
#include "services/renamed_items.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

// The words of a text, whatever they are.
std::set<std::string, std::less<>> words_in(std::string_view text) {
  std::set<std::string, std::less<>> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word_byte(text[end])) ++end;
    if (end != at) words.emplace(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

std::string formatted(const std::string& text) {
  frontend::Compiler compiler;
  const Formatted out = format(compiler, text);
  return out.ok ? out.text : text;
}

// Without its comments and its `pub`.
std::string bare_text(const RenamedItems& program, const TextItem& item) {
  return program.text().substr(item.head_begin, item.end - item.head_begin);
}

std::string free_name(const std::string& wanted, const std::set<std::string, std::less<>>& taken) {
  std::string name = wanted;
  for (u32 k = 2; taken.contains(name); ++k) name = wanted + std::to_string(k);
  return name;
}

}  // namespace

std::optional<KeptVariant> keep_variant(const engine::SketchProgram& sketch,
                                        const std::string& program, const Library& library) {
  std::map<std::string, std::string> before;  // texts of the sketch's items
  RenamedItems old(formatted(sketch.source), library);
  for (const TextItem& item : old.items()) before[item.name] = bare_text(old, item);

  // What was decided is seen before anything is simplified, which keeps the items and their order.
  RenamedItems literal(formatted(program), library);
  std::map<std::string, std::string> literal_texts;
  for (const TextItem& item : literal.items()) literal_texts[item.name] = bare_text(literal, item);
  RenamedItems next(simplified_text(program, &library), library);
  std::vector<std::string> changed;
  const auto is_changed = [&](std::string_view name) {
    return std::ranges::find(changed, name) != changed.end();
  };
  const std::vector<TextItem> all = next.items();
  for (size_t count = ~size_t{0}; count != changed.size();) {
    count = changed.size();
    for (const TextItem& item : all) {
      if (item.form != ItemForm::Function || item.name.empty() || is_changed(item.name)) continue;
      const std::string& text = literal_texts[item.name];
      const auto known = before.find(item.name);
      const bool names_one = std::ranges::any_of(words_in(text), is_changed);
      if (known == before.end() || known->second != text || names_one) changed.push_back(item.name);
    }
  }
  if (changed.empty()) return std::nullopt;
  const engine::EntryChoice entry = engine::choose_entry(sketch.code.view(), "");
  const std::string entry_name =
      entry.refusal.empty()
          ? std::string(sketch.code.view().name(sketch.code.view().functions[entry.function]))
          : changed.front();

  auto taken = words_in(sketch.source);
  KeptVariant out;
  std::set<std::string, std::less<>> kept;
  for (const std::string& name : changed) {
    const std::string fresh = free_name(name + "_best", taken);
    if (!next.rename(name, fresh)) return std::nullopt;
    taken.insert(fresh);
    kept.insert(fresh);
    if (name == entry_name || out.name.empty()) out.name = fresh;
  }
  for (const TextItem& item : next.items())
    if (kept.contains(item.name))
      out.items += (out.items.empty() ? "" : "\n") + bare_text(next, item) + "\n";
  out.items = formatted(out.items);
  return out;
}

}  // namespace komuz::services
