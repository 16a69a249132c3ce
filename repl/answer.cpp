// SPDX-License-Identifier: Apache-2.0
#include "repl/answer.h"

#include <nlohmann/json.hpp>

#include "base/counts.h"
#include "engine/values/value_text.h"
#include "services/display_text.h"

namespace komuz::repl {

namespace {

services::TrapSite site_of(const Answer& answer) {
  return {answer.trap, answer.function, answer.place, answer.depth, answer.fuel, answer.compared};
}

nlohmann::ordered_json value_json(const NamedValue& value) {
  std::string text;
  engine::print_value(text, value.type_codes, value.cells, engine::ValueStyle::Json);
  return nlohmann::ordered_json::parse(text);
}

// One value itself; for several a member for each.
void add_values(nlohmann::ordered_json& object, const Answer& answer) {
  object["value"] = nullptr;
  object["type"] = nullptr;
  if (answer.kind != AnswerKind::Value) return;
  if (!answer.is_let) {
    object["value"] = value_json(answer.values[0]);
    object["type"] = answer.values[0].type;
    return;
  }
  object["value"] = nlohmann::ordered_json::object();
  object["type"] = nlohmann::ordered_json::object();
  for (const NamedValue& value : answer.values) {
    object["value"][value.name] = value_json(value);
    object["type"][value.name] = value.type;
  }
}
void add_changed(nlohmann::ordered_json& object, const Answer& answer) {
  for (const NamedValue& value : answer.changed) object["changed"][value.name] = value_json(value);
}

}  // namespace

std::string binding_text(const NamedValue& value) {
  std::string text = value.name + ": " + value.type + " = ";
  engine::print_value(text, value.type_codes, value.cells, engine::ValueStyle::Source);
  return text;
}

std::string let_text(const NamedValue& value) {
  return (value.is_var ? "var " : "let ") + binding_text(value);
}

Answer told(std::string text) {
  Answer answer;
  answer.kind = AnswerKind::Text;
  answer.text = std::move(text);
  return answer;
}
Answer told_program(std::string text) {
  Answer answer = told(std::move(text));
  answer.form = TextForm::Program;
  return answer;
}
Answer told_in_sentences(std::string text) {
  Answer answer = told(std::move(text));
  answer.form = TextForm::Sentences;
  return answer;
}
Answer told_in_paragraphs(std::string text) {
  Answer answer = told(std::move(text));
  answer.form = TextForm::Paragraphs;
  return answer;
}
Answer refused(const Input& input, const std::string& reason) {
  Answer answer;
  answer.kind = AnswerKind::Errors;
  answer.form = TextForm::Sentences;
  answer.text =
      std::string(input.name) + ":" + std::to_string(input.line) + ": error: " + reason + "\n";
  return answer;
}

std::string fuel_note(u64 ticks) {
  constexpr u64 kMore = 10, kMost = u64{1} << 62;
  const u64 more = ticks > kMost / kMore ? kMost : ticks * kMore;
  return "an input may use " + counted(ticks, "tick") +
         (more == ticks ? "" : "; `:fuel " + std::to_string(more) + "` lets it use more") + "\n";
}

void render_answer(const Answer& answer, const services::RenderStyle& style, AnswerText& out) {
  const auto in_width = [&](const std::string& text, TextForm form) {
    if (!style.wraps) return text;
    if (form == TextForm::Paragraphs) return services::wrapped_paragraphs(text, style.width);
    return form == TextForm::Sentences ? services::wrapped(text, style.width) : text;
  };
  for (const Answer::Source& source : answer.sources)
    out.err += services::render_diagnostics(source.diagnostics, source.named(), style);
  switch (answer.kind) {
    case AnswerKind::Nothing:
    case AnswerKind::Sketch: break;
    case AnswerKind::Text: out.out += in_width(answer.text, answer.form); break;
    // Rows of tables are at most as wide as the terminal.
    case AnswerKind::Variants: out.out += in_width(answer.text, TextForm::Sentences); break;
    case AnswerKind::Value:
      for (const NamedValue& value : answer.values) {
        if (value.type == "()" && !answer.is_let) continue;
        if (answer.is_let) out.out += value.name + " = ";
        engine::print_value(out.out, value.type_codes, value.cells, engine::ValueStyle::Source);
        out.out += '\n';
      }
      break;
    case AnswerKind::Errors:
      out.err += in_width(services::printable_lines(answer.text), answer.form);
      break;
    case AnswerKind::Trapped:
      out.err += services::render_trap(site_of(answer), answer.sources.back().named(), style);
      break;
    case AnswerKind::Stopped: out.err += "interrupted\n"; break;
  }
  out.err += in_width(answer.note, TextForm::Sentences);
}

nlohmann::ordered_json answer_json(const Answer& answer, u64 id) {
  nlohmann::ordered_json object;
  object["id"] = id;
  add_values(object, answer);
  add_changed(object, answer);
  object["fuel"] = answer.fuel;
  object["time_ns"] = answer.time.count();
  object["diagnostics"] = nlohmann::ordered_json::array();
  for (const Answer::Source& source : answer.sources)
    for (const Diagnostic& d : source.diagnostics)
      object["diagnostics"].push_back(services::diagnostic_json(d, source.named()));
  if (answer.kind == AnswerKind::Errors && !answer.text.empty()) object["error"] = answer.text;
  if (answer.kind == AnswerKind::Text) object["text"] = answer.text;
  if (answer.kind == AnswerKind::Stopped) object["error"] = "interrupted";
  if (answer.kind == AnswerKind::Variants)
    object.update(nlohmann::ordered_json::parse(answer.members));
  if (!answer.note.empty()) object["note"] = answer.note;
  if (answer.kind != AnswerKind::Trapped) return object;
  auto& trap = object["trap"];
  const services::NamedSource source = answer.sources.back().named();
  const Place at = source.place(answer.place);
  trap["code"] = trap_name(answer.trap);
  trap["function"] = answer.function;
  trap["file"] = source.name;
  trap["line"] = at.line;
  trap["column"] = at.column;
  trap["depth"] = answer.depth;
  services::add_compared(trap, answer.compared);
  return object;
}

}  // namespace komuz::repl
