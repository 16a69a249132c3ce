// SPDX-License-Identifier: Apache-2.0
#include "repl/editor/paste.h"

#include <algorithm>

namespace komuz::editor {

namespace {

constexpr std::string_view kPrompts[] = {"> ", "… "};

// When text is copied, empty inputs lose the blank behind the prompt.
bool starts_with_prompt(std::string_view line, std::string_view prompt) {
  return line.starts_with(prompt) || line == prompt.substr(0, prompt.size() - 1);
}

}  // namespace

std::string from_paste(std::string_view pasted) {
  std::string text;
  for (size_t k = 0; k < pasted.size(); ++k) {
    if (pasted[k] == '\r' && k + 1 < pasted.size() && pasted[k + 1] == '\n') continue;
    text += pasted[k] == '\r' ? '\n' : pasted[k];
  }
  while (text.ends_with('\n')) text.pop_back();
  if (!starts_with_prompt(text.substr(0, text.find('\n')), kPrompts[0])) return text;
  std::string inputs;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    for (const std::string_view prompt : kPrompts) {
      if (!starts_with_prompt(line, prompt)) continue;
      if (!inputs.empty()) inputs += '\n';
      inputs += line.substr(std::min(prompt.size(), line.size()));
      break;
    }
  }
  return inputs;
}

}  // namespace komuz::editor
