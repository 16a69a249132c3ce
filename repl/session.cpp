// SPDX-License-Identifier: Apache-2.0
#include "repl/session.h"

#include <algorithm>
#include <cmath>

#include "engine/sketch/sketch_program.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/expand.h"
#include "frontend_gpu/sketch.h"
#include "mend/caret_powers.h"
#include "repl/answer_sources.h"

namespace komuz::repl {

namespace {

using services::SnippetName;

std::string_view without_blanks(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin);
}
// Blanks and comments before the first token.
std::string_view without_comments(std::string_view text) {
  for (text = without_blanks(text); text.starts_with("//"); text = without_blanks(text))
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  return text;
}
}  // namespace

bool starts_item(std::string_view text) {
  text = without_comments(text);
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return false;
  const std::vector<std::string_view> words = words_of(text.substr(0, 64));
  if (words.empty() || !text.starts_with(words[0])) return false;
  if (words[0] == "fn" || words[0] == "pub") return true;
  const std::string_view behind = without_blanks(text.substr(words[0].size()));
  if (words[0] == "test" || words[0] == "prop") return behind.starts_with('"');
  const bool names_one = words.size() > 1 && behind.starts_with(words[1]);
  return names_one &&
         (words[0] == "const" || words[0] == "type" || words[0] == "use" || words[0] == "space");
}

Session::Session(engine::ModuleFiles* files)
    : modules_(files),
      compiler_({.library = &modules_.library()}),
      example_compiler_({.examples = true, .library = &modules_.library()}) {}

Answer Session::evaluate(const Input& input, const std::stop_token& stop) {
  Answer answer;
  services::SnippetType type;
  if (without_comments(input.text).empty()) return answer;
  modules_.forget_missing();
  if (starts_item(input.text))
    add_items(input, stop, answer);
  else if (prepare(input, Purpose::Run, type, answer) && has_decisions(input.text))
    answer.kind = AnswerKind::Sketch;
  else if (!answer.is_failure())
    run_snippet(input, type, stop, answer);
  if (answer.kind == AnswerKind::Value) keep(input, type, answer);
  return answer;
}

Answer Session::measure(const Input& input, const std::stop_token& stop) {
  Answer answer;
  services::SnippetType type;
  if (prepare(input, Purpose::Run, type, answer)) run_snippet(input, type, stop, answer);
  return answer;
}

Answer Session::time_runs(const Input& input, std::chrono::nanoseconds least,
                          const std::stop_token& stop, Timing& out) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kSample(50);  // the clock itself takes some 30 ns
  Answer answer;
  services::SnippetType type;
  const auto start = Clock::now();
  if (!prepare(input, Purpose::Run, type, answer)) return answer;
  out.compiling = Clock::now() - start;
  const auto begin = Clock::now();
  f64 samples = 0, squares = 0;
  do {
    u64 runs = 0;
    const auto sample = Clock::now();
    do {
      run_snippet(input, type, stop, answer);
      if (answer.kind != AnswerKind::Value) return answer;
      answer.values.clear();
      answer.changed.clear();
      ++runs;
    } while (least.count() > 0 && Clock::now() - sample < kSample);
    const f64 time = std::chrono::duration<f64, std::nano>(Clock::now() - sample).count() /
                     static_cast<f64>(runs);
    // Welford's sums of means and squares.
    const f64 before = time - out.mean;
    out.mean += before / ++samples;
    squares += before * (time - out.mean);
    out.runs += runs;
  } while (Clock::now() - begin < least);
  out.deviation = samples > 1 ? std::sqrt(squares / (samples - 1)) : 0;
  return answer;
}

void Session::collect_names(std::string_view text) {
  names_.clear();
  arguments_.clear();
  items_ = {};
  before_.clear();
  for (const NamedValue* const variable : variables_.named_by(words_of(text))) {
    names_.push_back({variable->name, variable->type, variable->is_var});
    arguments_.insert(arguments_.end(), variable->cells.begin(), variable->cells.end());
  }
  collect_items(text);
}

void Session::collect_items(std::string_view text) {
  if (definitions_.all().empty()) return;
  std::string asked(text);
  for (const SnippetName& variable : names_) asked += " " + variable.type;
  items_ = definitions_.needed_by(asked);
  modules_.load(items_.text);
}

bool Session::prepare(const Input& input, Purpose purpose, services::SnippetType& type,
                      Answer& answer) {
  collect_names(input.text);
  if (!items_.text.empty() && modules_.needs_too_many()) {
    answer = refused(input, std::string(engine::ModuleLoader::kTooMany));
    return false;
  }
  return prepare_named(input, services::kSnippetFunction, purpose, type, answer);
}

