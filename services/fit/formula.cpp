// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula.h"

#include "engine/sketch/sketch_candidates.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "services/items.h"
#include "services/results/decided_text.h"
#include "services/results/fitted_line.h"
#include "services/simplify/simplify.h"

namespace komuz::services {

std::string formula_text(std::string_view program) {
  frontend::Compiler compiler;
  frontend::Compilation compilation;
  compiler.compile(program, compilation);
  const std::vector<TextItem> items = list_items(compiler, program);
  const bool is_one_function = items.size() == 1 && items[0].form == ItemForm::Function;
  const size_t begin = program.find('{'), end = program.rfind('}');
  if (!is_one_function || begin == std::string_view::npos || end == std::string_view::npos)
    return statements_on_one_line(program);
  return statements_on_one_line(program.substr(begin + 1, end - begin - 1));
}

u32 formula_size(std::string_view text) {
  frontend::Compiler compiler;
  static_cast<void>(compiler.identify(text));
  const frontend::Columns& c = compiler.columns();
  u32 size = 0;
  bool is_behind_operand = false;
  for (frontend::Index t = 0; t < c.tokens; ++t) {
    const Token token = frontend::token_at(c, t);
    const TokenRow& row = token_row(token);
    const bool is_value = token == Token::Name || token == Token::Int || token == Token::Float;
    const bool is_operator = row.act == Act::Infix || (token == Token::Minus && is_behind_operand);
    const bool is_structure = token == Token::Colon || token == Token::Arrow || token == Token::Assign;
    if (is_value || token == Token::If || (is_operator && !is_structure)) ++size;
    // The sign of a number belongs to it.
    const bool is_sign = token == Token::Minus && !is_behind_operand;
    const Token next = t + 1 < c.tokens ? frontend::token_at(c, t + 1) : Token::Error;
    if (is_sign && next != Token::Int && next != Token::Float) ++size;
    is_behind_operand = row.ends != Ends::No;
  }
  return size;
}

bool FormulaWriter::write(std::string_view variant, const engine::ScoreLine* line, Formula& out) {
  engine::Decisions decisions;
  if (engine::read_variant_name(sketch_.plan, variant, decisions)) return false;
  std::string text;
  if (!fill_.write(decisions, text)) return false;
  if (line != nullptr) {
    Result<std::string> fitted = with_line(text, {}, *line);
    if (fitted.problem()) return false;
    text = std::move(fitted).value();
  }
  out.program = simplified_text(text, nullptr, Exactness::ToRounding);
  out.text = formula_text(out.program);
  out.size = formula_size(out.text);
  out.variant = variant;
  return true;
}

}  // namespace komuz::services
