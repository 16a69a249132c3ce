// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/kept_items.h"

#include <algorithm>
#include <set>

#include "services/analysis.h"
#include "services/format.h"
#include "services/items.h"
#include "services/references.h"

namespace komuz::repl {

namespace {

using services::TextItem;

class Program {
 public:
  Program(std::string text, const Library& library)
      : compiler_({.library = &library}), analysis_(&library), text_(std::move(text)) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::vector<TextItem> items() {
    frontend::Compilation compiled;
    compiler_.compile(text_, compiled);
    return services::list_items(compiler_, text_);
  }
  [[nodiscard]] std::string text_of(const TextItem& item) const {
    return text_.substr(item.begin, item.end - item.begin);
  }
  // Renames the item and all references to it. False: it was not found.
  [[nodiscard]] bool rename(const std::string& old, const std::string& next) {
    for (const TextItem& item : items()) {
      if (item.name != old) continue;
      analysis_.read(text_);
      std::vector<services::Reference> uses = services::find_references(analysis_, item.name_begin);
      std::ranges::reverse(uses);
      for (const services::Reference& use : uses)
        text_.replace(use.place.begin, use.place.end - use.place.begin, next);
      return !uses.empty();
    }
    return false;
  }

 private:
  frontend::Compiler compiler_;
  services::Analysis analysis_;
  std::string text_;
};

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

std::optional<std::string> kept_items(LineSketch& line, const engine::Decisions& decisions,
                                      const std::string& name, Session& session) {
  const Definitions& definitions = session.definitions();
  Program program(formatted(line.program_text(decisions)), session.modules().library());
  std::set<std::string> known;  // texts
  for (const Definition& definition : definitions.all()) known.insert(formatted(definition.text));
  const auto is_known = [&](const TextItem& item) {
    return known.contains(program.text_of(item) + "\n");
  };

  // Items whose names have other meanings in the session, and all items that name such.
  const std::vector<TextItem> all = program.items();
  std::set<std::string> changed;
  for (const TextItem& item : all)
    if (!item.name.empty() && item.name != line.entry() &&
        (item.name == name || (!is_known(item) && definitions.find_name(item.name) != nullptr)))
      changed.insert(item.name);
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
  for (const TextItem& item : program.items())
    if (!is_known(item)) items += program.text_of(item) + "\n";
  return items.empty() ? items : formatted(items);
}

}  // namespace komuz::repl
