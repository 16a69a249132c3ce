// SPDX-License-Identifier: Apache-2.0
#include "engine/log/log_lines.h"

#include <array>
#include <charconv>
#include <limits>
#include <span>

#include "engine/log/line_seal.h"
#include "engine/results/log_values.h"
#include "engine/results/report.h"
#include "engine/results/score_json.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_object.h"
#include "lang/traps.h"

namespace komuz::engine {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kDetails = ", \"first_failure\": ";

bool read_hex(std::string_view digits, u64& out) {
  const auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, 16);
  return digits.size() == 16 && problem == std::errc() && end == digits.data() + digits.size();
}
bool read_hex(std::string_view text, u64& high, u64& low) {
  return text.size() == 32 && read_hex(text.substr(0, 16), high) && read_hex(text.substr(16), low);
}

bool take_hash(dom::element value, Hash128& out) {
  std::string_view digits;
  return take(value, digits) && read_hex(digits, out.high, out.low);
}

}  // namespace

LogLine line_kind(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, LogLine>, 5> kKinds = {
      {{"{\"id\": ", LogLine::Row},
       {"{\"komuz_log\": ", LogLine::Header},
       {"{\"module\": ", LogLine::Module},
       {"{\"signature\": ", LogLine::Signature},
       {"{\"end\": ", LogLine::End}}};
  for (const auto& [start, kind] : kKinds)
    if (line.starts_with(start)) return kind;
  return LogLine::Other;
}

std::string header_line(const LogHeader& header) {
  std::string out;
  {
    Object object(out);
    object.number("komuz_log", kLogVersion);
    Object run(object.field("run"));
    for (const auto& [name, json] : header) run.field(name) += json;
  }
  return std::string(body_of(out)) + LineSeals().seal(body_of(out), 1);
}

std::optional<LogHeader> read_header(std::string_view line) {
  dom::object object, run;
  u64 version = 0;
  if (!is_whole_first_line(line) || !parse_object(line, object) ||
      !take(object, "komuz_log", version) || version != kLogVersion || object["run"].get(run))
    return std::nullopt;
  LogHeader header;
  for (const dom::key_value_pair field : run)
    header.emplace_back(field.key, simdjson::minify(field.value));
  return header;
}

Problem header_error(const std::string& path, std::string_view line) {
  dom::object object;
  u64 version = 0;
  if (line_kind(line) != LogLine::Header || !parse_object(line, object) ||
      !take(object, "komuz_log", version))
    return input_problem({path}, "this is no results log", "name one that `--log` has written");
  // Version 1 had no checksums.
  if (version != kLogVersion && (version == 1 || is_whole_first_line(line)))
    return input_problem({path, 1},
                         "this results log has version " + std::to_string(version) +
                             " of the format, and this komuz knows version " +
                             std::to_string(kLogVersion),
                         "use the komuz that has written it, or evaluate again");
  return input_problem(
      {path, 1}, "this line of the log is damaged: nobody knows what its results depend on",
      "`--resume` with the options of that run mends a single byte; else evaluate again");
}

std::string module_line(std::string_view path, std::string_view text) {
  Hash128 hash;
  add_text(hash, text);
  std::string out;
  {
    Object object(out);
    object.text("module", path);
    object.text("text", hex_text(hash));
  }
  return out;
}

std::string signature_line(const LoggedSignature& signature) {
  std::string out;
  {
    Object object(out);
    object.text("signature", signature.text);
    write_scale_json(object, signature.scale);
  }
  return out;
}

std::optional<LoggedSignature> read_signature_line(std::string_view line) {
  dom::object object;
  LoggedSignature out;
  if (!parse_object(line, object) || !take(object, "signature", out.text)) return std::nullopt;
  dom::element field;
  dom::array numbers;
  if (object["scale"].get(field) == simdjson::SUCCESS && !take(field, out.scale.unit))
    return std::nullopt;
  for (size_t k = 1; k < kScoreMeasures; ++k) {
    if (object[kMeasureNames[k]].get(field) != simdjson::SUCCESS) continue;
    const auto measure = static_cast<ScoreMeasure>(k);
    const bool is_floor = measure == ScoreMeasure::Floor;
    std::vector<f64>& to = is_floor ? out.scale.floors : out.scale.measures;
    if (!is_floor) out.scale.measure = measure;
    if (field.get_array().get(numbers) != simdjson::SUCCESS)
      return take(field, to.emplace_back()) ? std::optional(out) : std::nullopt;
    for (const dom::element number : numbers)
      if (!take(number, to.emplace_back())) return std::nullopt;
  }
  return out;
}

