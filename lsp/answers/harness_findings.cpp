// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/harness_findings.h"

#include <algorithm>

#include "lsp/answers/findings.h"
#include "services/editor/head_lines.h"

namespace komuz::lsp {
namespace {

// A path as a document may write it: from its own folder, if the file lies there or one folder up.
std::string path_from(const Document& document, const std::string& file) {
  const std::string own = document.path.substr(0, document.path.rfind('/') + 1);
  if (file.starts_with(own)) return file.substr(own.size());
  const std::string above = own.substr(0, own.rfind('/', own.size() - 2) + 1);
  return !above.empty() && file.starts_with(above) ? "../" + file.substr(above.size()) : file;
}

}  // namespace

void add_harness_findings(const Question& question, const Document& document,
                          const services::CheckedText& checked, Json& findings) {
  for (const Diagnostic& d : checked.harness_diagnostics) {
    Json finding = diagnostic_json(question, document, checked, d);
    const std::string file = path_from(document, checked.used_harness.file);
    finding["message"] = "`" + checked.used_harness.name +
                         "` is a harness, and this a candidate of it; write `//! harness: " + file +
                         "` in the first line";
    finding.erase("data");
    findings.push_back(std::move(finding));
  }
  const std::string problem = question.workspace.harness_problem(document);
  if (problem.empty()) return;
  const services::HeadLines head = services::read_head(document.text);
  const services::HeadLine* const line = head.find(services::HeadKey::Harness);
  if (line == nullptr) return;
  findings.push_back(finding_json(question, document, {line->value_begin, line->value_end},
                                  FindingSeverity::Error, kHeadCode, problem));
}

void add_harness_fixes(const Question& question, const Document& document, Json& actions) {
  const services::CheckedText& checked = question.workspace.check(document, question.stop);
  const bool is_wrong = !checked.harness_diagnostics.empty() ||
                        std::ranges::any_of(checked.diagnostics, [](const Diagnostic& d) {
                          return diagnostic_row(d.code()).severity == Severity::Error;
                        });
  if (!is_wrong || checked.is_harness || !question.workspace.harness_of(document).empty() ||
      services::says(document.text, services::HeadKey::Harness))
    return;
  for (const std::string& file : question.workspace.fitting_harnesses(document, question.stop)) {
    const std::string name = path_from(document, file);
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    const bool has_mark = document.text.starts_with(kByteOrderMark);
    const auto at = static_cast<u32>(has_mark ? kByteOrderMark.size() : 0);
    Json edits = Json::array({text_edit_json(document, {at, at, "//! harness: " + name + "\n"},
                                             question.client.encoding)});
    actions.push_back({{"title", "make it a candidate of `" + name + "`"},
                       {"kind", "quickfix"},
                       {"edit", workspace_edit_json(question, document, std::move(edits))}});
  }
}

}  // namespace komuz::lsp
