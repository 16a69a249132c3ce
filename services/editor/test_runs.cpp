// SPDX-License-Identifier: Apache-2.0
#include "services/editor/test_runs.h"

#include <algorithm>

#include "engine/testing/run_tests.h"
#include "engine/values/compared_text.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "lang/source_places.h"
#include "services/counterexample.h"
#include "services/display_text.h"
#include "services/editor/item_tokens.h"
#include "services/item_text.h"

namespace komuz::services {
namespace {

constexpr std::string_view kExample = "/// >>>";

TestForm form_of(FunctionKind kind) {
  if (kind == FunctionKind::Prop) return TestForm::Property;
  return kind == FunctionKind::Example ? TestForm::Example : TestForm::Test;
}

// Behind the last `==` of an expression that stands in no brackets, to its end.
std::optional<Edit> right_operand(std::string_view expression, u32 begin, std::string value) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(expression));
  const frontend::Columns& c = lexer.columns();
  i32 depth = 0;
  std::optional<u32> behind, end;
  for (frontend::Index t = 0; t < c.tokens; ++t) {
    const std::string_view token = text_of_token(c, t);
    const u32 token_begin = c.token_start[t];
    if (token == "(" || token == "[" || token == "{") ++depth;
    if (token == ")" || token == "]" || token == "}") --depth;
    end = token_begin + static_cast<u32>(token.size());
    if (depth != 0) continue;
    if (token == "==") behind = *end;
    // Which one of several conditions failed is not known.
    if (token == "&&" || token == "||" || token == "!=") return std::nullopt;
  }
  if (!behind || !end || *end <= *behind) return std::nullopt;
  return Edit{begin + *behind, begin + *end, " " + std::move(value)};
}

std::optional<Edit> fix_of(std::string_view text, u32 place, const std::string& actual) {
  const size_t mark =
      text.substr(place).starts_with(kExample) ? place : text.rfind(kExample, place);
  if (mark == std::string_view::npos) return std::nullopt;
  const size_t begin = mark + kExample.size();
  const size_t end = std::min(text.find('\n', begin), text.size());
  return right_operand(text.substr(begin, end - begin), static_cast<u32>(begin), actual);
}

// Columns of an argument, and bytes of a test that a person reads.
constexpr u32 kMostShown = 60;
constexpr size_t kMostTest = 4096;

void add_counterexample(const CodeView& code, const engine::TestResult& result,
                        std::string_view text, engine::ModuleLoader& modules, TestRun& run) {
  for (const ParameterValue& one : failing_arguments(code, result, engine::ValueStyle::Text)) {
    run.arguments += (run.arguments.empty() ? "" : ", ") + one.name + " = ";
    run.arguments += fitted(one.value, kMostShown);
  }
  if (run.arguments.empty()) return;
  const std::string test = counterexample_test(
      text, run.place, failing_arguments(code, result, engine::ValueStyle::Source),
      modules.library());
  if (test.empty() || test.size() > kMostTest) return;
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(text));
  for (const TokenItem& item : list_token_items(lexer.columns(), text))
    if (item.begin <= run.place && run.place < item.end)
      run.fix = Edit{item.end, item.end, "\n\n" + test.substr(0, test.find_last_not_of('\n') + 1)};
}

}  // namespace

bool may_have_tests(std::string_view text) {
  return text.find(kExample) != std::string_view::npos ||
         text.find("test ") != std::string_view::npos ||
         text.find("prop ") != std::string_view::npos;
}

std::optional<TestRuns> run_text_tests(std::string_view text, engine::ModuleLoader& modules,
                                       const std::stop_token& stop) {
  modules.load(text);
  frontend::Compiler compiler({.examples = true, .library = &modules.library()});
  compiler.stop_when(stop);
  frontend::Compilation compilation;
  compiler.compile(text, compilation);
  if (compilation.stopped || stop.stop_requested()) return std::nullopt;
  TestRuns out;
  out.has_errors = !compilation.ok;
  if (out.has_errors) return out;
  const std::vector<frontend::AssertedComparison> asserted =
      frontend::list_asserted(compiler.columns());
  const CodeView code = compilation.code.view();
  engine::TestOptions options;
  options.stop = stop;
  for (const engine::TestResult& result : engine::run_tests(code, options)) {
    const Function& function = code.functions[result.function];
    // Tests of modules are theirs.
    if (file_of(function.place) != 0) continue;
    TestRun& run = out.runs.emplace_back();
    run.name = code.name(function);
    run.form = form_of(function.kind);
    run.place = std::min(offset_of(function.place), static_cast<u32>(text.size()));
    run.passed = result.passed;
    run.ticks = result.fuel;
    run.samples = result.samples;
    if (result.passed) continue;
    run.message = engine::describe(result, asserted);
    if (run.form == TestForm::Property) add_counterexample(code, result, text, modules, run);
    const auto compared = engine::compared_text(result.compared, result.assertion, asserted);
    if (!compared || compared->op != "==" || file_of(result.assertion) != 0) continue;
    run.actual = compared->left;
    run.expected = compared->right;
    if (run.form == TestForm::Example && result.place == function.place)
      run.fix = fix_of(text, run.place, run.actual);
  }
  if (stop.stop_requested()) return std::nullopt;
  std::ranges::stable_sort(out.runs, {}, &TestRun::place);
  return out;
}

}  // namespace komuz::services
