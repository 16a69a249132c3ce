// SPDX-License-Identifier: Apache-2.0
#include "engine/results/report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/results/case_arguments.h"
#include "engine/results/score_json.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_object.h"
#include "engine/support/write_pieces.h"
#include "engine/values/packed_cells.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

constexpr u64 kReportVersion = 2;

// Adds values that are too long to write, as elements of an array: which value, its length, its beginning, and where
// a result differs from the expected value.
void add_cut(std::string& cut, std::string_view of, const KeptValue& value,
             const std::optional<Difference>& difference = std::nullopt) {
  cut += cut.empty() ? "" : ", ";
  Object object(cut);
  object.text("of", of);
  object.number("bytes", value.bytes);
  object.text("begin", value.begin);
  if (!difference) return;
  object.number("differs_at", difference->at);
  object.text("element", difference->element);
  object.text("there", value.there);
}

void write_arguments(std::string& out, const Suite& suite, const Failure& failure,
                     std::string& cut) {
  Object arguments(out);
  for_each_argument(suite, failure,
                    [&](std::string_view name, std::string_view type, std::span<const u64> cells,
                        const KeptValue* value) {
                      const std::string of = "args." + std::string(name);
                      std::string text;
                      if (value == nullptr) print_value(text, type, cells, ValueStyle::Json);
                      if (value != nullptr)
                        add_cut(cut, of, *value);
                      else if (text.size() > kMostValueBytes)
                        add_cut(cut, of, part_of(text, std::nullopt));
                      const bool is_whole = value == nullptr && text.size() <= kMostValueBytes;
                      arguments.field(name) += is_whole ? text : "null";
                    });
}

// The texts for a case that do not depend on the candidate: most candidates fail the same case as the one before.
struct CaseText {
  u32 case_index = kNone;
  std::string signature;  // the candidate's own
  std::string fields, cut;
  std::string expected;  // a value; empty: none
  [[nodiscard]] bool is_cut() const { return expected.size() > kMostValueBytes; }
};
void write_case(CaseText& out, ScoreKind score, const Suite& suite, const Failure& failure) {
  const u32 case_index = failure.case_index;
  Fields fields(out.fields);
  fields.number("case", case_index);
  fields.number("line", suite.lines[case_index]);
  if (!failure.signature.empty()) fields.text("signature", failure.signature);
  write_arguments(fields.field("args"), suite, failure, out.cut);
  if (is_value_score(score)) {
    fields.null("expected");
  } else if (const Trap expected = suite.expected_traps[case_index]; expected != Trap::None) {
    fields.text("expected_trap", trap_name(expected));
  } else {
    print_value(out.expected, suite.signature.result_type, suite.expected_cells(case_index),
                ValueStyle::Json);
    fields.field("expected") += out.is_cut() ? "null" : out.expected;
  }
}

// Describes the values that are not whole. `actual`: the result, if it is whole.
std::string cut_values(const CaseText& text, const Failure& failure, std::string_view actual) {
  std::string cut = text.cut;
  const KeptValue& kept = failure.actual;
  std::optional<Difference> difference;
  if (kept.differs_at != KeptValue::kNoDifference)
    difference = difference_at(text.expected, kept.differs_at);
  else if (text.is_cut() && !actual.empty())
    difference = first_difference(text.expected, actual);
  if (text.is_cut()) add_cut(cut, "expected", part_of(text.expected, difference), difference);
  if (kept.is_cut()) add_cut(cut, "actual", kept, difference);
  return cut;
}

void write_trap(std::string& out, const Failure& failure) {
  Object trap(out);
  trap.text("code", trap_name(failure.trap));
  trap.text("function", failure.function);
  if (!failure.file.empty()) trap.text("file", failure.file);
  trap.number("line", failure.line);
  trap.number("column", failure.column);
  trap.number("depth", failure.depth);
  if (!failure.assertion.empty()) trap.text("assertion", failure.assertion);
}

