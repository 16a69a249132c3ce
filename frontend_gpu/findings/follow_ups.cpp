// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/follow_ups.h"

#include <algorithm>

#include "frontend_gpu/findings/finding_scope.h"
#include "frontend_gpu/findings/habits/refine_statements.h"
#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/findings/habits/refine_tuples.h"
#include "frontend_gpu/questions/item_tokens.h"
#include "frontend_gpu/questions/signatures.h"
#include "frontend_gpu/tree/tree.h"
#include "lang/diagnostic_types.h"
#include "mend/aliases.h"
#include "mend/habits/from_items.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

std::string_view token_word(const Columns& c, Index t) {
  return {reinterpret_cast<const char*>(token_text(c, t)), c.token_length[t]};
}
std::string_view text_at(const Columns& c, const Diagnostic& d) {
  return {reinterpret_cast<const char*>(c.source + d.begin), d.length};
}
// The end of the head of a loop that has parentheses or clauses; 0: it has neither.
u32 head_end(const Columns& c, u32 place) {
  const std::string_view line = source_of(c).substr(place, std::string_view::npos);
  const size_t open = line.find_first_of("({\n");
  if (open == std::string_view::npos || line[open] == '\n') return 0;
  const bool has_clauses = line.substr(0, open).find(';') != std::string_view::npos;
  if (line[open] == '{') return has_clauses ? place + static_cast<u32>(open) : 0;
  const size_t close = closing_bracket(line, open);
  return close == std::string_view::npos ? 0 : place + static_cast<u32>(close);
}
bool is_capital(u8 byte) { return byte >= 'A' && byte <= 'Z'; }
// The name behind a position, on the same line.
std::string_view word_behind(const Columns& c, u32 place) {
  while (place < c.bytes && c.source[place] == ' ') ++place;
  u32 end = place;
  while (end < c.bytes && is_word_byte(c.source[end])) ++end;
  return {reinterpret_cast<const char*>(c.source + place), end - place};
}

// The syntax error that a pass found at the node, even if it is not told.
bool is_marked_for_syntax(const Columns& c, Index node) {
  const auto code =
      node == kNone ? DiagnosticCode::None : static_cast<DiagnosticCode>(c.error[node]);
  return diagnostic_row(code).code.starts_with("K01");
}
// True if a node of the item that starts with node `first` has such an error.
bool has_broken_syntax(const Columns& c, Index first) {
  for (Index i = first; i < c.nodes && c.item[i] == c.item[first]; ++i)
    if (is_marked_for_syntax(c, i)) return true;
  return false;
}
u32 line_end(const Columns& c, u32 place) {
  while (place < c.bytes && c.source[place] != '\n') ++place;
  return place;
}
// The name before a position, on the same line.
std::string_view word_before(const Columns& c, u32 place) {
  while (place > 0 && c.source[place - 1] == ' ') --place;
  u32 begin = place;
  while (begin > 0 && is_word_byte(c.source[begin - 1])) --begin;
  return {reinterpret_cast<const char*>(c.source + begin), place - begin};
}

// The name to which the value at a position belongs: `s` of `s = -1`.
std::string_view name_of_value(const Columns& c, u32 place) {
  while (place > 0 && std::string_view(" =-[").find(static_cast<char>(c.source[place - 1])) !=
                          std::string_view::npos)
    --place;
  return word_before(c, place);
}
bool defines_type(std::string_view word) {
  return is_among(word, {"struct", "class", "enum", "impl", "trait", "interface", "record"});
}
bool catches(std::string_view word) { return is_among(word, {"catch", "except", "finally"}); }
// The end of the braces that open on the line of a position; the position itself: none open.
u32 braces_end(const Columns& c, u32 place) {
  u32 depth = 0;
  for (u32 k = place; k < c.bytes && (depth != 0 || c.source[k] != '\n'); ++k) {
    const std::string_view source = source_of(c);
    if (source.substr(k, 2) == "//") {
      k = static_cast<u32>(std::min<size_t>(source.find('\n', k), c.bytes)) - 1;
      continue;
    }
    const size_t close = is_quote(source[k]) ? closing_quote(source, k) : std::string_view::npos;
    if (close != std::string_view::npos) k = static_cast<u32>(close);
    depth += c.source[k] == '{';
    if (c.source[k] == '}' && (depth == 0 || --depth == 0)) return k + 1;
  }
  return place;
}
bool is_of_nested_head(const Diagnostic& d) {
  return d.code() == DiagnosticCode::PrefixAfterTighter && d.a == kOfHead;
}
// The name to which the type at a position belongs: `f` of `f: T`.
std::string_view name_of_type(const Columns& c, u32 place) {
  while (place > 0 && (c.source[place - 1] == ' ' || c.source[place - 1] == ':')) --place;
  return word_before(c, place);
}

