// SPDX-License-Identifier: Apache-2.0
// The result of an input.
#pragma once
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/testing/single_run.h"
#include "lang/diagnostics.h"
#include "repl/input.h"
#include "services/render.h"

namespace komuz::repl {

enum class AnswerKind : u8 {
  Nothing,  // an empty input, or the effect of a command
  Text,     // from a command, or the number of defined names
  Value,
  Errors,
  Trapped,
  Stopped,   // interrupted
  Sketch,    // it has variants, which the caller evaluates
  Variants,  // the variants' results, as `text`
};

// The form of a text: lines as they are, sentences that may be wrapped, paragraphs, each of which may have been
// broken into lines, or a piece of a program, which has colours.
enum class TextForm : u8 { Lines, Sentences, Paragraphs, Program };

// A value with its name; the value of an expression is `it`.
struct NamedValue {
  std::string name;
  std::string type;  // as it is written
  std::string type_codes;
  std::vector<u64> cells;
  bool is_var = false;  // inputs may assign to it
};
// "x: f64 = 2.0", as a program writes it behind `let` or `const`.
[[nodiscard]] std::string binding_text(const NamedValue& value);
// The same with the `let` or `var`.
[[nodiscard]] std::string let_text(const NamedValue& value);

struct Answer {
  AnswerKind kind = AnswerKind::Nothing;
  std::string text;  // for Text, ends with a line end; for Errors without diagnostics, the fault
  std::vector<NamedValue> values;        // for Value: one value, or those that it binds or assigns
  std::vector<NamedValue> changed = {};  // assigned beside its value
  std::string members;              // for Variants: the same as `text`, as members of a JSON object
  std::string note;                 // further facts, for standard error; ends with a line end
  bool is_let = false;              // `values` have names of their own
  TextForm form = TextForm::Lines;  // of `text`
  std::chrono::nanoseconds time{};  // from the input's text to here
  u64 fuel = 0;

  // The source that the program of the input names.
  struct Source {
    std::string name, text;
    u32 first_byte = 0, first_line = 1;
    std::vector<Diagnostic> diagnostics;
    [[nodiscard]] services::NamedSource named() const {
      return {name, text, first_byte, first_line};
    }
  };
  std::vector<Source> sources;
  // For Trapped: the place, in the last of these.
  Trap trap = Trap::None;
  std::string function;
  u32 place = 0, depth = 0;
  std::optional<engine::ComparedText> compared = {};  // operands of a failed assertion

  [[nodiscard]] bool is_failure() const {
    return kind == AnswerKind::Errors || kind == AnswerKind::Trapped;
  }
};

// Answers that are a text, a text whose lines may be broken anywhere, a piece of a program, and a fault of an input.
[[nodiscard]] Answer told(std::string text);
[[nodiscard]] Answer told_in_sentences(std::string text);
[[nodiscard]] Answer told_in_paragraphs(std::string text);
[[nodiscard]] Answer told_program(std::string text);
[[nodiscard]] Answer refused(const Input& input, const std::string& reason);

// For an input that used all of its ticks: how it may have more.
[[nodiscard]] std::string fuel_note(u64 ticks);

// For people. Values go to standard output, the rest to standard error.
struct AnswerText {
  std::string out, err;
};
void render_answer(const Answer& answer, const services::RenderStyle& style, AnswerText& out);
// {"id", "value", "type", "fuel", "time_ns", "diagnostics"}, and the other members that docs/repl.md describes.
[[nodiscard]] nlohmann::ordered_json answer_json(const Answer& answer, u64 id);

}  // namespace komuz::repl