bool Session::prepare_named(const Input& input, std::string_view function, Purpose purpose,
                            services::SnippetType& type, Answer& answer) {
  assigns_ = false;
  services::Snippet snippet{input.text, names_, items_.text, function, before_};
  if (compile_snippet(snippet, purpose, type)) return true;
  if (std::ranges::any_of(names_, &SnippetName::is_var)) {
    snippet.assigns = assigns_ = true;
    if (compile_snippet(snippet, purpose, type)) return true;
  }
  if (!has_errors(compiler_.own_diagnostics()) && !items_.text.empty()) {
    // Definitions are chosen by the words of the snippet, which may mean something else.
    assigns_ = false;
    const services::Snippet alone{input.text, names_, {}, function, before_};
    if (compile_snippet(alone, purpose, type)) return true;
    static_cast<void>(compiler_.infer(snippet, type));  // for its diagnostics
  }
  const auto hidden = std::ranges::find(type.module_types, services::NameMeaning::Other,
                                        &services::ModuleType::meaning);
  if (hidden != type.module_types.end())
    answer =
        refused(input, "a value of this has the type `" + hidden->name + "` of `" + hidden->module +
                           "`, and `" + hidden->name + "` is something else here");
  else
    tell_errors(input, answer);
  return false;
}

bool Session::compile_snippet(const services::Snippet& snippet, Purpose purpose,
                              services::SnippetType& type) {
  if (!compiler_.infer(snippet, type)) return false;
  const bool gives_all = type.lets.empty() && type.module_types.empty() && !snippet.assigns;
  return (purpose == Purpose::Run && gives_all) || compiler_.compile(snippet, type);
}

bool Session::has_variable_words(std::string_view text) const {
  return std::ranges::any_of(variables_.named_by(words_of(text)), &NamedValue::is_var);
}

bool Session::has_decisions(std::string_view text) const {
  if (text.find('?') == std::string_view::npos && items_.text.find('?') == std::string::npos)
    return false;
  return engine::has_decisions(frontend::describe_sketch(compiler_.columns()));
}

bool Session::write_program(const Input& input, std::span<const SnippetName> parameters,
                            std::string_view function, LineProgram& out, Answer& answer) {
  collect_names(input.text);
  for (const SnippetName& name : names_)
    if (std::ranges::find(parameters, name.name, &SnippetName::name) == parameters.end())
      before_ += "let " + binding_text(*variables_.find(name.name)) + ";\n";
  if (!before_.empty()) {  // values name constructors
    std::string asked(input.text);
    for (const std::string_view word : words_of(before_))
      if (word[0] >= 'A' && word[0] <= 'Z') asked.append(" ").append(word);
    collect_items(asked);
  }
  names_.assign(parameters.begin(), parameters.end());
  services::SnippetType type;
  if (!prepare_named(input, function, Purpose::Read, type, answer)) {
    const std::span<const Diagnostic> own = compiler_.own_diagnostics();
    const bool assigns = std::ranges::any_of(
        own, [](const Diagnostic& d) { return d.code() == DiagnosticCode::NotVariable; });
    if (assigns && has_variable_words(input.text))
      answer =
          refused(input,
                  "a line with holes is run once for each variant, and changes no variable; let "
                  "it give the value: `c + ?[1, 2]`");
    return false;
  }
  if (!type.lets.empty()) {
    answer =
        refused(input,
                "`let` keeps one value, and this is run on several; write the expression alone, "
                "and `:keep #i NAME` keeps a variant of it");
    return false;
  }
  out = {compiler_.source(), compiler_.begin(), compiler_.end(), type.value, {}};
  out.parts.push_back({out.begin, {}, std::string(input.name), input.line});
  for (const auto& [begin, definition] : items_.parts)
    out.parts.push_back(
        {compiler_.items_begin() + begin, definition->name, definition->file, definition->line});
  return true;
}

void Session::tell_errors(const Input& input, Answer& answer) const {
  answer.kind = AnswerKind::Errors;
  const std::string program(compiler_.program_text());
  answer.sources.push_back(
      source_of(input, program, compiler_.begin(), compiler_.own_diagnostics()));
  if (has_errors(compiler_.own_diagnostics())) return;
  tell_errors(program, compiler_.items_begin(), items_, compiler_.other_diagnostics(), answer);
}

void Session::tell_errors(const std::string& program, u32 at, const DefinitionText& definitions,
                          std::span<const Diagnostic> diagnostics, Answer& answer) {
  for (const Diagnostic& d : diagnostics) {
    Answer::Source source = definition_source(program, at, definitions, d.begin);
    const bool is_same = !answer.sources.empty() &&
                         answer.sources.back().first_byte == source.first_byte &&
                         answer.sources.back().name == source.name;
    if (!is_same) answer.sources.push_back(std::move(source));
    answer.sources.back().diagnostics.push_back(d);
  }
}

