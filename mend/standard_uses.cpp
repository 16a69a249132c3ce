// SPDX-License-Identifier: Apache-2.0
#include "mend/standard_uses.h"

#include <algorithm>
#include <iterator>

#include "lang/standard_modules.h"
#include "mend/name_edits.h"
#include "mend/source_text.h"

namespace komuz {

namespace {

struct PublicFunction {
  std::string_view name, module;
  std::string_view takes;  // the type of its first parameter
};

// The public functions of all modules, by name.
std::vector<PublicFunction> list_functions() {
  constexpr std::string_view kHead = "pub fn ";
  std::vector<PublicFunction> functions;
  for (const StandardModule& module : standard_modules())
    for (size_t at = 0; at < module.text.size(); at = module.text.find('\n', at) + 1) {
      const std::string_view line = module.text.substr(at);
      if (line.starts_with(kHead)) {
        const size_t open = line.find('('), close = closing_bracket_of_lines(line, open);
        const std::vector<std::string_view> parameters =
            parts_of(line.substr(open + 1, close - open - 1));
        const std::string_view first = parameters.empty() ? "" : parameters[0];
        functions.push_back({line.substr(kHead.size(), open - kHead.size()), module.name,
                             trimmed(first.substr(first.find(':') + 1))});
      }
      if (line.find('\n') == std::string_view::npos) break;
    }
  std::ranges::stable_sort(functions, {}, &PublicFunction::name);
  return functions;
}

const std::vector<PublicFunction>& all_functions() {
  static const std::vector<PublicFunction> functions = list_functions();
  return functions;
}
// `(i64, f64)` for `[(i64, f64)]`, `List[(i64, f64), 8]` and `[(i64, f64); 8]`; empty for a type without elements.
std::string_view element_of(std::string_view type) {
  if (type.starts_with("Bytes[")) return "u8";
  if (type.starts_with("List[")) type.remove_prefix(4);
  if (!type.starts_with('[') || !type.ends_with(']')) return {};
  const std::vector<std::string_view> parts = parts_of(type.substr(1, type.size() - 2));
  const std::string_view first = parts.empty() ? "" : parts[0];
  const size_t number = first.rfind(';'), inner = first.find_last_of(")]");
  const bool is_counted =
      number != std::string_view::npos && (inner == std::string_view::npos || inner < number);
  return is_counted ? trimmed(first.substr(0, number)) : first;
}
bool takes(const PublicFunction& f, std::string_view argument) {
  const std::string_view element = element_of(f.takes);
  return element.empty() ? f.takes == argument : element == element_of(argument);
}
// True if the type is known, with all of its parts.
bool is_known(std::string_view type) {
  return !type.empty() && type.find("…") == std::string_view::npos && !has_word(type, "_");
}
// The functions that a call with such an argument may mean: those of the name that take it, else `take_f64` for
// `take`. If the type is unknown, or is a number that could be converted, all of the name. Empty if none takes it.
std::vector<PublicFunction> functions_that_take(std::string_view name, std::string_view argument) {
  const auto named = [](std::string_view word) {
    return std::ranges::equal_range(all_functions(), word, {}, &PublicFunction::name);
  };
  std::vector<PublicFunction> fitting;
  const auto is_fitting = [argument](const PublicFunction& f) { return takes(f, argument); };
  std::ranges::copy_if(named(name), std::back_inserter(fitting), is_fitting);
  if (!fitting.empty()) return fitting;
  std::ranges::copy_if(named(std::string(name) + "_f64"), std::back_inserter(fitting), is_fitting);
  if (!fitting.empty()) return fitting;
  std::ranges::copy_if(named(name), std::back_inserter(fitting), [argument](const auto& f) {
    return !is_known(argument) || (is_scalar_name(argument) && is_scalar_name(f.takes));
  });
  return fitting;
}

std::string function_use(std::string_view function, std::string_view module) {
  return "use std." + std::string(module) + ".{" + std::string(function) + "};";
}

// The place for a `use`: before the first one, else behind the comment at the head of the file, which a blank line
// ends.
u32 use_place(std::string_view source) {
  size_t at = 0, head = 0;
  while (at < source.size()) {
    const std::string_view line = source.substr(at, source.find('\n', at) - at);
    if (line.starts_with("use ")) return static_cast<u32>(at);
    const size_t next = std::min(source.find('\n', at), source.size() - 1) + 1;
    if (line.empty() || line == "\r") head = next;
    if (!line.empty() && line != "\r" && !line.starts_with("//")) break;
    at = next;
  }
  return static_cast<u32>(head);
}
// The `use` of a module's names, on one line; empty if the program has none. `head` ends with its `{`.
std::string_view use_of_names(std::string_view head, std::string_view source) {
  size_t at = source.find(head);
  while (at != std::string_view::npos && at > 0 && source[at - 1] != '\n')
    at = source.find(head, at + 1);
  if (at == std::string_view::npos) return {};
  const std::string_view item = source.substr(at, source.find(';', at) + 1 - at);
  return item.ends_with("};") && item.find('\n') == std::string_view::npos ? item
                                                                           : std::string_view{};
}
// Nothing if the program has it: the error then has another reason.
std::optional<Edit> insert_use(const std::string& use, std::string_view source) {
  const size_t there = source.find(use);
  if (there != std::string_view::npos && (there == 0 || source[there - 1] == '\n'))
    return std::nullopt;
  const u32 place = use_place(source);
  return Edit{place, place, use + "\n"};
}

}  // namespace

std::vector<std::string_view> standard_modules_with(std::string_view function) {
  std::vector<std::string_view> modules;
  for (const PublicFunction& f :
       std::ranges::equal_range(all_functions(), function, {}, &PublicFunction::name))
    modules.push_back(f.module);
  return modules;
}

bool is_standard_module(std::string_view name) {
  return std::ranges::find(standard_modules(), name, &StandardModule::name) !=
         standard_modules().end();
}

bool is_standard_function(std::string_view module, std::string_view function) {
  const std::vector<std::string_view> modules = standard_modules_with(function);
  return std::ranges::find(modules, module) != modules.end();
}

std::string standard_use_items() {
  std::string items;
  for (const StandardModule& module : standard_modules())
    items += "use std." + std::string(module.name) + ";\n";
  return items;
}

std::string standard_uses_text(std::string_view function, std::string_view argument) {
  std::string uses, taken;
  for (const PublicFunction& f : functions_that_take(function, argument)) {
    const bool is_other = f.name != function;
    uses += (uses.empty() ? "" : " or ") +
            (is_other ? "`" + std::string(f.name) + "`, with " : std::string()) + "`" +
            function_use(f.name, f.module) + "`";
  }
  if (!uses.empty()) return "; write " + uses;
  for (const PublicFunction& f :
       std::ranges::equal_range(all_functions(), function, {}, &PublicFunction::name)) {
    const std::string type = "`" + std::string(f.takes) + "`";
    if (taken.find(type) == std::string::npos) taken += (taken.empty() ? "" : " or ") + type;
  }
  return "; it takes " + taken + ", not `" + std::string(argument) + "`";
}

std::optional<Edit> function_use_edit(std::string_view function, std::string_view argument,
                                      std::string_view source) {
  const std::vector<PublicFunction> functions = functions_that_take(function, argument);
  if (functions.size() != 1 || functions[0].name != function) return std::nullopt;
  return insert_use(function_use(function, functions[0].module), source);
}
std::optional<Edit> module_use_edit(std::string_view module, std::string_view source) {
  return insert_use("use std." + std::string(module) + ";", source);
}

std::string use_with(std::string_view path, std::string_view name, std::string_view source) {
  const std::string head = "use " + std::string(path) + ".{";
  const std::string_view there = use_of_names(head, source);
  std::string_view names =
      trimmed(there.empty() ? there : there.substr(head.size(), there.size() - head.size() - 2));
  if (names.ends_with(',')) names.remove_suffix(1);
  if (has_word(names, name)) return head + std::string(names) + "};";
  return head + std::string(names) + (names.empty() ? "" : ", ") + std::string(name) + "};";
}
std::optional<Edit> use_edit(std::string_view use, std::string_view source) {
  const std::string_view there = use_of_names(use.substr(0, use.find('{') + 1), source);
  if (use.find('{') == std::string_view::npos || there.empty())
    return insert_use(std::string(use), source);
  const u32 begin = static_cast<u32>(there.data() - source.data());
  return Edit{begin, begin + static_cast<u32>(there.size()), std::string(use)};
}

}  // namespace komuz
