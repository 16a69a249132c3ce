// SPDX-License-Identifier: Apache-2.0
#include "repl/repl.h"

#include <nlohmann/json.hpp>

#include "repl/text_styles.h"

namespace komuz::repl {

namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Of who looks for the way out, or in.
std::string hint_for(std::string_view text) {
  for (const std::string_view word : {"quit", "exit", "quit()", "exit()", "q"})
    if (text == word) return "`:quit` ends the session\n";
  if (text == "help" || text == "help()" || text == "?help") return "`:help` lists the commands\n";
  return {};
}

}  // namespace

void Repl::add(std::string_view text, std::string_view name, const std::stop_token& stop) {
  reader_.add(text);
  evaluate_all(name, stop);
}

void Repl::end(std::string_view name, const std::stop_token& stop) {
  reader_.end();
  evaluate_all(name, stop);
  reader_ = {};
}

void Repl::evaluate_all(std::string_view name, const std::stop_token& stop) {
  Input input;
  input.name = name;
  while (!has_quit() && !stop.stop_requested() && reader_.next(input.text, input.line)) {
    if (is_blank(input.text)) continue;
    const std::vector<Answer> changed = commands_.load_changed(stop);
    if (!options_.is_json)
      for (const Answer& answer : changed) show(answer);
    ++inputs_;
    const auto start = std::chrono::steady_clock::now();
    Answer answer = evaluate(input, stop);
    answer.time = std::chrono::steady_clock::now() - start;
    if (options_.is_json)
      for (const Answer& loaded : changed) answer.note += loaded.note;
    show(answer);
  }
}

void Repl::load_changed(const std::stop_token& stop) {
  for (const Answer& answer : commands_.load_changed(stop)) show(answer);
}

Answer Repl::evaluate(const Input& input, const std::stop_token& stop) {
  if (input.text[0] == ':') return commands_.run(input, stop);
  Answer answer = session_.evaluate(input, stop);
  if (answer.kind == AnswerKind::Sketch) return variants_.evaluate(input, stop);
  if (answer.kind == AnswerKind::Errors) answer.note = hint_for(trimmed(input.text));
  // What a name means that the session does not know, the cases may.
  if (answer.kind == AnswerKind::Errors && !starts_item(input.text) &&
      variants_.names_column(input.text))
    return variants_.evaluate(input, stop);
  return answer;
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
  if (is_value && options_.shown.style.colors) text_.out = colored(lexer_, text_.out);
  if (!text_.out.empty()) output_.out(text_.out);
}

}  // namespace komuz::repl
