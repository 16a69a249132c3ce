// SPDX-License-Identifier: Apache-2.0
#include "lsp/answers/test_lenses.h"

#include <algorithm>

#include "base/counts.h"
#include "lsp/answers/params.h"
#include "lsp/answers/shapes.h"
#include "services/display_text.h"

namespace komuz::lsp {
namespace {

constexpr u32 kMostTitle = 100;

std::string outcome_words(const services::TestRun& run) {
  std::string words = run.passed ? "✓ passed" : "✗ ";
  if (!run.passed)
    words +=
        run.actual.empty() ? run.message : "expected " + run.expected + ", actual " + run.actual;
  if (!run.arguments.empty()) words += " where " + run.arguments;
  words = services::fitted(words, kMostTitle);
  if (run.form == services::TestForm::Property) words += " · " + counted(run.samples, "sample");
  return words + " · " + counted(run.ticks, "tick");
}

// Lines move while one types; the names of tests do not.
void keep_nearest(const Document& document, std::string_view name, u32 line,
                  services::TestRuns& runs) {
  std::erase_if(runs.runs, [&](const services::TestRun& run) { return run.name != name; });
  const auto distance = [&](const services::TestRun& run) {
    const u32 its = document.lines.line_of(run.place);
    return its < line ? line - its : its - line;
  };
  const auto nearest = std::ranges::min_element(runs.runs, {}, distance);
  if (nearest != runs.runs.end()) runs.runs = {*nearest};
}

}  // namespace

void add_test_lenses(const Question& question, const Document& document, Json& lenses) {
  const TestedDocuments::Ref tested = question.tested.find(document.uri);
  // Those of a text before would stand beside other lines.
  if (tested == nullptr || tested->document->text != document.text) return;
  for (const services::TestRun& run : tested->tests.runs)
    lenses.push_back(
        {{"range", range_json(document, {run.place, run.place}, question.client.encoding)},
         {"command",
          {{"title", outcome_words(run)},
           {"command", "komuz.run"},
           {"arguments",
            Json::array({document.uri, run.name, document.lines.line_of(run.place)})}}}});
}

void add_example_fixes(const Question& question, const Document& document, ByteRange range,
                       Json& actions) {
  const TestedDocuments::Ref tested = question.tested.find(document.uri);
  if (tested == nullptr || tested->document->text != document.text) return;
  for (const services::TestRun& run : tested->tests.runs) {
    if (!run.fix) continue;
    const u32 line = document.lines.line_of(run.place);
    if (range.end < document.lines.begin(line) ||
        range.begin > document.lines.end(document.text, line))
      continue;
    Json edits = Json::array({text_edit_json(document, *run.fix, question.client.encoding)});
    const bool is_property = run.form == services::TestForm::Property;
    actions.push_back({{"title", is_property ? "keep the counterexample as a test: " +
                                                   services::fitted(run.arguments, kMostTitle)
                                             : "say what the example gives: `" +
                                                   services::fitted(run.actual, kMostTitle) + "`"},
                       {"kind", "quickfix"},
                       {"edit", workspace_edit_json(question, document, std::move(edits))}});
  }
}

Outcome run_tests_of(const Question& question, const Document& document, std::string_view name,
                     std::optional<u32> line) {
  services::TestRuns runs;
  const TestedDocuments::Ref tested = question.tested.find(document.uri);
  if (tested != nullptr && tested->document->text == document.text) {
    runs = tested->tests;
  } else {
    services::KeptModules modules = question.workspace.kept_modules(document, {});
    engine::ModuleLoader loader(&modules);
    auto found =
        services::run_text_tests(question.workspace.compiled_text(document), loader, question.stop);
    if (!found) return cancelled();
    runs = std::move(*found);
  }
  if (runs.has_errors)
    return Refusal{ErrorCode::RequestFailed, "the text has errors: its tests cannot be run"};
  if (line) keep_nearest(document, name, *line, runs);
  bool is_there = false, has_passed = true;
  u64 ticks = 0;
  std::string message;
  Json compared = Json::object();  // of the first comparison that failed
  for (const services::TestRun& run : runs.runs) {
    if (run.name != name) continue;
    is_there = true;
    ticks += run.ticks;
    if (run.passed) continue;
    has_passed = false;
    message += (message.empty() ? "" : "\n") + run.message;
    if (compared.empty() && !run.actual.empty())
      compared = {{"expected", run.expected}, {"actual", run.actual}};
    if (!run.arguments.empty()) message += " where " + run.arguments;
  }
  if (!is_there)
    return Refusal{ErrorCode::InvalidParams, "there is no test `" + std::string(name) + "`"};
  Json result = {{"passed", has_passed}, {"message", std::move(message)}, {"ticks", ticks}};
  result.update(compared);
  return result;
}

}  // namespace komuz::lsp
