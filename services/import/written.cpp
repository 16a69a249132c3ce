// SPDX-License-Identifier: Apache-2.0
#include "services/import/written.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/values/value_text.h"

namespace komuz::services {

Written written_number(f64 value) {
  Written out;
  engine::print_scalar(out.text, Scalar::F64, std::bit_cast<u64>(value),
                       engine::ValueStyle::Source);
  out.form = std::signbit(value) ? WrittenForm::Negation : WrittenForm::Atom;
  out.is_literal = true;
  out.value = value;
  return out;
}

namespace {

[[nodiscard]] std::string in_brackets(std::string_view text) {
  return "(" + std::string(text) + ")";
}

// Of a text such as `@1 + @2` the operator; empty: it is no such text.
[[nodiscard]] std::string_view lone_operator(std::string_view text) {
  if (!text.starts_with("@1 ") || !text.ends_with(" @2")) return {};
  const std::string_view op = text.substr(3, text.size() - 6);
  return op.find(' ') == std::string_view::npos ? op : std::string_view{};
}

}  // namespace

std::string as_operand(const Written& part) {
  return part.form == WrittenForm::Atom ? part.text : in_brackets(part.text);
}

Written joined(Written&& left, std::string_view op, Written&& right, WrittenForm form,
               WrittenType type) {
  const bool is_closed = form == WrittenForm::Comparison || form == WrittenForm::Power;
  const bool left_fits = is_closed ? left.form > form : left.form >= form;
  // A sign behind an operator of arithmetic is put in brackets.
  const bool right_fits =
      right.form == WrittenForm::Negation ? form < WrittenForm::Sum : right.form > form;
  Written out;
  out.form = form;
  out.type = type;
  out.depth = std::max(left.depth + (left_fits ? 0 : 1), right.depth + (right_fits ? 0 : 1));
  out.text = left_fits ? std::move(left.text) : in_brackets(left.text);
  out.text.append(" ").append(op).append(" ");
  out.text += right_fits ? right.text : in_brackets(right.text);
  return out;
}

Written filled(const WrittenTemplate& wanted, std::span<Written> arguments) {
  if (const std::string_view op = lone_operator(wanted.text); !op.empty())
    return joined(std::move(arguments[0]), op, std::move(arguments[1]), wanted.form, wanted.type);
  Written out;
  out.form = wanted.form;
  out.type = wanted.type;
  for (const Written& argument : arguments) out.depth = std::max(out.depth, argument.depth + 1);
  const std::string_view text = wanted.text;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '$' && text[at] != '@') {
      out.text += text[at];
      continue;
    }
    const Written& argument = arguments[static_cast<size_t>(text[at + 1] - '1')];
    out.text += text[at] == '$' ? argument.text : as_operand(argument);
    ++at;
  }
  return out;
}

Written as_number(Written&& part) {
  if (part.type == WrittenType::Number) return std::move(part);
  if (part.text == "true" || part.text == "false") return written_number(part.text == "true");
  return filled({"if $1 { 1.0 } else { 0.0 }", WrittenForm::Choice, WrittenType::Number},
                {&part, 1});
}

Written as_truth(Written&& part) {
  if (part.type == WrittenType::Truth) return std::move(part);
  return filled({"@1 != 0.0", WrittenForm::Comparison, WrittenType::Truth}, {&part, 1});
}

}  // namespace komuz::services