// Inserts the words of `use std::math::{gcd, lcm};`.
void insert_words(std::string_view text, std::unordered_set<std::string_view>& words) {
  size_t begin = 0;
  for (size_t k = 0; k <= text.size(); ++k) {
    if (k < text.size() && is_word_byte(static_cast<u8>(text[k]))) continue;
    if (k > begin) words.insert(text.substr(begin, k - begin));
    begin = k + 1;
  }
}

// The names `i, x` of `for i, x in xs:`, whose `:` is at a position; empty: it belongs to no loop.
std::string_view names_of_loop(const Columns& c, u32 place) {
  const std::string_view before = source_of(c).substr(0, place);
  const std::string_view line = before.substr(before.find_last_of("\n;{}") + 1);
  const size_t head = line.find("for "), in = line.find(" in ");
  if (head == std::string_view::npos || in == std::string_view::npos || in < head) return "";
  return line.substr(head + 4, in - head - 4);
}

// The group `(a, b)` of `vra (a, b) = t`; empty: no parentheses stand there.
std::string_view group_behind(const Columns& c, const Diagnostic& d) {
  const std::string_view behind = trimmed(source_of(c).substr(d.end()));
  const size_t close =
      behind.starts_with('(') ? closing_bracket(behind, 0) : std::string_view::npos;
  return close == std::string_view::npos ? "" : behind.substr(0, close);
}
bool is_where_of_names(const Columns& c, const Diagnostic& d) {
  return d.code() == DiagnosticCode::WordOperator && text_at(c, d) == "where" &&
         defines_names_behind(d.end(), source_of(c));
}
// The end of the block in which such a `where` stands.
u32 where_end(const Columns& c, const Diagnostic& d) {
  return static_cast<u32>(closing_bracket_around(source_of(c), d.end(), kNearBracketed));
}

// Inserts `area` for a `fn area(self)` in the braces behind a position.
void insert_functions(std::string_view text, std::unordered_set<std::string_view>& words) {
  for (const std::string_view head : {"fn ", "def ", "function "})
    for (size_t at = text.find(head); at != std::string_view::npos; at = text.find(head, at + 1))
      if (at == 0 || !is_word_byte(static_cast<u8>(text[at - 1])))
        words.insert(word_at(text, static_cast<u32>(at + head.size())));
}
// True if a sign of another language stands behind a position, as in `n >>>= 2`.
bool is_before_foreign_sign(const Columns& c, u32 place) {
  const std::string_view behind = source_of(c).substr(behind_gap(source_of(c), place));
  const std::string_view sign = behind.substr(0, behind.find_first_not_of("<>=*&|?:^~+-"));
  const AliasRow* const row = sign.size() < 2 ? nullptr : find_alias(sign);
  return row != nullptr && row->kind == AliasKind::Operator;
}

// The `let` or `var` around a node; the node itself: there is none.
Index binding_around(const Columns& c, Index node) {
  const Index let = nearest_around(c, node, [](Node kind) {
    return kind == Node::Let || kind == Node::Var || kind == Node::Semi;
  });
  return let == kNone || node_kind(c, let) == Node::Semi ? node : let;
}

// True for the sign of `let y: = 3;` and `let y = ;`.
bool is_open_binding(const Columns& c, const Finding& finding) {
  return finding.diagnostic.code() == DiagnosticCode::MissingRight && finding.node != kNone &&
         (node_kind(c, finding.node) == Node::Colon ||
          node_kind(c, finding.node) == Node::Assign) &&
         binding_around(c, finding.node) != finding.node;
}
// True for `let [a, b] = xs`, and for a `let` where an operand is missing.
bool is_lost_binding(const Columns& c, const Finding& finding) {
  const DiagnosticCode code = finding.diagnostic.code();
  if (finding.node == kNone ||
      (code != DiagnosticCode::Unexpected && code != DiagnosticCode::MissingRight))
    return false;
  const Node kind = node_kind(c, finding.node);
  if (kind == Node::Let || kind == Node::Var) return true;
  const Token before = token_at(c, i64{c.token[finding.node]} - 1);
  return kind == Node::Bracket && (before == Token::Let || before == Token::Var);
}

}  // namespace

// Skips braces that have been looked at.
void FollowUps::lose_functions(u32 begin, u32 end) {
  begin = std::max(begin, functions_lost_to_);
  if (begin >= end) return;
  count_work(c_, end - begin);
  insert_functions(between(source_of(c_), begin, end), lost_names_);
  functions_lost_to_ = end;
}

FollowUps::FollowUps(const Columns& c, const std::vector<Finding>& findings) : c_(c) {
  if (findings.empty()) return;
  first_nodes_ = find_first_nodes(c);
  for (const Finding& finding : findings) {
    if (!items_.contains(finding.item)) items_.emplace(finding.item, look_at(finding.item));
    note(finding);
  }
  std::sort(broken_nodes_.begin(), broken_nodes_.end());
}

