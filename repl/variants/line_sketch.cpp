// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/line_sketch.h"

#include <algorithm>

#include "services/render.h"

namespace komuz::repl {

LineSketch::LineSketch(engine::SketchProgram sketch, const Session::LineProgram& line,
                       std::string_view entry)
    : sketch_(std::move(sketch)),
      begin_(line.begin),
      end_(line.end),
      type_(line.type),
      entry_(entry),
      parts_(line.parts),
      fill_(sketch_.source, sketch_.plan) {}

std::string LineSketch::program_text(const engine::Decisions& decisions) {
  std::string text;
  return fill_.write(decisions, text) ? text : std::string();
}

std::string LineSketch::line_text(const engine::Decisions& decisions) {
  const std::string program = program_text(decisions);
  if (program.empty()) return {};
  // The text before the line has no holes.
  const u32 end = fill_.offset_of(end_);
  return services::shown_on_one_line(
      trimmed(std::string_view(program).substr(begin_, std::max(end, begin_) - begin_)));
}

std::vector<services::Decided> LineSketch::decided_elsewhere(const engine::Decisions& decisions) {
  const std::string program = program_text(decisions);
  if (program.empty()) return {};
  const std::vector<Hole>& holes = sketch_.plan.sketch().holes;
  // For all other decisions: the content of an alternative may be left out.
  const auto is_seen_in_line = [&](u32 hole) {
    const SketchSpan span = holes[hole].span;
    return span.begin >= begin_ && span.end <= end_ &&
           std::none_of(holes.begin(), holes.begin() + hole,
                        [&](const Hole& other) { return other.span.end > span.begin; });
  };
  return services::list_decided(plan(), fill_, program, is_seen_in_line);
}

std::string LineSketch::whole_text(const engine::Decisions& decisions) {
  const std::string elsewhere = services::decided_text(decided_elsewhere(decisions));
  return line_text(decisions) + (elsewhere.empty() ? "" : " with " + elsewhere);
}

std::string LineSketch::place_text(u32 byte) const {
  const auto behind =
      std::ranges::upper_bound(parts_, byte, {}, &Session::LineProgram::Part::begin);
  const auto& part = behind == parts_.begin() ? *behind : *std::prev(behind);
  const Place at =
      services::NamedSource{part.file, sketch_.source, part.begin, part.line}.place(byte);
  const std::string place = std::to_string(at.line) + ":" + std::to_string(at.column);
  if (part.definition.empty()) return place;
  return part.file == parts_.front().file ? place + " in `" + part.definition + "`"
                                          : part.file + ":" + place;
}

}  // namespace komuz::repl
