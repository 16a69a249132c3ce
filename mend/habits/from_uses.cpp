// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_uses.h"

#include <algorithm>
#include <vector>

#include "mend/builtin_words.h"
#include "mend/source_text.h"
#include "mend/standard_uses.h"

namespace komuz {

namespace {

// The words of a line, and `*`. Other bytes are implied by the order; nothing if there are more than the marks of
// paths and lists.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end == at && line[at] == '*') ++end;
    if (end != at) {
      words.push_back(line.substr(at, end - at));
      at = end;
    } else if (std::string_view(" \t\r.:,;{}()").find(line[at]) != std::string_view::npos) {
      ++at;
    } else {
      return {};
    }
  }
  return words;
}

}  // namespace

std::string uses_of(std::string_view line) {
  std::vector<std::string_view> words = words_of(line);
  // Two paths, and a new name.
  const bool is_more = std::ranges::count(words, "std") > 1 || std::ranges::count(words, "as") != 0;
  if (words.size() < 2 || is_more) return "";
  words.erase(words.begin());
  std::erase(words, "import");
  const bool has_root = words[0] == "std";
  if (has_root) words.erase(words.begin());
  if (words.empty()) return "";
  if (std::ranges::all_of(words, is_standard_module)) {  // `from std import math, list`
    std::string uses;
    for (const std::string_view module : words)
      uses += (uses.empty() ? "use std." : "\nuse std.") + std::string(module) + ";";
    return uses;
  }
  const std::string_view module = words[0];
  std::string names;
  bool has_all = false;
  for (const std::string_view name : std::vector(words.begin() + 1, words.end())) {
    if (name == "*") {
      has_all = true;
    } else if (is_standard_function(module, name)) {
      names += (names.empty() ? "" : ", ") + std::string(name);
    } else if (!is_builtin_word(name)) {
      return "";
    }
  }
  if (!is_standard_module(module) || (names.empty() && !has_all)) return "";
  return "use std." + std::string(module) + (has_all ? ";" : ".{" + names + "};");
}

bool is_module_of_python(std::string_view module) {
  return is_among(module,
                  {"abc",        "bisect", "cmath",     "collections", "copy",   "dataclasses",
                   "decimal",    "enum",   "fractions", "functools",   "heapq",  "itertools",
                   "math",       "numpy",  "operator",  "queue",       "random", "scipy",
                   "statistics", "sys",    "time",      "typing",      "types",  "__future__"});
}

bool has_builtins(std::string_view module) { return is_among(module, {"cmath", "math", "numpy"}); }

std::string use_of_path(std::string_view line) {
  std::vector<std::string_view> words = words_of(line);
  if (words.size() < 3 || std::ranges::count(words, "as") != 0 ||
      std::ranges::count(words, "*") != 0)
    return "";
  size_t first_name = words.size() - 1;
  if (words[0] == "use" && words.size() == 3 && is_among(words[1], {"crate", "super", "self"}) &&
      line.find('{') == std::string_view::npos)
    return "use " + std::string(words[2]) + ";";
  if (words[0] == "from") {
    const auto import = std::ranges::find(words, "import");
    first_name = static_cast<size_t>(import - words.begin()) + 1;
    if (import == words.end() || first_name == words.size() || is_module_of_python(words[1]))
      return "";
    words.erase(import);
    --first_name;
  } else if (words[0] != "use" || line.find("::") == std::string_view::npos) {
    return "";
  } else if (const size_t brace = line.find('{'); brace != std::string_view::npos) {
    first_name = words_of(line.substr(0, brace)).size();
    if (line.find('{', brace + 1) != std::string_view::npos ||
        line.substr(brace).find(':') != std::string_view::npos)
      return "";
  } else if (words.back()[0] < 'A' || words.back()[0] > 'Z') {
    return "";
  }
  size_t root = 1;
  while (root < first_name && is_among(words[root], {"crate", "super", "self"})) ++root;
  if (root >= first_name || words[root] == "std" || words[root] == "core") return "";
  std::string path, names;
  for (size_t k = root; k < words.size(); ++k) {
    std::string& part = k < first_name ? path : names;
    part += (part.empty() ? "" : k < first_name ? "." : ", ") + std::string(words[k]);
  }
  return names.empty() ? "" : "use " + path + ".{" + names + "};";
}

std::string use_of_name(std::string_view line) {
  if (std::string use = use_of_path(line); !use.empty()) return use;
  if (!line.starts_with("use ")) return "";
  std::string_view path = trimmed(line.substr(4));
  if (path.ends_with(';')) path = trimmed(path.substr(0, path.size() - 1));
  const size_t dot = path.rfind('.');
  const bool is_path = std::ranges::all_of(path, [](char c) { return is_word(c) || c == '.'; });
  if (!is_path || dot == std::string_view::npos || dot == 0 || dot + 1 == path.size()) return "";
  return "use " + std::string(path.substr(0, dot)) + ".{" + std::string(path.substr(dot + 1)) +
         "};";
}

}  // namespace komuz
