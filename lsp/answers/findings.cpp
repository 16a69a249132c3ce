// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/findings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/hash.h"
#include "lsp/answers/harness_findings.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "lsp/answers/variant_findings.h"
#include "lsp/text/uri.h"
#include "mend/mend.h"
#include "services/editor/finding_notes.h"
#include "services/editor/fixes.h"
#include "services/explain.h"

namespace komuz::lsp {
namespace {

FindingSeverity severity_of(const DiagnosticRow& row) {
  switch (row.severity) {
    case Severity::Error: break;
    case Severity::Warning: return FindingSeverity::Warning;
    case Severity::Note: return FindingSeverity::Information;
  }
  return FindingSeverity::Error;
}

// An empty range shows nowhere: it takes the character behind it, or, at the end of a line, the one before.
ByteRange shown_range(const Document& document, u32 begin, u32 end) {
  const auto size = static_cast<u32>(document.text.size());
  begin = std::min(begin, size);
  end = std::min(std::max(begin, end), size);
  const u32 line = document.lines.line_of(begin);
  const u32 line_begin = document.lines.begin(line),
            line_end = document.lines.end(document.text, line);
  begin = std::min(begin, line_end);
  end = std::max(begin, std::min(end, size));
  const auto is_inside = [&](u32 byte) {
    return (static_cast<u8>(document.text[byte]) & 0xC0) == 0x80;
  };
  if (begin != end) return {begin, end};
  if (end < line_end) {
    ++end;
    while (end < line_end && is_inside(end)) ++end;
  } else if (begin > line_begin) {
    --begin;
    while (begin > line_begin && is_inside(begin)) --begin;
  }
  return {begin, end};
}

// The page that explains a code, as a file. It is looked at once, and not for each diagnostic of each edit.
const std::string& page_uri(Workspace& workspace, std::string_view code) {
  auto& pages = workspace.code_pages();
  if (const auto known = pages.find(code); known != pages.end()) return known->second;
  std::string uri;
  if (const auto explanation = services::explain(code)) {
    const std::string path = workspace.files().keep("explain/" + std::string(code) + ".md",
                                                    services::render_explanation(*explanation));
    if (!path.empty()) uri = uri_of_path(path);
  }
  return pages.emplace(code, std::move(uri)).first->second;
}

std::string hash_text(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Hash128 hash;
  add_text(hash, text);
  std::string out;
  for (u32 k = 0; k < 16; ++k) out += kDigits[hash.low >> (4 * k) & 15];
  return out;
}

}  // namespace

Json finding_json(const Question& question, const Document& document, ByteRange bytes,
                  FindingSeverity severity, std::string_view code, std::string message) {
  return {{"range", range_json(document, bytes, question.client.encoding)},
          {"severity", static_cast<u32>(severity)},
          {"code", code},
          {"source", "komuz"},
          {"message", std::move(message)}};
}

Json diagnostic_json(const Question& question, const Document& document,
                     const services::CheckedText& checked, const Diagnostic& d) {
  const Encoding encoding = question.client.encoding;
  const auto& can = question.client.diagnostics;
  const DiagnosticRow& row = diagnostic_row(d.code());
  Json out = finding_json(question, document, shown_range(document, d.begin, d.end()),
                          severity_of(row), row.code, diagnostic_message(d, checked.text));
  if (can.unneeded && services::is_unneeded(d.code())) out["tags"] = {1};
  if (can.description)
    if (const std::string& page = page_uri(question.workspace, row.code); !page.empty())
      out["codeDescription"] = {{"href", page}};
  if (can.related) {
    Json related = Json::array();
    for (const services::RelatedPlace& place : services::related_places(d, document.text))
      related.push_back({{"location",
                          {{"uri", document.uri},
                           {"range", range_json(document, {place.begin, place.end}, encoding)}}},
                         {"message", place.message}});
    if (!related.empty()) out["relatedInformation"] = std::move(related);
  }
  if (can.data)
    if (const auto fix = services::offered_fix(d, checked.text, document.text.size()))
      out["data"] = {{"title", fix->title},
                     {"edit", text_edit_json(document, fix->edit, encoding)},
                     {"version", document.version}};
  return out;
}

bool list_findings(const Question& question, const Document& document, Json& out) {
  const services::CheckedText& checked = question.workspace.check(document, question.stop);
  if (checked.was_stopped) return false;
  out = Json::array();
  for (const Diagnostic& d : checked.diagnostics)
    out.push_back(diagnostic_json(question, document, checked, d));
  add_harness_findings(question, document, checked, out);
  add_variant_findings(question, document, out);
  return true;
}

std::string push_text(const Client& client, const Document& document, Json findings) {
  Json params = {{"uri", document.uri}, {"diagnostics", std::move(findings)}};
  if (client.diagnostics.version) params["version"] = document.version;
  return notification_text("textDocument/publishDiagnostics", std::move(params));
}

namespace {

// Says what was found, not which text it was found in: a document that is closed and opened again is not taken for
// another.
Json report_json(Json items, const Json& previous) {
  std::string id = hash_text(json_text(items));
  if (previous == id) return {{"kind", "unchanged"}, {"resultId", std::move(id)}};
  return {{"kind", "full"}, {"resultId", std::move(id)}, {"items", std::move(items)}};
}

}  // namespace

Outcome answer_diagnostics(const Question& question) {
  const Read<DocumentRef> read = read_document(question);
  if (!read) return *read.refusal;
  Json items;
  if (!list_findings(question, *read.value, items)) return cancelled();
  return report_json(std::move(items), member(question.params, "previousResultId"));
}

Outcome answer_workspace_diagnostics(const Question& question) {
  // Fewer are there before a person looks.
  constexpr size_t kMostSilent = 50;
  // So many reports make a part, for clients that take parts.
  constexpr size_t kPart = 25;
  std::map<std::string, Json> known;
  for (const Json& one : member(question.params, "previousResultIds"))
    if (const Json& uri = member(one, "uri"); uri.is_string())
      known[uri.get<std::string>()] = member(one, "value");
  const std::vector<DocumentRef> texts = question.workspace.project_texts(
      *make_document("", "", 0, ""), [](std::string_view /*text*/) { return true; });
  if (texts.size() > kMostSilent) question.progress.begin("checking the workspace");
  Json reports = Json::array();
  const auto send_part = [&](size_t least) {
    if (!question.progress.takes_parts() || reports.size() < least) return;
    question.progress.part({{"items", std::exchange(reports, Json::array())}});
  };
  for (size_t k = 0; k < texts.size(); ++k) {
    const Document& document = *texts[k];
    Json items;
    if (!list_findings(question, document, items)) return cancelled();
    const auto previous = known.find(document.uri);
    Json report =
        report_json(std::move(items), previous == known.end() ? Json() : previous->second);
    report["uri"] = document.uri;
    const bool is_open = question.workspace.documents().find(document.uri) != nullptr;
    report["version"] = is_open ? Json(document.version) : Json();
    if (previous != known.end()) known.erase(previous);
    reports.push_back(std::move(report));
    send_part(kPart);
    question.progress.report(k + 1, texts.size(), document.uri);
  }
  // Files that are there no more have nothing.
  for (const auto& [uri, id] : known) {
    Json report = report_json(Json::array(), id);
    report["uri"] = uri;
    report["version"] = nullptr;
    reports.push_back(std::move(report));
  }
  // All that there is has been sent then: the answer itself is empty.
  send_part(1);
  return Json{{"items", std::move(reports)}};
}

}  // namespace komuz::lsp