// `last`: texts of the same suite. `error`: that of a case that is told for its error.
void write_failure(std::string& out, ScoreKind score, const Suite& suite, const Failure& failure,
                   CaseText& last, const std::optional<f64>& error = std::nullopt) {
  if (last.case_index != failure.case_index || last.signature != failure.signature) {
    last.case_index = failure.case_index;
    last.signature = failure.signature;
    last.fields.clear();
    last.cut.clear();
    last.expected.clear();
    write_case(last, score, suite, failure);
  }
  Object object(out);
  object.next() += last.fields;
  std::string actual;
  if (failure.trap != Trap::None) {
    write_trap(object.field("trap"), failure);
  } else if (failure.actual.is_cut()) {
    object.null("actual");
  } else {
    print_value(actual, suite.signature.result_type, unpack_cells(failure.actual.cells),
                ValueStyle::Json);
    object.field("actual") += actual;
  }
  if (const std::string cut = cut_values(last, failure, actual); !cut.empty())
    object.field("cut") += "[" + cut + "]";
  if (!error) return;
  append_score(object.field("error"), *error);
  if (std::isinf(*error)) append_score_text(object.field("error_text"), *error);
}

void write_span(Object& object, Place begin, Place end) {
  object.number("line", begin.line);
  object.number("column", begin.column);
  object.number("end_line", end.line);
  object.number("end_column", end.column);
}

void write_diagnostic(std::string& out, const DiagnosticText& diagnostic) {
  Object object(out);
  write_span(object, diagnostic.begin, diagnostic.end);
  object.text("code", diagnostic.code);
  object.text("severity", severity_name(diagnostic.severity));
  object.text("message", diagnostic.message);
  if (!diagnostic.has_fix) {
    object.null("fix");
    return;
  }
  Object fix(object.field("fix"));
  write_span(fix, diagnostic.fix_begin, diagnostic.fix_end);
  fix.number("begin", diagnostic.fix.begin);
  fix.number("end", diagnostic.fix.end);
  fix.text("text", diagnostic.fix.text);
}

void write_diagnostics(std::string& out, const Results& results, const ResultRow& row) {
  out += '[';
  for (u32 i = 0; i < row.diagnostics; ++i) {
    if (i != 0) out += ", ";
    write_diagnostic(out, results.diagnostics[row.diagnostics_begin + i]);
  }
  out += ']';
}

// Writes the edits and their result.
void write_fixes(Fields& row, const FixedSource* fixed) {
  write_fixes_json(row.field("fixes"),
                   fixed == nullptr ? std::span<const AppliedFix>() : fixed->fixes);
  if (fixed == nullptr)
    row.null("fixed_source");
  else
    row.text("fixed_source", fixed->text);
}

void write_counts(std::string& out, const Results& results) {
  const OutcomeCounts counts = count_outcomes(results);
  Object object(out);
  for (size_t status = 0; status < kStatuses; ++status)
    object.number(status_name(static_cast<Status>(status)), counts.by_status[status]);
  object.number("duplicates", counts.duplicates);
  object.number("behaviours", counts.behaviours);
  object.number("pareto", counts.pareto);
  object.number("over_budget", counts.over_budget);
  if (results.fixes) object.number("fixed", counts.fixed);
}

void write_line(std::string& out, const std::optional<ScoreLine>& line) {
  if (!line) {
    out += "null";
    return;
  }
  Object object(out);
  append_score(object.field("slope"), line->slope);
  append_score(object.field("intercept"), line->intercept);
}

void append_scores(std::string& out, std::span<const f64> scores,
                   void (*append)(std::string&, f64)) {
  std::string_view comma = "[";
  for (const f64 score : scores) {
    out += comma;
    comma = ", ";
    append(out, score);
  }
  out += ']';
}

// A bad case is a NaN.
void write_case_scores(Fields& fields, std::span<const f64> scores) {
  if (scores.empty())
    fields.null("case_scores");
  else
    append_scores(fields.field("case_scores"), scores, append_score);
  if (std::ranges::none_of(scores, [](f64 score) { return std::isinf(score); }))
    fields.null("case_scores_text");
  else
    append_scores(fields.field("case_scores_text"), scores, append_score_text);
}

// Writes the result on so many cases.
void write_outcome(Fields& fields, const ResultRow& row, u32 cases) {
  fields.text("status", status_name(row.status));
  write_score(fields, row.scored ? row.score : std::numeric_limits<f64>::quiet_NaN());
  number_if(was_run(row), fields, "passed", row.passed);
  fields.number("cases", cases);
  number_if(was_run(row) || is_over_budget(row), fields, "cases_run", row.cases_run);
  number_if(was_run(row), fields, "fuel", row.fuel);
}

