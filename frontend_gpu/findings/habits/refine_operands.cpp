// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_operands.h"

#include <string>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/questions/arguments.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/builtins.h"
#include "lang/diagnostic_types.h"
#include "mend/mend.h"
#include "mend/source_text.h"
#include "mend/type_edits.h"

namespace komuz::frontend {

namespace {

Index above(const Columns& c, Index node) { return node == kNone ? kNone : parent_of(c, node); }

bool is_float_value(u32 type) { return is_float_brief(type) || type == kFloatLiteralBrief; }
// The type that a literal has where it stands alone. Other types stay as they are.
u32 settled_brief(u32 type) {
  if (type == kFloatLiteralBrief) return brief_of(Scalar::F64);
  return type == kIntegerLiteralBrief ? brief_of(Scalar::I64) : type;
}
void expect(const Columns& c, Index node, u32 wanted, u32 found, Diagnostic& row) {
  const Span all = subtree_span(c, node);
  row = make_diagnostic(DiagnosticCode::Mismatch, all.begin, all.end - all.begin, wanted, found);
}
// Says that another type is expected of a value, if there is an edit that gives it that type.
bool mend(const Columns& c, Index node, u32 wanted, u32 found, Diagnostic& row) {
  Diagnostic mended;
  expect(c, node, wanted, found, mended);
  if (!type_edit(mended, source_of(c))) return false;
  row = mended;
  return true;
}

// The `i64` and the `4` of `[i64; 4]` or `List[i64, 4]`.
struct Elements {
  std::string_view type;
  u64 capacity = 0;
};
Elements elements_of(std::string_view type) {
  const size_t open = type.find('['), mark = type.find_last_of(";,");
  if (open == std::string_view::npos || mark == std::string_view::npos || mark < open) return {};
  const std::string_view digits = trimmed(type.substr(mark + 1, type.size() - mark - 2));
  if (!are_digits(digits) || digits.size() > 5) return {};
  return {trimmed(type.substr(open + 1, mark - open - 1)), std::stoull(std::string(digits))};
}
// Mends a list beside an array, or beside a list with less room.
bool mend_list(const Columns& c, Index node, u32 wanted, u32 found, Diagnostic& row) {
  const std::string list = type_text(wanted, source_of(c)), other = type_text(found, source_of(c));
  const bool is_list =
      list.starts_with("List[") && (other.starts_with("[") || other.starts_with("List["));
  const Elements own = elements_of(list), given = elements_of(other);
  if (!is_list || own.type.empty() || own.type != given.type || given.capacity > own.capacity)
    return false;
  const Span all = subtree_span(c, node);
  row =
      make_diagnostic(DiagnosticCode::ListCapacity, all.begin, all.end - all.begin, wanted, found);
  return true;
}

// True if the parentheses or the head in which a name stands bind it: `for (i, x) in xs`, `(a, x) => …`,
// `for x in xs`.
bool is_in_pattern(const Columns& c, Index t) {
  if (token_at(c, i64{t} - 1) == Token::For) return true;
  const Index open = opener_of(c, t);
  const Index close = open == kNone ? kNone : closer_of(c, open);
  if (close == kNone || token_at(c, open) != Token::LParen) return false;
  const Token behind = token_at(c, i64{close} + 1), before = token_at(c, i64{open} - 1);
  return behind == Token::FatArrow || behind == Token::In || before == Token::Let ||
         before == Token::Var;
}
// Where a name is bound, as far as the tokens before it show; kNone: it is far away, or something else than a `let`
// or `var` may bind it.
Index binder_before(const Columns& c, Index name) {
  for (Index t = name; t > 0 && name - t < kLongestBrackets; --t) {
    const Token item = token_at(c, t);
    if (item == Token::Fn || item == Token::Test || item == Token::Prop) return kNone;
    const Index k = t - 1;
    if (token_at(c, k) != Token::Name || text_of(c, k) != text_of(c, name)) continue;
    const Token before = token_at(c, i64{k} - 1), behind = token_at(c, t);
    if (before == Token::Let || before == Token::Var) return k;
    const bool may_bind = before == Token::For || before == Token::Comma || before == Token::LParen;
    if (behind == Token::FatArrow || behind == Token::Colon || (may_bind && is_in_pattern(c, k)))
      return kNone;
  }
  return kNone;
}
// The integer with which an array is filled: `[0; 3]`, `[[0; 3]; 3]`.
Index first_element(const Columns& c, Index open) {
  Index t = open;
  while (token_at(c, t) == Token::LBracket) ++t;
  const bool fills = t != open && token_at(c, i64{t} + 1) == Token::Semi;
  return fills && are_digits(text_of(c, t)) ? t : kNone;
}
// The integer literal with which a variable without a stated type starts, or with which its elements do; kNone: it
// starts with something else.
Index first_integer(const Columns& c, Index name) {
  if (!is(c, name, Node::Name)) return kNone;
  const Index binder = binder_before(c, c.token[name]);
  if (binder == kNone || token_at(c, i64{binder} + 1) != Token::Assign) return kNone;
  if (is(c, above(c, name), Node::Index)) return first_element(c, binder + 2);
  const Index value = token_at(c, i64{binder} + 2) == Token::Minus ? binder + 3 : binder + 2;
  const Token behind = token_at(c, i64{value} + 1);
  const bool is_alone =
      behind == Token::Semi || (value + 1 < c.tokens && is_first_on_line(c, value + 1));
  return is_alone && are_digits(text_of(c, value)) ? value : kNone;
}
// Where `for i in 0..10`, with literals as ends, binds a name; kNone: something else binds it.
Index counter_of_range(const Columns& c, Index name) {
  if (!is(c, name, Node::Name)) return kNone;
  for (Index t = c.token[name]; t > 0 && c.token[name] - t < kLongestBrackets; --t) {
    const Index k = t - 1;
    const Token before = token_at(c, i64{k} - 1);
    const std::string_view dots = text_of(c, i64{k} + 3);
    if (token_at(c, k) == Token::Fn) return kNone;
    if (text_of(c, k) != text_of(c, c.token[name])) continue;
    const bool is_typed = token_at(c, t) == Token::Colon;  // finding its bracket takes long
    if (before == Token::Let || before == Token::Var || (is_typed && is_parameter(c, k)))
      return kNone;
    if (before != Token::For) continue;
    const bool is_literal = token_at(c, t) == Token::In && are_digits(text_of(c, i64{k} + 2)) &&
                            (dots == ".." || dots == "..=") && are_digits(text_of(c, i64{k} + 4)) &&
                            text_of(c, i64{k} + 5) == "{";
    return is_literal ? k : kNone;
  }
  return kNone;
}
bool become_float(const Columns& c, Index name, u32 type, Diagnostic& row) {
  const Index literal = first_integer(c, name);
  if (literal == kNone) return false;
  row = make_diagnostic(DiagnosticCode::IntegerForFloat, c.token_start[literal],
                        c.token_length[literal], settled_brief(type), 0);
  return true;
}
// Says which type a variable should state. The value is the variable, or is computed from such variables and
// literals.
bool state_type(const Columns& c, Index value, u32 wanted, u32 found, Diagnostic& row) {
  // If a byte is wanted, a wider type for the other number is more likely meant.
  const bool is_wanted = wanted == brief_of(Scalar::I32) || wanted == brief_of(Scalar::U32) ||
                         wanted == brief_of(Scalar::U64);
  if (found != brief_of(Scalar::I64) || !is_wanted) return false;
  Index name = kNone;
  for (Index i = c.begin[value]; i < c.end[value]; ++i) {
    const Node kind = node_kind(c, i);
    if (kind == Node::Call || kind == Node::Dot || kind == Node::Index) return false;
    if (kind != Node::Name) continue;
    if (first_integer(c, i) == kNone && counter_of_range(c, i) == kNone) return false;
    if (name == kNone) name = i;
  }
  if (name == kNone) return false;
  const Index counter = counter_of_range(c, name);
  const Index binder = counter != kNone ? counter : binder_before(c, c.token[name]);
  row = make_diagnostic(DiagnosticCode::StatedType, c.token_start[binder], c.token_length[binder],
                        wanted, found);
  return true;
}
bool is_same_name(const Columns& c, Index a, Index b) {
  return is(c, a, Node::Name) && is(c, b, Node::Name) &&
         text_of(c, c.token[a]) == text_of(c, c.token[b]);
}
// The amount of a shift has a type of its own, so a shift does not count.
bool assigns(const Columns& c, Index node) {
  if (node == kNone || c.left[node] == kNone || c.right[node] == kNone) return false;
  const Node kind = node_kind(c, node);
  const bool updates = node_row(kind).node_class == NodeClass::Update && kind != Node::ShlAssign &&
                       kind != Node::ShrAssign;
  return kind == Node::Assign || updates;
}
// True if the result of an operator goes back to the variable: `s = s + x`, `best = max(best, x)`.
bool goes_back(const Columns& c, Index node, Index name) {
  for (Index part = node, around = above(c, part); around != kNone;
       part = around, around = above(c, part)) {
    if (assigns(c, around)) return c.right[around] == part && is_same_name(c, c.left[around], name);
    if (is(c, around, Node::Semi) || is(c, around, Node::Block)) return false;
  }
  return false;
}

Index first_name(const Columns& c, Index value) {
  for (Index i = c.begin[value]; i < c.end[value]; ++i)
    if (is(c, i, Node::Name)) return i;
  return kNone;
}
// True if a variable counts: `k += 1`.
bool counts(const Columns& c, Index name) {
  const Index binder = binder_before(c, name);
  if (binder == kNone) return false;
  for (Index t = binder; t + 2 < c.tokens && t - binder < kLongestBrackets; ++t) {
    if (token_at(c, t) == Token::Fn) return false;
    const Token sign = token_at(c, i64{t} + 1);
    const bool is_step = sign == Token::AddAssign || sign == Token::SubAssign;
    if (is_step && text_of(c, t) == text_of(c, name) && are_digits(text_of(c, i64{t} + 2)))
      return true;
  }
  return false;
}
// True for `hi - lo > 1e-9`: a value is compared with a float literal, and consists of variables that start with
// integers, none of which counts. So these variables are meant as floats.
bool is_measured(const Columns& c, Index node, Index value, u32 other) {
  const Node kind = node_kind(c, node);
  const bool compares =
      kind == Node::Lt || kind == Node::Le || kind == Node::Gt || kind == Node::Ge;
  if (!compares || other != kFloatLiteralBrief) return false;
  bool has_name = false;
  for (Index i = c.begin[value]; i < c.end[value]; ++i) {
    if (is(c, i, Node::Call) || is(c, i, Node::Dot) || is(c, i, Node::Index)) return false;
    if (!is(c, i, Node::Name)) continue;
    if (first_integer(c, i) == kNone || counts(c, c.token[i])) return false;
    has_name = true;
  }
  return has_name;
}

// The scalar that an Option holds; 0: it holds another type.
u32 held_scalar(std::string_view option) {
  if (!option.starts_with("Option[")) return 0;
  for (u8 s = 1; s < kScalarCount; ++s)
    if (option.substr(7, option.size() - 8) == scalar_name(static_cast<Scalar>(s)))
      return brief_of(static_cast<Scalar>(s));
  return 0;
}

// The first argument that has the type wanted of the others and is no literal; kNone: none has.
Index find_wanted(const Columns& c, Index call) {
  Index found = kNone;
  ArgumentsBackwards arguments(c, call);
  for (Index e = arguments.next(); e != kNone; e = arguments.next())
    if (c.error[e] == 0 && !is(c, e, Node::Int)) found = e;
  return found;
}
// True for a function that takes several floats.
bool takes_floats(std::string_view function) {
  for (const BuiltinRow& builtin : kBuiltins)
    if (builtin.name == function)
      return builtin_arity(builtin) > 1 && (builtin.types & type_bit(Scalar::F64)) != 0;
  return false;
}

// `xs.fold(0, (a, x) => a + x)` of floats: the literal with which the first parameter starts; kNone: it is
// something else.
Index start_of_fold(const Columns& c, Index name) {
  if (!is(c, name, Node::Name)) return kNone;
  const Index lambda = nearest_around(c, name, [](Node kind) { return kind == Node::Lambda; });
  if (lambda == kNone || !is(c, c.left[lambda], Node::Paren)) return kNone;
  const Index open = c.token[c.left[lambda]];
  const Index call = call_of_argument(c, lambda);
  if (text_of(c, i64{open} + 1) != text_of(c, c.token[name]) || !is(c, call, Node::Call))
    return kNone;
  const Index callee = c.token[call_name(c, call)];
  const bool is_fold = text_of(c, callee) == "fold" && are_digits(text_of(c, i64{callee} + 2)) &&
                       text_of(c, i64{callee} + 3) == ",";
  return is_fold ? callee + 2 : kNone;
}
bool become_float_start(const Columns& c, Index name, u32 type, Diagnostic& row) {
  const Index literal = start_of_fold(c, name);
  if (literal == kNone) return false;
  row = make_diagnostic(DiagnosticCode::IntegerForFloat, c.token_start[literal],
                        c.token_length[literal], settled_brief(type), 0);
  return true;
}

// True if the surroundings of a value want an integer wider than a byte: `let n: i64 = 'a' + i;`, the result of a
// function.
bool is_wide_wanted(const Columns& c, Index value) {
  Index whole = value, around = above(c, value);
  while (is(c, around, Node::Paren)) {
    whole = around;
    around = above(c, around);
  }
  Index type = 0;  // the first token of the stated type
  if (is(c, around, Node::Assign) && c.right[around] == whole) {
    const Index left = c.left[around];
    const Index colon = left == kNone ? kNone : c.right[left];
    if (!is(c, left, Node::Colon) && !is(c, colon, Node::Colon)) return false;
    type = c.token[is(c, left, Node::Colon) ? left : colon] + 1;
  } else if (is(c, around, Node::Block) || is(c, around, Node::Semi) ||
             is(c, around, Node::Return)) {
    Index t = c.token[value];
    while (t > 0 && c.token[value] - t < kLongestBrackets && token_at(c, t) != Token::Fn) --t;
    while (t < c.token[value] && token_at(c, t) != Token::Arrow) ++t;
    type = t + 1;
  }
  const std::string_view word = text_of(c, type);
  return type != 0 && (word == "i64" || word == "i32" || word == "u32" || word == "u64");
}
// `'a' + i`: another byte is meant, unless something says that its number is.
bool refine_byte(const Columns& c, Index node, Diagnostic& row) {
  const Index left = c.left[node], right = c.right[node];
  const u32 byte = brief_of(Scalar::U8);
  if (!is(c, node, Node::Add) || (row.a != byte) == (row.b != byte)) return false;
  const bool is_left = is(c, left, Node::Char);
  if ((!is_left && !is(c, right, Node::Char)) || is_wide_wanted(c, node)) return false;
  const u32 other = is_left ? row.b : row.a;
  if (!is_integer_brief(other)) return false;
  const Span integer = subtree_span(c, is_left ? right : left);
  row = make_diagnostic(DiagnosticCode::ByteAndInteger, integer.begin, integer.end - integer.begin,
                        other, c.token_start[c.token[is_left ? left : right]]);
  return true;
}

}  // namespace

bool refine_operands(const Columns& c, Index node, Diagnostic& row) {
  const Index left = c.left[node], right = c.right[node];
  if (left == kNone || right == kNone || row.a == 0 || row.b == 0) return false;
  const u32 a = row.a, b = row.b;
  // `x ^ 2 + n`: the power comes first, because its operands are not those of the `+`.
  const bool is_caret = is(c, node, Node::BitXor) || is(c, node, Node::XorAssign);
  if (is_caret && (is_float_value(a) || is_float_value(b))) {
    become(row, DiagnosticCode::CaretPower, 0, 0);
    move_to(c, row, c.token[node], c.token[node]);
    return true;
  }
  if (is_float_value(a) && is_integer_brief(b)) {
    if (is_measured(c, node, right, a) && become_float(c, first_name(c, right), a, row))
      return true;
    if (become_float_start(c, right, a, row)) return true;
    if (goes_back(c, node, right) && become_float(c, right, a, row)) return true;
    return mend(c, right, settled_brief(a), b, row);
  }
  if (is_integer_brief(a) && is_float_value(b)) {
    if (is_measured(c, node, left, b) && become_float(c, first_name(c, left), b, row)) return true;
    if (become_float_start(c, left, b, row)) return true;
    if (goes_back(c, node, left) && become_float(c, left, b, row)) return true;
    return mend(c, left, settled_brief(b), a, row);
  }
  if (refine_byte(c, node, row)) return true;
  if (is_integer_brief(a) && is_integer_brief(b)) {
    if (state_type(c, right, a, b, row) || state_type(c, left, b, a, row) ||
        mend(c, right, a, b, row) || mend(c, left, b, a, row))
      return true;
    const u32 byte = brief_of(Scalar::U8);
    if (a != byte && b != byte) return false;
    expect(c, a == byte ? left : right, a == byte ? b : a, byte, row);
    return true;
  }
  const std::string first = type_text(a, source_of(c)), second = type_text(b, source_of(c));
  const bool compares = is(c, node, Node::Eq) || is(c, node, Node::Ne);
  if (compares && (mend(c, right, a, b, row) || mend(c, left, b, a, row))) return true;
  if (compares && (mend_list(c, right, a, b, row) || mend_list(c, left, b, a, row))) return true;
  // `o + 1`, `o > 1`
  const u32 in_left = held_scalar(first), in_right = held_scalar(second);
  if (compares || (in_left != 0) == (in_right != 0)) return false;
  if (in_left != 0)
    expect(c, left, in_left, a, row);
  else
    expect(c, right, in_right, b, row);
  return true;
}

bool refine_start(const Columns& c, Index value, Diagnostic& row) {
  if (state_type(c, value, row.a, row.b, row)) return true;
  const Index around = above(c, value);
  const bool is_given = assigns(c, around) && c.right[around] == value;
  if (is_given && state_type(c, c.left[around], row.b, row.a, row)) return true;
  if (row.a != brief_of(Scalar::I64) || !is_float_value(row.b)) return false;
  if (is_given) {
    Index place = c.left[around];
    while (is(c, place, Node::Index)) place = c.left[place];
    return become_float(c, place, row.b, row);
  }
  const Index call = call_of_argument(c, value);
  if (!is(c, call, Node::Call)) return false;
  ArgumentsBackwards arguments(c, call);
  for (Index e = arguments.next(); e != kNone; e = arguments.next())
    if (goes_back(c, call, e) && become_float(c, e, row.b, row)) return true;
  return false;
}

bool refine_held_integer(const Columns& c, Index node, Diagnostic& row) {
  if (!is_float_value(row.a) && !is_float_value(row.b)) return false;
  const Index call = is(c, node, Node::Call) ? node : call_of_argument(c, node);
  if (!is(c, call, Node::Call) || c.left[call] == kNone) return false;
  const Index name = call_name(c, call);
  if (!is(c, name, Node::Name) || text_of(c, c.token[name]) != "or") return false;
  const Index t = c.token[name], argument = last_argument(c, call);
  const bool is_held = t > 4 && token_at(c, i64{t} - 1) == Token::Dot &&
                       token_at(c, i64{t} - 2) == Token::RParen &&
                       are_digits(text_of(c, i64{t} - 3)) && text_of(c, i64{t} - 5) == "Some";
  if (!is_held || !is(c, argument, Node::Float)) return false;
  row =
      make_diagnostic(DiagnosticCode::IntegerForFloat, c.token_start[t - 3], c.token_length[t - 3],
                      is_float_brief(row.a) ? row.a : brief_of(Scalar::F64), 0);
  return true;
}

bool refine_argument(const Columns& c, Index argument, Diagnostic& row) {
  if (!is_integer_brief(row.a) || !is_float_value(row.b)) return false;
  const Index call = call_of_argument(c, argument);
  if (!is(c, call, Node::Call)) return false;
  const Index name = call_name(c, call);
  if (!is(c, name, Node::Name) || !takes_floats(text_of(c, c.token[name]))) return false;
  const Index wrong = find_wanted(c, call);
  if (wrong == kNone || wrong == argument) return false;
  expect(c, wrong, settled_brief(row.b), row.a, row);
  return true;
}

bool refine_repeated(const Columns& c, Index node, Diagnostic& row) {
  if (!is(c, node, Node::Mul)) return false;
  const bool is_left = is(c, c.left[node], Node::Bracket);
  if (!is_left && !is(c, c.right[node], Node::Bracket)) return false;
  const Span all = subtree_span(c, node);
  become(row, DiagnosticCode::RepeatedArray, 0, 0);
  span(row, all.begin, all.end);
  return true;
}

bool refine_sort(const Columns& c, Index node, Diagnostic& row) {
  const Index lambda = nearest_around(
      c, above(c, node), [](Node kind) { return kind == Node::Lambda || kind == Node::Block; });
  if (!is(c, lambda, Node::Lambda) || !is(c, c.left[lambda], Node::Paren)) return false;
  const Index call = call_of_argument(c, lambda);
  if (!is(c, call, Node::Call)) return false;
  const Index name = call_name(c, call);
  if (!is(c, name, Node::Name)) return false;
  const Index t = c.token[name];
  const bool seeks = is_among(text_of(c, t), {"min", "max", "argmin", "argmax"});
  if (text_of(c, t) != "sort_by" && !seeks) return false;
  const Span all = subtree_span(c, lambda);
  Diagnostic sorts =
      make_diagnostic(DiagnosticCode::SortParameters, all.begin, all.end - all.begin);
  const bool is_pattern = c.left[lambda] == node;
  // `(a, b) => b.1.cmp(a.1)`, for which there is no edit.
  const std::string_view text = source_of(c).substr(all.begin, all.end - all.begin);
  const bool compares = text.find("cmp(") != std::string_view::npos &&
                        text.find('&') == std::string_view::npos;  // has its own finding
  if (!is_pattern && !compares && !diagnostic_fix(sorts, source_of(c))) return false;
  row = sorts;
  if (seeks) become(row, DiagnosticCode::KeyParameters, c.token_start[t], c.token_length[t]);
  return true;
}

}  // namespace komuz::frontend
