// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/line_sketch.h"

#include <algorithm>

#include "frontend_gpu/columns.h"
#include "services/format.h"
#include "services/item_text.h"

namespace komuz::repl {

namespace {

// Formatted as the body of a function, on one line and without comments.
std::string one_line(std::string_view statements) {
  constexpr std::string_view kHead = "fn f() -> () {", kFoot = "}";
  frontend::Compiler compiler;
  const services::Formatted formatted =
      services::format(compiler, std::string(kHead) + "\n" + std::string(statements) + "\n}\n");
  std::string_view body = statements;
  if (formatted.ok) {
    const std::string_view whole = trimmed(formatted.text);
    // One that is broken into lines has more commas.
    if (whole.find('\n') == std::string_view::npos)
      body = trimmed(whole.substr(kHead.size(), whole.size() - kHead.size() - kFoot.size()));
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

}  // namespace komuz::repl
