// SPDX-License-Identifier: Apache-2.0
// What came of an input.
#pragma once
#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/single_run.h"
#include "lang/diagnostics.h"
#include "services/render.h"

namespace komuz::repl {

enum class AnswerKind : u8 {
  Nothing,  // an empty input; what a command did
  Text,     // of a command, and how many names were given a meaning
  Value,
  Errors,
  Trapped,
  Stopped,  // interrupted
};

// A value with its name; that of an expression is `it`.
struct NamedValue {
  std::string name;
  std::string type;  // as it is written
  std::string type_codes;
  std::vector<u64> cells;
};

struct Answer {
  AnswerKind kind = AnswerKind::Nothing;
  std::string text;  // of Text, ends with a line end; of Errors without diagnostics what is wrong
  std::vector<NamedValue> values;  // of Value: one, or what a `let` binds
  bool is_let = false;
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

  [[nodiscard]] bool is_failure() const {
    return kind == AnswerKind::Errors || kind == AnswerKind::Trapped;
  }
};

// For people. Values go to standard output, all else to standard error.
struct AnswerText {
  std::string out, err;
};
void render_answer(const Answer& answer, const services::RenderStyle& style, AnswerText& out);
// {"id", "value", "type", "fuel", "time_ns", "diagnostics"} and what docs/repl.md says of others.
[[nodiscard]] nlohmann::ordered_json answer_json(const Answer& answer, u64 id);

}  // namespace komuz::repl
