// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula.h"

#include "engine/sketch/sketch_candidates.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "services/format.h"
#include "services/items.h"
#include "services/results/decided_text.h"
#include "services/results/fitted_line.h"

namespace komuz::services {

namespace {

// Calls that the formatter has broken into lines, as they are on one line.
std::string with_short_calls(std::string text) {
  for (const auto& [long_form, short_form] : {std::pair(", )", ")"), std::pair("( ", "(")})
    for (size_t at = 0; (at = text.find(long_form, at)) != std::string::npos;)
      text.replace(at, std::string_view(long_form).size(), short_form);
  return text;
}

}  // namespace

std::string formula_text(std::string_view program) {
  frontend::Compiler compiler;
  frontend::Compilation compilation;
  compiler.compile(program, compilation);
  const std::vector<TextItem> items = list_items(compiler, program);
  const bool is_one_function = items.size() == 1 && items[0].form == ItemForm::Function;
  const size_t begin = program.find('{'), end = program.rfind('}');
  if (!is_one_function || begin == std::string_view::npos || end == std::string_view::npos)
    return statements_on_one_line(program);
  return with_short_calls(statements_on_one_line(program.substr(begin + 1, end - begin - 1)));
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
    const bool is_structure =
        token == Token::Colon || token == Token::Arrow || token == Token::Assign;
    if (is_value || token == Token::If || (is_operator && !is_structure)) ++size;
    // The sign of a number belongs to it.
    const bool is_sign = token == Token::Minus && !is_behind_operand;
    const Token next = t + 1 < c.tokens ? frontend::token_at(c, t + 1) : Token::Error;
    if (is_sign && next != Token::Int && next != Token::Float) ++size;
    is_behind_operand = row.ends != Ends::No;
  }
  return size;
}

std::string with_used_parameters(const std::string& program) {
  frontend::Compiler compiler;
  static_cast<void>(compiler.identify(program));
  const frontend::Columns& c = compiler.columns();
  const auto text_of = [&](frontend::Index t) {
    return std::string_view(program).substr(c.token_start[t], c.token_length[t]);
  };
  // The head: `pub fn y(x: f64, t: f64)`; each parameter is four tokens, with its comma.
  frontend::Index open = 0, close = 0;
  while (open < c.tokens && frontend::token_at(c, open) != Token::LParen) ++open;
  for (close = open; close < c.tokens && frontend::token_at(c, close) != Token::RParen;) ++close;
  if (close >= c.tokens) return program;
  std::string all, used;
  for (frontend::Index t = open + 1; t + 2 < close + 1; t += 4) {
    const std::string parameter = std::string(text_of(t)) + ": " + std::string(text_of(t + 2));
    bool is_used = false;
    for (frontend::Index other = close; other < c.tokens && !is_used; ++other)
      is_used = frontend::token_at(c, other) == Token::Name && text_of(other) == text_of(t);
    if (all.empty()) all = parameter;
    if (is_used) used += (used.empty() ? "" : ", ") + parameter;
  }
  const u32 begin = c.token_start[open] + 1, end = c.token_start[close];
  const std::string made =
      program.substr(0, begin) + (used.empty() ? all : used) + program.substr(end);
  Formatted formatted = format(compiler, made);
  return formatted.ok ? std::move(formatted.text) : program;
}

void FitFormula::write(std::string program_text) {
  program = std::move(program_text);
  text = formula_text(program);
  size = formula_size(text);
}

bool FitFormulaWriter::write(std::string_view variant, const engine::ScoreLine* line,
                             Exactness exactness, FitFormula& out) {
  engine::Decisions decisions;
  if (engine::read_variant_name(sketch_.plan, variant, decisions)) return false;
  std::string text;
  if (!fill_.write(decisions, text)) return false;
  if (line != nullptr) {
    Result<std::string> fitted = with_line(text, {}, *line);
    if (fitted.problem()) return false;
    text = std::move(fitted).value();
  }
  out.write(simplified_text(text, nullptr, exactness));
  out.variant = variant;
  return true;
}

}  // namespace komuz::services
