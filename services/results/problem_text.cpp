// SPDX-License-Identifier: Apache-2.0
#include "services/results/problem_text.h"

#include <algorithm>

#include "base/characters.h"
#include "base/counts.h"
#include "services/display_text.h"
#include "services/results/ranking_text.h"

namespace komuz::services {
namespace {

using engine::FailureText;
using engine::FindingsText;
using engine::ResultRow;
using engine::Results;
using engine::Status;

constexpr u32 kLeastWidth = 40;
constexpr size_t kMostArguments = 6;  // of a block

// The text in `width` columns. A longer one is shown from `from` on, which is the start of a character.
std::string cut(std::string_view text, size_t from, u32 width) {
  if (from == 0 || shown_width(text) <= width) return fitted(text, width);
  return "…" + fitted(text.substr(from), width - 1);
}

// Where two long texts are shown from, so that their difference is visible, with a little of the text before it.
size_t first_shown(std::string_view a, std::string_view b, u32 width) {
  constexpr size_t kBefore = 20;
  if (std::max(shown_width(a), shown_width(b)) <= width) return 0;
  const auto differ = std::ranges::mismatch(a, b).in1;
  const auto same = static_cast<size_t>(differ - a.begin());
  if (same < width / 2) return 0;
  return character_start(a, same - kBefore);
}

// Empty: there is only one case.
std::string case_text(const FailureText& failure) {
  return failure.line == 0 ? "" : "case on line " + grouped(failure.line);
}
std::string expected_text(const FailureText& failure) {
  return failure.expected.empty() ? "a number" : failure.expected;
}

std::string error_line(std::string_view id, const ResultRow& row, const FindingsText& findings) {
  std::string text(id);
  const auto error =
      std::ranges::find(findings.diagnostics, Severity::Error, &engine::DiagnosticText::severity);
  if (error == findings.diagnostics.end()) return printable(text + ": refused");
  const engine::DiagnosticText& d = *error;
  if (row.status == Status::CompileError)
    text += ":" + engine::place_text("", d.begin.line, d.begin.column) + ": error[" +
            std::string(d.code) + "]";
  return printable(text + ": " + d.message);
}

}  // namespace

std::string joined(std::span<const std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string failure_line(const FailureText& failure) {
  std::string line = case_text(failure);
  if (!failure.arguments.empty()) line += ", " + joined(failure.arguments);
  if (!line.empty()) line += ": ";
  return line + "expected " + expected_text(failure) + ", found " + failure.found();
}

std::string failure_text(std::string_view id, const FailureText& failure, u32 width,
                         std::string_view kind) {
  width = std::max(width, kLeastWidth);
  const std::string line = std::string(id) + std::string(kind) + ": " + failure_line(failure);
  if (shown_width(line) <= width) return printable(line) + "\n";

  const std::string where = case_text(failure), arguments = joined(failure.arguments);
  const std::string expected = expected_text(failure), found = failure.found();
  const u32 room = width - 12;  // behind a label
  const auto behind_id = static_cast<u32>(30 + kind.size());
  std::string text = fitted_at_both_ends(id, std::max(width, behind_id + 8) - behind_id) +
                     std::string(kind) + ": " + (where.empty() ? "the only case" : where) + "\n";
  const auto add = [&](std::string_view label, std::string_view value, size_t from) {
    text += "  " + std::string(label) + std::string(10 - label.size(), ' ') +
            cut(value, from, room) + "\n";
  };
  std::string_view label = "of";
  if (shown_width(arguments) <= room) {
    if (!arguments.empty()) add(label, arguments, 0);
  } else {
    for (const std::string& argument :
         std::span(failure.arguments).first(std::min(failure.arguments.size(), kMostArguments))) {
      add(label, argument, 0);
      label = "";
    }
    if (failure.arguments.size() > kMostArguments)
      add(label, "… and " + grouped(failure.arguments.size() - kMostArguments) + " more", 0);
  }
  const size_t from = first_shown(expected, found, room);
  add("expected", expected, from);
  add("found", found, from);
  return text;
}

std::string worst_text(const Results& results, u32 width) {
  std::string text;
  for (const FailureText& one : engine::worst_of_best(results))
    text += failure_text(
        fitted_at_both_ends(printable(results.id(results.ranking.front()), ~0u), kShortIdWidth),
        one, width, kWorstKind);
  return text;
}

void Problems::add(const Results& results, u32 row, const Findings& findings) {
  const ResultRow& r = results.rows[row];
  const bool is_over_budget = engine::is_over_budget(r);
  if (r.status == Status::Ok || (r.status == Status::Unscored && !is_over_budget)) return;
  if (!was_run(r) && !is_over_budget) ++not_run_;
  if (r.duplicate_of != engine::kNone) return;
  if (was_run(r) && r.first_trap == Trap::Hole) add_sketch(results, row, findings);
  if (was_run(r))
    add_failed(results, row, findings);
  else if (is_over_budget)
    add_over_budget(results, row, findings);
  else if (not_run_shown_ < kShown)
    add_not_run(results, row, findings);
}

void Problems::add_failed(const Results& results, u32 row, const Findings& findings) {
  const engine::RankKey key = engine::rank_key(results.score, results.rows[row]);
  const auto at = std::ranges::upper_bound(failed_, key, {}, &Failed::key);
  if (at == failed_.end() && failed_.size() == most_failures_) return;
  const FindingsText known = findings(row);
  if (!known.failure) return;
  const std::string id(results.id(row));
  failed_.insert(at, {key, id, failure_text(id, *known.failure, width_)});
  if (failed_.size() > most_failures_) failed_.pop_back();
}

void Problems::add_sketch(const Results& results, u32 row, const Findings& findings) {
  ++sketches_;
  if (sketches_shown_ == kShown) return;
  for (const engine::DiagnosticText& d : findings(row).diagnostics) {
    if (d.code != engine::kSketchCode) continue;
    ++sketches_shown_;
    sketch_lines_ += printable(std::string(results.id(row)) + ": note: " + d.message) + "\n";
  }
}

// One of them suggests a remedy.
void Problems::add_over_budget(const Results& results, u32 row, const Findings& findings) {
  if (over_budget_line_.empty())
    over_budget_line_ = error_line(results.id(row), results.rows[row], findings(row)) + "\n";
}

void Problems::add_not_run(const Results& results, u32 row, const Findings& findings) {
  const ResultRow& r = results.rows[row];
  const FindingsText known = findings(row);
  if (r.status == Status::CompileError && !known.diagnostics.empty()) {
    const std::string_view code = known.diagnostics.front().code;
    if (std::ranges::find(codes_, code) != codes_.end()) return;
    codes_.push_back(code);
  }
  ++not_run_shown_;
  not_run_lines_ += error_line(results.id(row), r, known) + "\n";
}

std::string Problems::text(const Results& results, std::span<const u32> shown) const {
  std::string text;
  u64 failures = 0;
  for (const Failed& failed : failed_) {
    const auto is_it = [&](u32 row) { return results.id(row) == failed.id; };
    if (failures == kShown || std::ranges::none_of(shown, is_it)) continue;
    ++failures;
    text += failed.text;
  }
  text += over_budget_line_ + not_run_lines_;
  if (not_run_ > not_run_shown_)
    text += "… and " + grouped(not_run_ - not_run_shown_) +
            " more that did not run; --json OUT names them all\n";
  text += sketch_lines_;
  if (sketches_shown_ != 0 && sketches_ > sketches_shown_)
    text += "… and " + grouped(sketches_ - sketches_shown_) + " more with holes\n";
  return text;
}

}  // namespace komuz::services