namespace {

void write_row_object(std::string& out, const Results& results, u32 number,
                      std::string_view first_id, const frontend::TextHash& program,
                      std::optional<std::string_view> source) {
  const ResultRow& row = results.rows[number];
  Object object(out);
  object.text("id", results.id(number));
  if (program == frontend::TextHash{})
    object.null("program");
  else
    object.text("program", hex_text({program.low, program.high}));
  if (row.duplicate_of != kNone) {
    object.text("duplicate_of", first_id);
    if (source) object.text("source", *source);
    return;
  }
  object.text("status", status_name(row.status));
  write_score(object, row.scored ? row.score : std::numeric_limits<f64>::quiet_NaN());
  // As in a report, a row that was not run has no 0, which would count as the least value.
  number_if(was_run(row), object, "passed", row.passed);
  number_if(was_run(row) || is_over_budget(row), object, "cases_run", row.cases_run);
  number_if(was_run(row), object, "fuel", row.fuel);
  number_if(row.code_bytes != 0, object, "code_bytes", row.code_bytes);
  if (row.bad_cases != 0) object.number("bad_cases", row.bad_cases);
  if (row.first_trap != Trap::None) object.text("first_trap", trap_name(row.first_trap));
  if (row.fixed) object.field("fixed") += "true";
  if (row.slow) object.field("slow") += "true";
  if (was_run(row)) object.text("behaviour", hex_text(row.behaviour));
  if (source) object.text("source", *source);
  write_details_json(object.next(), results, number);
}

}  // namespace

void append_row_line(std::string& out, const Results& results, u32 number,
                     std::string_view first_id, const frontend::TextHash& program,
                     std::optional<std::string_view> source) {
  write_row_object(out, results, number, first_id, program, source);
}

bool read_row_line(std::string_view line, LoggedRow& out) {
  out.row = {};
  out.program = {};
  out.is_duplicate = false;
  out.source.reset();
  dom::object object;
  if (!parse_object(line, object)) return false;
  std::string_view word;
  ResultRow& row = out.row;
  // The fields that must be present.
  enum : u32 {
    Id = 1,
    Program = 2,
    State = 4,
    Score = 8,
    Passed = 16,
    Fuel = 32,
    Code = 64,
    ScoreText = 128
  };
  u32 found = 0;
  const auto read_field = [&](std::string_view name, dom::element value) {
    if (name == "id") {
      found |= Id;
      if (!take(value, word)) return false;
      out.id = word;
    } else if (name == "program") {
      found |= Program;
      Hash128 hash{0, 0};
      if (!value.is_null() && !take_hash(value, hash)) return false;
      out.program = {hash.low, hash.high};
    } else if (name == "duplicate_of") {
      out.is_duplicate = true;
    } else if (name == "status") {
      found |= State;
      const auto status = take(value, word) ? status_from_name(word) : std::nullopt;
      if (!status) return false;
      row.status = *status;
    } else if (name == "score") {
      found |= Score;
      if (value.is_null()) return true;
      row.scored = true;
      return value.get_double().get(row.score) == simdjson::SUCCESS;
    } else if (name == "score_text") {
      found |= ScoreText;
      if (value.is_null()) return true;
      if (row.scored) return false;
      row.scored = true;
      return take_infinite(value, row.score);
    } else if (name == "passed") {
      found |= Passed;
      return value.is_null() || take(value, row.passed);
    } else if (name == "fuel") {
      found |= Fuel;
      return value.is_null() || take(value, row.fuel);
    } else if (name == "code_bytes") {
      found |= Code;
      return value.is_null() || take(value, row.code_bytes);
    } else if (name == "bad_cases") {
      return take(value, row.bad_cases);
    } else if (name == "first_trap") {
      row.first_trap = take(value, word) ? trap_from_name(word) : Trap::None;
      return row.first_trap != Trap::None;
    } else if (name == "behaviour") {
      return take(value, word) && read_hex(word, row.behaviour);
    } else if (name == "cases_run") {
      return value.is_null() || take(value, row.cases_run);
    } else if (name == "fixed") {
      row.fixed = true;
    } else if (name == "slow") {
      row.slow = true;
    } else if (name == "source") {
      if (!take(value, word)) return false;
      out.source.emplace(word);
    }
    return true;
  };
  for (const dom::key_value_pair field : object)
    if (!read_field(field.key, field.value)) return false;
  if (out.is_duplicate) return found == (Id | Program);
  return found == (Id | Program | State | Score | ScoreText | Passed | Fuel | Code) &&
         !details_of(line).empty();
}

