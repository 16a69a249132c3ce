// SPDX-License-Identifier: Apache-2.0
// Fixes: each by itself where what it mends touches the range, and all of the text at once.
#include <algorithm>

#include "lsp/answers/findings.h"
#include "lsp/answers/line_edit.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "lsp/answers/test_lenses.h"
#include "lsp/answers/variant_actions.h"
#include "services/apply_edits.h"
#include "services/editor/fixes.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kQuickFix = "quickfix", kFixAll = "source.fixAll.komuz";

// Does the client want actions of the kind? It may name one above it.
bool wants(const Question& question, std::string_view kind) {
  const Json& only = member(member(question.params, "context"), "only");
  if (!only.is_array() || only.empty()) return true;
  return std::ranges::any_of(only, [&](const Json& name) {
    if (!name.is_string()) return false;
    const auto& wanted = name.get_ref<const std::string&>();
    return kind == wanted || (kind.starts_with(wanted) && kind.substr(wanted.size())[0] == '.');
  });
}

Json action_json(const Question& question, const Document& document, std::string_view kind,
                 std::string title, const Edit& edit) {
  Json edits = Json::array({text_edit_json(document, edit, question.client.encoding)});
  return {{"title", std::move(title)},
          {"kind", kind},
          {"edit", workspace_edit_json(question, document, std::move(edits))}};
}

void add_quick_fixes(const Question& question, const Document& document, ByteRange range,
                     Json& actions) {
  const services::CheckedText& checked = question.workspace.check(document, question.stop);
  for (const Diagnostic& d : checked.diagnostics) {
    if (d.begin > range.end || d.end() < range.begin) continue;
    auto fix = services::offered_fix(d, checked.text, document.text.size());
    if (!fix) continue;
    Json action = action_json(question, document, kQuickFix, std::move(fix->title), fix->edit);
    action["diagnostics"] = Json::array({diagnostic_json(question, document, checked, d)});
    if (question.client.has_preferred_actions) action["isPreferred"] = true;
    actions.push_back(std::move(action));
  }
}

// Each round of fixes compiles the text: only where there is something to mend.
void add_fix_all(const Question& question, const Document& document, Json& actions) {
  const services::CheckedText& checked = question.workspace.check(document, question.stop);
  const bool has_fix = std::ranges::any_of(checked.diagnostics, [&](const Diagnostic& d) {
    return services::offered_fix(d, checked.text, document.text.size()).has_value();
  });
  if (!has_fix) return;
  const services::Analysis& analysis = question.workspace.analyse(document);
  frontend::Compiler compiler({.library = analysis.library()});
  const services::Fixed fixed =
      services::fix_source(compiler, document.text, services::FixKind::All, question.stop);
  if (const auto edit = line_edit(document.text, fixed.text))
    actions.push_back(action_json(question, document, kFixAll, "mend all that has a fix", *edit));
}

}  // namespace

Outcome answer_actions(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  Json actions = Json::array();
  // What is no literal is a command, and there are none.
  if (!question.client.has_action_literals) return actions;
  const Document& document = *read.value.document;
  if (wants(question, kQuickFix)) add_quick_fixes(question, document, read.value.bytes, actions);
  if (wants(question, kFixAll)) add_fix_all(question, document, actions);
  Json others = Json::array();
  add_example_fixes(question, document, read.value.bytes, others);
  add_variant_actions(question, document, read.value.bytes, others);
  for (Json& action : others)
    if (wants(question, action["kind"].get_ref<const std::string&>()))
      actions.push_back(std::move(action));
  return actions;
}

}  // namespace komuz::lsp
