// SPDX-License-Identifier: Apache-2.0
// Inputs that are items: they are compiled with all that they need, their tests and examples are run, and they are
// kept.
#include <algorithm>
#include <deque>

#include "base/counts.h"
#include "engine/testing/run_tests.h"
#include "frontend_gpu/doc_examples.h"
#include "repl/answer_sources.h"
#include "repl/session.h"
#include "services/results/test_text.h"

namespace komuz::repl {

namespace {

using frontend::kExampleComment;
using services::ItemForm;
using services::TextItem;

// True if its name stands for a value, like a variable's.
bool is_value(const Definition& item) {
  return item.form == ItemForm::Function || item.form == ItemForm::Constant ||
         item.form == ItemForm::Space;
}
bool is_test(const Definition& item) {
  return item.form == ItemForm::Test || item.form == ItemForm::Property;
}

}  // namespace

std::vector<Definition> Session::read_items(const Input& input) {
  frontend::Compilation program;
  compiler_.compiler().compile(input.text, program);
  std::vector<Definition> items;
  u32 line = input.line, counted = 0;  // lines up to a byte
  for (const TextItem& item : services::list_items(compiler_.compiler(), input.text)) {
    const std::string_view text = input.text.substr(item.begin, item.end - item.begin);
    line += static_cast<u32>(
        std::ranges::count(input.text.substr(counted, item.begin - counted), '\n'));
    counted = item.begin;
    items.push_back({item.form, item.name, std::string(text), std::string(input.name), line});
  }
  return items;
}

std::optional<u32> Session::find_statements(const Input& input) {
  if (!starts_item(input.text)) return std::nullopt;
  frontend::Compilation program;
  compiler_.compiler().compile(input.text, program);
  return services::find_statements(compiler_.compiler());
}

void Session::add_items(const Input& input, const std::stop_token& stop, Answer& answer) {
  std::vector<Definition> items = read_items(input);
  ItemProgram program;
  if (!compile_items(input, items, program, answer)) return;
  const bool has_examples = input.text.find(kExampleComment) != std::string_view::npos;
  const bool are_right = !has_examples || compile_examples(input, program, answer);
  if (are_right && (has_examples || std::ranges::any_of(items, is_test)))
    run_tests(input, program, stop, answer);
  if (answer.kind != AnswerKind::Stopped) replace_items(std::move(items), answer);
}

// Includes the definitions that they need, without those that they replace.
bool Session::compile_items(const Input& input, std::span<const Definition> items,
                            ItemProgram& program, Answer& answer) {
  program.text = std::string(input.text) + "\n";
  program.needed = definitions_.needed_by(input.text, items);
  program.needed_begin = static_cast<u32>(program.text.size());
  program.text += program.needed.text;
  modules_.load(program.text);
  if (modules_.needs_too_many()) {
    answer = refused(input, std::string(engine::ModuleLoader::kTooMany));
    return false;
  }
  compiler_.compiler().compile(program.text, program.compiled);
  if (program.compiled.ok) {
    program.asserted = frontend::list_asserted(compiler_.compiler().columns());
    return true;
  }
  tell_item_errors(input, program, answer);
  return false;
}

bool Session::compile_examples(const Input& input, ItemProgram& program, Answer& answer) {
  // Examples of definitions have been run before: they become ordinary comments. No quoted text crosses a line end.
  for (size_t at = program.needed_begin - 1; at != std::string::npos;
       at = program.text.find('\n', at + 1)) {
    const size_t begin = program.text.find_first_not_of(" \t", at + 1);
    if (begin != std::string::npos &&
        std::string_view(program.text).substr(begin).starts_with(kExampleComment))
      program.text.replace(begin, kExampleComment.size(), kExampleComment.size(), '/');
  }
  example_compiler_.compile(program.text, program.compiled);
  if (program.compiled.ok) {
    program.asserted = frontend::list_asserted(example_compiler_.columns());
    return true;
  }
  tell_item_errors(input, program, answer);
  return false;
}

void Session::tell_item_errors(const Input& input, const ItemProgram& program, Answer& answer) {
  const auto is_own = [&](const Diagnostic& d) { return d.begin <= input.text.size(); };
  std::vector<Diagnostic> own, others;
  std::ranges::copy_if(program.compiled.diagnostics, std::back_inserter(own), is_own);
  std::ranges::remove_copy_if(program.compiled.diagnostics, std::back_inserter(others), is_own);
  answer.kind = AnswerKind::Errors;
  answer.sources.push_back(source_of(input, program.diagnosed(), 0, own));
  if (!has_errors(own))
    tell_errors(program.diagnosed(), program.needed_begin, program.needed, others, answer);
}

void Session::run_tests(const Input& input, const ItemProgram& program, const std::stop_token& stop,
                        Answer& answer) const {
  const CodeView code = program.compiled.code.view();
  const std::vector<engine::TestResult> results =
      engine::run_tests(code, {.fuel = fuel_, .stop = stop, .native = native_});
  if (stop.stop_requested()) {
    answer.kind = AnswerKind::Stopped;
    return;
  }
  if (results.empty()) return;         // the apparent examples are none
  std::deque<Answer::Source> sources;  // they must not move
  const auto source_at = [&](u32 place) {
    Answer::Source& source = sources.emplace_back();
    if (const Module* const module = module_at(place, program.text); module != nullptr)
      return services::NamedSource{module->file, module->text};
    const u32 byte = offset_of(place);
    source = byte < program.needed_begin
                 ? source_of(input, program.text, 0, {})
                 : definition_source(program.text, program.needed_begin, program.needed, byte);
    return source.named();
  };
  const services::TestedProgram tested{
      input.name, code, program.text, source_at, modules_.library(), program.asserted};
  u64 failed = 0, skipped = 0;
  bool ran_out = false;
  std::string failures;
  for (const engine::TestResult& result : results) {
    if (result.passed) continue;
    if (input.is_harness && result.trap == Trap::Hole) {
      ++skipped;
      continue;
    }
    ++failed;
    ran_out = ran_out || result.trap == Trap::Fuel;
    failures += services::test_text(tested, result, {});
  }
  if (ran_out) answer.note += fuel_note(fuel_);
  const u64 passed = results.size() - failed - skipped;
  const std::string rest =
      skipped == 0 ? "\n" : ", " + grouped(skipped) + " skipped: what they call is open\n";
  answer.kind = failed == 0 ? AnswerKind::Text : AnswerKind::Errors;
  answer.text = failed == 0
                    ? counted(passed, "test") + " passed" + rest
                    : failures + grouped(passed) + " passed, " + grouped(failed) + " failed" + rest;
}

// Tests have been run; they are not kept.
void Session::replace_items(std::vector<Definition> items, Answer& answer) {
  std::erase_if(items, is_test);
  if (items.empty()) return;
  remember();
  std::vector<std::string> replaced;
  for (Definition& item : items) {
    if (is_value(item)) variables_.remove(item.name);  // it would hide the item
    if (!definitions_.add(std::move(item))) continue;
    const std::vector<std::string>& gives = definitions_.all().back().gives;
    replaced.insert(replaced.end(), gives.begin(), gives.end());
  }
  if (replaced.empty()) return;
  std::string forgotten;
  for (const std::string& name : forget_strange_values())
    forgotten.append(forgotten.empty() ? "`" : ", `").append(name).append("`");
  if (!forgotten.empty())
    answer.note += "forgotten, as the type is another one now: " + forgotten + "\n";
  tell_broken_users(replaced, answer);
}

// Users of the old definitions may have errors now. Each is compiled with only what it needs: a program may hold
// fewer definitions than a session.
void Session::tell_broken_users(std::span<const std::string> replaced, Answer& answer) {
  for (const Definition* const user : definitions_.users_of(replaced)) {
    const DefinitionText needed = definitions_.needed_by(user->text, {user, 1});
    std::string text = user->text + "\n" + needed.text;
    frontend::Compilation program;
    modules_.load(text);
    compiler_.compiler().compile(text, program);
    if (program.ok) continue;
    std::erase_if(program.diagnostics,
                  [&](const Diagnostic& d) { return d.begin > user->text.size(); });
    if (program.diagnostics.empty()) continue;  // the fault is in what it needs
    answer.sources.push_back({user->file, program.text.empty() ? std::move(text) : program.text, 0,
                              user->line, std::move(program.diagnostics)});
  }
}

}  // namespace komuz::repl
