// SPDX-License-Identifier: Apache-2.0
// A line of a session whose variants are evaluated: its program, and the texts of its variants.
#pragma once
#include <string>

#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_program.h"
#include "repl/session.h"
#include "services/results/decided_text.h"

namespace komuz::repl {

class LineSketch {
 public:
  // `line`: the program that the sketch was read from.
  LineSketch(engine::SketchProgram sketch, const Session::LineProgram& line,
             std::string_view entry);
  LineSketch(const LineSketch&) = delete;  // fill_ points to the sketch
  LineSketch& operator=(const LineSketch&) = delete;

  [[nodiscard]] const engine::SketchProgram& sketch() const { return sketch_; }
  [[nodiscard]] const engine::VariantPlan& plan() const { return sketch_.plan; }
  [[nodiscard]] std::string_view type() const { return type_; }
  // The line's function.
  [[nodiscard]] const std::string& entry() const { return entry_; }

  // The line with decisions in place of its holes, without line ends. Empty, here and below: these are no decisions
  // of it.
  [[nodiscard]] std::string line_text(const engine::Decisions& decisions);
  // The contents of holes in functions that it calls, for decisions that the line itself does not show.
  [[nodiscard]] std::vector<services::Decided> decided_elsewhere(
      const engine::Decisions& decisions);
  // The line followed by these: "f(x) * 2.0 with k = 1.5".
  [[nodiscard]] std::string whole_text(const engine::Decisions& decisions);
  // The origin of a byte of the sketch's text: "3:5" in the input, "1:7 in `f`" in a definition, "lib.komuz:1:7" in
  // one from another file.
  [[nodiscard]] std::string place_text(u32 byte) const;
  // The whole program.
  [[nodiscard]] std::string program_text(const engine::Decisions& decisions);

 private:
  engine::SketchProgram sketch_;
  u32 begin_, end_;  // of the line in the sketch's text
  std::string type_, entry_;
  std::vector<Session::LineProgram::Part> parts_;
  engine::Fill fill_;
};

}  // namespace komuz::repl
