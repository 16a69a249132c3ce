// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/line_sketch.h"

#include "services/format.h"

namespace komuz::repl {

namespace {

// Formatted as the body of a function, with single blanks in the place of line ends.
std::string one_line(std::string_view statements) {
  constexpr std::string_view kHead = "fn f() -> () {", kFoot = "}";
  frontend::Compiler compiler;
  const services::Formatted formatted =
      services::format(compiler, std::string(kHead) + "\n" + std::string(statements) + "\n}\n");
  std::string_view body = statements;
  if (formatted.ok) {
    const std::string_view whole = trimmed(formatted.text);
    const bool is_line = whole.find('\n') == std::string_view::npos;  // not one broken into several
    if (is_line)
      body = trimmed(whole.substr(kHead.size(), whole.size() - kHead.size() - kFoot.size()));
  }
  std::string text;
  for (const char c : body) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank)
      text += c;
    else if (!text.ends_with(' '))
      text += ' ';
  }
  return text;
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
  static_cast<void>(fill_.write(decisions, text));
  return text;
}

std::string LineSketch::line_text(const engine::Decisions& decisions) {
  const std::string program = program_text(decisions);
  // What stands before the line has no holes. What comes from spaces has places behind the line, but none of it is the byte
  // right behind.
  size_t end = begin_;
  while (end < program.size() && fill_.place_in_sketch(static_cast<u32>(end)) != end_) ++end;
  return one_line(trimmed(std::string_view(program).substr(begin_, end - begin_)));
}

}  // namespace komuz::repl
