// SPDX-License-Identifier: Apache-2.0
// What PTX must not have, so that a GPU computes what the reference does.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

namespace komuz::test {

// Is one of the operands a number, and not zero? PTX writes floats as 0f and 0d with their bits.
inline bool has_other_number(std::string_view operands) {
  for (const std::string_view begin : {" 0f", " 0d"}) {
    const size_t at = operands.find(begin);
    if (at == std::string_view::npos) continue;
    const size_t end = operands.find_first_of(",;", at);
    const std::string_view digits = operands.substr(at + begin.size(), end - at - begin.size());
    const bool is_zero = digits.substr(1).find_first_not_of('0') == std::string_view::npos &&
                         (digits.front() == '0' || digits.front() == '8');
    return !is_zero;
  }
  return false;
}

// The first line that rounds otherwise, may be fused or flushed, or calls what is not there, with its number; empty if
// there is none.
//
//   .approx .full .ftz      other bits, or subnormal numbers are lost
//   .extern                 functions of other libraries
//   mul.f64, add.f32 …      without .rn ptxas makes a multiplication and an addition one operation
//   min.f64, max.f64        of both zeros a GPU gives the other one, so only with another number
//   fma. , mad.f…           only as fma.rn
inline std::string ptx_fault(std::string_view ptx) {
  const auto has = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  size_t number = 0;
  for (size_t begin = 0; begin < ptx.size();) {
    const size_t end = std::min(ptx.find('\n', begin), ptx.size());
    std::string_view line = ptx.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line = line.substr(0, line.find("//"));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    // @%p1 bra …
    if (line.starts_with("@")) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    const std::string_view word = line.substr(0, line.find_first_of(" \t;"));
    const bool is_float = has(word, ".f32") || has(word, ".f64") || has(word, ".f16");
    const std::string_view kind = word.substr(0, word.find('.'));
    const bool rounds = kind == "mul" || kind == "add" || kind == "sub" || kind == "div" ||
                        kind == "fma" || kind == "sqrt" || kind == "rcp";
    const bool is_extreme = kind == "min" || kind == "max";
    const bool is_bad =
        has(word, ".approx") || has(word, ".full") || has(word, ".ftz") || word == ".extern" ||
        has(line, " .extern ") || (is_float && rounds && !has(word, ".rn")) ||
        (is_float && is_extreme && !has_other_number(line)) ||
        (is_float && (kind == "mad" || kind == "sin" || kind == "cos" || kind == "ex2" ||
                      kind == "lg2" || kind == "rsqrt" || kind == "tanh"));
    if (is_bad) return "line " + std::to_string(number) + ": " + std::string(line);
  }
  return {};
}

}  // namespace komuz::test
