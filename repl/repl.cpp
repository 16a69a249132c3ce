// SPDX-License-Identifier: Apache-2.0
#include "repl/repl.h"

#include <algorithm>
#include <new>
#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "mend/mend.h"
#include "repl/mended_input.h"
#include "repl/text_styles.h"
#include "services/display_text.h"

namespace komuz::repl {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// For users who look for the exit or the help.
std::string hint_for(std::string_view text) {
  for (const std::string_view word : {"quit", "exit", "quit()", "exit()", "q"})
    if (text == word) return "`:quit` ends the session\n";
  if (text == "help" || text == "help()" || text == "?help") return "`:help` lists the commands\n";
  return {};
}

// For users who write what a harness leaves open.
std::string hint_for(const Answer& answer) {
  for (const Answer::Source& source : answer.sources)
    for (const Diagnostic& d : source.diagnostics)
      if (d.code() == DiagnosticCode::MissingBody) return "`:harness FILE` takes a harness\n";
  return {};
}

// True if all that is wrong are integers in the place of f64.
bool has_integers_alone(const Answer& answer) {
  bool has_some = false;
  for (const Answer::Source& source : answer.sources)
    for (const Diagnostic& d : source.diagnostics) {
      const std::optional<Edit> edit = diagnostic_fix(d, source.text);
      if (!edit || !edit->text.starts_with("f64(")) return false;
      has_some = true;
    }
  return has_some;
}

// True if a terminal would read it as one input; others came as a block of lines.
bool is_one_input(const std::string& text) {
  InputReader reader;
  reader.add(text + "\n");
  std::string_view input;
  u32 line = 0;
  if (!reader.next(input, line) || trimmed(input) != trimmed(text)) return false;
  return !reader.next(input, line) && !reader.is_open();
}

constexpr const char* kMemoryIsFull = "the memory is full: this takes more than there is";

// Lines of a terminal for one value, which somebody still reads.
constexpr u32 kMostValueLines = 24;

}  // namespace

void Repl::add(std::string_view text, std::string_view name, const std::stop_token& stop) {
  fix_.clear();
  try {
    reader_.add(text);
  } catch (const std::bad_alloc&) {
    reader_.drop();
    end_shortage(name, false);
  }
  evaluate_all(name, stop);
}

void Repl::end(std::string_view name, const std::stop_token& stop) {
  reader_.end();
  evaluate_all(name, stop);
  reader_ = {};
}

void Repl::define(std::string_view items, std::string_view name, const std::stop_token& stop) {
  const Input input{items, name, 1};
  try {
    ++inputs_;
    Answer answer = starts_item(items) ? session_.evaluate(input, stop)
                                       : refused(input, "an editor may define items alone");
    show(answer);
  } catch (const std::bad_alloc&) {
    end_shortage(name, false);
  }
  show_to_editors();
}

void Repl::show_to_editors() {
  Editors* const editors = host_.editors;
  if (editors == nullptr || editors->port() == 0) {
    shown_live_.reset();
    return;
  }
  try {
    services::LiveSession next;
    next.name = std::to_string(editors->port());
    next.takes_input = commands_.takes_input();
    next.cases = variants_.live_cases(shown_live_ == nullptr ? std::nullopt : shown_live_->cases);
    const bool is_same =
        shown_live_ != nullptr && shown_changes_ == session_.definitions().changes() &&
        shown_live_->takes_input == next.takes_input && shown_live_->cases == next.cases;
    if (is_same) return;
    next.definitions = session_.definitions();
    shown_changes_ = session_.definitions().changes();
    shown_live_ = std::make_shared<const services::LiveSession>(std::move(next));
    editors->show(shown_live_);
  } catch (const std::bad_alloc&) {
    // Editors go on with what they know.
    static_cast<void>(machine::end_shortage());
  }
}

