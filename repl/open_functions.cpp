// SPDX-License-Identifier: Apache-2.0
#include "repl/open_functions.h"

#include "services/items.h"

namespace komuz::repl {

namespace {

constexpr std::string_view kBody = " { ? }";

// Blanks and line ends as one blank each.
std::string on_one_line(std::string_view text) {
  std::string out;
  bool is_blank = false;
  for (const char c : text) {
    const bool is_next_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (is_next_blank && !is_blank && !out.empty()) out += ' ';
    if (!is_next_blank) out += c;
    is_blank = is_next_blank;
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace

OpenedProgram open_program(frontend::Compiler& compiler, std::string_view program,
                           const std::function<bool(std::string_view name)>& is_defined) {
  frontend::Compilation compiled;
  compiler.compile(program, compiled);
  OpenedProgram out;
  size_t at = 0;
  for (const services::TextItem& item : services::list_items(compiler, program)) {
    if (item.form != services::ItemForm::Function || item.name.empty() || item.name_begin < at)
      continue;
    size_t end = item.end;
    if (!program.substr(0, end).ends_with(';')) {
      if (program.substr(item.name_begin, end - item.name_begin).find('{') !=
              std::string_view::npos ||
          end >= program.size() || program[end] != ';')
        continue;
      ++end;
    }
    const std::string_view head = program.substr(item.name_begin, end - 1 - item.name_begin);
    if (head.find('{') != std::string_view::npos) continue;
    if (is_defined(item.name)) {
      out.text += program.substr(at, item.begin - at);
      for (const char c : program.substr(item.begin, end - item.begin))
        if (c == '\n') out.text += c;
    } else {
      out.text += program.substr(at, end - 1 - at);
      out.text += kBody;
      out.open.push_back(on_one_line(head));
    }
    at = end;
  }
  out.text += program.substr(at);
  return out;
}

bool is_open_function(std::string_view definition) { return definition.ends_with(kBody); }

}  // namespace komuz::repl