FollowUps::BrokenItem FollowUps::look_at(Index item) {
  BrokenItem broken;
  const TokenRange tokens = tokens_of(c_, first_nodes_, item);
  Index t = tokens.first;
  if (token_at(c_, t) == Token::Pub) ++t;
  // A function with the name of a space is not found in any case.
  if (t + 1 < tokens.end && !infers_result(c_, item))
    (starts_space(c_, t) ? lost_spaces_ : lost_names_).insert(token_word(c_, t + 1));
  if (t + 1 < tokens.end) broken.name = token_word(c_, t + 1);
  // `K = 2.0`, `const mut K: f64 = 2.0;`
  if (token_at(c_, t) == Token::Name && token_at(c_, i64{t} + 1) == Token::Assign)
    lost_names_.insert(token_word(c_, t));
  if (t + 2 < tokens.end && broken.name == "mut") lost_names_.insert(token_word(c_, t + 2));
  // An error behind its `;` also breaks a `use`, and with it the names that the `use` gives.
  if (token_at(c_, t) == Token::Use && has_broken_syntax(c_, first_nodes_[item]))
    for (Index k = t + 1; k < tokens.end && token_at(c_, k) != Token::Semi; ++k)
      lost_names_.insert(token_word(c_, k));
  while (t < tokens.end && token_at(c_, t) != Token::LBrace) ++t;
  if (t < tokens.end) broken.body = c_.token_start[t];
  return broken;
}

