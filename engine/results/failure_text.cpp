// SPDX-License-Identifier: Apache-2.0
#include "engine/results/failure_text.h"

#include <array>
#include <charconv>

#include "engine/results/case_arguments.h"
#include "engine/results/read_details.h"
#include "engine/values/packed_cells.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

std::string value_of(std::string_view type, std::span<const u64> cells) {
  std::string text;
  print_value(text, type, cells, ValueStyle::Text);
  return text.size() <= kMostValueBytes ? text : std::string(beginning_of(text)) + "…";
}

std::string json_of(std::string_view type, std::span<const u64> cells) {
  std::string text;
  print_value(text, type, cells, ValueStyle::Json);
  return text;
}

// Describes two values of one type. If one of them is too long to show as a whole, both are shown from their
// difference on.
void describe_values(std::string_view type, std::span<const u64> expected, const KeptValue& actual,
                     FailureText& out) {
  const std::vector<u64> cells = unpack_cells(actual.cells);
  out.expected = value_of(type, expected);
  out.actual = actual.is_cut() ? cut_text(actual, {}) : value_of(type, cells);
  if (expected.size() == 1) return;
  const std::string expected_json = json_of(type, expected);
  if (!actual.is_cut() && expected_json.size() <= kMostValueBytes) return;
  const std::string actual_json = actual.is_cut() ? std::string() : json_of(type, cells);
  std::optional<Difference> difference;
  if (actual.differs_at != KeptValue::kNoDifference)
    difference = difference_at(expected_json, actual.differs_at);
  else if (!actual.is_cut())
    difference = first_difference(expected_json, actual_json);
  if (!difference) return;
  if (is_shown_as_part(expected_json))
    out.expected = cut_text(part_of(expected_json, difference), difference->element);
  if (actual.is_cut())
    out.actual = cut_text(actual, difference->element);
  else if (is_shown_as_part(actual_json))
    out.actual = cut_text(part_of(actual_json, difference), difference->element);
}

FailureText describe(ScoreKind score, const Suite& suite, const Failure& failure) {
  FailureText out;
  out.line = suite.lines[failure.case_index];
  for_each_argument(
      suite, failure,
      [&](std::string_view name, std::string_view type, std::span<const u64> cells,
          const KeptValue* value) {
        out.arguments.push_back(std::string(name) + " = " +
                                (value != nullptr ? value->begin + "…" : value_of(type, cells)));
      });
  const std::string_view type = suite.signature.result_type;
  const komuz::Trap wanted = suite.expected_traps[failure.case_index];
  const bool gave_value = failure.trap == komuz::Trap::None;
  if (wanted != komuz::Trap::None)
    out.expected = "trap " + std::string(trap_name(wanted));
  else if (!is_value_score(score) && gave_value)
    describe_values(type, suite.expected_cells(failure.case_index), failure.actual, out);
  else if (!is_value_score(score))
    out.expected = value_of(type, suite.expected_cells(failure.case_index));
  if (gave_value) {
    if (out.actual.empty())
      out.actual = failure.actual.is_cut() ? cut_text(failure.actual, {})
                                           : value_of(type, unpack_cells(failure.actual.cells));
    return out;
  }
  out.actual = "trap " + std::string(trap_name(failure.trap));
  out.place = place_text(failure.file, failure.line, failure.column);
  out.assertion = failure.assertion;
  return out;
}

// Of a line it is not what the program gave that is far from what is expected: "64.0, on the line 64.5006".
void add_line_value(const ScoreLine& line, FailureText& out) {
  f64 value = 0;
  const char* const end = out.actual.data() + out.actual.size();
  const auto read = std::from_chars(out.actual.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return;
  std::array<char, 32> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), line.slope * value + line.intercept,
                    std::chars_format::general, 6);
  out.actual += ", on the line " + std::string(text.data(), written.ptr);
}

}  // namespace

std::string FailureText::found() const {
  std::string text = actual;
  if (!place.empty()) text += " at " + place;
  if (!assertion.empty()) text += ": " + assertion;
  return text;
}

FindingsText findings_of(const Results& results, u32 row_number) {
  const ResultRow& row = results.rows[row_number];
  FindingsText out;
  if (row.first_failure != kNone)
    out.failure = describe(results.score, results.suite, results.failures[row.first_failure]);
  const auto begin = results.diagnostics.begin() + row.diagnostics_begin;
  out.diagnostics.assign(begin, begin + row.diagnostics);
  return out;
}

std::optional<FailureText> held_out_failure(const Results& results) {
  if (results.held_out && !results.held_out->json.empty()) {
    HeldOut logged;
    std::optional<FailureText> failure;
    if (!read_held_out(results.held_out->json, logged, &failure)) return std::nullopt;
    return failure;
  }
  if (!results.held_out || !results.held_out->failure) return std::nullopt;
  return describe(results.score, results.held_out->suite, *results.held_out->failure);
}

std::vector<FailureText> worst_of_best(const Results& results) {
  std::vector<FailureText> out;
  const Results::WorstRow* const worst =
      results.ranking.empty() ? nullptr : results.worst_of(results.ranking.front());
  if (worst == nullptr) return out;
  if (!worst->json.empty() && !read_worst(worst->json, out)) return {};
  for (const Results::WorstCase& one : worst->cases)
    out.push_back(describe(results.score, results.suite, one.failure));
  if (results.best_line)
    for (FailureText& one : out) add_line_value(*results.best_line, one);
  return out;
}

std::string place_text(std::string_view file, u32 line, u32 column) {
  return (file.empty() ? std::string() : std::string(file) + ":") + std::to_string(line) + ":" +
         std::to_string(column);
}

}  // namespace komuz::engine
