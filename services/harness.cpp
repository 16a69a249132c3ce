// SPDX-License-Identifier: Apache-2.0
#include "services/harness.h"

#include <algorithm>

#include "engine/candidates/harness_names.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "mend/near_miss.h"
#include "services/item_text.h"

namespace komuz::services {

bool lacks_bodies(std::span<const Diagnostic> diagnostics) {
  return std::ranges::any_of(
      diagnostics, [](const Diagnostic& d) { return d.code() == DiagnosticCode::MissingBody; });
}
bool only_lacks_bodies(std::span<const Diagnostic> diagnostics) {
  return std::ranges::all_of(diagnostics, [](const Diagnostic& d) {
    return d.code() == DiagnosticCode::MissingBody ||
           diagnostic_row(d.code()).severity != Severity::Error;
  });
}

bool is_harness(std::string_view text, engine::ModuleLoader& modules) {
  modules.load(text);
  frontend::Compilation compilation;
  frontend::Compiler({.library = &modules.library()}).compile(text, compilation);
  return !compilation.ok && only_lacks_bodies(compilation.diagnostics);
}

bool is_meant_for(std::string_view text, const Module& harness) {
  frontend::Compiler lexer;
  if (std::ranges::count(lexer.list_modules(text), harness.path) != 0) return true;
  static_cast<void>(lexer.identify(text));
  const frontend::Columns& c = lexer.columns();
  for (frontend::Index t = 0; t + 1 < c.tokens; ++t) {
    const bool is_head =
        frontend::token_at(c, t) == Token::Fn && frontend::word_at(c, t + 1) == Token::Name;
    if (is_head &&
        std::ranges::count(harness.open, text_of_token(c, t + 1), &Module::OpenFunction::name) != 0)
      return true;
  }
  return false;
}

HarnessProblem check_harness(const Module& harness, std::string_view entry) {
  using Kind = HarnessProblem::Kind;
  if (!harness.ok) return {Kind::HasErrors, harness.file + " has errors", "mend these first"};
  if (harness.open.empty())
    return {Kind::OpensNothing, harness.file + " leaves nothing to its candidates",
            "write what they define as `pub fn f(x: f64) -> f64;`, without a body"};
  const CodeView code = harness.code.view();
  if (code.find_function(entry) != code.functions.size()) return {};
  std::vector<std::string_view> names;
  for (const Function& function : code.functions) names.push_back(code.name(function));
  if (std::ranges::count(names, entry) != 0)
    return {Kind::OpenEntry, "`" + std::string(entry) + "` of " + harness.file + " has no body",
            "candidates define it", "; `--entry` names the function that scores them"};
  const std::string_view near = nearest_word(entry, names);
  return {
      Kind::NoEntry, harness.file + " has no function `" + std::string(entry) + "`",
      near.empty() ? "define `pub fn score() -> f64`" : "did you mean `" + std::string(near) + "`?",
      near.empty() ? ", or name another one by `--entry`" : " `--entry` names it"};
}

UsedHarness find_used_harness(std::string_view source, const Library& library,
                              const FindHarness& find) {
  for (std::string& name : frontend::Compiler().list_modules(source)) {
    if (const u32 known = library.find(name); known != kNoModule) {
      const Module& module = library[known];
      // A harness that could not be read has none.
      const bool has_findings = !module.diagnostics.empty();
      if (!module.ok && has_findings && only_lacks_bodies(module.diagnostics))
        return {std::move(name), module.file};
    } else if (name.find('.') == std::string::npos) {
      if (std::string file = find(name); !file.empty()) return {std::move(name), std::move(file)};
    }
  }
  return {};
}

bool is_about_harness(const Diagnostic& d, std::string_view source, const UsedHarness& harness) {
  const bool is_of_module =
      d.code() == DiagnosticCode::UnknownModule || d.code() == DiagnosticCode::BrokenModule;
  return is_of_module && !harness.file.empty() && d.begin < source.size() &&
         source.substr(d.begin, d.length) == harness.name;
}

}  // namespace komuz::services