void FollowUps::note(const Finding& finding) {
  BrokenItem& item = items_.at(finding.item);
  const Diagnostic& d = finding.diagnostic;
  const DiagnosticCode code = d.code();
  const std::string_view stable_code = diagnostic_row(code).code;
  const bool is_syntax = stable_code.starts_with("K00") || stable_code.starts_with("K01") ||
                         is_marked_for_syntax(c_, finding.node);
  if (d.begin < item.body && is_syntax) item.has_broken_head = true;
  // The variable starts with this literal, and the finding is about a later value. All findings about the
  // variable's type follow.
  if (code == DiagnosticCode::IntegerForFloat && finding.node != kNone &&
      c_.token_start[c_.token[finding.node]] != d.begin)
    item.retyped.insert(name_of_value(c_, d.begin));
  // `let k = if let … { … }`
  if (code == DiagnosticCode::IfLetPattern && word_before(c_, d.begin).empty() && d.begin > 1)
    item.lost_names.insert(name_of_value(c_, d.begin));
  if (code == DiagnosticCode::ForeignCollection && text_at(c_, d) == "{}")
    item.lost_names.insert(name_of_value(c_, d.begin));
  if (code == DiagnosticCode::ColonBlock) insert_words(names_of_loop(c_, d.begin), item.lost_names);
  // `let k = ?(0..=1, steps: 5);`, whose ends get points.
  if (code == DiagnosticCode::GridIntegers && d.b > d.a && d.a > 1) {
    u32 hole = d.a - 1;
    while (hole > 0 && (is_word_byte(c_.source[hole - 1]) || c_.source[hole - 1] == '?')) --hole;
    item.retyped.insert(name_of_value(c_, hole));
  }
  if (code == DiagnosticCode::StatedType) item.retyped.insert(text_at(c_, d));
  if (code == DiagnosticCode::DefaultValue) defaults_.insert(item.name);
  if (code == DiagnosticCode::AddressOfOperator) item.lost_names.insert(word_behind(c_, d.end()));
  if (code == DiagnosticCode::ForHead) item.lost_names.insert(word_behind(c_, d.end()));
  if (code == DiagnosticCode::MisspeltKeyword) insert_words(group_behind(c_, d), item.lost_names);
  if (code == DiagnosticCode::MisspeltKeyword && d.b == kGluedKeyword)
    lost_names_.insert(text_at(c_, d).substr(token_row(static_cast<Token>(d.a)).spelling.size()));
  if (code == DiagnosticCode::ForeignFunction && d.b == kWithoutFn)
    lost_names_.insert(text_at(c_, d));
  if (is_where_of_names(c_, d))
    insert_words(between(source_of(c_), d.end(), where_end(c_, d)), item.lost_names);
  if (code == DiagnosticCode::WordOperator &&
      (text_at(c_, d) == "do" || text_at(c_, d) == "repeat"))
    item.has_do = true;
  if (code == DiagnosticCode::WordOperator && text_at(c_, d) == "try") item.has_try = true;
  if (code == DiagnosticCode::WordOperator && defines_type(text_at(c_, d)))
    lose_functions(d.end(), braces_end(c_, d.end()));
  // `let x = { …; n; };`
  if (code == DiagnosticCode::UnusedValue && finding.node != kNone) {
    const Index block =
        nearest_around(c_, finding.node, [](Node kind) { return kind == Node::Block; });
    const Index around = block == kNone ? kNone : parent_of(c_, block);
    if (around != kNone && node_kind(c_, around) == Node::Assign && c_.right[around] == block)
      item.valueless.insert(name_of_value(c_, c_.token_start[c_.token[block]]));
  }
  if (code == DiagnosticCode::FunctionType) {
    item.lost_names.insert(name_of_type(c_, d.begin));
    item.has_broken_head = item.has_function_type = true;
  }
  // The node would have had the type of its argument.
  if (code == DiagnosticCode::ArgumentType && d.b != 0) broken_nodes_.push_back(finding.node);
  if (code == DiagnosticCode::ArgumentCount && finding.node != kNone)
    broken_nodes_.push_back(finding.node);
  if (code == DiagnosticCode::ArmWithoutArrow && d.a != 0) guards_.insert(d.a);
  if (code == DiagnosticCode::ReservedWord) reserved_.insert(text_at(c_, d));
  if (code == DiagnosticCode::ClosureBars && finding.node != kNone) bars_.push_back(finding.node);
  const bool is_broken = stable_code.starts_with("K01") || code == DiagnosticCode::SpreadElements;
  if (is_broken && finding.node != kNone) broken_nodes_.push_back(finding.node);
  if (is_of_nested_head(d)) item.first_path = std::min(item.first_path, d.begin);
  if (code == DiagnosticCode::PathOperator && is_capital(c_.source[d.begin]))
    item.first_path = std::min(item.first_path, d.begin);
  if (code == DiagnosticCode::GenericFunction) item.is_generic = true;
  if (code == DiagnosticCode::MissingBody)
    item.lacks_body = true;
  else if (stable_code.starts_with("K01") && code != DiagnosticCode::NotAnItem)
    item.has_other_syntax = true;
  if (code == DiagnosticCode::TupleTooWide) item.is_wide = true;
  if (code == DiagnosticCode::WordOperator) {
    const AliasRow* const alias = find_alias(text_at(c_, d));
    if (alias != nullptr && alias->right == "else if") item.has_foreign_else = true;
    if (alias != nullptr && alias->kind == AliasKind::Item)
      lost_names_.insert(word_behind(c_, d.end()));
  }
  if (code == DiagnosticCode::WordOperator && text_at(c_, d) == ":=")
    item.lost_names.insert(word_before(c_, d.begin));
  if (code == DiagnosticCode::ForeignFunction ||
      (code == DiagnosticCode::WordOperator && text_at(c_, d).ends_with(" fn")))
    lost_names_.insert(word_behind(c_, d.end()));
  if (code == DiagnosticCode::TooManyUses) first_excess_use_ = std::min(first_excess_use_, d.begin);
  if (code == DiagnosticCode::UseForm || code == DiagnosticCode::ImportBraces)
    insert_words(text_at(c_, d), lost_names_);
  if (code == DiagnosticCode::UnknownImport) lost_names_.insert(text_at(c_, d));
  if (code == DiagnosticCode::ModuleRename) lost_names_.insert(word_behind(c_, d.end()));
  if (code == DiagnosticCode::AssignedUnknown) {
    Words names;
    insert_words(text_at(c_, d), names);
    for (const std::string_view name : names) item.assigned.emplace(name, d.begin);
  }
  if (code == DiagnosticCode::MissingElse)
    item.valueless.insert(word_before(c_, d.begin - (d.begin >= 2 ? 2 : 0)));
  if (code == DiagnosticCode::ElementUnknown || code == DiagnosticCode::OptionUnknown)
    item.has_unknown_elements = true;
  ++item.findings;
  if (code == DiagnosticCode::TupleNames) has_named_tuple_ = true;
  const bool binds =
      code == DiagnosticCode::LetWithoutValue || code == DiagnosticCode::SecondBinding ||
      code == DiagnosticCode::ClosureBars || code == DiagnosticCode::RefutablePattern ||
      code == DiagnosticCode::GroupedDigits || code == DiagnosticCode::LetMut ||
      code == DiagnosticCode::RecordLiteral || code == DiagnosticCode::ForeignCollection ||
      code == DiagnosticCode::LambdaPlace || code == DiagnosticCode::ChainedOperator ||
      is_open_binding(c_, finding) || is_lost_binding(c_, finding) ||
      (code == DiagnosticCode::Unexpected && d.b > d.a) ||
      (code == DiagnosticCode::NotSupported && d.a == kFeaturePatterns);
  if (finding.node == kNone) return;
  const Node kind = node_kind(c_, finding.node);
  const bool is_part = (code == DiagnosticCode::NamedArgument && kind == Node::Colon) ||
                       code == DiagnosticCode::PatternType ||
                       (code == DiagnosticCode::ForHead && kind == Node::Paren);
  if (!binds && !is_part) return;
  const bool is_in_value =
      code == DiagnosticCode::ForeignCollection || code == DiagnosticCode::LetMut ||
      code == DiagnosticCode::RecordLiteral || code == DiagnosticCode::LambdaPlace ||
      code == DiagnosticCode::ChainedOperator || is_lost_binding(c_, finding);
  const Index around = is_in_value                          ? binding_around(c_, finding.node)
                       : code == DiagnosticCode::Unexpected ? whole_list(c_, finding.node)
                                                            : Index{finding.node};
  for (Index i = c_.begin[around]; i < c_.end[around]; ++i)
    if (node_kind(c_, i) == Node::Name) item.lost_names.insert(token_word(c_, c_.token[i]));
}

