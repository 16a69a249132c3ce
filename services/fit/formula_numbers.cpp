// SPDX-License-Identifier: Apache-2.0
#include "services/fit/formula_numbers.h"

#include <bit>

#include "engine/values/value_text.h"
#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"

namespace komuz::services {

std::vector<FormulaNumber> numbers_of(std::string_view program) {
  frontend::Compiler compiler;
  static_cast<void>(compiler.identify(program));
  const frontend::Columns& c = compiler.columns();
  std::vector<FormulaNumber> out;
  bool is_behind_operand = false, is_signed = false;
  for (frontend::Index t = 0; t < c.tokens; ++t) {
    const Token token = frontend::token_at(c, t);
    const u32 begin = c.token_start[t], end = begin + c.token_length[t];
    u64 bits = 0;
    if (token == Token::Float &&
        !engine::parse_scalar(Scalar::F64, program.substr(begin, end - begin),
                              engine::ValueStyle::Text, bits))
      out.push_back({begin, end, is_signed, std::bit_cast<f64>(bits)});
    is_signed = token == Token::Minus && !is_behind_operand;
    is_behind_operand = token_row(token).ends != Ends::No;
  }
  return out;
}

std::string with_numbers(std::string_view program, std::span<const FormulaNumber> numbers,
                         std::span<const f64> values) {
  std::string out;
  size_t at = 0;
  for (size_t k = 0; k < numbers.size(); ++k) {
    out += program.substr(at, numbers[k].begin - at);
    std::string text;
    engine::print_scalar(text, Scalar::F64, std::bit_cast<u64>(values[k]),
                         engine::ValueStyle::Source);
    out += values[k] < 0 ? "(" + text + ")" : text;
    at = numbers[k].end;
  }
  return out.append(program.substr(at));
}

}  // namespace komuz::services