// In a text, a quote stands only behind a backslash, so the quoted name of the field is found unambiguously.
std::string_view details_of(std::string_view line) {
  const size_t at = line.find(kDetails);
  const std::string_view body = without_seal(line);
  if (at == std::string_view::npos || at + kDetails.size() > body.size()) return {};
  return body.substr(at + 2);  // behind the comma and its blank
}

namespace {

void append_numbers(std::string& out, std::span<const f64> numbers) {
  out += '[';
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) out += ", ";
    append_json_number(out, numbers[i]);
  }
  out += ']';
}

bool take_numbers(dom::object object, std::string_view name, std::vector<f64>& out) {
  dom::array numbers;
  if (object.at_key(name).get(numbers) != simdjson::SUCCESS) return false;
  for (const dom::element number : numbers)
    if (!take(number, out.emplace_back())) return false;
  return true;
}

}  // namespace

std::string end_line(const LogEnd& end) {
  std::string out;
  {
    Object object(out);
    Object inner(object.field("end"));
    inner.number("candidates", end.candidates);
    inner.text("input", hex_text(end.input));
    if (end.expected.empty()) {
      inner.null("best");
    } else {
      Object best(inner.field("best"));
      best.text("id", end.best);
      append_numbers(best.field("expected"), end.expected);
      append_numbers(best.field("actual"), end.actual);
    }
    std::string& sources = inner.field("sources") += '[';
    for (const auto& [id, source] : end.sources) {
      if (sources.back() != '[') sources += ", ";
      Object variant(sources);
      variant.text("id", id);
      variant.text("source", source);
    }
    sources += ']';
    if (!end.worst.empty()) inner.field("worst") += end.worst;
    if (!end.held_out.empty()) inner.field("held_out") += end.held_out;
  }
  return out;
}

namespace {

// The values of the last fields as they were written. In a text, a quote stands only behind a backslash, so the quoted names are
// found unambiguously.
void take_last_fields(std::string_view end_line, LogEnd& out) {
  constexpr std::string_view kWorst = "], \"worst\": ", kHeldOut = "], \"held_out\": ";
  std::string_view body = without_seal(end_line);
  if (body.empty() || body.back() != '}') return;
  body.remove_suffix(1);
  if (const size_t at = body.rfind(kHeldOut); at != std::string_view::npos) {
    out.held_out = body.substr(at + kHeldOut.size());
    body = body.substr(0, at + 1);
  }
  if (const size_t at = body.rfind(kWorst); at != std::string_view::npos)
    out.worst = body.substr(at + kWorst.size());
}

}  // namespace

std::optional<LogEnd> read_end(std::string_view line) {
  dom::object object, inner, best;
  LogEnd end;
  dom::element input;
  if (!parse_object(line, object) || object["end"].get(inner) ||
      !take(inner, "candidates", end.candidates) || inner["input"].get(input) ||
      !take_hash(input, end.input))
    return std::nullopt;
  dom::array sources;
  if (inner["sources"].get(sources)) return std::nullopt;
  for (const dom::element element : sources) {
    dom::object variant;
    auto& [id, source] = end.sources.emplace_back();
    if (element.get(variant) || !take(variant, "id", id) || !take(variant, "source", source))
      return std::nullopt;
  }
  take_last_fields(line, end);
  if (inner["best"].get(best)) return end;
  if (!take(best, "id", end.best) || !take_numbers(best, "expected", end.expected) ||
      !take_numbers(best, "actual", end.actual) || end.expected.size() != end.actual.size())
    return std::nullopt;
  return end;
}

}  // namespace komuz::engine