namespace {

bool is_index(Node kind) { return kind == Node::Index; }
DiagnosticCode error_of(const Columns& c, Index node) {
  return static_cast<DiagnosticCode>(c.error[node]);
}
// True for a value that is not used, in a block that ends without the value that is wanted. The missing value is
// reported.
bool is_missed(const Columns& c, Index node) {
  if (node == kNone) return false;
  const auto misses = [&](Index i) {
    return i != kNone && error_of(c, i) == DiagnosticCode::Mismatch;
  };
  Index above = parent_of(c, node);
  if (above != kNone && node_kind(c, above) == Node::Semi && c.right[above] == node)
    above = parent_of(c, above);
  if (above == kNone) return false;
  if (node_kind(c, above) == Node::Semi) return last_statement(c, above) == node && misses(above);
  // `if c { 1 }`
  return node_kind(c, above) == Node::Block && misses(parent_of(c, above));
}

// True for an array of elements that have no type in common.
bool has_no_element_type(const Columns& c, u32 type) {
  const std::string text = is_container_brief(type) ? type_text(type, source_of(c)) : "";
  return text.starts_with("[…") || text.starts_with("[()]");
}
// True for the right operand of `+=` on a list; lists have no `+=`.
bool is_joined(const Columns& c, Index node) {
  const Index around = node == kNone ? kNone : parent_of(c, node);
  return around != kNone && node_kind(c, around) == Node::AddAssign && c.right[around] == node &&
         error_of(c, around) == DiagnosticCode::OperatorType;
}

}  // namespace

bool FollowUps::has_broken_part(Index node) const {
  const auto first = std::lower_bound(broken_nodes_.begin(), broken_nodes_.end(), c_.begin[node]);
  return first != broken_nodes_.end() && *first < c_.end[node];
}

// True if the bars of a lambda split it into two arguments: `f(|a, b| a + b)`.
bool FollowUps::has_bars(Index call) const {
  return std::any_of(bars_.begin(), bars_.end(),
                     [&](Index bar) { return c_.begin[call] <= bar && bar < c_.end[call]; });
}

// True for the `lerp` of `m.lerp(…)` where `use std.math as m` is in error.
bool FollowUps::is_behind_lost(Index name) const {
  const Index dot = parent_of(c_, name);
  if (dot == kNone || node_kind(c_, dot) != Node::Dot || c_.right[dot] != name ||
      c_.left[dot] == kNone)
    return false;
  return lost_names_.contains(token_word(c_, c_.token[c_.left[dot]]));
}

// True for the `unwrap` of `xs.min_by_key(…).unwrap()` where the value before the dot is not known.
bool FollowUps::unwraps_broken(Index name) const {
  const Index dot = parent_of(c_, name);
  const std::string_view word = token_word(c_, c_.token[name]);
  if (dot == kNone || node_kind(c_, dot) != Node::Dot || c_.right[dot] != name ||
      c_.left[dot] == kNone || (word != "unwrap" && word != "expect"))
    return false;
  const Index call = c_.left[dot];
  if (node_kind(c_, call) != Node::Call || c_.left[call] == kNone) return false;
  const Index callee = c_.left[call];
  const Index called = node_kind(c_, callee) == Node::Dot ? Index{c_.right[callee]} : callee;
  return called != kNone && error_of(c_, called) == DiagnosticCode::UnknownFunction;
}

// True for the `h` of `g.h(x)` where there is no `g`, and for the `bar` of `xs.foo().bar()` where there is no
// `foo`, unless there is advice for the word itself.
bool FollowUps::has_unknown_receiver(Index name) const {
  const Index dot = parent_of(c_, name);
  if (dot == kNone || node_kind(c_, dot) != Node::Dot || c_.right[dot] != name ||
      c_.left[dot] == kNone)
    return false;
  const Index receiver = c_.left[dot];
  if (error_of(c_, receiver) == DiagnosticCode::UnknownName) return true;
  if (node_kind(c_, receiver) != Node::Call || c_.left[receiver] == kNone) return false;
  const Index callee = c_.left[receiver];
  const Index called = node_kind(c_, callee) == Node::Dot ? Index{c_.right[callee]} : callee;
  return called != kNone && error_of(c_, called) == DiagnosticCode::UnknownFunction &&
         find_function_alias(token_word(c_, c_.token[name])) == nullptr;
}

