// SPDX-License-Identifier: Apache-2.0
#include "services/editor/call_snippet.h"

#include "services/signature.h"

namespace komuz::services {
namespace {

// Functions that are built in have signatures of types alone, `clamp(T, T, T) -> T`. What their documentation calls the arguments,
// `clamp(x, lo, hi): …`; else letters.
std::vector<std::string> names_of_builtin(const Completion& completion, size_t count) {
  constexpr std::string_view kLetters = "xyzuvw";
  std::vector<std::string> names;
  const std::string form = completion.text + "(";
  if (completion.comment.starts_with(form)) {
    const std::string_view call =
        std::string_view(completion.comment).substr(0, completion.comment.find(':'));
    for (const auto& [begin, end] : parameters_of_signature(call))
      names.emplace_back(call.substr(begin, end - begin));
  }
  if (names.size() == count) return names;
  names.clear();
  for (size_t k = 0; k < count; ++k) names.emplace_back(1, kLetters[k % kLetters.size()]);
  return names;
}

}  // namespace

std::optional<std::vector<std::string>> arguments_to_write(std::string_view text,
                                                           const Completions& known,
                                                           const Completion& completion) {
  const bool is_called =
      completion.kind == NameKind::Function || completion.kind == NameKind::Operation ||
      completion.kind == NameKind::Constructor || completion.kind == NameKind::Space;
  if (!is_called || known.is_listed || known.expected.starts_with("fn(")) return std::nullopt;
  if (known.end < text.size() && text[known.end] == '(') return std::nullopt;
  std::vector<std::string> names;
  bool has_names = true;
  for (const auto& [begin, end] : parameters_of_signature(completion.signature)) {
    const std::string_view one = std::string_view(completion.signature).substr(begin, end - begin);
    has_names = has_names && one.find(':') != std::string_view::npos;
    names.emplace_back(one.substr(0, one.find(':')));
  }
  if (names.empty() && completion.signature.find('(') == std::string::npos) return std::nullopt;
  if (!has_names && completion.kind == NameKind::Function)
    names = names_of_builtin(completion, names.size());
  // Operations are documented with the value before their `.`, functions have it as their first parameter.
  if (known.is_member && completion.kind == NameKind::Function && !names.empty())
    names.erase(names.begin());
  return names;
}

}  // namespace komuz::services