void Repl::evaluate_all(std::string_view name, const std::stop_token& stop) {
  bool is_there = true;
  const u64 inputs = inputs_;
  while (is_there && !has_quit() && !stop.stop_requested()) {
    try {
      std::stop_source stopper;
      const std::stop_callback asked(stop, [&] { stopper.request_stop(); });
      const machine::ShortageStop short_of_memory(stopper);
      is_there = evaluate_next(name, stopper.get_token());
    } catch (const std::bad_alloc&) {
      end_shortage(name, is_answered_);
      continue;
    }
    if (machine::is_memory_short()) end_shortage(name, true);
  }
  if (!fix_.empty() && !is_fix_told_) offer_fix(inputs_ - inputs);
  show_to_editors();
}

bool Repl::evaluate_next(std::string_view name, const std::stop_token& stop) {
  Input input;
  input.name = name;
  is_answered_ = false;
  if (!reader_.next(input.text, input.line)) {
    is_answered_ = true;
    return false;
  }
  line_ = input.line;
  if (is_blank(input.text)) {
    is_answered_ = true;
    return true;
  }
  // Drops modules that inputs have named; those that definitions need are read again.
  if (!session_.modules().library().has_room()) {
    session_.modules().keep_first(0);
    variants_.forget_line();
  }
  const std::vector<Answer> changed = commands_.load_changed(stop);
  if (!options_.is_json)
    for (const Answer& answer : changed) show(answer);
  ++inputs_;
  const auto start = std::chrono::steady_clock::now();
  Answer answer = evaluate(input, stop);
  answer.time = std::chrono::steady_clock::now() - start;
  if (answer.kind == AnswerKind::Stopped && machine::is_memory_short())
    answer = refused(input, kMemoryIsFull);
  if (options_.offers_fixes && answer.kind == AnswerKind::Errors) find_fix(input, answer);
  if (options_.is_json)
    for (const Answer& loaded : changed) add_loaded(loaded, answer);
  show(answer);
  is_answered_ = true;
  return true;
}

// Rankings are the large objects of a session. The last line's can be computed again.
void Repl::end_shortage(std::string_view name, bool has_answer) {
  has_failed_ = true;
  if (!machine::end_shortage()) {
    variants_.forget_ranking();
    static_cast<void>(machine::end_shortage());  // otherwise the next allocation reports it
  }
  if (has_answer) return;
  try {
    show(refused({{}, name, line_}, kMemoryIsFull));
  } catch (const std::bad_alloc&) {
    output_.err(kMemoryIsFull);
    output_.err("\n");
  }
}

// With `--json` an input has one answer.
void Repl::add_loaded(const Answer& loaded, Answer& answer) {
  answer.note += loaded.text + loaded.note;
  answer.sources.insert(answer.sources.begin(), loaded.sources.begin(), loaded.sources.end());
  has_failed_ = has_failed_ || loaded.is_failure();
}

// The last one with errors of several inputs is offered after all have been evaluated.
void Repl::find_fix(const Input& input, const Answer& answer) {
  std::string fix = mended_input(input, answer, [&](const Input& next, Answer& again) {
    std::string type;
    return variants_.check_input(next, type, again);
  });
  while (fix.ends_with('\n')) fix.pop_back();  // it continues at the prompt
  fix_ = fix.empty() || is_one_input(fix) ? std::move(fix) : ":{\n" + fix + "\n:}";
  fix_line_ = input.line;
  is_fix_told_ = false;
}

void Repl::offer_fix(u64 inputs) {
  Answer offer;
  offer.note = inputs == 1
                   ? "Right takes the input as it is mended\n"
                   : "Right takes the input of line " + grouped(fix_line_) + " as it is mended\n";
  show(offer);
  is_fix_told_ = true;
}

void Repl::load_changed(const std::stop_token& stop) {
  for (const Answer& answer : commands_.load_changed(stop)) show(answer);
  show_to_editors();
}

Answer Repl::evaluate(const Input& input, const std::stop_token& stop) {
  Answer answer = evaluate_as_written(input, stop);
  if (answer.kind == AnswerKind::Errors && commands_.names_fitted(input.text))
    if (std::optional<Answer> converted = evaluate_converted(input, stop))
      return std::move(*converted);
  return answer;
}