// True if an operand is a variable that got no value.
bool FollowUps::has_valueless_operand(Index node, const BrokenItem& item) const {
  for (const Index operand : {Index{c_.left[node]}, Index{c_.right[node]}})
    if (operand != kNone && node_kind(c_, operand) == Node::Name &&
        item.valueless.contains(token_word(c_, c_.token[operand])))
      return true;
  return false;
}

// True for an element of an array whose elements were reported to have several types.
bool FollowUps::is_of_told_elements(const Finding& finding) const {
  const Index bracket =
      finding.node == kNone
          ? kNone
          : nearest_around(c_, finding.node, [](Node kind) { return kind == Node::Bracket; });
  return bracket != kNone && told_brackets_.contains(bracket);
}

// True for what stands before the `.` of a call with a wrong number of arguments, such as `xs.min()` where the
// program has a `min` of its own.
bool FollowUps::has_other_count(Index dot) const {
  const Index call = parent_of(c_, dot);
  return node_kind(c_, dot) == Node::Dot && call != kNone &&
         error_of(c_, call) == DiagnosticCode::ArgumentCount;
}

// True for a call of a function that has default values for some of its parameters.
bool FollowUps::calls_default(Index call) const {
  const Index name = c_.left[call];
  return node_kind(c_, name) == Node::Name && defaults_.contains(token_word(c_, c_.token[name]));
}

// True for `d["a"]` where `let d = {"a": 1}` is in error.
bool FollowUps::is_of_lost(Index index, const BrokenItem& item) const {
  const Index node = nearest_around(c_, index, is_index);
  return node != kNone && c_.left[node] != kNone &&
         item.lost_names.contains(token_word(c_, c_.token[c_.left[node]]));
}

// True inside of the brackets of an index into a value without elements.
bool FollowUps::is_of_no_elements(Index node) const {
  const Index index = nearest_around(c_, node, is_index);
  return index != kNone && error_of(c_, index) == DiagnosticCode::NotIndexable;
}

// True if the edit of another finding changes the type of a name in the subtree.
bool FollowUps::is_retyped(Index node, const BrokenItem& item) const {
  for (Index i = item.retyped.empty() ? c_.end[node] : Index{c_.begin[node]}; i < c_.end[node]; ++i)
    if (node_kind(c_, i) == Node::Name && item.retyped.contains(token_word(c_, c_.token[i])))
      return true;
  return false;
}

