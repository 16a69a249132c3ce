// SPDX-License-Identifier: Apache-2.0
// What came of an input.
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
  Nothing,  // an empty input; what a command did
  Text,     // of a command, and how many names were given a meaning
  Value,
  Errors,
  Trapped,
  Stopped,   // interrupted
  Sketch,    // it has variants, which are for whoever asked to evaluate
  Variants,  // what came of them, as `text`
};

// What a text consists of: lines as they are, sentences that may be wrapped, paragraphs, each of which may have been broken into
// lines, or a piece of a program, which has colours.
enum class TextForm : u8 { Lines, Sentences, Paragraphs, Program };

// A value with its name; that of an expression is `it`.
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
  std::string text;  // of Text, ends with a line end; of Errors without diagnostics what is wrong
  std::vector<NamedValue> values;        // of Value: one, or what it binds or assigns
  std::vector<NamedValue> changed = {};  // … assigned beside its value
  std::string members;  // of Variants: the same as `text`, as members of a JSON object
  std::string note;     // what else is to be known, for standard error; ends with a line end
  bool is_let = false;  // `values` have names of their own
  TextForm form = TextForm::Lines;  // of `text`
  std::chrono::nanoseconds time{};  // from the input's text to here
  u64 fuel = 0;

  // Where the program of the input says so.
  struct Source {
    std::string name, text;
    u32 first_byte = 0, first_line = 1;
    std::vector<Diagnostic> diagnostics;
    [[nodiscard]] services::NamedSource named() const {
      return {name, text, first_byte, first_line};
    }
  };
  std::vector<Source> sources;
  // Of Trapped: where, in the last of these.
  Trap trap = Trap::None;
  std::string function;
  u32 place = 0, depth = 0;
  std::optional<engine::ComparedText> compared = {};  // by a failed assertion

  [[nodiscard]] bool is_failure() const {
    return kind == AnswerKind::Errors || kind == AnswerKind::Trapped;
  }
};

// An answer that is a text, one whose lines may be broken anywhere, one that is a piece of a program, and one that says what is
// wrong with an input.
[[nodiscard]] Answer told(std::string text);
[[nodiscard]] Answer told_in_sentences(std::string text);
[[nodiscard]] Answer told_in_paragraphs(std::string text);
[[nodiscard]] Answer told_program(std::string text);
[[nodiscard]] Answer refused(const Input& input, const std::string& reason);

// Of an input that took all of its ticks: how it may have more.
[[nodiscard]] std::string fuel_note(u64 ticks);

// For people. Values go to standard output, all else to standard error.
struct AnswerText {
  std::string out, err;
};
void render_answer(const Answer& answer, const services::RenderStyle& style, AnswerText& out);
// {"id", "value", "type", "fuel", "time_ns", "diagnostics"} and what docs/repl.md says of others.
[[nodiscard]] nlohmann::ordered_json answer_json(const Answer& answer, u64 id);

}  // namespace komuz::repl
