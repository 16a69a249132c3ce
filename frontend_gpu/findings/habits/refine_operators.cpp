// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_operators.h"

#include <cctype>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/diagnostic_types.h"

namespace komuz::frontend {

namespace {

bool is_scalar_name(std::string_view word) {
  for (u32 k = 0; k < kScalarCount; ++k)
    if (scalar_name(static_cast<Scalar>(k)) == word) return true;
  return false;
}
// True if `cmp` certainly takes such values. The name of a record does not tell what it holds, and a device hands
// back no types of nodes.
bool has_order(const Columns& c, u32 type) {
  if (!is_list_brief(c, type) && type >> 28 != 0xC) return false;
  const std::string text = type_text(type, source_of(c));
  const auto is_letter = [](char x) { return (x | 0x20) >= 'a' && (x | 0x20) <= 'z'; };
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_letter(text[at])) continue;
    size_t end = at;
    while (end < text.size() && std::isalnum(static_cast<u8>(text[end])) != 0) ++end;
    const std::string word = text.substr(at, end - at);
    if (word != "List" && word != "Bytes" && !is_scalar_name(word)) return false;
    at = end - 1;
  }
  return !text.empty() &&
         text.find("…") == std::string::npos;  // stands for parts that it does not know
}
// True for a list, false for an array.
bool is_of_list_type(const Columns& c, u32 type) {
  const std::string text = type_text(type, source_of(c));
  return text.starts_with("List[") || text.starts_with("Bytes[");
}
// The type of a name by the nearest `: [T]` or `: [T; N]` behind the same name before it in its item; 0: there is
// none.
u32 declared_brief(const Columns& c, Index operand) {
  if (operand == kNone || node_kind(c, operand) != Node::Name) return 0;
  const Index t = c.token[operand];
  const std::string_view name = text_of(c, t);
  for (Index k = t; k > 0 && t - k < kLongestBrackets && token_at(c, k) != Token::Fn; --k) {
    if (text_of(c, i64{k} - 1) != name || token_at(c, k) != Token::Colon) continue;
    const bool is_part = token_at(c, i64{k} + 1) == Token::LBracket;
    return is_part ? kTypeBrief | c.token_start[k + 1] : 0;
  }
  return 0;
}
// The declared type of the left or the right operand of a sum; 0: neither is known.
u32 brief_of_parts(const Columns& c, Index sum) {
  const u32 left = declared_brief(c, c.left[sum]);
  return left != 0 ? left : declared_brief(c, c.right[sum]);
}
// `a == b == true`
bool refine_chained_truth(const Columns& c, Index node, Diagnostic& row) {
  const Index right = c.right[node];
  const Node kind = node_kind(c, node);
  if (right == kNone || (kind != Node::Eq && kind != Node::Ne)) return false;
  const Token truth = token_at(c, c.token[right]);
  if (truth != Token::True && truth != Token::False) return false;
  const bool is_idle = (kind == Node::Eq) == (truth == Token::True);
  row.a = is_idle ? end_of(c, c.token[right]) : kNoEdit;
  row.b = 0;
  return true;
}

}  // namespace

void refine_sum(const Columns& c, Index node, Diagnostic& row) {
  const Node kind = node_kind(c, node);
  if (kind != Node::Add && kind != Node::AddAssign) return;
  if (row.b == 0 && is_of_list_type(c, row.a))
    if (const u32 own = brief_of_parts(c, node); own != 0)
      return become(row, DiagnosticCode::ListSum, own, kListWanted);
  const bool left = is_list_brief(c, row.a), right = is_list_brief(c, row.b);
  if (left && (row.b == 0 || right)) return become(row, DiagnosticCode::ListSum, row.a, 0);
  if (left) become(row, DiagnosticCode::ListSum, row.a, kElementRight);
  if (right) become(row, DiagnosticCode::ListSum, row.b, kElementLeft);
}

void refine_operator(const Columns& c, Index node, Diagnostic& row) {
  refine_sum(c, node, row);
  const Node kind = node_kind(c, node);
  const bool compares =
      kind == Node::Lt || kind == Node::Le || kind == Node::Gt || kind == Node::Ge;
  const bool has_operands = c.left[node] != kNone && c.right[node] != kNone;
  if (compares && has_operands && has_order(c, row.a)) {
    become(row, DiagnosticCode::OperatorType, row.a, c.token_start[c.token[node]]);
    const Span all = subtree_span(c, node);
    return span(row, all.begin, all.end);
  }
  if (!is_float_brief(row.a)) return;
  if (kind == Node::BitXor || kind == Node::XorAssign)
    become(row, DiagnosticCode::CaretPower, 0, 0);
  if (kind == Node::Rem) become(row, DiagnosticCode::FloatRemainder);
}

void refine_comparisons(const Columns& c, Index node, Diagnostic& row) {
  const Index left = c.left[node];
  if (left == kNone || c.right[left] == kNone || refine_chained_truth(c, node, row)) return;
  const Span middle = subtree_span(c, c.right[left]);
  row.a = middle.begin;
  row.b = middle.end - middle.begin;
}

}  // namespace komuz::frontend
