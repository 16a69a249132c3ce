// SPDX-License-Identifier: Apache-2.0
// write_report_samples FOLDER: writes sample charts and pages as files, for external checks (check_report_pages.py,
// check_report_in_browser.py) and for people.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include "tests/services/report_samples.h"

namespace komuz::test {
namespace {

using namespace services;

class Folder {
 public:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream file(path_ / name, std::ios::binary);
    file << text;
    file.close();
    is_written_ &= file.good();
  }
  void write_charts(const std::string& name, const CandidateColumns& columns,
                    const CaseColumns& cases) {
    write(name + "-size.svg", draw_score_against_size(columns));
    write(name + "-convergence.svg", draw_convergence(columns));
    write(name + "-fit.svg", draw_actual_against_expected(cases));
  }
  [[nodiscard]] bool is_written() const { return is_written_; }

 private:
  std::filesystem::path path_;
  bool is_written_ = true;
};

// Programs, facts and a sketch that may break the page.
ReportPage hostile_page(const ReportSample& sample) {
  ReportPage page = sample.page();
  page.title = hostile_texts()[0];
  page.score_name = hostile_texts()[4];
  for (const std::string_view text : hostile_texts()) {
    page.facts.push_back({std::string(text), std::string(text)});
    page.sketch += text;
  }
  page.program = [](u64 row) {
    const std::string text(hostile_texts()[row % hostile_texts().size()]);
    return ReportProgram{text, ReportFailure{0, text, text, text}, {{1, 1, text, text, text}}};
  };
  return page;
}

bool write_samples(const std::filesystem::path& path) {
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  constexpr f64 kMost = std::numeric_limits<f64>::max();
  Folder folder(path);
  const ReportSample usual = regression_sample();
  folder.write("usual.html", write_report_page(usual.page()));
  folder.write_charts("usual", usual.columns(), usual.cases());
  const ReportSample large = regression_sample(3'000);
  folder.write("large.html", write_report_page(large.page()));
  folder.write_charts("large", large.columns(), large.cases());
  const ReportSample hostile = hostile_sample();
  folder.write("hostile.html", write_report_page(hostile_page(hostile)));
  folder.write_charts("hostile", hostile.columns(), hostile.cases());
  folder.write("empty.html", write_report_page({.title = "Nothing"}));
  folder.write_charts("empty", {}, {});
  // Ends of what numbers can be.
  const std::vector<f64> scores = {kMost, -kMost, kInfinity, -kInfinity, 0, 5e-324};
  const std::vector<u64> sizes = {~u64{0}, 0, 1, 2, 3, 4};
  for (const Better better : {Better::Smaller, Better::Larger})
    folder.write_charts(better == Better::Smaller ? "smaller" : "larger",
                        {scores, sizes, better, "score", {}}, {scores, scores, {}});
  return folder.is_written();
}

}  // namespace
}  // namespace komuz::test

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_report_samples FOLDER\n", stderr);
    return 2;
  }
  return komuz::test::write_samples(arguments[1]) ? 0 : 1;
}
