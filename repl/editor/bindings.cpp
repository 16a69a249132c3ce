// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/bindings.h"

#include <algorithm>

namespace komuz::editor {

namespace {

struct Binding {
  Action action;
  std::string_view keys, summary;
};
constexpr Binding kBindings[] = {
#define BINDING(Name, keys, summary) {Action::Name, keys, summary},
#include "repl/editor/bindings.def"
#undef BINDING
};

}  // namespace

Action action_of(std::string_view keys) {
  Action found = Action::None;
  for (const Binding& binding : kBindings) {
    std::string_view rest = binding.keys;
    while (!rest.empty()) {
      const std::string_view bound = rest.substr(0, rest.find(", "));
      rest.remove_prefix(std::min(bound.size() + 2, rest.size()));
      if (bound == keys) return binding.action;
      if (bound.starts_with(keys) && bound[keys.size()] == ' ') found = Action::Prefix;
    }
  }
  return found;
}

std::string bindings_text() {
  size_t column = 0;
  for (const Binding& binding : kBindings) column = std::max(column, binding.keys.size() + 2);
  std::string text;
  for (const Binding& binding : kBindings) {
    std::string line = "  " + std::string(binding.keys);
    line.resize(column + 2, ' ');
    text += line + std::string(binding.summary) + "\n";
  }
  return text;
}

}  // namespace komuz::editor