void write_held_out_result(std::string& out, ScoreKind score, const Suite& suite,
                           std::string_view id, const HeldOutResult& result) {
  Object object(out);
  object.text("id", id);
  write_outcome(object, result.row, suite.count);
  if (!result.problem.empty()) object.text("problem", result.problem);
  if (!result.failure) {
    object.null("first_failure");
    return;
  }
  CaseText none;
  write_failure(object.field("first_failure"), score, suite, *result.failure, none);
}

void write_row(std::string& out, const Results& results, u32 row_number,
               const WriteDetails& details) {
  const ResultRow& row = results.rows[row_number];
  Object object(out);
  object.text("id", results.id(row_number));
  number_if(row.rank != 0, object, "rank", row.rank);
  write_outcome(object, row, results.cases);
  number_if(row.code_bytes != 0, object, "code_bytes", row.code_bytes);
  const auto id_if = [&](std::string_view name, u32 of) {
    if (of != kNone) {
      object.text(name, results.id(of));
    } else {
      object.null(name);
    }
  };
  id_if("duplicate_of", row.duplicate_of);
  if (was_run(row)) {
    object.text("behaviour", hex_text(row.behaviour));
  } else {
    object.null("behaviour");
  }
  id_if("same_behaviour_as", row.same_behaviour_as);
  if (results.ranking.empty()) {
    object.null("pareto");
  } else {
    object.field("pareto") += row.pareto ? "true" : "false";
  }
  if (const HeldOutResult* const held_out = results.held_out_of(row_number))
    write_held_out_result(object.field("held_out"), results.score, results.held_out->suite,
                          results.id(row_number), *held_out);
  if (const Results::WorstRow* const worst = results.worst_of(row_number))
    write_worst_json(object.field("worst"), results, *worst);
  details(object.next(), row_number);
}

void write_details(std::string& out, const Results& results, u32 row_number, CaseText& last) {
  const ResultRow& row = results.rows[row_number];
  Fields fields(out);
  if (row.first_failure != kNone) {
    write_failure(fields.field("first_failure"), results.score, results.suite,
                  results.failures[row.first_failure], last);
  } else {
    fields.null("first_failure");
  }
  write_diagnostics(fields.field("diagnostics"), results, row);
  if (fits_line(results.score)) write_line(fields.field("line"), results.line_of(row_number));
  if (results.fixes) write_fixes(fields, results.fixed_source(row_number));
  if (results.has_case_scores) write_case_scores(fields, results.case_scores_of(row_number));
}

// Rows of a piece. A row has some hundred bytes, so a piece fills a write to a file.
constexpr u32 kPieceRows = 256;
// From this many rows on, threads are worth starting.
constexpr u32 kManyRows = 4096;

}  // namespace

void write_worst_json(std::string& out, const Results& results, const Results::WorstRow& worst) {
  if (!worst.json.empty()) {
    out += worst.json;
    return;
  }
  out += '[';
  for (const Results::WorstCase& one : worst.cases) {
    if (&one != worst.cases.data()) out += ", ";
    CaseText none;
    write_failure(out, results.score, results.suite, one.failure, none, one.error);
  }
  out += ']';
}

void write_held_out_json(std::string& out, ScoreKind score, const HeldOut& held_out) {
  if (!held_out.json.empty() || held_out.id.empty()) {
    out += held_out.json.empty() ? "null" : held_out.json;
    return;
  }
  write_held_out_result(out, score, held_out.suite, held_out.id, held_out);
}

void write_scale_json(Fields& fields, const ScoreScale& scale) {
  const bool has_measures = !scale.measures.empty();
  const std::vector<f64>& numbers = has_measures ? scale.measures : scale.floors;
  if (!numbers.empty()) {
    const bool is_one = std::ranges::count(numbers, numbers.front()) == std::ssize(numbers);
    const ScoreMeasure measure = has_measures ? scale.measure : ScoreMeasure::Floor;
    std::string& out = fields.field(kMeasureNames[static_cast<size_t>(measure)]);
    if (is_one) append_json_number(out, numbers.front());
    for (size_t k = 0; !is_one && k < numbers.size(); ++k) {
      out += k == 0 ? "[" : ", ";
      append_json_number(out, numbers[k]);
    }
    if (!is_one) out += ']';
  }
  if (scale.unit != 1) append_json_number(fields.field("scale"), scale.unit);
}

