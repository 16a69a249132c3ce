// SPDX-License-Identifier: Apache-2.0
#include "engine/failure_text.h"

#include "engine/case_arguments.h"
#include "engine/log/read_details.h"
#include "engine/packed_cells.h"
#include "engine/value_text.h"

namespace komuz::engine {
namespace {

std::string value_of(std::string_view type, std::span<const u64> cells) {
  std::string text;
  print_value(text, type, cells, ValueStyle::Text);
  return text.size() <= kMostValueBytes ? text : std::string(beginning_of(text)) + "…";
}

FailureText describe(ScoreKind score, const Suite& suite, const Failure& failure) {
  FailureText out;
  out.line = suite.lines[failure.case_index];
  for_each_argument(suite, failure,
                    [&](std::string_view name, std::string_view type, std::span<const u64> cells) {
                      out.arguments.push_back(std::string(name) + " = " + value_of(type, cells));
                    });
  const std::string_view type = suite.signature.result_type;
  const komuz::Trap wanted = suite.expected_traps[failure.case_index];
  if (wanted != komuz::Trap::None)
    out.expected = "trap " + std::string(trap_name(wanted));
  else if (!is_value_score(score))
    out.expected = value_of(type, suite.expected_cells(failure.case_index));
  if (failure.trap == komuz::Trap::None) {
    out.actual = failure.actual_bytes == 0 ? value_of(type, unpack_cells(failure.actual))
                                           : failure.actual_begin + "…";
    return out;
  }
  out.actual = "trap " + std::string(trap_name(failure.trap));
  out.place = place_text(failure.file, failure.line, failure.column);
  out.assertion = failure.assertion;
  return out;
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

std::string place_text(std::string_view file, u32 line, u32 column) {
  return (file.empty() ? std::string() : std::string(file) + ":") + std::to_string(line) + ":" +
         std::to_string(column);
}

}  // namespace komuz::engine
