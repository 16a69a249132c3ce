// SPDX-License-Identifier: Apache-2.0
// Parts of a formula as texts of Komuz, and how texts are made of parts: with brackets where they are needed, and no others.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "services/import/formats.h"

namespace komuz::services {

struct Written {
  std::string text;
  WrittenForm form = WrittenForm::Atom;
  WrittenType type = WrittenType::Number;
  u32 depth = 0;  // brackets and choices in each other
  // What later operations ask.
  bool is_comparison = false;  // not in brackets
  bool is_euler = false;       // the constant e: its powers are `exp`
  bool is_literal = false;     // a number, whose value is:
  f64 value = 0;
};

// The number as the shortest literal that reads as it.
[[nodiscard]] Written written_number(f64 value);

// The part as an operand of anything: in brackets if it is more than a name, a number or a call.
[[nodiscard]] std::string as_operand(const Written& part);

// `left op right`, from left to right: brackets keep the order of operations as it is.
[[nodiscard]] Written joined(Written&& left, std::string_view op, Written&& right, WrittenForm form,
                             WrittenType type);

// The text of a row of functions.def (or of the same form) with these arguments.
struct WrittenTemplate {
  std::string_view text;
  WrittenForm form;
  WrittenType type;
};
[[nodiscard]] Written filled(const WrittenTemplate& wanted, std::span<Written> arguments);

// A truth value as the number 1 or 0, and a number as whether it is not 0.
[[nodiscard]] Written as_number(Written&& part);
[[nodiscard]] Written as_truth(Written&& part);

}  // namespace komuz::services