std::optional<Answer> Repl::evaluate_converted(const Input& input, const std::stop_token& stop) {
  if (trimmed(input.text).starts_with(':')) return {};
  std::string type;
  Answer wrong;
  if (variants_.check_input(input, type, wrong)) return {};
  if (!has_integers_alone(wrong)) return {};
  bool is_right = false;
  const std::string text = mended_input(input, wrong, [&](const Input& next, Answer& again) {
    is_right = variants_.check_input(next, type, again);
    return is_right || !has_integers_alone(again);
  });
  if (!is_right) return {};
  Answer converted = evaluate_as_written({text, input.name, input.line}, stop);
  converted.note += "a fitted function takes `f64`: this is `" + std::string(trimmed(text)) + "`\n";
  return converted;
}

Answer Repl::evaluate_as_written(const Input& input, const std::stop_token& stop) {
  if (trimmed(input.text) == kHelpMark)
    return commands_.run({":help", input.name, input.line}, stop);
  if (trimmed(input.text).starts_with(':')) return commands_.run(input, stop);
  if (variants_.hides_constant(input.text)) return variants_.evaluate(input, stop);
  Answer answer = session_.evaluate(input, stop);
  if (answer.kind == AnswerKind::Sketch) return variants_.evaluate(input, stop);
  if (answer.kind == AnswerKind::Errors)
    if (const auto statements = session_.find_statements(input))
      return evaluate_parts(input, *statements, stop);
  if (answer.kind == AnswerKind::Errors)
    answer.note += hint_for(trimmed(input.text)) + hint_for(answer);
  // A name that the session does not know may belong to the cases.
  if (answer.kind == AnswerKind::Errors && !starts_item(input.text) &&
      variants_.may_name_column(input.text))
    return variants_.evaluate(input, stop);
  return answer;
}

// Evaluates it as two inputs. Blanks replace the items before the statements, so that places are those of the line.
Answer Repl::evaluate_parts(const Input& input, u32 statements, const std::stop_token& stop) {
  Answer items =
      session_.evaluate({input.text.substr(0, statements), input.name, input.line}, stop);
  if (items.is_failure() || items.kind == AnswerKind::Stopped) return items;
  std::string behind(input.text);
  std::replace_if(
      behind.begin(), behind.begin() + statements, [](char c) { return c != '\n'; }, ' ');
  Answer answer = evaluate({behind, input.name, input.line}, stop);
  answer.note = items.text + items.note + answer.note;
  answer.sources.insert(answer.sources.begin(), items.sources.begin(), items.sources.end());
  return answer;
}

// Each line is a value.
void Repl::shorten_values(u32 columns) {
  const u32 most = kMostValueLines * columns;
  if (text_.out.size() <= most) return;
  std::string shown;
  bool is_cut = false;
  std::string_view rest = text_.out;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    is_cut = is_cut || services::shown_width(line) > most;
    shown += services::fitted(line, most) + "\n";
  }
  if (is_cut) shown += "what ends in `…` is whole in a pipe, with `--json`, and by `:save FILE`\n";
  text_.out = std::move(shown);
}

void Repl::show(const Answer& answer) {
  has_failed_ = has_failed_ || answer.is_failure();
  if (options_.is_json) {
    // Sources may hold bytes that are not UTF-8, JSON may not.
    output_.out(answer_json(answer, inputs_)
                    .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                "\n");
    return;
  }
  text_.out.clear();
  text_.err.clear();
  render_answer(answer, options_.style, text_);
  if (!text_.err.empty()) output_.err(text_.err);
  const bool is_value = answer.kind == AnswerKind::Value;
  if (is_value && options_.shown.columns) shorten_values(*options_.shown.columns);
  if ((is_value || answer.form == TextForm::Program) && options_.shown.style.colors)
    text_.out = colored(lexer_, text_.out);
  if (!text_.out.empty()) output_.out(text_.out);
}

}  // namespace komuz::repl