void write_fixes_json(std::string& out, std::span<const AppliedFix> fixes) {
  out += '[';
  for (const AppliedFix& fix : fixes) {
    if (&fix != &fixes.front()) out += ", ";
    Object object(out);
    object.text("code", fix.code);
    object.number("line", fix.line);
    object.text("message", fix.message);
  }
  out += ']';
}

void write_details_json(std::string& out, const Results& results, u32 row) {
  CaseText none;
  write_details(out, results, row, none);
}

void write_row_json(std::string& out, const Results& results, u32 row) {
  write_row_json(out, results, row,
                 [&](std::string& to, u32 of) { write_details_json(to, results, of); });
}
void write_row_json(std::string& out, const Results& results, u32 row,
                    const WriteDetails& details) {
  write_row(out, results, row, details);
}

void write_ranking_json(std::string& out, const Results& results, std::span<const u32> best,
                        u64 candidates, std::string_view id) {
  Object object(out);
  if (!id.empty()) object.text("id", id);
  std::string& ranking = object.field("ranking");
  ranking += '[';
  for (size_t k = 0; k < best.size(); ++k) {
    const ResultRow& row = results.rows[best[k]];
    Object program(ranking += k == 0 ? "" : ", ");
    program.text("id", results.id(best[k]));
    program.number("rank", k + 1);
    write_outcome(program, row, results.cases);
    program.number("code_bytes", row.code_bytes);
  }
  ranking += ']';
  object.number("candidates", candidates);
}

void write_report_json(const WriteText& write, const Results& results, const WriteDetails& details,
                       u32 threads, const ReportAdditions& additions) {
  std::string out;
  bool is_wanted = true;
  const WriteText write_next = [&](std::string_view piece) { return is_wanted = write(piece); };
  {
    Object report(out);
    report.number("komuz_report", kReportVersion);
    report.field("complete") += results.complete ? "true" : "false";
    report.text("score", score_name(results.score));
    append_json_number(report.field("tolerance"), results.tolerance);
    if (!results.weights.empty()) report.text("weights", results.weights);
    write_scale_json(report, results.scale);
    if (results.ends_at_failure) report.field("ends_at_failure") += "true";
    report.number("cases", results.cases);
    if (results.typed) {
      report.text("signature", results.signature);
    } else {
      report.null("signature");
    }
    write_counts(report.field("counts"), results);
    if (results.held_out)
      write_held_out_json(report.field("held_out"), results.score, *results.held_out);
    if (!results.fixed_sketch.fixes.empty()) write_fixes(report, &results.fixed_sketch);
    if (!additions.programs.empty()) report.field("programs") += additions.programs;
    if (!additions.optimised.empty()) report.field("optimised") += additions.optimised;
    report.field("results") += '[';
    if (!write_next(out)) return;
    out.clear();
    const auto rows = static_cast<u32>(results.ranking.size());
    WorkerPool pool(details || rows < kManyRows ? 1 : threads);
    write_pieces(
        pool, rows / kPieceRows + (rows % kPieceRows != 0),
        [&](u32 piece, std::string& to) {
          const u32 begin = piece * kPieceRows, end = std::min(rows, begin + kPieceRows);
          // The rows lie far apart, so all are prefetched before the first is read.
          for (u32 i = begin; i < end; ++i) __builtin_prefetch(&results.rows[results.ranking[i]]);
          CaseText last;
          const WriteDetails kept = [&](std::string& into, u32 row) {
            write_details(into, results, row, last);
          };
          for (u32 i = begin; i < end; ++i) {
            to += i == 0 ? "\n" : ",\n";
            write_row(to, results, results.ranking[i], details ? details : kept);
          }
        },
        write_next);
    if (!is_wanted) return;
    out += rows == 0 ? "]" : "\n]";
  }
  out += '\n';
  static_cast<void>(write(out));
}

void write_report_json(std::string& out, const Results& results) {
  write_report_json(
      [&](std::string_view piece) {
        out += piece;
        return true;
      },
      results);
}

}  // namespace komuz::engine