bool FollowUps::is_lost(const Finding& finding) const {
  const auto broken = items_.find(finding.item);
  if (broken == items_.end()) return false;  // a finding that the constructor was not given
  const BrokenItem& item = broken->second;
  const std::string_view word = text_at(c_, finding.diagnostic);
  const Index node = finding.node;
  const bool is_of_meaning = !diagnostic_row(finding.diagnostic.code()).code.starts_with("K01");
  if (is_of_meaning && finding.diagnostic.begin >= item.first_path) return true;
  const bool is_of_types = diagnostic_row(finding.diagnostic.code()).code.starts_with("K03") &&
                           finding.diagnostic.code() != DiagnosticCode::IntegerForFloat &&
                           finding.diagnostic.code() != DiagnosticCode::StatedType;
  if (is_of_types && node != kNone && is_retyped(node, item)) return true;
  switch (finding.diagnostic.code()) {
    case DiagnosticCode::FunctionAsValue:
    case DiagnosticCode::UnknownName:
    case DiagnosticCode::AssignedUnknown: {
      // In `(a, b) = …` the first name says it all, and each later assignment follows from it.
      const bool is_tuple = word.starts_with('(');
      const auto assigned =
          item.assigned.find(is_tuple ? word_behind(c_, finding.diagnostic.begin + 1) : word);
      const bool follows =
          assigned != item.assigned.end() && assigned->second < finding.diagnostic.begin;
      if (finding.diagnostic.code() == DiagnosticCode::FunctionAsValue) return follows;
      return follows || item.has_broken_head || item.lost_names.contains(word) ||
             lost_names_.contains(word);
    }
    case DiagnosticCode::UnknownFunction:
    case DiagnosticCode::FunctionWithoutUse:
    case DiagnosticCode::ModuleWithoutUse:
      if (node != kNone &&
          (is_behind_lost(node) || unwraps_broken(node) || has_unknown_receiver(node)))
        return true;
      return item.lost_names.contains(word) || lost_names_.contains(word);
    case DiagnosticCode::NotATuple:
      return finding.diagnostic.a == kUnitBrief &&
             item.lost_names.contains(word_behind(c_, finding.diagnostic.begin));
    case DiagnosticCode::NotVariable: return item.lost_names.contains(word);
    case DiagnosticCode::LambdaExpected: return node != kNone && has_bars(node);
    case DiagnosticCode::MissingBlock:
      if (item.has_do || reserved_.contains(word)) return true;
      [[fallthrough]];
    case DiagnosticCode::ArmComma: return guards_.contains(finding.diagnostic.begin);
    case DiagnosticCode::LambdaPlace: return item.has_function_type;
    case DiagnosticCode::NestedItem: return reserved_.contains(word);
    case DiagnosticCode::TooManyUses: return finding.diagnostic.begin != first_excess_use_;
    case DiagnosticCode::UnknownSpace: return lost_spaces_.contains(word.substr(1));
    case DiagnosticCode::MissingBody: return item.has_other_syntax;
    case DiagnosticCode::NotAnItem: return item.lacks_body && !item.has_other_syntax;
    case DiagnosticCode::TooManySlots: return item.is_wide;
    case DiagnosticCode::UnknownField: return has_named_tuple_;
    // A value without a type is in error itself.
    case DiagnosticCode::ArgumentType:
      if (item.has_unknown_elements && is_container_brief(finding.diagnostic.a)) return true;
      if (item.findings > 1 && has_no_element_type(c_, finding.diagnostic.a)) return true;
      return finding.diagnostic.a == 0 && item.findings > 1;
    case DiagnosticCode::SpreadPlace:
      return source_of(c_).substr(finding.diagnostic.begin).starts_with("...");
    case DiagnosticCode::ElementTypes: return is_of_told_elements(finding);
    case DiagnosticCode::WordOperator: return item.has_try && catches(word);
    case DiagnosticCode::OperandTypes:  // `s == 'ab'`
      if (node != kNone && item.has_unknown_elements && c_.error[c_.left[node]] == 0 &&
          c_.error[c_.right[node]] == 0 &&
          (is_of_unknown(finding.diagnostic.a) || is_of_unknown(finding.diagnostic.b)))
        return true;
      if (node != kNone && has_valueless_operand(node, item)) return true;
      return node != kNone && (error_of(c_, c_.left[node]) == DiagnosticCode::BadCharLiteral ||
                               error_of(c_, c_.right[node]) == DiagnosticCode::BadCharLiteral);
    case DiagnosticCode::OptionUnknown: {  // `n == None`
      const Index around = node == kNone ? kNone : parent_of(c_, node);
      return around != kNone && error_of(c_, around) == DiagnosticCode::OperandTypes;
    }
    case DiagnosticCode::NotIndexable: return node != kNone && is_of_lost(node, item);
    case DiagnosticCode::BadCharLiteral:  // `job['weight']`
      return source_of(c_).substr(0, finding.diagnostic.begin).ends_with('[') &&
             is_of_no_elements(node);
    case DiagnosticCode::IndexType:  // `job["weight"]`
      return is_of_no_elements(node) || (node != kNone && is_of_lost(node, item));
    case DiagnosticCode::PropRange: {  // `xs: [i64] in [0, 1]`
      const Index in = node == kNone ? kNone : parent_of(c_, node);
      return in != kNone && c_.right[in] == node && c_.left[in] != kNone &&
             error_of(c_, c_.left[in]) == DiagnosticCode::SlicePlace;
    }
    case DiagnosticCode::SliceValue: {  // slices that are added
      const Index above = node == kNone ? kNone : parent_of(c_, node);
      return above != kNone &&
             (error_of(c_, above) == DiagnosticCode::OperatorType || has_other_count(above));
    }
    case DiagnosticCode::UnknownType:
      return lost_names_.contains(word) ||
             (item.is_generic && finding.diagnostic.begin < item.body);
    case DiagnosticCode::MissingElse:
    case DiagnosticCode::UnusedValue:
      return item.has_foreign_else || is_missed(c_, node) ||
             is_before_foreign_sign(c_, finding.diagnostic.end());
    case DiagnosticCode::Mismatch:
      // A comparison with an unknown value, or a name that has no value.
      if (item.has_unknown_elements && finding.diagnostic.a == kNothingBrief) return true;
      if (item.has_unknown_elements &&
          (is_container_brief(finding.diagnostic.b) || is_of_unknown(finding.diagnostic.a)))
        return true;
      if (finding.diagnostic.b == 0 && item.findings > 1) return true;
      if (is_joined(c_, node)) return true;
      if (finding.diagnostic.b == kUnitBrief &&
          (item.valueless.contains(word) || item.lost_names.contains(word)))
        return true;
      return node != kNone && has_broken_part(node);
    case DiagnosticCode::ArgumentCount:
    case DiagnosticCode::MethodArguments: {
      // Braces behind a name: the node may be any of those around them.
      if (node == kNone || node_kind(c_, node) != Node::Call || c_.left[node] == kNone)
        return false;
      if (has_bars(node) || calls_default(node)) return true;
      if (const Index first = c_.left[c_.left[node]];
          node_kind(c_, c_.left[node]) == Node::Dot && first != kNone &&
          node_kind(c_, first) == Node::Name &&
          item.lost_names.contains(token_word(c_, c_.token[first])))
        return true;
      // `math.sqrt(x)` where `math` is unknown.
      if (node_kind(c_, c_.left[node]) != Node::Dot) return false;
      const Index receiver = c_.left[c_.left[node]];
      return error_of(c_, receiver) == DiagnosticCode::UnknownName ||
             error_of(c_, receiver) == DiagnosticCode::FunctionAsValue;
    }
    default: return false;
  }
}

