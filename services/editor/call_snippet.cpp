// SPDX-License-Identifier: Apache-2.0
#include "services/editor/call_snippet.h"

#include "services/front_end_names.h"
#include "services/signature.h"
#include "services/symbols.h"

namespace komuz::services {
namespace {

bool is_module_before(const Analysis& analysis, u32 dot) {
  const Symbol symbol = symbol_around(analysis, analysis.in_program(dot));
  return symbol.kind == Symbol::Kind::Binding &&
         analysis.columns().bind_kind[symbol.number] == BindKind::Module;
}

}  // namespace

std::optional<std::vector<std::string>> arguments_to_write(const Analysis& analysis,
                                                           const Completions& known,
                                                           const Completion& completion) {
  const bool is_called = completion.kind == NameKind::Function ||
                         completion.kind == NameKind::Operation ||
                         completion.kind == NameKind::Constructor;
  if (!is_called || known.expected.starts_with("fn(")) return std::nullopt;
  const std::string_view text = analysis.text();
  if (known.end < text.size() && text[known.end] == '(') return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [begin, end] : parameters_of_signature(completion.signature)) {
    const std::string_view one = std::string_view(completion.signature).substr(begin, end - begin);
    names.emplace_back(one.substr(0, one.find(':')));
  }
  if (names.empty() && completion.signature.find('(') == std::string::npos) return std::nullopt;
  // Operations are documented with the value before their `.`, functions have it as their first parameter.
  const bool is_method = known.missing_module.empty() && known.begin > 0 &&
                         text[known.begin - 1] == '.' &&
                         !is_module_before(analysis, known.begin - 1);
  if (is_method && completion.kind == NameKind::Function && !names.empty())
    names.erase(names.begin());
  return names;
}

}  // namespace komuz::services
