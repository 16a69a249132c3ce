// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/frontend.h"
#include "services/markup.h"
#include "services/report_page/parts.h"
#include "services/web_texts.h"

namespace komuz::services {
namespace {

constexpr u32 kMostFact = 2'000;  // columns

// The policy: nothing is fetched, and only the script with this hash runs, whatever a text says.
// check_report_pages.py prints the hash of a changed script.
constexpr std::string_view kHead =
    R"(<!DOCTYPE html>
<html lang="en" class="komuz-page" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-lysxngR8Aj9BmyUiDeAeGOp1mRWzVEa9Ptmz9/fUM7Q='; base-uri 'none'; form-action 'none'" />
<title>)";

void append_facts(std::string& out, std::span<const ReportFact> facts) {
  if (facts.empty()) return;
  out += "<dl class=\"facts\">\n";
  for (const ReportFact& fact : facts) {
    out += "<div><dt>";
    append_escaped(out, fact.name, kMostFact);
    out += "</dt><dd>";
    append_escaped(out, fact.value, kMostFact);
    out += "</dd></div>\n";
  }
  out += "</dl>\n";
}

void append_charts(std::string& out, const ReportPage& page) {
  std::vector<f64> scores;
  std::vector<u64> sizes;
  scores.reserve(page.rows.size());
  sizes.reserve(page.rows.size());
  for (const ReportRow& row : page.rows) {
    scores.push_back(row.score);
    sizes.push_back(row.code_bytes.value_or(0));
  }
  const CandidateColumns columns = {scores, sizes, page.better, page.score_name,
                                    [&](u64 row) { return std::string(page.rows[row].id); }};
  out += "<section class=\"charts\" aria-label=\"Charts\">\n";
  out += draw_score_against_size(columns);
  out += draw_convergence(columns);
  if (!page.cases_of_best.expected.empty()) out += draw_actual_against_expected(page.cases_of_best);
  out += "</section>\n";
}

}  // namespace

std::string write_report_page(const ReportPage& page) {
  std::string out(kHead);
  append_escaped(out, page.title, kMostFact);
  out += "</title>\n<style>\n";
  out += text_of(style_sheets(), "palette");
  out += text_of(style_sheets(), "page");
  out += "</style>\n</head>\n<body>\n<header>\n<h1>";
  append_escaped(out, page.title, kMostFact);
  out += "</h1>\n";
  append_facts(out, page.facts);
  out += "</header>\n<main>\n";
  append_charts(out, page);
  const std::vector<u64> shown = shown_programs(page);
  append_ranking(out, page, shown);
  append_programs(out, page, shown);
  if (!page.sketch.empty()) {
    out += "<section id=\"sketch\">\n<h2>Sketch</h2>\n";
    frontend::Compiler compiler;
    append_source(out, compiler, page.sketch);
    out += "</section>\n";
  }
  // To a reader of XML, the script is text as well. The hash covers all between its tags.
  out += "</main>\n<script>//<![CDATA[\n";
  out += text_of(scripts(), "page");
  out += "//]]></script>\n</body>\n</html>\n";
  return out;
}

}  // namespace komuz::services
