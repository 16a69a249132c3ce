// SPDX-License-Identifier: Apache-2.0
#include "tests/services/report_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace komuz::test {
namespace {

using namespace services;

constexpr u64 kCases = 100;

// From 0 to 1.
f64 unit(Random& random) { return static_cast<f64>(random.below(1u << 20)) / (1u << 20); }

constexpr std::string_view kSources[] = {
    "// Angular acceleration of a damped pendulum.\n"
    "pub fn f(x: f64, v: f64, l: f64) -> f64 {\n"
    "    -9.81 / l * sin(x) - 0.25 * v\n"
    "}\n"
    "\n"
    "test \"at rest\" { assert f(0.0, 0.0, 1.0) == 0.0; }\n",
    "const G: f64 = 9.807;\n"
    "pub fn f(x: f64, v: f64, l: f64) -> f64 {\n"
    "    var sum = 0.0;\n"
    "    for k in 0..8 { sum += if k % 2 == 0 { x / l } else { -v }; }\n"
    "    match sum > 1.5e3 { true => G, false => -G * sin(x) / l - 0.249999 * v + 0.000001 * x * x "
    "* x * v * v "
    "}\n"
    "}\n",
    "pub fn f(x: f64, v: f64, l: f64) -> f64 { -?g[9.8, 9.81] * x / l }\n",
};

ReportProgram program_of(const ReportSample& sample, u64 row) {
  ReportProgram program{std::string(kSources[row % std::size(kSources)])};
  if (sample.rows[row].status == "compile_error") {
    program.diagnostics = {
        {2, 5, "error", "K0302", "`*` has operands of different types: `i64` and `f64`"},
        {3, 9, "warning", "K0402", "`sum` is never used"}};
  } else if (sample.rows[row].passed.value_or(0) < kCases) {
    program.failure = {row % kCases + 2, "x = 1.25, v = -0.5, l = 2.0", "-5.82391", "-5.82174"};
  }
  return program;
}

ReportRow row_of(std::string_view id, f64 score, u64 size, u64 index, Random& random) {
  ReportRow row{.id = id, .status = "ok", .program = index - index % 7 / 6, .score = score};
  if (std::isnan(score) && random.one_in(2)) {
    row.status = "compile_error";
    return row;
  }
  if (std::isnan(score)) row.status = "trap";
  if (row.program != index) row.copy_of = row.program;
  row.is_on_front = index % 20 == 3;
  row.passed = score == 0 ? kCases : random.below(30);
  row.fuel = kCases * (1 + random.below(40));
  row.code_bytes = size;
  return row;
}

void set_ranks(std::vector<ReportRow>& rows) {
  std::vector<u64> order;
  for (u64 k = 0; k < rows.size(); ++k)
    if (rows[k].passed) order.push_back(k);
  const auto badness = [&](u64 k) {
    return std::isnan(rows[k].score) ? std::numeric_limits<f64>::infinity() : rows[k].score;
  };
  std::ranges::stable_sort(order, {}, badness);
  for (u32 k = 0; k < order.size(); ++k) rows[order[k]].rank = k + 1;
}

constexpr std::string_view kHostile[] = {
    "<script>document.title = 'broken'; console.error('script')</script>",
    "<img src=\"https://example.invalid/a.png\" onerror=\"console.error('image')\">",
    "\" onmouseover=\"console.error('attribute')",
    "' onclick='console.error(1)",
    "</title></style></script></td></table>",
    "<![CDATA[ ]]> <!-- --> <?xml?>",
    "&amp; &#0; &nosuch; &#xFFFE;",
    std::string_view("\0\x01\x1B[31m\x7F\r\n\t", 12),
    "\xFF\xFE \xC0\x80 \xED\xA0\x80 \xF4\x90\x80\x80 \xE2\x82",
    "\xEF\xBF\xBE\xEF\xBF\xBF \xE2\x80\xAE dlrow \xEF\xBB\xBF",
    "名前 \xF0\x9F\x8C\xB5 é e\xCC\x81",
    "averyveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryveryverylongid",
    "",
    "javascript:console.error('link')",
};

}  // namespace

std::span<const std::string_view> hostile_texts() { return kHostile; }

CandidateColumns ReportSample::columns() const {
  return {scores, sizes, Better::Smaller, "squared error", [this](u64 i) { return ids[i]; }};
}

CaseColumns ReportSample::cases() const {
  return {expected, actual, [](u64 i) { return "case " + std::to_string(i); }};
}

ReportPage ReportSample::page() const {
  ReportPage page;
  page.title = "Pendulum, 300 candidates";
  page.facts = {{"command", "komuz eval candidates.jsonl --cases cases.csv --score squared"},
                {"version", "0.1.0"},
                {"signature", "(x: f64, v: f64, l: f64) -> f64"},
                {"cases", "100"},
                {"candidates", "300: 286 ok, 14 trapped or with errors"}};
  page.score_name = "squared error";
  page.cases = kCases;
  page.rows = rows;
  page.program = [this](u64 row) { return program_of(*this, row); };
  page.finding = [this](u64 row) {
    const ReportProgram program = program_of(*this, row);
    if (!program.diagnostics.empty()) return program.diagnostics[0].message;
    return program.failure
               ? "expected " + program.failure->expected + ", found " + program.failure->actual
               : std::string();
  };
  page.cases_of_best = cases();
  return page;
}

ReportSample regression_sample(u32 candidates) {
  constexpr f64 kNaN = std::numeric_limits<f64>::quiet_NaN();
  ReportSample sample;
  Random random(7);
  for (u32 k = 0; k < candidates; ++k) {
    const std::string digits = std::to_string(k + 1);
    sample.ids.push_back("c" + std::string(5 - digits.size(), '0') + digits);
    // Larger programs may do better, most do not.
    const u64 size = 48 + 8 * random.below(60);
    f64 score = 200;
    for (u64 halvings = random.below(4 + size / 16); halvings > 0; --halvings)
      score *= 0.5 + 0.4 * unit(random);
    sample.scores.push_back(random.one_in(20) ? kNaN : score);
    sample.sizes.push_back(size);
  }
  if (candidates > 100) {
    sample.scores[candidates / 3] = std::numeric_limits<f64>::infinity();
    sample.scores[candidates * 3 / 4] = 0;
    sample.sizes[candidates * 3 / 4] = 256;
  }
  for (u64 k = 0; k < kCases; ++k) {
    sample.expected.push_back(20 * unit(random) - 10);
    sample.actual.push_back(sample.expected.back() + unit(random) * unit(random) - 0.3);
  }
  sample.actual[17] = 1e30;
  sample.actual[40] = kNaN;
  for (u32 k = 0; k < candidates; ++k)
    sample.rows.push_back(row_of(sample.ids[k], sample.scores[k], sample.sizes[k], k, random));
  set_ranks(sample.rows);
  return sample;
}

ReportSample hostile_sample() {
  ReportSample sample = regression_sample(40);
  for (u64 k = 0; k < sample.rows.size(); ++k) {
    sample.ids[k] = kHostile[k % std::size(kHostile)];
    sample.rows[k].id = sample.ids[k];
  }
  sample.rows[3].status = kHostile[0];
  return sample;
}

}  // namespace komuz::test
