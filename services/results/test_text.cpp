// SPDX-License-Identifier: Apache-2.0
#include "services/results/test_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/results/failure_list.h"
#include "engine/values/value_text.h"
#include "lang/text/code_fields.h"
#include "services/counterexample.h"
#include "services/display_text.h"
#include "services/results/arguments_json.h"

namespace komuz::services {
namespace {

constexpr std::string_view kSkipped = "it calls what candidates define, and is not run";

// The first fields of all objects of tests.
nlohmann::ordered_json test_object(const TestedProgram& program, u32 test) {
  const CodeView code = program.code;
  const Function& function = code.functions[test];
  nlohmann::ordered_json object;
  object["file"] = program.name;
  object["test"] = code.name(function);
  object["kind"] = function_word(function.kind);
  return object;
}

std::string place_text(const TestedProgram& program, u32 place) {
  const NamedSource source = program.source_of(place);
  if (source.text.empty()) return "";
  const Place at = source.place(offset_of(place));
  return printable(source.name, ~0u) + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column) + ": ";
}

// The marked part of the source: a token, or a whole example.
u32 marked_end(const TestedProgram& program, const engine::TestResult& result) {
  const std::string_view source = program.source_of(result.place).text;
  const Function& function = program.code.functions[result.function];
  const bool is_comment = function.kind == FunctionKind::Example && result.place == function.place;
  if (!is_comment) return token_end(source, offset_of(result.place));
  const size_t end = std::min(source.find('\n', result.place), source.size());
  return static_cast<u32>(source.find_last_not_of(" \t\r", end - 1)) + 1;
}

// Empty: there is none, or it is too long to be read.
std::string counterexample(const TestedProgram& program, const engine::TestResult& result) {
  const CodeView code = program.code;
  std::string test = counterexample_test(
      program.source, code.functions[result.function].place,
      failing_arguments(code, result, engine::ValueStyle::Source), program.library);
  return test.size() <= engine::kMostValueBytes ? test : std::string();
}

}  // namespace

std::string test_text(const TestedProgram& program, const engine::TestResult& result,
                      const RenderStyle& style) {
  const CodeView code = program.code;
  const Palette& p = palette(style);
  std::string text;
  text += result.passed ? p.note : p.error;
  text += result.passed ? "ok    " : "FAILED";
  text += p.plain;
  text += " " + printable(program.name, ~0u) + ": " +
          std::string(code.name(code.functions[result.function])) + "\n";
  if (result.passed) return text;
  text +=
      "  " + place_text(program, result.place) + engine::describe(result, program.asserted) + "\n";
  const NamedSource source = program.source_of(result.place);
  if (!source.text.empty())
    text += excerpt(source.text, offset_of(result.place), marked_end(program, result), p.error,
                    style, source.lines_more());
  if (result.arguments.empty()) return text;
  if (const std::string test = counterexample(program, result); !test.empty())
    return text + "  as a test:\n" + test;
  text += "  with";
  for (const auto& value : failing_arguments(code, result, engine::ValueStyle::Text)) {
    const bool is_cut = value.value.size() > engine::kMostValueBytes;
    text += " " + value.name + " = ";
    text += is_cut ? std::string(engine::beginning_of(value.value)) + "…" : value.value;
  }
  return text + "\n";
}

nlohmann::ordered_json test_json(const TestedProgram& program, const engine::TestResult& result) {
  const CodeView code = program.code;
  const Function& function = code.functions[result.function];
  nlohmann::ordered_json object = test_object(program, result.function);
  object["passed"] = result.passed;
  object["fuel"] = result.fuel;
  if (function.kind == FunctionKind::Prop) object["samples"] = result.samples;
  if (result.passed) return object;
  const NamedSource source = program.source_of(result.place);
  if (file_of(result.place) != 0) object["place_file"] = source.name;
  const Place place = source.place(offset_of(result.place));
  object["line"] = place.line;
  object["column"] = place.column;
  object["trap"] = nullptr;
  if (result.trap != Trap::None) object["trap"] = trap_name(result.trap);
  object["operator"] = nullptr;
  object["actual"] = nullptr;
  object["expected"] = nullptr;
  add_compared(object, engine::compared_text(result.compared, result.assertion, program.asserted));
  object["message"] = engine::describe(result, program.asserted);
  if (function.kind != FunctionKind::Prop) return object;
  add_arguments(object, failing_arguments(code, result, engine::ValueStyle::Json));
  object["counterexample"] = counterexample(program, result);
  return object;
}

std::string skipped_test_text(const TestedProgram& program, u32 test) {
  const CodeView code = program.code;
  return "skip   " + printable(program.name, ~0u) + ": " +
         std::string(code.name(code.functions[test])) + ": " + std::string(kSkipped) + "\n";
}

nlohmann::ordered_json skipped_test_json(const TestedProgram& program, u32 test) {
  nlohmann::ordered_json object = test_object(program, test);
  object["passed"] = nullptr;
  object["message"] = kSkipped;
  return object;
}

}  // namespace komuz::services
