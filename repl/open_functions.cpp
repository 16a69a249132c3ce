// SPDX-License-Identifier: Apache-2.0
#include "repl/open_functions.h"

#include "frontend_gpu/view.h"
#include "services/items.h"

namespace komuz::repl {

namespace {

constexpr std::string_view kBody = " { ? }";

// The head of a function without comments, with one blank between tokens that have any.
class Head {
 public:
  explicit Head(std::string_view text) {
    frontend::Compiler lexer;
    static_cast<void>(lexer.identify(text));
    const frontend::Columns& c = lexer.columns();
    for (u32 t = 0; t < c.tokens; ++t) {
      const u32 begin = c.token_start[t];
      if (t != 0 && begin != c.token_start[t - 1] + c.token_length[t - 1]) text_ += ' ';
      text_ += text.substr(begin, c.token_length[t]);
      has_body_ = has_body_ || frontend::token_at(c, i64{t}) == Token::LBrace;
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool has_body() const { return has_body_; }

 private:
  std::string text_;
  bool has_body_ = false;
};

}  // namespace

OpenedProgram open_program(frontend::Compiler& compiler, std::string_view program,
                           const std::function<bool(std::string_view name)>& is_defined) {
  // Items are listed for the program that was compiled last.
  frontend::Compilation compiled;
  compiler.compile(program, compiled);
  OpenedProgram out;
  size_t at = 0;
  for (const services::TextItem& item : services::list_items(compiler, program)) {
    if (item.form != services::ItemForm::Function || item.name.empty() || item.name_begin < at)
      continue;
    size_t end = item.end;
    if (!program.substr(0, end).ends_with(';')) {
      if (end >= program.size() || program[end] != ';') continue;
      ++end;
    }
    const Head head(program.substr(item.name_begin, end - 1 - item.name_begin));
    if (head.has_body()) continue;
    if (is_defined(item.name)) {
      out.text += program.substr(at, item.begin - at);
      for (const char c : program.substr(item.begin, end - item.begin))
        if (c == '\n') out.text += c;
    } else {
      out.text += program.substr(at, end - 1 - at);
      out.text += kBody;
      out.open.push_back(head.text());
    }
    at = end;
  }
  out.text += program.substr(at);
  return out;
}

bool is_open_function(std::string_view definition) { return definition.ends_with(kBody); }

}  // namespace komuz::repl
