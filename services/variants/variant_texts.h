// SPDX-License-Identifier: Apache-2.0
// The variants of a sketch as texts: what stands in each hole, all of it on a line, the whole program. Asked by name, `#72`.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/sketch/fill.h"
#include "services/variants/rank_sketch.h"

namespace komuz::services {

// What a variant has in a hole of the sketch's text. Holes inside of other holes are not told.
struct HoleContent {
  u32 hole = 0;            // its number in the sketch
  u32 begin = 0, end = 0;  // of the hole: bytes of the sketch's text
  std::string name;        // of the hole, or of the space that it expands; empty: none
  std::string text;        // on one line
  std::string written;     // as it stands in the program
};

// A workspace for one thread. The sketch outlives it.
class VariantTexts {
 public:
  explicit VariantTexts(const engine::SketchProgram& sketch)
      : VariantTexts(sketch, sketch.own_size) {}
  // … of which the first `own_size` bytes of its text are the program: items behind it are not shown.
  VariantTexts(const engine::SketchProgram& sketch, u32 own_size)
      : sketch_(sketch), own_size_(own_size), fill_(sketch.source, sketch.plan) {}

  // All others are about this variant from then on. A problem: there is no such one.
  Problem choose(std::string_view name);
  [[nodiscard]] std::vector<HoleContent> holes() const;
  // What it has in any hole that it comes to, on one line.
  [[nodiscard]] std::string content_of(u32 hole) const;
  // "base = TAU * sqrt(l / 9.81), ? = 0.0625"
  [[nodiscard]] std::string line(size_t most = ~size_t{0}) const;
  // The plain program as it stands, and where a byte of the sketch's text is in it; nothing: it is in a hole.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::optional<u32> place_of(u32 byte) const;
  // The plain program, simplified as `komuz fill` does. `library`: the modules that it uses; without them it is only formatted where
  // it uses some, and so is one with items behind it that it needs.
  [[nodiscard]] std::string program(const Library* library = nullptr) const;
  // … with the items behind it, only formatted.
  [[nodiscard]] std::string whole_program() const;

 private:
  const engine::SketchProgram& sketch_;
  u32 own_size_;
  engine::Fill fill_;
  std::string text_;
};

// A hole's alternative, and the best variant that takes it.
struct RankedAlternative {
  std::string text;
  std::optional<u32> row;  // of the results; none: no variant that was evaluated takes it
};
// The alternatives of a hole in the order of the text; the points of a grid and the alternatives of a space as far as variants took
// them, at most `most`.
[[nodiscard]] std::vector<RankedAlternative> rank_alternatives(const RankedSketch& ranked, u32 hole,
                                                               size_t most = 100);

// The innermost hole that a byte of the sketch's text is in, of those that are not free. None: it is in none.
[[nodiscard]] std::optional<u32> hole_at(const Sketch& sketch, u32 byte);

}  // namespace komuz::services
