// SPDX-License-Identifier: Apache-2.0
// Programs as text, line by line. The style sheet numbers the lines, so that copying gives only the text.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/counts.h"
#include "frontend_gpu/frontend.h"
#include "services/charts/number_text.h"
#include "services/highlight.h"
#include "services/markup.h"
#include "services/report_page/parts.h"

namespace komuz::services {
namespace {

constexpr size_t kMostPrograms = 10, kMostLines = 400, kMostDiagnostics = 10;
constexpr size_t kMostBytes = 1 << 16;    // shown bytes of a source
constexpr size_t kRowsLookedAt = 10'000;  // in search of different programs
constexpr u32 kMostColumns = 400;         // of a value or message

void append_element(std::string& out, std::string_view name, std::string_view text) {
  const std::string tag(name);
  out += "<" + tag + ">";
  append_escaped(out, text, kMostColumns);
  out += "</" + tag + ">";
}

// Text between backticks is code.
void append_message(std::string& out, std::string_view message) {
  while (!message.empty()) {
    const size_t begin = message.find('`');
    const size_t end = begin == std::string_view::npos ? begin : message.find('`', begin + 1);
    append_escaped(out, message.substr(0, end == std::string_view::npos ? end : begin),
                   kMostColumns);
    if (end == std::string_view::npos) return;
    append_element(out, "code", message.substr(begin + 1, end - begin - 1));
    message.remove_prefix(end + 1);
  }
}

void append_failure(std::string& out, const ReportFailure& failure) {
  out += "<dl class=\"failure\"><div><dt>first failure</dt><dd>" +
         (failure.line == 0 ? std::string("one case") : "case on line " + grouped(failure.line)) +
         "</dd></div>";
  const std::pair<std::string_view, std::string_view> parts[] = {
      {"of", failure.arguments}, {"expected", failure.expected}, {"got", failure.actual}};
  for (const auto& [name, text] : parts) {
    if (text.empty()) continue;
    out += "<div><dt>" + std::string(name) + "</dt><dd>";
    append_element(out, "code", text);
    out += "</dd></div>";
  }
  out += "</dl>\n";
}

void append_diagnostics(std::string& out, std::span<const ReportDiagnostic> diagnostics) {
  out += "<ul class=\"diagnostics\">\n";
  for (const ReportDiagnostic& d :
       diagnostics.first(std::min(diagnostics.size(), kMostDiagnostics))) {
    out += "<li><span class=\"place\">" + std::to_string(d.line) + ":" + std::to_string(d.column) +
           "</span> <b";
    append_attribute(out, "class", d.severity == "error" ? "error" : "note");
    out += ">";
    append_escaped(out, d.severity + "[" + d.code + "]", kMostColumns);
    out += "</b> ";
    append_message(out, d.message);
    out += "</li>\n";
  }
  if (diagnostics.size() > kMostDiagnostics)
    out += "<li>and " + grouped(diagnostics.size() - kMostDiagnostics) + " more</li>\n";
  out += "</ul>\n";
}

void append_program(std::string& out, frontend::Compiler& compiler, const ReportPage& page,
                    u64 index, size_t place) {
  const ReportRow& row = page.rows[index];
  const ReportProgram program = page.program ? page.program(index) : ReportProgram{};
  out += "<article id=\"" + program_anchor(place) + "\">\n<h3>";
  if (row.rank != 0) out += "<span class=\"rank\">" + grouped(row.rank) + "</span> ";
  append_id(out, row.id);
  out += "</h3>\n<p class=\"numbers\">";
  std::vector<std::string> numbers;
  if (!std::isnan(row.score)) numbers.push_back(page.score_name + " " + short_text(row.score));
  if (row.passed)
    numbers.push_back(grouped(*row.passed) + " of " + counted(page.cases, "case") + " passed");
  if (row.fuel) numbers.push_back(counted(*row.fuel, "tick"));
  if (row.code_bytes) numbers.push_back(counted(*row.code_bytes, "byte") + " of code");
  for (size_t k = 0; k < numbers.size(); ++k) {
    if (k != 0) out += " · ";
    append_escaped(out, numbers[k], kMostColumns);
  }
  out += "</p>\n";
  if (program.failure) append_failure(out, *program.failure);
  if (!program.diagnostics.empty()) append_diagnostics(out, program.diagnostics);
  append_source(out, compiler, program.source);
  out += "</article>\n";
}

}  // namespace

std::vector<u64> shown_programs(const ReportPage& page) {
  std::vector<u64> shown;
  std::set<u64> seen;
  bool has_rank = false;
  for (const u64 index : best_rows(page, kRowsLookedAt)) {
    const ReportRow& row = page.rows[index];
    has_rank |= row.rank != 0;
    if (shown.size() == kMostPrograms || (has_rank && row.rank == 0)) break;
    if (seen.insert(row.program).second) shown.push_back(index);
  }
  return shown;
}

void append_source(std::string& out, frontend::Compiler& compiler, std::string_view source) {
  const std::vector<Stretch> stretches = highlight(compiler, source);
  auto stretch = stretches.begin();
  std::string_view shown = source.substr(0, kMostBytes);
  while (shown.ends_with('\n')) shown.remove_suffix(1);
  out += "<pre tabindex=\"0\"><code>";
  size_t lines = 0;
  for (size_t at = 0; at < shown.size() && lines < kMostLines; ++lines) {
    const size_t end = std::min(shown.find('\n', at), shown.size());
    out += "<span class=\"line\">";
    while (at < end) {
      while (stretch != stretches.end() && stretch->end <= at) ++stretch;
      const bool is_inside = stretch != stretches.end() && stretch->begin <= at;
      const size_t next = stretch == stretches.end() ? end
                          : is_inside                ? stretch->end
                                                     : stretch->begin;
      const std::string_view part = shown.substr(at, std::min(next, end) - at);
      if (is_inside) out += "<span class=\"" + std::string(text_kind_name(stretch->kind)) + "\">";
      append_escaped(out, part);
      if (is_inside) out += "</span>";
      at += part.size();
    }
    at = end + 1;
    out += "</span>\n";
  }
  out += "</code></pre>\n";
  const bool is_cut =
      source.size() > kMostBytes ||
      (lines == kMostLines && static_cast<size_t>(std::ranges::count(shown, '\n')) >= lines);
  if (is_cut)
    out +=
        "<p class=\"cut\">The source goes on; it has " + counted(source.size(), "byte") + ".</p>\n";
}

void append_programs(std::string& out, const ReportPage& page, std::span<const u64> shown) {
  if (shown.empty()) return;
  const bool has_rank = page.rows[shown[0]].rank != 0;
  out += "<section id=\"programs\" aria-labelledby=\"programs-title\">\n<h2 id=\"programs-title\">";
  out += has_rank ? "Best programs" : "Programs";
  out += "</h2>\n";
  frontend::Compiler compiler;
  for (size_t place = 0; place < shown.size(); ++place)
    append_program(out, compiler, page, shown[place], place);
  out += "</section>\n";
}

}  // namespace komuz::services
