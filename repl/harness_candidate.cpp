// SPDX-License-Identifier: Apache-2.0
#include "repl/harness_candidate.h"

#include <algorithm>
#include <span>

#include "engine/candidates/harness_names.h"
#include "engine/cases/column_names.h"
#include "engine/cases/signature.h"
#include "repl/definitions.h"
#include "repl/input.h"
#include "repl/open_functions.h"
#include "repl/variants/case_set.h"
#include "services/items.h"

namespace komuz::repl {

namespace {

using engine::kScoreFunction;
using services::ItemForm;
using services::TextItem;

std::vector<TextItem> items_of(frontend::Compiler& compiler, std::string_view program) {
  frontend::Compilation compiled;
  compiler.compile(program, compiled);
  return services::list_items(compiler, program);
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}
bool names_word(std::string_view text, std::string_view name) {
  const std::vector<std::string_view> words = words_of(text);
  return std::ranges::find(words, name) != words.end();
}

std::string_view text_of(std::string_view program, const TextItem& item) {
  return program.substr(item.begin, item.end - item.begin);
}

// True for `use std.geom.{Vec2}` and a text with `Vec2`.
bool is_used(std::string_view use, std::string_view text) {
  const std::vector<std::string_view> words = words_of(use), used = words_of(text);
  return std::ranges::any_of(words, [&](std::string_view word) {
    return word != "use" && word != "pub" && std::ranges::find(used, word) != used.end();
  });
}

// A function in the form that harnesses need.
std::string public_text(std::string_view program, const TextItem& item) {
  std::string text(text_of(program, item));
  if (!item.is_public) text.insert(item.head_begin - item.begin, "pub ");
  return text;
}

bool is_definition(const TextItem& item) {
  return item.form != ItemForm::Use && item.form != ItemForm::Test &&
         item.form != ItemForm::Property;
}

// Without blanks, in which a session and a file may differ.
std::string compared_text(std::string_view program, const TextItem& item) {
  std::string text;
  for (const char c : program.substr(item.name_begin, item.end - item.name_begin))
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') text += c;
  return text;
}

const HarnessItem* find_own(const HarnessItems& harness, std::string_view name) {
  const auto found = std::ranges::find(harness.own, name, &HarnessItem::name);
  return found == harness.own.end() ? nullptr : &*found;
}

// Items of the harness that differ in this program, and items that name such: a candidate imports the harness's
// versions.
std::vector<std::string> find_changed(const HarnessItems& harness, std::string_view program,
                                      std::span<const TextItem> items) {
  std::vector<std::string> changed;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const TextItem& item : items) {
      const HarnessItem* const own = is_definition(item) ? find_own(harness, item.name) : nullptr;
      if (own == nullptr || has(changed, item.name)) continue;
      const std::string_view text = text_of(program, item);
      const bool is_other =
          own->text != compared_text(program, item) ||
          std::ranges::any_of(changed, [&](const auto& name) { return names_word(text, name); });
      if (!is_other) continue;
      changed.push_back(item.name);
      is_new = true;
    }
  }
  return changed;
}

bool is_score_changed(const HarnessItems& harness, std::string_view program,
                      std::span<const TextItem> items) {
  const auto item = std::ranges::find(items, kScoreFunction, &TextItem::name);
  const HarnessItem* const own = find_own(harness, kScoreFunction);
  return item != items.end() && own != nullptr && own->text != compared_text(program, *item);
}

// The open functions and all that they name, except importable items.
std::vector<bool> find_kept(const HarnessItems& harness, std::string_view program,
                            std::span<const TextItem> items, std::string_view line,
                            std::span<const std::string> changed) {
  std::vector<bool> kept(items.size());
  std::string text;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t k = 0; k < items.size(); ++k) {
      const TextItem& item = items[k];
      if (kept[k] || !is_definition(item) || item.name == line) continue;
      const HarnessItem* const own = find_own(harness, item.name);
      const bool is_imported = own != nullptr && own->is_public &&
                               std::ranges::find(changed, own->name) == changed.end();
      if (own != nullptr && (is_imported || !names_word(text, item.name))) continue;
      kept[k] = is_new = true;
      text += std::string(text_of(program, item)) + "\n";
    }
  }
  return kept;
}

}  // namespace

HarnessItems list_harness_items(frontend::Compiler& compiler, std::string_view path,
                                std::string_view program) {
  HarnessItems out;
  out.file = path.substr(path.rfind('/') + 1);
  out.module = engine::harness_module(path);
  const OpenedProgram opened =
      open_program(compiler, program, [](std::string_view) { return false; });
  for (const std::string& head : opened.open)
    out.open.push_back(head.substr(0, head.find_first_of("( ")));
  for (const TextItem& item : items_of(compiler, program)) {
    if (item.name.empty() || !is_definition(item) || has(out.open, item.name)) continue;
    out.own.push_back({item.name, compared_text(program, item), item.is_public});
    if (item.form != ItemForm::Function || item.name != kScoreFunction) continue;
    const size_t begin = item.name_begin + item.name.size();
    const size_t end = std::min(program.find('{', begin), size_t{item.end});
    if (end > begin) out.columns = parameter_types(program.substr(begin, end - begin));
  }
  return out;
}

std::string candidate_text(const HarnessItems& harness, frontend::Compiler& compiler,
                           const std::string& program, std::string_view line) {
  const std::vector<TextItem> items = items_of(compiler, program);
  const std::vector<std::string> changed = find_changed(harness, program, items);
  const std::vector<bool> kept = find_kept(harness, program, items, line, changed);
  std::string text;
  bool has_open = false;
  for (size_t k = 0; k < items.size(); ++k) {
    if (!kept[k]) continue;
    const bool is_open = has(harness.open, items[k].name);
    has_open = has_open || is_open;
    text += is_open ? public_text(program, items[k]) : std::string(text_of(program, items[k]));
    text += "\n";
  }
  if (!has_open) return {};
  if (has(changed, kScoreFunction)) {
    // A candidate cannot bring its own. Reports the item that differs itself rather than those that name it.
    const std::string& first =
        is_score_changed(harness, program, items)
            ? changed[std::ranges::find(changed, kScoreFunction) - changed.begin()]
            : changed.front();
    return "// The whole program: the session has changed `" + first + "` of " + harness.file +
           (first == kScoreFunction ? "" : ", which `" + std::string(kScoreFunction) + "` needs") +
           ".\n// A candidate of that harness would be scored otherwise.\n\n" + program;
  }
  std::string uses, taken;
  for (const TextItem& item : items)
    if (item.form == ItemForm::Use && is_used(text_of(program, item), text))
      uses += std::string(text_of(program, item)) + "\n";
  for (const HarnessItem& item : harness.own)
    if (item.is_public && !has(changed, item.name) && names_word(text, item.name))
      taken += (taken.empty() ? "" : ", ") + item.name;
  if (taken.empty()) return uses + text;
  const std::string module = engine::usable_name(harness.module);
  std::string note;
  if (module != harness.module)
    note = "// No program can use " + harness.file + " by that name: call it " + module +
           ".komuz.\n\n";
  return note + uses + "use " + module + ".{" + taken + "};\n" + text;
}

}  // namespace komuz::repl
