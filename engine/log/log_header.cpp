// SPDX-License-Identifier: Apache-2.0
#include "engine/log/log_header.h"

#include <algorithm>

#include "engine/results/log_values.h"
#include "engine/results/read_details.h"
#include "engine/results/report.h"
#include "engine/sketch/sketch_program.h"
#include "engine/support/hex_text.h"
#include "engine/support/json_text.h"

namespace komuz::engine {
namespace {

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}
template <class Number>
std::string json_number(Number value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

// The signature as the user stated it: its parameters, or the result alone.
std::string signature_json(const EvaluateOptions& options) {
  if (options.programs.signature) return json_text(options.programs.signature->text());
  return options.programs.result_type.empty()
             ? "null"
             : json_text("(...) -> " + type_text(options.programs.result_type));
}

// Given columns as the file of CSV that means the same, as a reader of cases has it; and where the expected values begin.
struct GivenTexts {
  std::string text;
  std::vector<u64> expected;
};
GivenTexts texts_of(const CasesTable& cases) {
  GivenTexts out;
  if (!cases.given.source) return out;
  const GivenColumns& given = *cases.given.source;
  given.append_header(out.text);
  for (size_t row = 0; row < given.rows; ++row) {
    const size_t begin = out.text.size();
    given.append_line(out.text, row);
    const size_t expected = cases.given.expected.value_or(0);
    out.expected.push_back(cases.given.expected && given.columns[expected].has_value(row)
                               ? begin + given.value_place_in_line(row, expected) - 1
                               : 0);
  }
  out.text.append(simdjson::SIMDJSON_PADDING, ' ');
  return out;
}

Hash128 hash_of(const CasesTable& cases) {
  Hash128 hash;
  const GivenTexts given = texts_of(cases);
  add_text(hash, cases.given.source ? given.text : cases.text);
  for (const std::string& column : cases.columns) add_text(hash, column);
  hash.add(cases.by_name);
  // Which field held the expected value.
  for (size_t row = 0; row < cases.rows.size(); ++row)
    hash.add(cases.given.source ? given.expected[cases.given.row_of(row)]
                                : cases.rows[row].expected.begin);
  hash.add(hash.high);
  return hash;
}

const std::string* find(const LogHeader& header, std::string_view name) {
  const auto field = std::ranges::find(
      header, name, [](const auto& pair) { return std::string_view(pair.first); });
  return field == header.end() || field->second == "null" ? nullptr : &field->second;
}

template <class Value>
bool read(const LogHeader& header, std::string_view name, Value& out) {
  const std::string* json = find(header, name);
  simdjson::dom::object object;
  return json != nullptr && parse_object("{\"value\":" + *json + "}", object) &&
         take(object, "value", out);
}

}  // namespace

LogHeader make_header(std::string_view version, std::string_view command,
                      const EvaluateOptions& options, const CasesTable& cases,
                      const LogHeader& more, const LogHeader& side) {
  const ScoreMeasure measure = stated_measure(options.ranking.score);
  const bool has_floor = measure == ScoreMeasure::Floor;
  const std::optional<f64>& stated = options.ranking.measure;
  LogHeader header = {
      {"komuz", json_text(version)},
      {"command", json_text(command)},
      {"score", json_text(score_name(options.ranking.score))},
      {"tolerance", json_number(options.ranking.tolerance)},
      {"cases", json_number(u64{cases.rows.size()})},
      {"cases_hash", json_text(hex_text(hash_of(cases)))},
      {"fuel", json_number(options.limits.fuel)},
      {"candidate_budget",
       options.limits.candidate_budget ? json_number(*options.limits.candidate_budget) : "null"},
      {"stack_limit", json_number(u64{options.limits.stack_limit})},
      {"compile_budget", json_text(std::to_string(options.limits.compile_budget.bytes) + "," +
                                   std::to_string(options.limits.compile_budget.work))},
      {"entry", options.programs.entry.empty() ? "null" : json_text(options.programs.entry)},
      {"signature", signature_json(options)},
      {"harness", options.programs.harness == kNoModule ? "false" : "true"},
      {"fix", options.programs.fix ? "true" : "false"},
      {"first_failure", options.ranking.ends_at_failure ? "true" : "false"},
      {"cut_off",
       options.ranking.cut_off == 0 ? "null" : json_number(u64{options.ranking.cut_off})},
      {"case_scores", options.details.case_scores == CaseScores::Kept ? "true" : "false"},
      {"floor", has_floor && stated ? json_number(*stated) : "null"},
  };
  if (!has_floor && stated)
    header.emplace_back(kMeasureNames[static_cast<size_t>(measure)], json_number(*stated));
  if (!cases.weights.empty()) header.emplace_back("weights", json_text(cases.weights));
  header.insert(header.end(), more.begin(), more.end());
  header.emplace_back("sketch", options.programs.sketch == nullptr
                                    ? "null"
                                    : json_text(options.programs.sketch->source));
  if (!options.programs.sketch_fixes.empty())
    write_fixes_json(header.emplace_back("sketch_fixes", "").second, options.programs.sketch_fixes);
  if (options.programs.shard.of > 1)
    header.emplace_back("shard", json_text(shard_text(options.programs.shard)));
  header.insert(header.end(), side.begin(), side.end());
  return header;
}

bool read_results_head(const LogHeader& header, Results& out) {
  std::string score;
  const std::string* fix = find(header, "fix");
  if (fix == nullptr || !read(header, "score", score) ||
      !read(header, "tolerance", out.tolerance) || !read(header, "cases", out.cases))
    return false;
  const std::optional<std::string> sketch = header_text(header, "sketch");
  out.fixes = *fix == "true" && !sketch;
  if (const std::string* fixes = find(header, "sketch_fixes")) {
    out.fixed_sketch.text = sketch.value_or("");
    if (!read_fixes(*fixes, out.fixed_sketch.fixes)) return false;
  }
  out.weights = header_text(header, "weights").value_or("");
  const std::string* ends = find(header, "first_failure");
  out.ends_at_failure = ends != nullptr && *ends == "true";
  const std::optional<ScoreKind> kind = score_from_name(score);
  out.score = kind.value_or(ScoreKind::Exact);
  return kind.has_value();
}

bool read_shard(const LogHeader& header, Shard& out) {
  out = {};
  if (find(header, "shard") == nullptr) return true;
  std::string text;
  if (!read(header, "shard", text)) return false;
  const std::optional<Shard> shard = shard_from_text(text);
  out = shard.value_or(Shard());
  return shard.has_value();
}

std::optional<std::string> header_text(const LogHeader& header, std::string_view name) {
  std::string text;
  if (!read(header, name, text)) return std::nullopt;
  return text;
}

std::optional<u64> header_number(const LogHeader& header, std::string_view name) {
  u64 number = 0;
  if (!read(header, name, number)) return std::nullopt;
  return number;
}

// All generations have the same size, except the only one of a sketch with fewer variants.
std::optional<u64> generations_of(const LogHeader& header, const Results& results) {
  const std::optional<u64> population = header_number(header, "population");
  if (!population || *population == 0) return std::nullopt;
  const u64 candidates = results.candidates(), whole = candidates / *population;
  const bool is_small = whole == 0 && results.complete && candidates != 0;
  return is_small ? 1 : whole;
}

std::vector<std::string> files_of(const LogHeader& header) {
  std::vector<std::string> files;
  for (const std::string_view name :
       {"candidate_files", "cases_file", "harness_file", "held_out_file"}) {
    std::string_view rest;
    const std::string names = header_text(header, name).value_or("");
    for (rest = names; !rest.empty();) {
      const size_t comma = rest.find(", ");
      files.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
    }
  }
  return files;
}

std::string difference_text(const LogHeader& was, const LogHeader& is) {
  const auto [before, now] = std::ranges::mismatch(was, is);
  if (before == was.end() || now == is.end() || before->first != now->first) return {};
  if (before->second.size() + now->second.size() >= 100) return {};
  return "`" + now->first + "` was " + before->second + ", and is " + now->second;
}

LogHeader without_side(LogHeader header) {
  std::erase_if(header, [](const auto& field) {
    return std::ranges::find(kSideFields, field.first) != std::end(kSideFields);
  });
  return header;
}
LogHeader without_shard(LogHeader header) {
  std::erase_if(header, [](const auto& field) { return field.first == "shard"; });
  return without_side(std::move(header));
}

}  // namespace komuz::engine
