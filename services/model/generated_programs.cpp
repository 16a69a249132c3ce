// SPDX-License-Identifier: Apache-2.0
#include "services/model/generated_programs.h"

#include <nlohmann/json.hpp>

#include "base/random.h"

namespace komuz::services::model {
namespace {

constexpr std::string_view kHead = "pub fn f(a: f64, b: f64) -> f64 {\n";

// "0.0417": four digits, never zero.
std::string fraction(Random& random) {
  std::string digits = std::to_string(10'001 + random.below(9'998));
  return "0." + digits.substr(1);
}

std::string ending(u64 last) { return "    v" + std::to_string(last) + "\n}\n"; }

}  // namespace

std::string generated_program(u64 number, u64 bytes) {
  Random random(number << 24 | bytes);
  std::string text(kHead);
  text += "    let v0 = a * " + fraction(random) + " + b\n";
  u64 last = 0;
  for (;;) {
    const std::string before = "v" + std::to_string(last);
    const u64 kind = random.below(3), other = random.below(3);
    const std::string operand = other == 0   ? "a"
                                : other == 1 ? "b"
                                             : "v" + std::to_string(random.below(last + 1));
    std::string line = "    let v" + std::to_string(last + 1) + " = ";
    if (kind == 0)
      line += before + " * " + fraction(random) + " - " + operand + "\n";
    else
      line +=
          "(" + before + (kind == 1 ? " + " : " - ") + operand + ") * " + fraction(random) + "\n";
    if (text.size() + line.size() + ending(last + 1).size() > bytes) break;
    text += line;
    ++last;
  }
  text += ending(last);
  if (text.size() < bytes) text.insert(text.size() - 2, bytes - text.size(), ' ');
  return text;
}

std::string generated_candidates(const Size& size, const std::stop_token& stop) {
  std::string text;
  for (u64 number = 0; number < size.programs && !stop.stop_requested(); ++number) {
    const std::string program = generated_program(number, size.bytes);
    text += "{\"source\": " + nlohmann::json(program).dump() + "}\n";
  }
  return text;
}

std::string generated_cases(u64 cases, const std::stop_token& stop) {
  Random random(cases);
  std::string text = "a,b,expected\n";
  for (u64 row = 0; row < cases && !stop.stop_requested(); ++row) {
    for (const char* end : {",", ",", "\n"}) text += fraction(random) + end;
  }
  return text;
}

}  // namespace komuz::services::model
