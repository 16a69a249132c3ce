// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/point_texts.h"

#include "engine/values/value_text.h"

namespace komuz::engine {

PointTexts::PointTexts(std::string_view source, const Sketch& sketch)
    : source_(source), sketch_(sketch), points_(sketch.holes.size()), kept_(sketch.holes.size()) {}

std::string_view PointTexts::of(u32 hole, u64 point) {
  const u64 points = sketch_.holes[hole].grid.points;
  std::vector<std::string>& texts = kept_[hole];
  if (texts.empty() && points <= room_) {
    room_ -= points;
    texts.resize(points);
  }
  if (texts.empty()) {
    print(hole, point, other_);
    return other_;
  }
  std::string& text = texts[point];
  if (text.empty()) print(hole, point, text);
  return text;
}

// The ends of a grid of bytes, such as `'a'..='z'`, show its type, and so does each point.
bool PointTexts::is_of_bytes(u32 number) const {
  const Hole& hole = sketch_.holes[number];
  const std::string_view text = source_.substr(hole.span.begin, hole.span.end - hole.span.begin);
  return hole.grid.type == Scalar::U8 && text.find('\'') != std::string_view::npos;
}

void PointTexts::print(u32 number, u64 point, std::string& out) {
  const Grid& grid = sketch_.holes[number].grid;
  if (!points_[number]) points_[number].emplace(grid);
  const u64 cell = points_[number]->at(point);
  out.clear();
  if (!is_of_bytes(number)) return print_scalar(out, grid.type, cell, ValueStyle::Source);
  if (cell >= ' ' && cell < 0x7F && cell != '\'' && cell != '\\') {
    out = {'(', '\'', static_cast<char>(cell), '\'', ')'};
    return;
  }
  out = "u8(";
  print_scalar(out, grid.type, cell, ValueStyle::Source);
  out += ')';
}

}  // namespace komuz::engine