// The end of the brackets around `|x: i64| …`; if they close far away, the end of the item.
u32 FollowUps::bars_end(const Finding& finding) const {
  const size_t close =
      closing_bracket_around(source_of(c_), finding.diagnostic.end(), kNearBracketed);
  if (close != std::string_view::npos) return static_cast<u32>(close);
  return c_.token_start[tokens_of(c_, first_nodes_, finding.item).end - 1];
}

bool FollowUps::contain(const Finding& finding) {
  const Index node = finding.node;
  if (node != kNone && node >= covered_begin_ && node < covered_end_) return true;
  const u32 place = finding.diagnostic.begin;
  if (place < comment_end_ || is_lost(finding)) return true;
  if (finding.diagnostic.code() == DiagnosticCode::WordOperator &&
      defines_type(text_at(c_, finding.diagnostic)))
    comment_end_ = braces_end(c_, finding.diagnostic.end());
  // `try { … } catch (e) { … }`
  if (finding.diagnostic.code() == DiagnosticCode::WordOperator &&
      text_at(c_, finding.diagnostic) == "try") {
    u32 end = braces_end(c_, finding.diagnostic.end());
    while (catches(word_behind(c_, end)) && braces_end(c_, end) > end) end = braces_end(c_, end);
    comment_end_ = end;
  }
  // Braces and colons of other languages turn their contents into something else.
  const DiagnosticCode code = finding.diagnostic.code();
  const bool takes_block =
      code == DiagnosticCode::MethodArguments && c_.source[finding.diagnostic.end() - 1] == '}';
  if (takes_block || (code == DiagnosticCode::ForeignLambda && c_.source[place] == '{'))
    comment_end_ = finding.diagnostic.end();
  if (code == DiagnosticCode::ForeignLambda && c_.source[place] == '|')
    comment_end_ = bars_end(finding);
  if (code == DiagnosticCode::UnknownFunction &&
      trimmed(source_of(c_).substr(finding.diagnostic.end(), 2)).starts_with('{'))
    comment_end_ = braces_end(c_, place);
  if (code == DiagnosticCode::ForHead) comment_end_ = head_end(c_, place);
  // In `if match x { … } { … }`, what stands behind the inner head belongs to another block than it seems to.
  if (is_of_nested_head(finding.diagnostic)) {
    u32 end = braces_end(c_, finding.diagnostic.b);
    while (word_behind(c_, end) == "else" && braces_end(c_, end) > end) end = braces_end(c_, end);
    comment_end_ = std::max(end, finding.diagnostic.b);
  }
  // The `5` of `1.e-5`.
  if (code == DiagnosticCode::FloatPoint) comment_end_ = finding.diagnostic.end();
  if (code == DiagnosticCode::MisspeltKeyword &&
      static_cast<Token>(finding.diagnostic.a) == Token::Match)
    comment_end_ = braces_end(c_, place);
  if (is_where_of_names(c_, finding.diagnostic)) comment_end_ = where_end(c_, finding.diagnostic);
  if (code == DiagnosticCode::EmptyChoice && finding.diagnostic.b != 0)
    comment_end_ = finding.diagnostic.b;
  if (code == DiagnosticCode::ColonBlock &&
      source_of(c_).substr(place, line_end(c_, place) - place).find(" else:") !=
          std::string_view::npos)
    comment_end_ = line_end(c_, place);
  if (code == DiagnosticCode::ElementTypes && node != kNone)
    told_brackets_.insert(
        nearest_around(c_, node, [](Node kind) { return kind == Node::Bracket; }));
  Index construct = construct_of(c_, finding);
  if (code == DiagnosticCode::AssignedValue && node != kNone)
    construct = node_kind(c_, node) == Node::Assign ? node : parent_of(c_, node);
  if (construct != kNone) {
    covered_begin_ = c_.begin[construct];
    covered_end_ = c_.end[construct];
  }
  return false;
}

}  // namespace komuz::frontend
