// SPDX-License-Identifier: Apache-2.0
// The page. check_report_pages.py checks that it is well-formed, check_report_in_browser.py that it works.
#include "services/report_page/report_page.h"

#include <gtest/gtest.h>

#include "tests/services/golden_text.h"
#include "tests/services/report_samples.h"

namespace komuz::test {
namespace {

using namespace services;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
u64 count(std::string_view text, std::string_view part) {
  u64 found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}
std::string section(std::string_view page, std::string_view id) {
  const size_t begin = page.find("<section id=\"" + std::string(id) + "\"");
  if (begin == std::string_view::npos) return {};
  return std::string(page.substr(begin, page.find("</section>", begin) - begin));
}
ReportPage page_of(std::span<const ReportRow> rows) {
  ReportPage page;
  page.title = "Title";
  page.cases = 4;
  page.rows = rows;
  page.program = [](u64 row) {
    return ReportProgram{"fn f() -> i64 { " + std::to_string(row) + " }"};
  };
  return page;
}

TEST(ReportPage, LooksAsItDid) {
  const ReportSample sample = regression_sample(24);
  expect_golden("report.html", write_report_page(sample.page()));
}

TEST(ReportPage, RowsStandInTheOrderOfTheirRanks) {
  const ReportRow rows[] = {
      {.id = "none", .status = "compile_error", .program = 1},
      {.id = "second", .status = "trap", .program = 2, .rank = 2, .passed = 3},
      {.id = "first",
       .status = "ok",
       .program = 3,
       .rank = 1,
       .score = 1500,
       .passed = 4,
       .fuel = 12'000,
       .code_bytes = 40}};
  const std::string ranking = section(write_report_page(page_of(rows)), "ranking");
  EXPECT_LT(ranking.find("first"), ranking.find("second"));
  EXPECT_LT(ranking.find("second"), ranking.find("none"));
  EXPECT_TRUE(has(ranking, "<td class=\"number\" data-value=\"12000\">12,000</td>"));
  EXPECT_TRUE(has(ranking, "<td class=\"number\" data-value=\"4\">4/4</td>"));
  EXPECT_TRUE(has(ranking, "<td class=\"status\">compile error</td>"));
  EXPECT_TRUE(has(ranking, "3 candidates"));
}

TEST(ReportPage, MarksTheFrontAndCopiesAndSaysWhatFailed) {
  const ReportRow rows[] = {
      {.id = "best", .status = "ok", .program = 0, .rank = 1, .score = 2, .is_on_front = true},
      {.id = "a<b", .status = "wrong", .program = 1, .rank = 2, .score = 1},
      {.id = "again", .status = "wrong", .program = 1, .rank = 3, .score = 1, .copy_of = 1}};
  ReportPage page = page_of(rows);
  page.finding = [](u64 row) { return row == 1 ? std::string("case 1: expected <2>") : ""; };
  const std::string ranking = section(write_report_page(page), "ranking");
  EXPECT_EQ(count(ranking, ">front</span>"), 1u);
  EXPECT_LT(ranking.find(">front</span>"), ranking.find("a&lt;b"));
  EXPECT_EQ(count(ranking, "<span class=\"mark\">copy of a&lt;b</span>"), 1u);
  EXPECT_EQ(count(ranking, "<td class=\"finding\">case 1: expected &lt;2&gt;</td>"), 1u);
  EXPECT_EQ(count(ranking, "<td class=\"finding\"></td>"), 2u);
}

TEST(ReportPage, ShowsAThousandRowsAndSaysOfHowMany) {
  const ReportSample sample = regression_sample(3'000);
  const std::string ranking = section(write_report_page(sample.page()), "ranking");
  EXPECT_EQ(count(ranking, "<th scope=\"row\">"), 1'000u);
  EXPECT_TRUE(has(ranking, "The first 1,000 of 3,000 candidates"));
}

TEST(ReportPage, ShowsTenProgramsThatDiffer) {
  std::vector<ReportRow> rows;
  for (u32 k = 0; k < 40; ++k)
    rows.push_back({.id = "c", .status = "ok", .program = k / 2, .rank = k + 1, .score = 1.0 * k});
  const std::string page = write_report_page(page_of(rows));
  const std::string programs = section(page, "programs");
  EXPECT_EQ(count(programs, "<article"), 10u);
  EXPECT_TRUE(has(programs, "Best programs"));
  EXPECT_TRUE(has(programs, "<span class=\"number\">18</span> }"));
  EXPECT_FALSE(has(programs, "<span class=\"number\">1</span> }"));
  EXPECT_TRUE(has(section(page, "ranking"), "<a href=\"#best-2\">"));
}

TEST(ReportPage, WithoutRanksShowsWhatIsWrong) {
  const ReportRow rows[] = {{.id = "a", .status = "compile_error", .program = 1}};
  ReportPage page = page_of(rows);
  page.program = [](u64) {
    return ReportProgram{"fn f( {", {}, {{1, 5, "error", "K0102", "`(` is never closed"}}};
  };
  const std::string programs = section(write_report_page(page), "programs");
  EXPECT_TRUE(has(programs, ">Programs<"));
  EXPECT_TRUE(has(programs,
                  "<span class=\"place\">1:5</span> <b class=\"error\">error[K0102]</b> "
                  "<code>(</code> is never closed"));
}

TEST(ReportPage, OfNothingSaysSo) {
  const std::string page = write_report_page(page_of({}));
  EXPECT_TRUE(has(page, "There are no candidates."));
  EXPECT_TRUE(has(page, "no candidate has a finite score"));
  EXPECT_FALSE(has(page, "<table"));
  EXPECT_FALSE(has(page, "Actual against expected"));
}

TEST(ReportPage, TextsAreTextWhateverTheyHold) {
  const ReportSample sample = hostile_sample();
  ReportPage page = sample.page();
  page.title = hostile_texts()[0];
  page.sketch = hostile_texts()[4];
  for (const std::string_view text : hostile_texts())
    page.facts.push_back({std::string(text), std::string(text)});
  page.program = [](u64 row) {
    const std::string text(hostile_texts()[row % hostile_texts().size()]);
    return ReportProgram{text, ReportFailure{0, text, text, text}, {{1, 1, text, text, text}}};
  };
  const std::string html = write_report_page(page);
  // Its own alone.
  EXPECT_EQ(count(html, "<script"), 1u);
  EXPECT_EQ(count(html, "</script"), 1u);
  EXPECT_EQ(count(html, "</table"), 1u);
  EXPECT_FALSE(has(html, "<img"));
  EXPECT_FALSE(has(html, "<!--"));
  for (const char c : html)
    EXPECT_TRUE(static_cast<u8>(c) >= ' ' || c == '\n') << static_cast<int>(c);
}

TEST(ReportPage, FetchesNothing) {
  const std::string html = write_report_page(regression_sample().page());
  EXPECT_TRUE(has(html, "default-src 'none'"));
  EXPECT_FALSE(has(html, " src="));
  EXPECT_FALSE(has(html, "url("));
  EXPECT_FALSE(has(html, "@import"));
}

TEST(ReportPage, LongSourcesAreCut) {
  const ReportRow rows[] = {{.id = "a", .status = "ok", .program = 1, .rank = 1, .score = 1}};
  ReportPage page = page_of(rows);
  page.program = [](u64) { return ReportProgram{std::string(1'000, '\n') + "fn f() {}"}; };
  EXPECT_TRUE(has(write_report_page(page), "The source goes on; it has 1,009 bytes."));
  page.program = [](u64) { return ReportProgram{"// " + std::string(1 << 20, 'x')}; };
  EXPECT_LT(write_report_page(page).size(), 1u << 18);
}

}  // namespace
}  // namespace komuz::test
