// SPDX-License-Identifier: Apache-2.0
// Expressions that become holes of a sketch. What there is stays among the variants: in the middle of a grid, or the
// first of a choice.
#include <algorithm>
#include <charconv>
#include <limits>

#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/refactor/expression.h"
#include "services/refactor/proposals.h"

namespace komuz::services {
namespace {

Proposal replacement(const Expression& expression, std::string text) {
  return {{{expression.begin, expression.end, std::move(text)}, expression.type}};
}

std::string number_text(double value) {
  char digits[64];
  const auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed);
  std::string text(digits, end);
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

std::string without_underscores(std::string_view text) {
  std::string out;
  for (const char byte : text)
    if (byte != '_') out += byte;
  return out;
}

// As many numbers below as above.
std::string float_grid(const std::string& name, std::string_view literal) {
  constexpr double kMost = 1e9, kLeast = 1e-9;
  const std::string digits = without_underscores(literal);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  if (value == 0) return "?" + name + "(-1.0..=1.0, steps: 9)";
  if (value > kMost || value < kLeast) return {};
  return "?" + name + "(0.0..=" + number_text(2 * value) + ", steps: 9)";
}
std::string int_grid(const std::string& name, std::string_view literal) {
  constexpr i64 kAside = 4;
  const std::string digits = without_underscores(literal);
  i64 value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  if (value > std::numeric_limits<i64>::max() - kAside) return {};
  return "?" + name + "(" + std::to_string(std::max<i64>(0, value - kAside)) +
         "..=" + std::to_string(value + kAside) + ")";
}

// What else may stand between two operands, beside the operator itself.
std::vector<std::string_view> other_operators(Node kind) {
  switch (kind) {
    case Node::Add: return {"-", "*"};
    case Node::Sub: return {"+", "*"};
    case Node::Mul: return {"+", "/"};
    case Node::Div: return {"*", "-"};
    case Node::AddWrap: return {"-%"};
    case Node::SubWrap: return {"+%"};
    case Node::Lt: return {"<=", ">", ">="};
    case Node::Le: return {"<", ">", ">="};
    case Node::Gt: return {">=", "<", "<="};
    case Node::Ge: return {">", "<", "<="};
    case Node::Eq: return {"!="};
    case Node::Ne: return {"=="};
    case Node::AndThen: return {"||"};
    case Node::OrElse: return {"&&"};
    case Node::BitAnd: return {"|", "^"};
    case Node::BitOr: return {"&", "^"};
    case Node::BitXor: return {"&", "|"};
    default: return {};
  }
}

// The same with another operator.
std::string with_operator(const Analysis& analysis, const Expression& expression,
                          std::string_view other) {
  const Columns& c = analysis.columns();
  const Index t = c.token[expression.node];
  std::string text(text_of(analysis, expression));
  return text.replace(c.token_start[t] - expression.begin, c.token_length[t], other);
}

bool is_number(const std::string& type) {
  return type == "f64" || type == "f32" || type == "i64" || type == "i32";
}

}  // namespace

std::vector<Proposal> literal_to_hole(const Analysis& analysis, u32 begin, u32 end) {
  const auto literal = begin == end ? expression_of(analysis, node_around(analysis, begin))
                                    : expression_at(analysis, begin, end);
  if (!literal) return {};
  const std::string_view text = text_of(analysis, *literal);
  std::string hole;
  switch (frontend::node_kind(analysis.columns(), literal->node)) {
    case Node::Float: hole = float_grid(free_name(analysis, "c"), text); break;
    case Node::Int: hole = int_grid(free_name(analysis, "n"), text); break;
    case Node::True: hole = "?" + free_name(analysis, "on") + "[true, false]"; break;
    case Node::False: hole = "?" + free_name(analysis, "on") + "[false, true]"; break;
    default: return {};
  }
  if (hole.empty()) return {};
  return {replacement(*literal, std::move(hole))};
}

std::vector<Proposal> expression_to_choice(const Analysis& analysis, u32 begin, u32 end) {
  const auto expression = begin == end ? expression_of(analysis, node_around(analysis, begin))
                                       : expression_at(analysis, begin, end);
  if (!expression || has_jump(analysis, *expression)) return {};
  const Columns& c = analysis.columns();
  const std::vector<std::string_view> others =
      other_operators(frontend::node_kind(c, expression->node));
  if (begin == end && others.empty()) return {};
  const std::string own(text_of(analysis, *expression));
  const std::string open = "?" + free_name(analysis, others.empty() ? "pick" : "op") + "[" + own;
  std::vector<Proposal> proposals;
  const auto propose = [&](const std::vector<std::string>& alternatives) {
    std::string text = open;
    for (const std::string& alternative : alternatives) text += ", " + alternative;
    proposals.push_back(replacement(*expression, text + "]"));
  };
  std::vector<std::string> alternatives;
  for (const std::string_view other : others)
    alternatives.push_back(with_operator(analysis, *expression, other));
  if (!alternatives.empty()) propose(alternatives);
  for (const std::string& alternative : alternatives)
    if (alternatives.size() > 1) propose({alternative});
  if (begin == end) return proposals;
  const std::string in_parentheses = is_whole(analysis, *expression) ? own : "(" + own + ")";
  if (is_number(expression->type)) propose({"-" + in_parentheses});
  if (expression->type == "bool") propose({"!" + in_parentheses});
  // One that is left open: a person writes it.
  propose({"?" + free_name(analysis, "other")});
  return proposals;
}

}  // namespace komuz::services
