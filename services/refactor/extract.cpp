// SPDX-License-Identifier: Apache-2.0
// Expressions that become items of their own: functions and constants.
#include <algorithm>

#include "frontend_gpu/named_types.h"
#include "services/front_end_names.h"
#include "services/refactor/expression.h"
#include "services/refactor/extract_statements.h"
#include "services/refactor/new_item.h"
#include "services/refactor/proposals.h"

namespace komuz::services {
namespace {

bool is_literal(const Analysis& analysis, const Expression& expression) {
  switch (frontend::node_kind(analysis.columns(), expression.node)) {
    case Node::Int:
    case Node::Float:
    case Node::String:
    case Node::Char: return true;
    default: return false;
  }
}

std::string upper(std::string text) {
  for (char& byte : text)
    if (byte >= 'a' && byte <= 'z') byte = static_cast<char>(byte - 'a' + 'A');
  return text;
}

// What a constant is called: as the `let` or the argument that it is the value of.
std::string constant_name(const Analysis& analysis, const Expression& expression) {
  const Columns& c = analysis.columns();
  const Index above = frontend::parent_of(c, expression.node);
  if (above == kNone || c.right[above] != expression.node) return "VALUE";
  const Node kind = frontend::node_kind(c, above);
  Index name = kind == Node::Assign || kind == Node::Colon ? Index{c.left[above]} : kNone;
  if (name != kNone && frontend::node_kind(c, name) == Node::Colon) name = c.left[name];
  if (name == kNone || frontend::node_kind(c, name) != Node::Name) return "VALUE";
  std::string text = upper(frontend::name_text(c, name));
  return text.empty() ? "VALUE" : text;
}

std::vector<Proposal> extract_expression(const Analysis& analysis, u32 begin, u32 end) {
  const auto expression = expression_at(analysis, begin, end);
  // The order in which holes are decided follows from their places.
  if (!expression || has_jump(analysis, *expression) || has_hole(analysis, *expression)) return {};
  if (is_literal(analysis, *expression)) return {};
  const Columns& c = analysis.columns();
  if (frontend::node_kind(c, expression->node) == Node::Name) return {};
  const auto item = item_around(analysis, expression->begin);
  if (!item) return {};
  const std::string name = free_name(analysis, "extracted");
  std::string parameters, arguments;
  for (const u32 binding : used_variables(analysis, *expression)) {
    const std::string variable = frontend::name_text(c, c.bind_node[binding]);
    const std::string type = frontend::written_type(c, c.bind_type[binding]);
    if (variable.empty() || type.empty()) return {};
    const std::string_view comma = parameters.empty() ? "" : ", ";
    parameters.append(comma).append(variable).append(": ").append(type);
    arguments.append(comma).append(variable);
  }
  const std::string body(text_of(analysis, *expression));
  const bool is_block = frontend::node_kind(c, expression->node) == Node::Block;
  const std::string function =
      formatted_item("fn " + name + "(" + parameters + ") -> " + expression->type + " " +
                     (is_block ? body : "{\n" + body + "\n}") + "\n");
  return {{{{expression->begin, expression->end, name + "(" + arguments + ")"}, expression->type},
           {{item->end, item->end, "\n\n" + function}}}};
}

}  // namespace

std::vector<Proposal> extract_function(const Analysis& analysis, u32 begin, u32 end) {
  if (begin == end) return {};
  std::vector<Proposal> proposals = extract_expression(analysis, begin, end);
  for (Proposal& one : extract_statements(analysis, begin, end))
    proposals.push_back(std::move(one));
  return proposals;
}

std::vector<Proposal> extract_constant(const Analysis& analysis, u32 begin, u32 end) {
  const auto expression = begin == end ? expression_of(analysis, node_around(analysis, begin))
                                       : expression_at(analysis, begin, end);
  if (!expression || has_hole(analysis, *expression)) return {};
  if (begin == end && !is_literal(analysis, *expression)) return {};
  if (frontend::node_kind(analysis.columns(), expression->node) == Node::Name) return {};
  if (!used_variables(analysis, *expression).empty()) return {};
  const auto item = item_around(analysis, expression->begin);
  if (!item) return {};
  const std::string name = free_name(analysis, constant_name(analysis, *expression));
  const std::string constant = formatted_item("const " + name + ": " + expression->type + " = " +
                                              std::string(text_of(analysis, *expression)) + ";\n");
  return {{{{item->begin, item->begin, constant + "\n\n"}},
           {{expression->begin, expression->end, name}, expression->type}}};
}

}  // namespace komuz::services