void Session::run_snippet(const Input& input, const services::SnippetType& type,
                          const std::stop_token& stop, Answer& answer) {
  if (const std::vector<Diagnostic> powers = powers_of_carets(input.text); !powers.empty())
    answer.sources.push_back(source_of(input, std::string(input.text), 0, powers));
  const CodeView code = compiler_.code().view();
  const auto function = static_cast<u32>(code.find_function(services::kSnippetFunction));
  engine::run_single(code, function, arguments_, fuel_, run_, &stop, native_);
  answer.fuel = run_.fuel;
  if (stop.stop_requested()) {
    answer.kind = AnswerKind::Stopped;
  } else if (run_.trap != Trap::None) {
    tell_trap(input, code, function, answer);
  } else {
    tell_value(type, code, function, answer);
  }
}

void Session::tell_trap(const Input& input, const CodeView& code, u32 function,
                        Answer& answer) const {
  answer.kind = AnswerKind::Trapped;
  answer.trap = run_.trap;
  if (run_.trap == Trap::Fuel) answer.note = fuel_note(fuel_);
  answer.depth = run_.depth;
  answer.compared = engine::compared_text(run_.compared);
  const u32 place = code.places[run_.place];
  answer.place = offset_of(place);
  const size_t trapped = code.function_at(run_.place);
  answer.function = trapped == function ? kIt : code.name(code.functions[trapped]);
  std::string program(compiler_.program_text());
  if (const Module* const module = module_at(place, program); module != nullptr) {
    answer.sources.push_back({module->file, module->text, 0, 1, {}});
    return;
  }
  const u32 items = compiler_.items_begin();
  answer.sources.push_back(answer.place < items
                               ? source_of(input, std::move(program), compiler_.begin(), {})
                               : definition_source(program, items, items_, answer.place));
}

const Module* Session::module_at(u32 place, std::string_view program) const {
  frontend::Compiler compiler({.library = &modules_.library()});
  return frontend::module_of_place(place, compiler, program, modules_.library());
}

void Session::tell_value(const services::SnippetType& type, const CodeView& code, u32 function,
                         Answer& answer) const {
  const std::string_view codes = code.result_type(code.functions[function]);
  answer.kind = AnswerKind::Value;
  answer.is_let = !type.lets.empty();
  if (type.lets.empty() && !assigns_) {
    answer.values.push_back({std::string(kIt), type.value, std::string(codes), run_.value});
    return;
  }
  size_t at = read_type_head(codes, 0).end;
  auto cells = run_.value.begin();
  const auto take = [&](const std::string& name, const std::string& written, bool is_var) {
    const size_t end = skip_type(codes, at);
    const std::string_view own = codes.substr(at, end - at);
    const auto behind = cells + static_cast<std::ptrdiff_t>(count_cells(own));
    NamedValue value{name, written, std::string(own), {cells, behind}, is_var};
    at = end;
    cells = behind;
    return value;
  };
  const bool has_value = type.value != "()";
  if (has_value) answer.values.push_back(take(std::string(kIt), type.value, false));
  for (const SnippetName& let : type.lets)
    answer.values.push_back(take(let.name, let.type, let.is_var));
  if (!assigns_) return;
  std::vector<NamedValue>& changed = has_value ? answer.changed : answer.values;
  for (const SnippetName& name : names_) {
    if (!name.is_var) continue;
    NamedValue value = take(name.name, name.type, true);
    const bool is_bound =
        std::ranges::find(type.lets, name.name, &SnippetName::name) != type.lets.end();
    if (!is_bound && has_changed(value)) changed.push_back(std::move(value));
  }
  answer.is_let = !has_value;
}

bool Session::has_changed(const NamedValue& value) const {
  const NamedValue* const before = variables_.find(value.name);
  return before == nullptr || before->cells != value.cells;
}

bool Session::compile(const Input& input, Compiled& out, Answer& answer) {
  services::SnippetType type;
  if (!prepare(input, Purpose::Read, type, answer)) return false;
  out.type = type.value;
  for (const SnippetName& let : type.lets)
    out.type = (&let == type.lets.data() ? "" : out.type + ", ") + let.name + ": " + let.type;
  out.program = compiler_.program_text();
  out.code = compiler_.code();
  out.function = static_cast<u32>(out.code.view().find_function(services::kSnippetFunction));
  return true;
}

bool Session::check(const Input& input, std::string& type, Answer& answer) {
  if (without_comments(input.text).empty()) return true;
  if (starts_item(input.text)) {
    ItemProgram program;
    if (compile_items(input, read_items(input), program, answer)) return true;
    const std::optional<u32> statements = find_statements(input);
    if (!statements) return false;
    answer = {};  // checked again once the items are known
    const Input items{input.text.substr(0, *statements), input.name, input.line};
    return compile_items(items, read_items(items), program, answer);
  }
  Compiled compiled;
  if (!compile(input, compiled, answer)) return false;
  type = std::move(compiled.type);
  return true;
}

}  // namespace komuz::repl
