// SPDX-License-Identifier: Apache-2.0
#include "repl/harness_candidate.h"

#include <algorithm>

#include "engine/cases/signature.h"
#include "repl/definitions.h"
#include "repl/open_functions.h"
#include "repl/variants/case_set.h"
#include "services/items.h"

namespace komuz::repl {

namespace {

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

// `use std.geom.{Vec2}` for a text with `Vec2`.
bool is_used(std::string_view use, std::string_view text) {
  const std::vector<std::string_view> words = words_of(use), used = words_of(text);
  return std::ranges::any_of(words, [&](std::string_view word) {
    return word != "use" && word != "pub" && std::ranges::find(used, word) != used.end();
  });
}

// A function as harnesses want it.
std::string public_text(std::string_view program, const TextItem& item) {
  std::string text(text_of(program, item));
  const size_t head = text.rfind("fn", item.name_begin - item.begin);
  const bool is_public =
      head != std::string::npos && std::string_view(text).substr(0, head).ends_with("pub ");
  if (head != std::string::npos && !is_public) text.insert(head, "pub ");
  return text;
}

}  // namespace

HarnessItems list_harness_items(frontend::Compiler& compiler, std::string_view path,
                                std::string_view program) {
  HarnessItems out;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  out.module = file.substr(0, file.find('.'));
  const OpenedProgram opened =
      open_program(compiler, program, [](std::string_view) { return false; });
  for (const std::string& head : opened.open)
    out.open.push_back(head.substr(0, head.find_first_of("( ")));
  for (const TextItem& item : items_of(compiler, program)) {
    const bool is_named = !item.name.empty() && item.form != ItemForm::Use &&
                          item.form != ItemForm::Test && item.form != ItemForm::Property;
    if (!is_named || has(out.open, item.name)) continue;
    out.own.push_back(item.name);
    if (item.form != ItemForm::Function || item.name != "score") continue;
    const size_t begin = item.name_begin + item.name.size();
    const size_t end = std::min(program.find('{', begin), size_t{item.end});
    if (end > begin) out.columns = parameter_types(program.substr(begin, end - begin));
  }
  return out;
}

std::string candidate_text(const HarnessItems& harness, frontend::Compiler& compiler,
                           const std::string& program, std::string_view line) {
  const std::vector<TextItem> items = items_of(compiler, program);
  std::string text;
  bool has_open = false;
  for (const TextItem& item : items) {
    const bool is_of_candidate = item.form != ItemForm::Use && item.form != ItemForm::Test &&
                                 item.form != ItemForm::Property && item.name != line &&
                                 !has(harness.own, item.name);
    if (!is_of_candidate) continue;
    const bool is_open = has(harness.open, item.name);
    has_open = has_open || is_open;
    text += is_open ? public_text(program, item) : std::string(text_of(program, item));
    text += "\n";
  }
  if (!has_open) return {};
  std::string uses, taken;
  for (const TextItem& item : items)
    if (item.form == ItemForm::Use && is_used(text_of(program, item), text))
      uses += std::string(text_of(program, item)) + "\n";
  for (const std::string& name : harness.own)
    if (names_word(text, name)) taken += (taken.empty() ? "" : ", ") + name;
  if (!taken.empty()) uses += "use " + harness.module + ".{" + taken + "};\n";
  return uses + text;
}

}  // namespace komuz::repl
