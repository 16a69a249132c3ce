// SPDX-License-Identifier: Apache-2.0
#include "services/doc_finder.h"

#include <span>
#include <tuple>

#include "lang/standard_modules.h"
#include "mend/near_miss.h"

namespace komuz::services {

namespace {

std::string path_of(const StandardModule& module) { return "std." + std::string(module.name); }

bool is_named(const DocEntry& entry, std::string_view name) {
  const std::string whole = entry.module + "." + entry.name;
  return entry.name == name || whole == name || whole.ends_with("." + std::string(name));
}

// Types without conversions, so that no function has their name.
const DocEntry kTypes[] = {
    {"List", "", "List[T, N]", "A list of at most N values of a type: docs/language.md.\n"},
    {"Bytes", "", "Bytes[N]",
     "A list of at most N bytes, which is `List[u8, N]`: docs/language.md.\n"},
    {"Option", "", "Option[T]",
     "A value of a type, `Some(x)`, or none, `None`; a `match` takes it apart: "
     "docs/language.md.\n"},
};

// The shortest name that begins with a word and `_`, else one that begins with the word, else one that contains it;
// empty if there is none.
std::string_view nearest_part(std::string_view word, std::span<const std::string_view> names) {
  constexpr size_t kLeastLetters = 3;
  if (word.size() < kLeastLetters) return "";
  std::string_view best;
  const auto rank = [word](std::string_view name) {
    const bool begins = name.starts_with(word);
    return std::tuple(!begins, !begins || !name.substr(word.size()).starts_with('_'), name.size());
  };
  for (const std::string_view name : names)
    if (name.find(word) != std::string_view::npos && (best.empty() || rank(name) < rank(best)))
      best = name;
  return best;
}

}  // namespace

std::vector<DocEntry> DocFinder::find(std::string_view name) {
  std::vector<DocEntry> found = builtin_docs(name);
  for (const StandardModule& module : standard_modules()) {
    const std::string path = path_of(module);
    const bool is_whole = name == path || name == module.name;
    for (DocEntry& entry : module_docs(compiler_, path, module.text))
      if (is_whole || is_named(entry, name)) found.push_back(std::move(entry));
  }
  for (const DocEntry& type : kTypes)
    if (found.empty() && type.name == name) found.push_back(type);
  if (found.empty()) find_in_modules(name, found);
  return found;
}

// Finds a module, or a name in one. Paths are complete, or else the ends of complete ones.
void DocFinder::find_in_modules(std::string_view name, std::vector<DocEntry>& found) {
  const size_t dot = name.rfind('.');
  const bool is_path = dot != std::string_view::npos;
  const std::string_view above = is_path ? name.substr(0, dot) : std::string_view{};
  const std::string_view last = is_path ? name.substr(dot + 1) : std::string_view{};
  if (find_in_module(name, {}, found) || (is_path && find_in_module(above, last, found)) ||
      list_modules_ == nullptr)
    return;
  for (const std::string& path : list_modules_()) {
    // A single word may mean many things; a file of that name in a deep folder is hardly one of them.
    const bool is_near = is_path || path.find('.') == path.rfind('.');
    if (is_near && path.ends_with("." + std::string(name)))
      static_cast<void>(find_in_module(path, {}, found));
    else if (is_path && path.ends_with("." + std::string(above)))
      static_cast<void>(find_in_module(path, last, found));
  }
}
// Finds a name in a module, or all its names. False: there is no such module.
bool DocFinder::find_in_module(std::string_view path, std::string_view name,
                               std::vector<DocEntry>& found) {
  const auto text = read_module_(path);
  if (!text) return false;
  for (DocEntry& entry : module_docs(compiler_, path, *text))
    if (name.empty() || entry.name == name) found.push_back(std::move(entry));
  return true;
}

std::string DocFinder::nearest(std::string_view name, std::vector<std::string> names) {
  for (const std::string_view known : builtin_names()) names.emplace_back(known);
  for (const StandardModule& module : standard_modules()) {
    names.push_back(path_of(module));
    for (const DocEntry& entry : module_docs(compiler_, names.back(), module.text))
      names.push_back(entry.name);
  }
  const std::vector<std::string_view> choices(names.begin(), names.end());
  const std::string_view part = nearest_part(name, choices);
  return std::string(part.empty() ? nearest_word(name, choices) : part);
}

}  // namespace komuz::services
