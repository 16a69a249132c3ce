// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_types.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/findings/habits/refine_words.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/aliases.h"

namespace komuz::frontend {

namespace {

// The most tokens of a type.
constexpr u32 kLongestType = 128;

// True if a token may stand inside of a type as other languages write types.
bool is_of_types(Token token) {
  switch (token) {
    case Token::Name:
    case Token::Int:
    case Token::Comma:
    case Token::Semi:
    case Token::Lt:
    case Token::Gt:
    case Token::Shr:
    case Token::Amp:
    case Token::LParen:
    case Token::RParen:
    case Token::LBracket:
    case Token::RBracket: return true;
    default: return false;
  }
}

// The open `<` before a token; kNone: there is none.
Index angle_before(const Columns& c, Index t) {
  u32 depth = 0;
  for (Index k = t; k > 0 && t - k < kLongestType; --k) {
    const Token before = token_at(c, i64{k} - 1);
    if (!is_of_types(before)) return kNone;
    if (before == Token::Lt && depth-- == 0) return k - 1;
    if (before == Token::Gt) ++depth;
    if (before == Token::Shr) depth += 2;
  }
  return kNone;
}
// The token that closes it.
Index angle_end(const Columns& c, Index open) {
  u32 depth = 0;
  for (Index k = open; k < c.tokens && k - open < kLongestType; ++k) {
    const Token token = token_at(c, k);
    if (!is_of_types(token)) return kNone;
    const u32 closed = token == Token::Gt ? 1 : token == Token::Shr ? 2 : 0;
    if (closed > depth) return kNone;
    depth = depth + (token == Token::Lt) - closed;
    if (depth == 0) return k;
  }
  return kNone;
}
// True for the `=` of `type Name = …`.
bool names_type(const Columns& c, i64 assign) {
  return token_at(c, assign) == Token::Assign && token_at(c, assign - 2) == Token::Type;
}
// The `:`, `->` or `=` before the type to which a token belongs; kNone: it belongs to none.
Index mark_before(const Columns& c, Index t) {
  for (Index k = t; k > 0 && t - k < kLongestType; --k) {
    const Token before = token_at(c, i64{k} - 1);
    if (before == Token::Colon || before == Token::Arrow || names_type(c, i64{k} - 1)) return k - 1;
    if (!is_of_types(before)) return kNone;
  }
  return kNone;
}

// True if the tokens from `name` to `last` are the whole type of a parameter.
bool is_of_parameter(const Columns& c, Index name, Index last) {
  const Token behind = token_at(c, i64{last} + 1);
  return token_at(c, i64{name} - 1) == Token::Colon && is_parameter(c, name) &&
         (behind == Token::Comma || behind == Token::RParen);
}

bool is_sequence(std::string_view word) {
  return word == "Vec" || word == "list" || word == "Array";
}
// `Vec<i64>`, `Vec[i64]`: a type of another language, by its name. As the type of a parameter, a sequence becomes a
// slice.
bool refine_foreign_type(const Columns& c, Index name, Index last, Diagnostic& row) {
  const AliasRow* const alias = find_alias(text_of(c, name));
  if (alias == nullptr || alias->kind != AliasKind::Type) return false;
  const bool is_slice = is_sequence(text_of(c, name)) && is_of_parameter(c, name, last);
  become(row, DiagnosticCode::UnknownType, is_slice ? end_of(c, last) : 0, 0);
  move_to(c, row, name, name);
  return true;
}

bool is_function_word(std::string_view word) {
  return word == "Fn" || word == "FnMut" || word == "FnOnce";
}
// The first token behind the type to which `t` belongs.
Index type_end(const Columns& c, Index t) {
  u32 depth = 0;
  for (Index k = t; k < c.tokens && k - t < kLongestType; ++k) {
    const Token token = token_at(c, k);
    const bool ends = token == Token::Comma || token == Token::Assign || token == Token::Semi;
    if (token == Token::LBrace || (depth == 0 && (ends || closes(token)))) return k;
    depth += opens(token);
    depth -= closes(token);
  }
  return t + 1;
}
// The token behind the mark before the type of a parameter, a variable, a result or an item; kNone: it is no such
// type.
Index function_type_start(const Columns& c, Index t) {
  const Index mark = mark_before(c, t);
  if (mark == kNone) return kNone;
  const Token binder = token_at(c, i64{mark} - 2);
  const bool is_result =
      token_at(c, mark) == Token::Arrow && token_at(c, i64{mark} - 1) == Token::RParen;
  const bool is_variable = binder == Token::Let || binder == Token::Var;
  const bool stands_there =
      is_result || is_variable || names_type(c, mark) || is_parameter(c, mark);
  return stands_there ? mark + 1 : kNone;
}
void become_function_type(const Columns& c, Index first, Index t, Diagnostic& row) {
  become(row, DiagnosticCode::FunctionType, 0, 0);
  move_to(c, row, first, type_end(c, t) - 1);
}

}  // namespace

bool refine_angles(const Columns& c, Index t, Diagnostic& row) {
  Index open = token_at(c, t) == Token::Lt ? t : angle_before(c, t);
  if (open == kNone || open == 0) return false;
  for (Index outer = angle_before(c, open - 1); outer != kNone && outer != 0;
       outer = angle_before(c, open - 1))
    open = outer;
  const Index name = open - 1, last = angle_end(c, open);
  if (last == kNone || token_at(c, name) != Token::Name || mark_before(c, name) == kNone)
    return false;
  for (Index k = name; k < last; ++k) {
    const Index end = token_at(c, i64{k} + 1) == Token::Lt ? angle_end(c, k + 1) : kNone;
    if (end != kNone && refine_foreign_type(c, k, end, row)) return true;
  }
  become(row, DiagnosticCode::TypeInAngles, 0, 0);
  move_to(c, row, name, last);
  return true;
}

void refine_result(const Columns& c, Index t, Diagnostic& row) {
  Index k = t;
  while (k + 2 < c.tokens && token_at(c, k) != Token::Arrow && token_at(c, k) != Token::LBrace) ++k;
  if (token_at(c, k) == Token::Arrow && token_at(c, i64{k} + 2) == Token::Lt)
    (void)refine_angles(c, k + 2, row);
}

bool refine_type_brackets(const Columns& c, Index bracket, Diagnostic& row) {
  const Index close = closer_of(c, bracket);
  return bracket != 0 && close != kNone && refine_foreign_type(c, bracket - 1, close, row);
}

bool refine_leading_brackets(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view word = text_of(c, t);
  const bool names = !word.empty() && (is_type_word(word) || (word[0] >= 'A' && word[0] <= 'Z'));
  const bool is_constant = text_of(c, i64{t} - 1) == "const";
  if (!names) return false;
  const bool is_element = is_constant && text_of(c, i64{t} - 2) == "[";
  if (is_element && token_at(c, i64{t} - 3) != Token::Name) {  // `: [const i64]`
    const Index close = closer_of(c, t - 2);
    if (close == kNone) return false;
    become(row, DiagnosticCode::TypeBrackets, 0, 0);
    move_to(c, row, t - 2, close);
    return true;
  }
  // `[]i64`, `[3][4]i64`
  i64 open = i64{t} - (is_constant ? 1 : 0);
  bool has_number = true;
  while (text_of(c, open - 1) == "]") {
    const i64 number = open - 2;
    has_number = token_at(c, number) == Token::Int;
    const i64 first = has_number ? number - 1 : number;
    if (text_of(c, first) != "[") return false;
    open = first;
  }
  const Token mark = token_at(c, open - 1);
  if (open == i64{t} - (is_constant ? 1 : 0) || (mark != Token::Colon && mark != Token::Arrow))
    return false;
  // A result cannot be `[T]`.
  become(row, DiagnosticCode::TypeBrackets, 0, has_number || mark == Token::Colon ? 0 : kNoEdit);
  move_to(c, row, static_cast<Index>(open), t);
  return true;
}

void refine_type_body(const Columns& c, Index t, Diagnostic& row) {
  const Index close = token_at(c, t) == Token::LBrace ? closer_of(c, t) : kNone;
  if (close != kNone && token_at(c, i64{t} - 1) == Token::Assign) move_to(c, row, t, close);
}

bool refine_type_braces(const Columns& c, Index t, Diagnostic& row) {
  const bool is_body = token_at(c, t) == Token::LBrace && token_at(c, i64{t} - 1) == Token::Name &&
                       token_at(c, i64{t} - 2) == Token::Assign &&
                       token_at(c, i64{t} - 4) == Token::Type;
  const Index close = is_body ? closer_of(c, t) : kNone;
  if (close == kNone) return false;
  become(row, DiagnosticCode::TypeWithBody, 0, 0);
  move_to(c, row, t - 1, close);
  return true;
}

bool refine_text_type(const Columns& c, Index t, Diagnostic& row) {
  const std::string_view word = text_of(c, t);
  const bool is_text = word == "str" || word == "String" || word == "string";
  if (!is_text || !is_of_parameter(c, t, t)) return false;
  row.a = end_of(c, t);
  return true;
}

bool refine_function_type(const Columns& c, Index t, Diagnostic& row) {
  const bool is_word = is_function_word(text_of(c, t)) || is_function_word(text_of(c, i64{t} + 1));
  if (!is_word && token_at(c, t) != Token::Arrow) return false;
  const Index first = function_type_start(c, t);
  if (first == kNone) return false;
  become_function_type(c, first, token_at(c, t) == Token::Arrow ? t + 1 : t, row);
  return true;
}

void refine_function_types(const Columns& c, std::vector<Finding>& findings) {
  if (findings.empty() || c.items < 2) return;
  const std::vector<Index> first_nodes = find_first_nodes(c);
  std::unordered_set<Index> broken;            // items
  std::unordered_map<Index, Diagnostic> told;  // by the item in which the first of them stands
  Index whole = 0;
  for (Index item = 1; item < c.items; ++item) {
    const Index fn = c.token[first_nodes[item]];
    const Index first = token_at(c, fn) == Token::Fn && text_of(c, i64{fn} + 1) == "("
                            ? function_type_start(c, fn)
                            : kNone;
    if (first == kNone) {
      whole = item;
      continue;
    }
    Diagnostic row;
    become_function_type(c, first, fn, row);
    told.emplace(whole, row);
    broken.insert(whole);
    broken.insert(item);
  }
  if (told.empty()) return;
  std::erase_if(findings, [&broken](const Finding& f) { return broken.contains(f.item); });
  for (const auto& [item, row] : told) findings.push_back({row, item, kNone});
}

Index first_of_sum(const Columns& c, u32 brief) {
  if (brief >> 28 != 0xE) return kNone;
  const Index name = token_from(c, brief & 0xFF'FFFF);
  if (name == 0 || token_at(c, name - 1) != Token::Type) return kNone;
  const Index first = name + (text_of(c, i64{name} + 2) == "|" ? 3 : 2);
  return text_of(c, first) == text_of(c, name) ? kNone : first;
}

bool refine_elements_range(const Columns& c, Index node, Diagnostic& row) {
  const Index in = node == kNone ? kNone : parent_of(c, node);
  const Index colon = in == kNone || node_kind(c, in) != Node::In ? kNone : parent_of(c, in);
  if (colon == kNone || node_kind(c, colon) != Node::Colon) return false;
  const bool is_type = c.left[in] == node;
  become(row, DiagnosticCode::PropRange, is_type || is_list_brief(c, row.a) ? kOfElements : 0, 0);
  if (!is_type) return true;
  const Span type = subtree_span(c, node);
  span(row, type.begin, type.end);
  return true;
}

bool refine_field_type(const Columns& c, Index bracket, Diagnostic& row) {
  if (token_at(c, bracket) != Token::LBracket || token_at(c, i64{bracket} - 1) != Token::Name)
    return false;
  const Token before = token_at(c, i64{bracket} - 2);
  if (before != Token::LParen && before != Token::Comma) return false;
  for (i64 t = i64{bracket} - 2; t >= 0 && bracket - t < kLongestLook; --t) {
    const Token token = token_at(c, t);
    if (token == Token::Semi || token == Token::LBrace || token == Token::Fn) return false;
    if (token != Token::Type) continue;
    become(row, DiagnosticCode::FieldType, 0, 0);
    move_to(c, row, bracket - 1, bracket - 1);
    return true;
  }
  return false;
}

}  // namespace komuz::frontend
