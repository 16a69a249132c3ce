// SPDX-License-Identifier: Apache-2.0
#include "engine/results/read_details.h"

#include "engine/results/log_values.h"
#include "engine/values/packed_cells.h"
#include "engine/values/value_text.h"

namespace komuz::engine {
namespace {

namespace dom = simdjson::dom;

// The same code as a constant of the tables, for rows that keep no text of their own; empty if there is none.
std::string_view known_code(std::string_view code) {
  for (const std::string_view known : {kRefusedCode, kSketchCode, kBudgetCode, kStoppedCode})
    if (code == known) return known;
  for (u32 k = 1; k < kDiagnosticCount; ++k)
    if (const DiagnosticRow& row = diagnostic_row(static_cast<DiagnosticCode>(k)); row.code == code)
      return row.code;
  return {};
}

bool read_code(dom::object object, std::string_view& out) {
  std::string_view code;
  out = take(object, "code", code) ? known_code(code) : std::string_view();
  return !out.empty();
}

bool read_span(dom::object object, Place& begin, Place& end) {
  return take(object, "line", begin.line) && take(object, "column", begin.column) &&
         take(object, "end_line", end.line) && take(object, "end_column", end.column);
}

bool read_diagnostic(dom::object object, DiagnosticText& out) {
  std::string_view severity;
  if (!read_code(object, out.code) || !take(object, "severity", severity) ||
      !take(object, "message", out.message) || !read_span(object, out.begin, out.end))
    return false;
  for (const Severity known : {Severity::Error, Severity::Warning, Severity::Note})
    if (severity_name(known) == severity) out.severity = known;
  dom::object fix;
  out.has_fix = object["fix"].get(fix) == simdjson::SUCCESS;
  return !out.has_fix ||
         (read_span(fix, out.fix_begin, out.fix_end) && take(fix, "begin", out.fix.begin) &&
          take(fix, "end", out.fix.end) && take(fix, "text", out.fix.text));
}

// Reads the parts of a value that was too long to write, and the element that differs. `of`: "expected", "actual" or
// "args.NAME". False: the description of the value is damaged.
bool read_cut(dom::object failure, std::string_view of, KeptValue& out, std::string& element_name) {
  dom::array all;
  if (failure["cut"].get(all) != simdjson::SUCCESS) return true;
  for (const dom::element element : all) {
    dom::object one;
    std::string_view which;
    if (element.get(one) != simdjson::SUCCESS || !take(one, "of", which)) return false;
    if (which != of) continue;
    if (!take(one, "bytes", out.bytes) || !take(one, "begin", out.begin)) return false;
    return one["differs_at"].error() != simdjson::SUCCESS ||
           (take(one, "differs_at", out.differs_at) && take(one, "element", element_name) &&
            take(one, "there", out.there));
  }
  return true;
}

// The value as it was printed. Minifying removes only blanks.
bool read_actual(dom::element value, const Suite& suite, std::string& out) {
  const std::string text = simdjson::minify(value);
  const std::string_view type = suite.signature.result_type;
  std::vector<u64> cells(count_cells(type));
  if (parse_value(type, text, ValueStyle::Json, cells)) return false;
  pack_cells(cells, out);
  return true;
}

bool read_failure(dom::object object, const Suite* suite, Failure& out) {
  if (!take(object, "case", out.case_index)) return false;
  if (suite != nullptr && out.case_index >= suite->count) return false;
  if (object["signature"].error() == simdjson::SUCCESS && !take(object, "signature", out.signature))
    return false;
  dom::object trap;
  if (object["trap"].get(trap) == simdjson::SUCCESS) {
    std::string_view code;
    out.trap = take(trap, "code", code) ? trap_from_name(code) : Trap::None;
    if (trap["file"].error() == simdjson::SUCCESS && !take(trap, "file", out.file)) return false;
    if (trap["assertion"].error() == simdjson::SUCCESS && !take(trap, "assertion", out.assertion))
      return false;
    return out.trap != Trap::None && take(trap, "function", out.function) &&
           take(trap, "line", out.line) && take(trap, "column", out.column) &&
           take(trap, "depth", out.depth);
  }
  dom::element actual;
  std::string unused;
  if (object["actual"].get(actual) != simdjson::SUCCESS ||
      !read_cut(object, "actual", out.actual, unused))
    return false;
  return out.actual.is_cut() || suite == nullptr || read_actual(actual, *suite, out.actual.cells);
}

bool take_fixes(dom::array fixes, std::vector<AppliedFix>& out) {
  for (const dom::element element : fixes) {
    dom::object object;
    AppliedFix& fix = out.emplace_back();
    if (element.get(object) != simdjson::SUCCESS || !read_code(object, fix.code) ||
        !take(object, "line", fix.line) || !take(object, "message", fix.message))
      return false;
  }
  return true;
}

bool read_diagnostics(dom::object object, std::vector<DiagnosticText>& out) {
  dom::array diagnostics;
  if (object["diagnostics"].get(diagnostics) != simdjson::SUCCESS) return false;
  for (const dom::element element : diagnostics) {
    dom::object diagnostic;
    if (element.get(diagnostic) != simdjson::SUCCESS ||
        !read_diagnostic(diagnostic, out.emplace_back()))
      return false;
  }
  return true;
}

// Whatever has no line in the log has none: what it stands for does not fit an f64.
bool read_line(dom::object object, ScoreLine& out) {
  constexpr f64 kNone = std::numeric_limits<f64>::quiet_NaN();
  dom::object line;
  out = {kNone, kNone};
  return object["line"].get(line) != simdjson::SUCCESS ||
         (take(line, "slope", out.slope) && take(line, "intercept", out.intercept));
}

bool read_case_scores(dom::object object, std::vector<f64>& out) {
  dom::array scores, texts;
  if (object["case_scores"].get(scores) == simdjson::SUCCESS)
    for (const dom::element score : scores) {
      f64& number = out.emplace_back(std::numeric_limits<f64>::quiet_NaN());
      if (!score.is_null() && score.get_double().get(number) != simdjson::SUCCESS) return false;
    }
  if (object["case_scores_text"].get(texts) != simdjson::SUCCESS) return true;
  if (texts.size() != out.size()) return false;
  for (size_t i = 0; const dom::element text : texts) {
    f64& number = out[i++];
    if (!text.is_null() && (number == number || !take_infinite(text, number))) return false;
  }
  return true;
}

bool parse_details(std::string_view details, dom::object& out) {
  return parse_object("{" + std::string(details) + "}", out);
}

// JSON as it was written, with a blank behind each `,` and `:`.
std::string shown_json(dom::element value) {
  std::string out;
  bool is_string = false, is_escaped = false;
  for (const char c : std::string(simdjson::minify(value))) {
    out += c;
    if (!is_string && (c == ',' || c == ':')) out += ' ';
    if (c == '"' && !is_escaped) is_string = !is_string;
    is_escaped = c == '\\' && !is_escaped;
  }
  return out;
}
// A field as JSON; empty if the field is null or absent.
std::string json_of(dom::object object, std::string_view name) {
  dom::element value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return {};
  return shown_json(value);
}

// Reads the expected and the actual value. False: a part of them is damaged.
bool read_compared(dom::object object, FailureText& out) {
  KeptValue expected, actual;
  std::string element;
  if (!read_cut(object, "expected", expected, element) ||
      !read_cut(object, "actual", actual, element))
    return false;
  const u64 at = std::min(expected.differs_at, actual.differs_at);
  const auto text_of = [&](const KeptValue& value, const std::string& json) {
    if (value.is_cut()) return cut_text(value, element);
    const bool is_part = at != KeptValue::kNoDifference && is_shown_as_part(json);
    return is_part ? cut_text(part_of(json, Difference{at, element}), element) : json;
  };
  std::string trap;
  out.expected = take(object, "expected_trap", trap)
                     ? "trap " + trap
                     : text_of(expected, json_of(object, "expected"));
  out.actual = text_of(actual, json_of(object, "actual"));
  return true;
}

bool read_failure_text(dom::object object, FailureText& out) {
  dom::object arguments, trap;
  if (!take(object, "line", out.line) || object["args"].get(arguments) != simdjson::SUCCESS)
    return false;
  for (const dom::key_value_pair field : arguments) {
    const std::string name(field.key);
    KeptValue cut;
    std::string unused;
    if (!read_cut(object, "args." + name, cut, unused)) return false;
    out.arguments.push_back(name + " = " +
                            (cut.is_cut() ? cut_text(cut, {}) : shown_json(field.value)));
  }
  std::string word;
  if (!read_compared(object, out)) return false;
  if (object["trap"].get(trap) != simdjson::SUCCESS) return true;
  u32 line = 0, column = 0;
  if (!take(trap, "code", word) || !take(trap, "line", line) || !take(trap, "column", column))
    return false;
  out.actual = "trap " + word;
  if (!take(trap, "file", word)) word.clear();
  out.place = place_text(word, line, column);
  (void)take(trap, "assertion", out.assertion);
  return true;
}

}  // namespace

bool read_findings(std::string_view details, FindingsText& out) {
  dom::object object, failure;
  if (!parse_details(details, object) || !read_diagnostics(object, out.diagnostics)) return false;
  return object["first_failure"].get(failure) != simdjson::SUCCESS ||
         read_failure_text(failure, out.failure.emplace());
}

bool read_details(std::string_view details, const Suite* suite, CandidateResult& out) {
  dom::object object, failure;
  dom::array fixes;
  if (!parse_details(details, object) || !read_diagnostics(object, out.diagnostics)) return false;
  out.has_failure = object["first_failure"].get(failure) == simdjson::SUCCESS;
  if (out.has_failure && !read_failure(failure, suite, out.failure)) return false;
  if (!read_line(object, out.line) || !read_case_scores(object, out.case_scores)) return false;
  dom::element fixed;
  if (object["fixed_source"].get(fixed) != simdjson::SUCCESS || fixed.is_null()) return true;
  return object["fixes"].get(fixes) == simdjson::SUCCESS && take(fixed, out.fixed.text) &&
         take_fixes(fixes, out.fixed.fixes);
}

bool read_held_out(std::string_view json, HeldOut& out, std::optional<FailureText>* failure) {
  dom::object object, failed;
  std::string_view status;
  dom::element score, score_text;
  if (!parse_object(json, object) || !take(object, "id", out.id) ||
      !take(object, "status", status) || !take(object, "cases", out.suite.count) ||
      object["score"].get(score) || object["score_text"].get(score_text))
    return false;
  ResultRow& row = out.row;
  const std::optional<Status> known = status_from_name(status);
  row.status = known.value_or(Status::Refused);
  row.scored = !score.is_null() || !score_text.is_null();
  if (!score_text.is_null() ? !take_infinite(score_text, row.score)
                            : row.scored && score.get_double().get(row.score))
    return false;
  static_cast<void>(take(object, "passed", row.passed));
  static_cast<void>(take(object, "fuel", row.fuel));
  static_cast<void>(take(object, "cases_run", row.cases_run));
  static_cast<void>(take(object, "problem", out.problem));
  out.json = json;
  if (failure != nullptr && object["first_failure"].get(failed) == simdjson::SUCCESS &&
      !read_failure_text(failed, failure->emplace()))
    return false;
  return known.has_value();
}

bool read_worst(std::string_view json, std::vector<FailureText>& out) {
  dom::object object, failed;
  dom::array cases;
  if (!parse_object("{\"worst\":" + std::string(json) + "}", object) ||
      object["worst"].get(cases) != simdjson::SUCCESS)
    return false;
  for (const dom::element element : cases)
    if (element.get(failed) != simdjson::SUCCESS || !read_failure_text(failed, out.emplace_back()))
      return false;
  return true;
}

bool read_fixes(std::string_view json, std::vector<AppliedFix>& out) {
  dom::object object;
  dom::array fixes;
  return parse_object("{\"fixes\":" + std::string(json) + "}", object) &&
         object["fixes"].get(fixes) == simdjson::SUCCESS && take_fixes(fixes, out);
}

}  // namespace komuz::engine
