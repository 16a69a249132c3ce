// SPDX-License-Identifier: Apache-2.0
// Fixes: each by itself where what it mends touches the range, all of its code, and all of the text at once. And refactorings.
#include <algorithm>

#include "lsp/answers/findings.h"
#include "lsp/answers/harness_findings.h"
#include "lsp/answers/line_edit.h"
#include "lsp/answers/params.h"
#include "lsp/answers/session_input.h"
#include "lsp/answers/shapes.h"
#include "lsp/answers/test_lenses.h"
#include "lsp/answers/variant_actions.h"
#include "services/apply_edits.h"
#include "services/editor/fixes.h"
#include "services/editor/use_links.h"
#include "services/refactor/organize_uses.h"
#include "services/refactor/refactor.h"
#include "services/session/session_items.h"

namespace komuz::lsp {
namespace {

constexpr std::string_view kQuickFix = "quickfix", kFixAll = "source.fixAll.komuz",
                           kOrganize = "source.organizeImports";

bool is_below(std::string_view kind, std::string_view above) {
  return above.empty() || kind == above ||
         (kind.starts_with(above) && kind.substr(above.size()).starts_with('.'));
}
// Does the client want actions of the kind, and take them? It may name one above it.
bool wants(const Question& question, std::string_view kind) {
  const auto is_above = [&](std::string_view above) { return is_below(kind, above); };
  const std::vector<std::string>& taken = question.client.action_kinds;
  if (!taken.empty() && std::ranges::none_of(taken, is_above)) return false;
  const Json& only = member(member(question.params, "context"), "only");
  if (!only.is_array() || only.empty()) return true;
  return std::ranges::any_of(only, [&](const Json& name) {
    return name.is_string() && is_above(name.get_ref<const std::string&>());
  });
}

Json edit_json(const Question& question, const Document& document, const std::vector<Edit>& edits) {
  Json list = Json::array();
  for (const Edit& edit : edits)
    list.push_back(text_edit_json(document, edit, question.client.encoding));
  return workspace_edit_json(question, document, std::move(list));
}

void add_quick_fixes(const Question& question, const Document& document, ByteRange range,
                     Json& actions) {
  const services::CheckedText& checked = question.workspace.check(document, question.stop);
  std::vector<DiagnosticCode> codes;
  for (const Diagnostic& d : checked.diagnostics) {
    if (d.begin > range.end || d.end() < range.begin) continue;
    auto fix = services::offered_fix(d, checked.text, document.text.size());
    if (!fix) continue;
    Json action = {{"title", std::move(fix->title)},
                   {"kind", kQuickFix},
                   {"edit", edit_json(question, document, {fix->edit})},
                   {"diagnostics", Json::array({diagnostic_json(question, document, checked, d)})}};
    // A diagnostic has one fix.
    if (question.client.has_preferred_actions) action["isPreferred"] = true;
    actions.push_back(std::move(action));
    if (std::ranges::find(codes, d.code()) == codes.end()) codes.push_back(d.code());
  }
  for (const DiagnosticCode code : codes) {
    const std::vector<Edit> edits =
        services::fixes_of_code(checked.diagnostics, code, checked.text, document.text.size());
    if (edits.size() < 2) continue;
    actions.push_back({{"title", "apply all " + std::to_string(edits.size()) + " fixes of " +
                                     std::string(diagnostic_row(code).code)},
                       {"kind", kQuickFix},
                       {"edit", edit_json(question, document, edits)}});
  }
}

// What makes the edit of an action later. It is about this text and no other.
Json data_json(const Document& document, std::string_view kind, ByteRange range) {
  return {{"uri", document.uri},
          {"version", document.version},
          {"kind", kind},
          {"begin", range.begin},
          {"end", range.end}};
}

// Each round of fixes compiles the text: only where there is something to mend.
std::optional<Edit> all_fixes(const Question& question, const Document& document) {
  const services::Analysis& analysis = question.workspace.analyse(document);
  frontend::Compiler compiler({.library = analysis.library()});
  const std::string behind = services::with_items({}, question.workspace.items_of(document).text);
  services::Fixed fixed =
      services::fix_source(compiler, document.text + behind, services::FixKind::All, question.stop);
  if (!fixed.text.ends_with(behind)) return std::nullopt;
  fixed.text.resize(fixed.text.size() - behind.size());
  return line_edit(document.text, fixed.text);
}
void add_fix_all(const Question& question, const Document& document, Json& actions) {
  const services::CheckedText& checked = question.workspace.check(document, question.stop);
  const bool has_fix = std::ranges::any_of(checked.diagnostics, [&](const Diagnostic& d) {
    return services::offered_fix(d, checked.text, document.text.size()).has_value();
  });
  if (!has_fix) return;
  Json action = {{"title", "apply all fixes"}, {"kind", kFixAll}};
  if (question.client.resolves_action_edits) {
    action["data"] = data_json(document, kFixAll, {});
  } else {
    const std::optional<Edit> edit = all_fixes(question, document);
    if (!edit) return;
    action["edit"] = edit_json(question, document, {*edit});
  }
  actions.push_back(std::move(action));
}

// On the lines of `use` items, and where a client asks for actions of the kind, as it does on saving. Others see it in no menu: it
// compiles the text.
void add_organize(const Question& question, const Document& document, ByteRange range,
                  Json& actions) {
  const services::Analysis& analysis = question.workspace.analyse(document);
  const Json& only = member(member(question.params, "context"), "only");
  const bool is_asked_for = only.is_array() && !only.empty();
  const auto touches = [&](const services::UseLink& link) {
    return document.lines.line_of(range.begin) <= document.lines.line_of(link.end) &&
           document.lines.line_of(link.begin) <= document.lines.line_of(range.end);
  };
  if (!is_asked_for &&
      std::ranges::none_of(services::list_use_links(analysis.written(), document.text), touches))
    return;
  const std::vector<Edit> edits = services::organize_uses(analysis, question.stop);
  if (edits.empty()) return;
  actions.push_back({{"title", "organize the `use` items"},
                     {"kind", kOrganize},
                     {"edit", edit_json(question, document, edits)}});
}

// A refactoring of a larger text is compiled when it is chosen, if the client can wait for its edit.
constexpr size_t kMostCompiled = size_t{128} << 10;

void add_refactorings(const Question& question, const Document& document, ByteRange range,
                      Json& actions) {
  const services::Analysis& analysis = question.workspace.analyse_names(document);
  const bool is_later = question.client.resolves_action_edits;
  for (const services::RefactoringRow& row : services::kRefactorings) {
    if (!wants(question, row.kind)) continue;
    if (!services::may_refactor(row.refactoring, analysis, range.begin, range.end)) continue;
    Json action = {{"title", row.title}, {"kind", row.kind}};
    if (is_later) action["data"] = data_json(document, row.kind, range);
    if (!is_later || document.text.size() <= kMostCompiled) {
      const auto edits =
          services::refactor(row.refactoring, analysis, range.begin, range.end, question.stop);
      if (!edits) continue;
      if (!is_later) action["edit"] = edit_json(question, document, *edits);
    }
    actions.push_back(std::move(action));
  }
}

}  // namespace

Outcome answer_actions(const Question& question) {
  const Read<Stretched> read = read_stretch(question);
  if (!read) return *read.refusal;
  Json actions = Json::array();
  // Such a client takes commands alone, and none of these is one.
  if (!question.client.has_action_literals) return actions;
  const Document& document = *read.value.document;
  if (wants(question, kQuickFix)) add_quick_fixes(question, document, read.value.bytes, actions);
  if (wants(question, kFixAll)) add_fix_all(question, document, actions);
  if (wants(question, kOrganize)) add_organize(question, document, read.value.bytes, actions);
  add_refactorings(question, document, read.value.bytes, actions);
  Json others = Json::array();
  if (wants(question, kQuickFix)) add_harness_fixes(question, document, others);
  add_example_fixes(question, document, read.value.bytes, others);
  add_variant_actions(question, document, read.value.bytes, others);
  add_session_actions(question, document, read.value.bytes, others);
  for (Json& action : others)
    if (wants(question, action["kind"].get_ref<const std::string&>()))
      actions.push_back(std::move(action));
  return actions;
}

Outcome answer_action(const Question& question) {
  const Json& data = member(question.params, "data");
  const Json &uri = member(data, "uri"), &kind = member(data, "kind");
  const Json &begin = member(data, "begin"), &end = member(data, "end");
  // One that has its edit, or is another server's.
  if (!uri.is_string() || !kind.is_string()) return question.params;
  const DocumentRef document =
      question.workspace.documents().find(uri.get_ref<const std::string&>());
  if (document == nullptr)
    return Refusal{ErrorCode::InvalidParams, uri.get<std::string>() + " is not open"};
  if (member(data, "version") != document->version)
    return Refusal{ErrorCode::RequestFailed,
                   "the text is another one than when the action was offered; ask again"};
  Json action = question.params;
  if (kind == kFixAll) {
    const std::optional<Edit> edit = all_fixes(question, *document);
    if (edit) action["edit"] = edit_json(question, *document, {*edit});
    return action;
  }
  const auto* const row = std::ranges::find(
      services::kRefactorings, kind.get_ref<const std::string&>(), &services::RefactoringRow::kind);
  if (row == std::end(services::kRefactorings) || !begin.is_number_unsigned() ||
      !end.is_number_unsigned())
    return Refusal{ErrorCode::InvalidParams, "`data` is none of an action that was offered"};
  const auto place = [&](const Json& byte) {
    return static_cast<u32>(std::min<u64>(byte.get<u64>(), document->text.size()));
  };
  const auto edits =
      services::refactor(row->refactoring, question.workspace.analyse_names(*document),
                         place(begin), place(end), question.stop);
  if (!edits)
    return Refusal{
        ErrorCode::RequestFailed,
        "the text would not compile any more, or mean something else; nothing is changed"};
  action["edit"] = edit_json(question, *document, *edits);
  return action;
}

}  // namespace komuz::lsp
