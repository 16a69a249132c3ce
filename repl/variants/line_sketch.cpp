// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/line_sketch.h"

#include <algorithm>

#include "frontend_gpu/columns.h"
#include "services/format.h"
#include "services/item_text.h"
#include "services/render.h"

namespace komuz::repl {

namespace {

// Formatted as the body of a function, on one line and without comments.
std::string one_line(std::string_view statements) {
  // A name that the statements do not call: a function that calls itself is written with a bound.
  const std::string head = "fn " + std::string(services::kSnippetFunction) + "() -> () {";
  constexpr std::string_view kFoot = "}";
  frontend::Compiler compiler;
  const services::Formatted formatted =
      services::format(compiler, head + "\n" + std::string(statements) + "\n}\n");
  std::string_view body = statements;
  if (formatted.ok) {
    const std::string_view whole = trimmed(formatted.text);
    // One that is broken into lines has more commas.
    if (whole.find('\n') == std::string_view::npos)
      body = trimmed(whole.substr(head.size(), whole.size() - head.size() - kFoot.size()));
  }
  static_cast<void>(compiler.identify(body));
  const frontend::Columns& c = compiler.columns();
  return services::on_one_line(c, {0, c.tokens});
}

}  // namespace

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
  // What stands before the line has no holes.
  const u32 end = fill_.offset_of(end_);
  return one_line(
      trimmed(std::string_view(program).substr(begin_, std::max(end, begin_) - begin_)));
}

std::vector<LineSketch::Decided> LineSketch::decided_elsewhere(const engine::Decisions& decisions) {
  const std::string program = program_text(decisions);
  std::vector<Decided> out;
  if (program.empty()) return out;
  const std::vector<Hole>& holes = sketch_.plan.sketch().holes;
  // Whatever is decided else: what stands in an alternative may be left out.
  const auto is_seen_in_line = [&](u32 hole) {
    const SketchSpan span = holes[hole].span;
    return span.begin >= begin_ && span.end <= end_ &&
           std::none_of(holes.begin(), holes.begin() + hole,
                        [&](const Hole& other) { return other.span.end > span.begin; });
  };
  u32 behind = 0;  // holes that stand in others are shown with them
  std::vector<u32> shown;
  for (u32 number = 0; number < holes.size(); ++number) {
    const Hole& hole = holes[number];
    // What a space decides is shown where it is expanded.
    if (hole.within != kNoSpace || hole.form == HoleForm::Free || hole.span.begin < behind)
      continue;
    behind = hole.span.end;
    const std::vector<u32>& all = plan().program().decisions;
    const auto decision = std::ranges::find_if(all, [&](u32 d) {
      const std::vector<u32>& places = plan().decision(d).holes;
      return std::ranges::find(places, number) != places.end();
    });
    if (decision == all.end() || std::ranges::find(shown, *decision) != shown.end() ||
        std::ranges::any_of(plan().decision(*decision).holes, is_seen_in_line))
      continue;
    shown.push_back(*decision);
    // Beside a hole stands text of the program.
    const u32 begin = fill_.offset_of(hole.span.begin - 1) + 1,
              end = fill_.offset_of(hole.span.end);
    const std::string_view text(program);
    out.push_back({hole.expands == kNoSpace ? hole.name : plan().sketch().spaces[hole.expands].name,
                   one_line(trimmed(text.substr(begin, std::max(end, begin) - begin)))});
  }
  return out;
}

std::string LineSketch::whole_text(const engine::Decisions& decisions) {
  std::string text = line_text(decisions);
  std::string_view before = " with ";
  for (const Decided& decided : decided_elsewhere(decisions)) {
    text.append(before).append(decided.name.empty() ? "?" : decided.name);
    text.append(" = ").append(decided.text);
    before = ", ";
  }
  return text;
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
