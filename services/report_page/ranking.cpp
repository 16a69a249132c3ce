// SPDX-License-Identifier: Apache-2.0
// The ranking table. Numeric cells hold the sort key for page.js in `data-value`.
#include <algorithm>
#include <cmath>

#include "base/counts.h"
#include "services/charts/number_text.h"
#include "services/markup.h"
#include "services/report_page/parts.h"

namespace komuz::services {
namespace {

constexpr size_t kMostRows = 1'000;
constexpr u32 kFindingColumns = 120;

// An empty cell has no sort key.
void append_number(std::string& out, std::string_view shown, std::string_view value) {
  out += "<td class=\"number\"";
  append_attribute(out, "data-value", value);
  out += ">";
  out += shown.empty() ? "–" : shown;
  out += "</td>";
}
void append_count(std::string& out, std::optional<u64> n, std::string_view of = {}) {
  append_number(out, n ? grouped(*n) + std::string(of) : "", n ? std::to_string(*n) : "");
}

std::string script_number(f64 value) {
  if (std::isnan(value)) return "";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return shortest_text(value);
}

void append_row(std::string& out, const ReportPage& page, u64 index, std::string_view anchor) {
  const ReportRow& row = page.rows[index];
  out += "<tr>";
  append_count(out, row.rank == 0 ? std::nullopt : std::optional<u64>(row.rank));
  out += "<th scope=\"row\">";
  if (!anchor.empty()) out += "<a href=\"#" + std::string(anchor) + "\">";
  append_id(out, row.id);
  if (!anchor.empty()) out += "</a>";
  if (row.is_on_front) out += " <span class=\"mark\">front</span>";
  if (row.copy_of) {
    out += " <span class=\"mark\">copy of ";
    append_id(out, page.rows[*row.copy_of].id);
    out += "</span>";
  }
  out += "</th>";
  out += "<td";
  append_attribute(out, "class", row.status == "ok" ? "status ok" : "status");
  out += ">";
  // "compile_error" is a word of JSON.
  for (const char c : escaped(row.status, kIdColumns)) out += c == '_' ? ' ' : c;
  out += "</td>";
  append_number(out, std::isnan(row.score) ? "" : short_text(row.score), script_number(row.score));
  append_count(out, row.passed, "/" + grouped(page.cases));
  append_count(out, row.fuel);
  append_count(out, row.code_bytes);
  out += "<td class=\"finding\">";
  if (page.finding && !row.copy_of) append_escaped(out, page.finding(index), kFindingColumns);
  out += "</td></tr>\n";
}

}  // namespace

void append_id(std::string& out, std::string_view id) {
  append_escaped(out, id.empty() ? "(empty id)" : id, kIdColumns);
}

std::vector<u64> best_rows(const ReportPage& page, size_t most) {
  std::vector<u64> rows(page.rows.size());
  for (u64 k = 0; k < rows.size(); ++k) rows[k] = k;
  const auto is_before = [&](u64 a, u64 b) {
    // 0, which is no rank, becomes the last rank.
    const u32 rank_a = page.rows[a].rank - 1, rank_b = page.rows[b].rank - 1;
    return rank_a != rank_b ? rank_a < rank_b : a < b;
  };
  const auto end = rows.begin() + static_cast<i64>(std::min(most, rows.size()));
  std::partial_sort(rows.begin(), end, rows.end(), is_before);
  rows.erase(end, rows.end());
  return rows;
}

void append_ranking(std::string& out, const ReportPage& page, std::span<const u64> shown) {
  const std::vector<u64> rows = best_rows(page, kMostRows);
  out +=
      "<section id=\"ranking\" aria-labelledby=\"ranking-title\">\n<h2 "
      "id=\"ranking-title\">Ranking</h2>\n";
  if (rows.empty()) {
    out += "<p>There are no candidates.</p>\n</section>\n";
    return;
  }
  out += "<div class=\"tools\"><p>";
  out += rows.size() == page.rows.size() ? counted(rows.size(), "candidate")
                                         : "The first " + grouped(rows.size()) + " of " +
                                               counted(page.rows.size(), "candidate");
  // The region scrolls, so it must take the keyboard focus.
  out +=
      "</p></div>\n<div class=\"scroll\" role=\"region\" aria-labelledby=\"ranking-title\" "
      "tabindex=\"0\">\n"
      "<table>\n<thead><tr><th scope=\"col\" class=\"number\" aria-sort=\"ascending\">rank</th>"
      "<th scope=\"col\">id</th><th scope=\"col\">status</th>";
  for (const std::string_view name : {std::string_view(page.score_name), std::string_view("passed"),
                                      std::string_view("fuel"), std::string_view("bytes")}) {
    out += "<th scope=\"col\" class=\"number\">";
    append_escaped(out, name);
    out += "</th>";
  }
  out += "<th scope=\"col\">first failure</th></tr></thead>\n<tbody>\n";
  for (const u64 row : rows) {
    const auto found = std::ranges::find(shown, row);
    append_row(
        out, page, row,
        found == shown.end() ? "" : program_anchor(static_cast<size_t>(found - shown.begin())));
  }
  out += "</tbody>\n</table>\n</div>\n</section>\n";
}

}  // namespace komuz::services
