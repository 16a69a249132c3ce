// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_methods.h"

#include <utility>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_types.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/questions/type_brief.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/diagnostic_types.h"
#include "mend/aliases.h"
#include "mend/builtin_words.h"
#include "mend/habits/from_chains.h"
#include "mend/habits/from_forms.h"
#include "mend/source_text.h"
#include "mend/standard_uses.h"
#include "mend/type_edits.h"

namespace komuz::frontend {

namespace {

// True for an operation on bytes. A Bytes has many of them.
bool is_of_bytes(std::string_view function) {
  for (const BuiltinRow& row : kBuiltins)
    if (row.name == function) return only_type(row) == Scalar::U8;
  return false;
}
// The string literal among a node and its operands; kNone: there is none.
Index find_string(const Columns& c, Index node) {
  for (const Index i : {node, Index{c.left[node]}, Index{c.right[node]}})
    if (i != kNone && node_kind(c, i) == Node::String) return i;
  return kNone;
}
// True for `"a"`, `"\n"`.
bool is_one_character(std::string_view text) {
  if (text == "\"'\"") return false;
  return text.size() == 3 ? static_cast<u8>(text[1]) < 0x80 : text.size() == 4 && text[1] == '\\';
}
bool takes_floats_alone(const BuiltinRow& row) {
  return row.types != 0 && (row.types & ~(type_bit(Scalar::F32) | type_bit(Scalar::F64))) == 0;
}
// True if the function in which a token stands has an Option as its result.
bool gives_option(const Columns& c, Index t) {
  for (Index k = t; k > 0 && t - k < kLongestBrackets && token_at(c, k) != Token::Fn; --k)
    if (token_at(c, k) == Token::Arrow) return text_of(c, i64{k} + 1) == "Option";
  return false;
}
u32 number_of(std::string_view digits) {
  u32 number = 0;
  for (const char digit : digits) number = number * 10 + static_cast<u32>(digit - '0');
  return number;
}

// True if a node is a branch of the `if` above it; the condition may stand between the two.
bool is_branch(const Columns& c, Index node, Index above) {
  if (above == kNone || c.right[above] != node) return false;
  return node_kind(c, above) == Node::Else ||
         (node_kind(c, above) == Node::Body && node_kind(c, c.left[above]) == Node::If);
}
// The whole `if` whose value the last value of a branch is.
Index whole_choice(const Columns& c, Index value) {
  Index whole = value;
  for (Index above = parent_of(c, whole); above != kNone; above = parent_of(c, whole)) {
    const Node kind = node_kind(c, above);
    const bool is_last = (kind == Node::Semi && c.right[above] == whole) ||
                         (kind == Node::Block && is_branch(c, above, parent_of(c, above)));
    const bool is_condition = kind == Node::Else && c.left[above] == whole && whole != value;
    if (!is_last && !is_condition && (whole == value || !is_branch(c, whole, above))) return whole;
    whole = above;
  }
  return whole;
}
// Where the type is spelled that a value must have: the result type of the function, or the type of the variable to
// which the value is bound; 0: nothing says it.
u32 type_of_place(const Columns& c, Index call) {
  const Index value = whole_choice(c, call), above = parent_of(c, value);
  if (above == kNone) return 0;
  if (node_kind(c, above) == Node::Assign && c.right[above] == value) {
    const Index left = c.left[above];
    const bool is_stated =
        left != kNone && node_kind(c, left) == Node::Colon && c.right[left] != kNone;
    return is_stated ? subtree_span(c, c.right[left]).begin : 0;
  }
  const bool returns = node_kind(c, above) == Node::Return;
  if (!returns && node_kind(c, above) != Node::Block) return 0;
  const Index first = c.token[above];
  for (Index t = first; t > 0 && first - t < kLongestBrackets && token_at(c, t) != Token::Fn; --t) {
    if (token_at(c, t) == Token::Arrow) return c.token_start[t + 1];
    const bool is_brace = token_at(c, t) == Token::RBrace || token_at(c, t) == Token::LBrace;
    if (!returns && t != first && is_brace) return 0;
  }
  return 0;
}

// True for the `or` of `xs.last().or(0)`.
bool is_of_element(const Columns& c, Index t) {
  return text_of(c, i64{t} - 2) == ")" && text_of(c, i64{t} - 3) == "(" &&
         gives_element(text_of(c, i64{t} - 4));
}

}  // namespace

bool refine_option_method(const Columns& c, Index call, Diagnostic& row) {
  const Index dot = c.left[call];
  if (dot == kNone || node_kind(c, dot) != Node::Dot || c.right[dot] == kNone) return false;
  const Index t = c.token[c.right[dot]];
  if (!is_among(text_of(c, t), {"or", "is_some", "is_none"}) || !is_of_element(c, t)) return false;
  become(row, DiagnosticCode::NotAnOption, c.token_start[t - 4], c.token_length[t - 4]);
  move_to(c, row, t, t);
  return true;
}

bool refine_method(const Columns& c, Index name, Diagnostic& row) {
  const bool is_of_elements = std::exchange(row.a, 0) == kOfElements;
  const Index t = c.token[name], dot = parent_of(c, name);
  if (dot == kNone || node_kind(c, dot) != Node::Dot || c.right[dot] != name ||
      c.left[dot] == kNone)
    return false;
  const std::string_view word = text_of(c, t);
  const bool unwraps = is_among(word, {"unwrap", "unwrap_or", "unwrap_or_default", "expect"});
  if (unwraps && is_of_element(c, t)) {
    become(row, DiagnosticCode::NotAnOption, c.token_start[t - 4], c.token_length[t - 4]);
    return true;
  }
  const AliasRow* const alias = find_function_alias(word);
  const bool is_method = alias != nullptr && alias->kind == AliasKind::Method;
  if (is_of_elements && is_among(word, {"rotate_left", "rotate_right"})) {
    become(row, DiagnosticCode::UnknownFunction, kNoEdit, 0);
    return true;
  }
  if (alias == nullptr || (!is_method && !is_of_bytes(alias->right)) || !is_of_elements)
    return false;
  if (is_method) {
    become(row, DiagnosticCode::UnknownFunction, 0, 0);
    return true;
  }
  const bool is_standard = !standard_modules_with(word).empty();
  become(row, is_standard ? DiagnosticCode::FunctionWithoutUse : DiagnosticCode::UnknownFunction,
         is_standard ? 0 : kNoEdit, 0);
  return true;
}

bool refine_number_method(const Columns& c, Index name, Diagnostic& row) {
  if (row.a != kOfNumber) return false;
  const Index dot = parent_of(c, name);
  if (dot == kNone || node_kind(c, dot) != Node::Dot || c.right[dot] != name ||
      c.left[dot] == kNone || operator_of_method(text_of(c, c.token[name])).empty())
    return false;
  become(row, DiagnosticCode::UnknownFunction, subtree_span(c, c.left[dot]).begin + 1, 0);
  return true;
}

bool refine_field(const Columns& c, Index dot, Diagnostic& row) {
  if (node_kind(c, dot) != Node::Dot || c.right[dot] == kNone) return false;
  const Index t = c.token[c.right[dot]];
  const std::string_view word = text_of(c, t);
  const AliasRow* const alias = find_function_alias(word);
  // `xs.shape[0]`
  const bool is_shape = alias != nullptr && alias->edit == AliasEdit::Shape &&
                        has_elements(c, c.type[inside_parentheses(c, c.left[dot])]);
  const bool is_alias = is_shape || (alias != nullptr && names_builtin_function(alias->right));
  if (!is_alias && !names_builtin_function(word)) return false;
  become(row, is_alias ? DiagnosticCode::UnknownFunction : DiagnosticCode::FunctionAsValue, 0, 0);
  move_to(c, row, t, t);
  return true;
}

bool refine_count(const Columns& c, Index call, Diagnostic& row) {
  if (node_kind(c, call) != Node::Call || c.left[call] == kNone ||
      call_receiver(c, call) == kNone || row.a == 0 || row.b == 0)
    return false;
  become(row, DiagnosticCode::MethodArguments, row.a - 1, row.b - 1);
  return true;
}

bool refine_assigned(const Columns& c, Index name, Diagnostic& row) {
  // `(a, b) = (0, 1)` with names that are all unknown.
  Index place = name;
  for (Index above = parent_of(c, place); above != kNone; above = parent_of(c, place)) {
    const Node kind = node_kind(c, above);
    if (kind != Node::Comma && kind != Node::Paren) break;
    place = above;
    if (kind == Node::Paren) break;
  }
  for (Index i = c.begin[place]; i < c.end[place]; ++i) {
    const bool is_unknown =
        c.error[i] == c.error[name] || node_kind(c, i) == Node::Comma || i == place;
    if (place != name && !is_unknown) return false;
  }
  const Index assign = parent_of(c, place);
  if (assign == kNone || node_kind(c, assign) != Node::Assign || c.left[assign] != place)
    return false;
  const Index around = parent_of(c, assign);
  if (around == kNone ||
      (node_kind(c, around) != Node::Semi && node_kind(c, around) != Node::Block))
    return false;
  u32 blocks = 0;
  for (Index owner = c.owner[assign]; owner != kNone; owner = c.owner[owner])
    blocks += node_kind(c, owner) == Node::Block;
  // In an inner block the variable would end with the block, and be unknown behind it.
  become(row, DiagnosticCode::AssignedUnknown, blocks == 1 ? 0 : kNoEdit, 0);
  const Span all = subtree_span(c, place);
  span(row, all.begin, all.end);
  return true;
}

bool refine_string(const Columns& c, Index node, Diagnostic& row) {
  constexpr u32 kByte = static_cast<u32>(Scalar::U8) << 28;
  if (row.a != kByte && row.b != kByte) return false;
  const Index string = find_string(c, node);
  if (string == kNone || !is_one_character(text_of(c, c.token[string]))) return false;
  become(row, DiagnosticCode::StringForByte, 0, 0);
  move_to(c, row, c.token[string], c.token[string]);
  return true;
}

bool refine_compared(const Columns& c, Index node, Diagnostic& row) {
  const Index comma = parent_of(c, node);
  if (comma == kNone || node_kind(c, comma) != Node::Comma || c.right[comma] != node ||
      c.left[comma] == kNone)
    return false;
  const Index paren = parent_of(c, comma);
  const Index call = paren == kNone ? kNone : parent_of(c, paren);
  if (call == kNone || node_kind(c, call) != Node::Call ||
      text_of(c, c.token[c.left[call]]) != "cmp")
    return false;
  const std::string first = capacity_of_type(row.a, source_of(c)),
                    second = capacity_of_type(row.b, source_of(c));
  const bool are_numbers = first.find_first_not_of("0123456789") == std::string::npos &&
                           second.find_first_not_of("0123456789") == std::string::npos;
  if (!are_numbers || number_of(first) >= number_of(second)) return false;
  const Span smaller = subtree_span(c, c.left[comma]);
  become(row, DiagnosticCode::ListCapacity, row.b, row.a);
  span(row, smaller.begin, smaller.end);
  return true;
}

bool refine_unused(const Columns& c, Index node, Diagnostic& row) {
  const Index block = nearest_around(c, node, [](Node kind) { return kind == Node::Block; });
  const Index body = block == kNone ? kNone : parent_of(c, block);
  if (body == kNone || node_kind(c, body) != Node::Body || c.right[body] != block ||
      node_kind(c, c.left[body]) != Node::If)
    return false;
  // The node comes last in its block, and the block itself is not dropped.
  const Index inner = c.right[block];
  if (inner != node && !(node_kind(c, inner) == Node::Semi && c.right[inner] == node)) return false;
  const Index assign = parent_of(c, body);
  if (assign == kNone || node_kind(c, assign) != Node::Assign || c.right[assign] != body)
    return false;
  become(row, DiagnosticCode::MissingElse, 0, 0);
  move_to(c, row, c.token[c.left[body]], c.token[c.left[body]]);
  return true;
}

void refine_sum_field(const Columns& c, Diagnostic& row) {
  const Index first = first_of_sum(c, row.a);
  if (first != kNone) row.b = c.token_start[first];
}

void refine_float_call(const Columns& c, Index call, Diagnostic& row) {
  const Index callee = c.left[call];
  if (callee == kNone || row.b != 0 || !is_integer_brief(row.a)) return;
  const Index name = node_kind(c, callee) == Node::Dot ? Index{c.right[callee]} : callee;
  if (name == kNone) return;
  const std::string_view word = text_of(c, c.token[name]);
  // An integer already is what these functions would make of it.
  if (is_among(word, {"floor", "ceil", "round", "trunc"})) return;
  for (const BuiltinRow& builtin : kBuiltins)
    if (builtin.name == word && takes_floats_alone(builtin))
      row.b = builtin_arity(builtin) == 1 ? static_cast<u32>(Scalar::F64) << 28 : kNoEdit;
}

void refine_null(const Columns& c, Index name, Diagnostic& row) {
  const Index t = c.token[name];
  if (!is_among(text_of(c, t), {"null", "nil", "undefined"})) return;
  const Token before = token_at(c, i64{t} - 1);
  const bool is_compared = before == Token::Eq || before == Token::Ne;
  if (is_compared || (before == Token::Return && gives_option(c, t))) row.a = kNoneMeant;
}

void refine_immutable(const Columns& c, Diagnostic& row) {
  const Index binder = row.a, owner = c.owner[binder];
  row.a = row.b = 0;
  // The `let` that could be a `var`, plus one.
  if (owner != kNone && node_kind(c, owner) == Node::Let) {
    row.a = c.token_start[c.token[owner]] + 1;
    return;
  }
  const Index t = c.token[binder];
  if (!is_parameter(c, t) || token_at(c, i64{t} + 1) != Token::Colon) return;
  // Behind the function's `{` a variable of the same name may be declared.
  for (Index k = t; k < c.tokens && k - t < kLongestBrackets; ++k)
    if (token_at(c, k) == Token::LBrace) {
      row.b = end_of(c, k);
      return;
    }
}

bool refine_collect(const Columns& c, Index name, Diagnostic& row) {
  const Index t = c.token[name], dot = parent_of(c, name);
  const Index call = dot == kNone ? kNone : parent_of(c, dot);
  if (!is_among(text_of(c, t), {"collect", "to_list", "toList", "to_vec"}) || call == kNone ||
      node_kind(c, call) != Node::Call || node_kind(c, dot) != Node::Dot)
    return false;
  const u32 type = type_of_place(c, call);
  if (type == 0 || !collect_edit(c.token_start[t], end_of(c, t), type, source_of(c))) return false;
  become(row, DiagnosticCode::ChainLength, type, 0);
  return true;
}

void refine_slice_value(const Columns& c, Index node, Diagnostic& row) {
  const Node kind = node_kind(c, node);
  if (kind != Node::Name && kind != Node::Index) return;
  row.a = type_of_place(c, node);
  row.b = subtree_span(c, node).end;
}

void refine_chain_length(const Columns& c, Index call, Diagnostic& row) {
  row.a = type_of_place(c, call);
}

}  // namespace komuz::frontend
