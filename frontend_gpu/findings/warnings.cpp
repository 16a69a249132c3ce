// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/warnings.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "frontend_gpu/findings/habits/refine_brackets.h"
#include "frontend_gpu/findings/habits/refine_text.h"
#include "frontend_gpu/questions/patterns.h"
#include "lang/traps.h"
#include "mend/builtin_words.h"
#include "mend/caret_powers.h"
#include "mend/source_text.h"

namespace komuz::frontend {

namespace {

// A comment that reads like the right operand of a quotient, with what stands behind it.
struct CommentedOperand {
  u32 mark;           // its `//`
  u32 begin, length;  // the operand
  u32 closer;         // a closing bracket without its opener in the comment; 0: there is none
};

bool ends_operand(Token token) {
  return token == Token::Name || token == Token::Int || token == Token::Float ||
         token == Token::RParen || token == Token::RBracket;
}
// The first bracket of a text that closes none of the text's own, or the brace at its end that opens a block; npos:
// there is none.
size_t find_closer(std::string_view text) {
  if (text.ends_with(" {")) return text.size() - 1;
  size_t depth = 0;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '(' || text[k] == '[' || text[k] == '{') ++depth;
    if (text[k] != ')' && text[k] != ']' && text[k] != '}') continue;
    if (depth == 0) return k;
    --depth;
  }
  return std::string_view::npos;
}

class FindCommented {
 public:
  FindCommented(const Columns& c, u32 end) : c_(c), end_(end) {}

  [[nodiscard]] std::vector<CommentedOperand> operator()() {
    std::vector<CommentedOperand> found;
    u32 braces = 0;
    for (Index t = 0; t < c_.tokens && end_of(c_, t) < end_; ++t) {
      const Token token = token_at(c_, t);
      braces += token == Token::LBrace;
      if (token == Token::RBrace && braces > 0) --braces;
      if (braces == 0 || !ends_operand(token)) continue;
      if (const CommentedOperand operand = behind(t); operand.length != 0) found.push_back(operand);
    }
    return found;
  }

 private:
  // The commented operand behind a token; its length is 0 if there is none.
  [[nodiscard]] CommentedOperand behind(Index t) {
    const std::string_view source = source_of(c_).substr(0, end_);
    const size_t mark = source.find_first_not_of(" \t", end_of(c_, t));
    if (mark == std::string_view::npos || !source.substr(mark).starts_with("//") ||
        source.substr(mark).starts_with("///"))
      return {};
    const bool assigns = source.substr(mark + 2, 1) == "=";  // `n //= 2`
    const size_t first = source.find_first_not_of(" \t", mark + (assigns ? 3 : 2));
    if (first == std::string_view::npos) return {};
    const std::string_view text = trimmed(source.substr(first, source.find('\n', first) - first));
    const size_t sign = text.starts_with('-') ? 1 : 0, own = operand_length(text.substr(sign));
    const size_t length = own == 0 ? 0 : sign + own, closer = find_closer(text);
    if (length == 0 || !reads_as_code(text, length)) return {};
    const auto place = static_cast<u32>(first);
    return {static_cast<u32>(mark), place, static_cast<u32>(length),
            closer == std::string_view::npos ? 0 : place + static_cast<u32>(closer)};
  }
  // True if the text is an operand. Words of a sentence are none, and neither is a name that the program does not
  // know.
  [[nodiscard]] bool reads_as_code(std::string_view text, size_t length) {
    const std::string_view operand = text.substr(0, length), rest = trimmed(text.substr(length));
    if (!rest.empty() && std::string_view(";)]}").find(rest[0]) != std::string_view::npos)
      return true;
    if (!rest.empty())
      return std::string_view("+-*/%<>=!&|^,").find(rest[0]) != std::string_view::npos &&
             (text.ends_with(';') || text.ends_with('}') || text.ends_with('{'));
    return are_digits(operand) || !is_name(operand) || knows(operand);
  }
  [[nodiscard]] bool knows(std::string_view name) {
    if (names_.empty())
      for (Index t = 0; t < c_.tokens; ++t)
        if (token_at(c_, t) == Token::Name) names_.insert(text_of(c_, t));
    return names_.contains(name);
  }

  const Columns& c_;
  u32 end_;
  std::unordered_set<std::string_view> names_;
};

// True if a token is an integer above zero behind a `-`, so that the two are a negative number.
bool is_below_zero(const Columns& c, Index t) {
  return token_at(c, i64{t} - 1) == Token::Minus && token_at(c, t) == Token::Int &&
         text_of(c, t).find_first_not_of("0_") != std::string_view::npos &&
         are_digits(text_of(c, t)) && token_at(c, i64{t} + 1) != Token::Dot;
}
// True if the operator gives a float.
bool is_of_float(const Columns& c, Index t) {
  for (Index i = 0; i < c.nodes; ++i)
    if (c.token[i] == t && is_scalar(c.type[i])) return is_float(as_scalar(c.type[i]));
  return false;
}
// The trap of a negative number that is an index, `xs[-1]`, or the exponent of an integer, `n ** -1`; None: it is
// neither.
Trap trap_of_negative(const Columns& c, Index t) {
  if (!is_below_zero(c, t)) return Trap::None;
  const Token before = token_at(c, i64{t} - 2);
  if (before == Token::StarStar)
    return token_at(c, i64{t} + 1) == Token::StarStar || is_of_float(c, t - 2) ? Trap::None
                                                                               : Trap::Range;
  const bool is_index = before == Token::LBracket && token_at(c, i64{t} + 1) == Token::RBracket;
  const Token holder = token_at(c, i64{t} - 3);
  const bool is_held =
      holder == Token::Name || holder == Token::RParen || holder == Token::RBracket;
  return is_index && is_held && touches_next(c, i64{t} - 3) ? Trap::Index : Trap::None;
}
// True inside of `assert traps(xs[-1], INDEX)`.
bool is_meant_to_trap(const Columns& c, Index t) {
  for (Index open = opener_of(c, t); open != kNone && open > 0; open = opener_of(c, open))
    if (token_at(c, open) == Token::LParen && text_of(c, i64{open} - 1) == "traps") return true;
  return false;
}

// Notes each test whose name an earlier test has, and each such property.
void note_equal_names(const Columns& c, u32 end, std::vector<Diagnostic>& out) {
  std::map<std::pair<Token, std::string_view>, Index> first;
  for (Index t = 0; t + 1 < c.tokens && end_of(c, t) <= end; ++t) {
    const Token kind = token_at(c, t);
    if ((kind != Token::Test && kind != Token::Prop) || token_at(c, i64{t} + 1) != Token::String)
      continue;
    const auto [known, is_new] = first.try_emplace({kind, text_of(c, i64{t} + 1)}, t + 1);
    if (!is_new)
      out.push_back(make_diagnostic(DiagnosticCode::DuplicateTest, c.token_start[t + 1],
                                    c.token_length[t + 1], c.token_start[known->second], 0));
  }
}

// True if a function may stand for the built-in one of its name: it takes as many arguments, and elements or an
// Option first where the built-in one does. No function may stand for a conversion, and none takes a lambda.
bool stands_for_builtin(std::string_view name, u32 arguments, bool takes_elements) {
  for (const BuiltinRow& row : kBuiltins)
    if (row.name == name && row.target == Scalar::None && !takes_elements &&
        builtin_arity(row) == arguments)
      return true;
  for (u32 k = 0; k < kCollectionCount; ++k)
    if (const CollectionRow& row = collection_row(k);
        row.name == name && takes_elements && row.arguments == arguments)
      return true;
  for (u32 k = 0; k < kChainCount; ++k)
    if (const ChainRow& row = chain_row(static_cast<ChainOp>(k));
        row.name == name && takes_elements && row.lambda == 0 && row.arguments == arguments)
      return true;
  return false;
}
// True for the name in `fn len(n: i64)`, `fn f64(…)`.
bool hides_builtin(const Columns& c, Index t) {
  const std::string_view name = text_of(c, t);
  const Index open = t + 1;
  if (!is_builtin_word(name) || token_at(c, open) != Token::LParen) return false;
  const Index close = closer_of(c, open);
  if (close == kNone) return false;
  u32 parameters = 0;
  for (Index k = open + 1; k < close; ++k) {
    parameters += token_at(c, k) == Token::Colon;
    if (opens(token_at(c, k)) && (k = closer_of(c, k)) == kNone) return false;
  }
  const std::string_view type = text_of(c, i64{open} + 3);
  const bool takes_elements = type == "[" || type == "List" || type == "Bytes" || type == "Option";
  return !stands_for_builtin(name, parameters, takes_elements);
}
void note_hidden_builtins(const Columns& c, u32 end, std::vector<Diagnostic>& out) {
  for (Index t = 0; t + 1 < c.tokens && end_of(c, t + 1) <= end; ++t)
    if (token_at(c, t) == Token::Fn && hides_builtin(c, t + 1))
      out.push_back(make_diagnostic(DiagnosticCode::HidesBuiltin, c.token_start[t + 1],
                                    c.token_length[t + 1], 0, 0));
}

// Notes `red => 1` for a `Red | Green`: the arm's pattern binds a name.
void note_lower_patterns(const Columns& c, Index match, u32 end, std::vector<Diagnostic>& out) {
  Arms arms(c, match);
  for (Index arm = arms.next(); arm != kNone; arm = arms.next()) {
    const Index pattern = pattern_of(c, arm), t = c.token[pattern];
    if (!is_pattern_name(c, pattern) || end_of(c, t) > end) continue;
    Alternatives alternatives(c, c.type[match]);
    for (Index a = alternatives.next(); a != kNone; a = alternatives.next())
      if (is_same_but_for_case(text_of(c, t), text_of(c, c.token[a])) && fields_of(c, a) == kNone)
        out.push_back(make_diagnostic(DiagnosticCode::LowerPattern, c.token_start[t],
                                      c.token_length[t], c.token_start[c.token[a]],
                                      c.token_length[c.token[a]]));
  }
}

}  // namespace

void note_suspicions(const Columns& c, u32 end, std::vector<Diagnostic>& out) {
  std::vector<Diagnostic> found;
  const auto is_told_at = [&out](u32 place) {
    return std::ranges::find(out, place, &Diagnostic::begin) != out.end();
  };
  for (const CommentedOperand& operand : FindCommented(c, end)())
    if (operand.closer == 0 && !is_told_at(operand.mark))
      found.push_back(make_diagnostic(DiagnosticCode::CommentedOperand, operand.mark, 2,
                                      operand.begin, operand.length));
  for (const Diagnostic& power : powers_of_carets(source_of(c).substr(0, end)))
    found.push_back(power);
  // A negative exponent of a float is an error already.
  const bool has_errors = std::ranges::any_of(out, [](const Diagnostic& d) {
    return diagnostic_row(d.code()).severity == Severity::Error;
  });
  for (Index t = 3; t < c.tokens && end_of(c, t) <= end; ++t) {
    const Trap trap = trap_of_negative(c, t);
    if (trap == Trap::None || (trap == Trap::Range && has_errors) || is_meant_to_trap(c, t))
      continue;
    // `xs[-1]`, `n ** -1`, with all of the operand before the bracket or the sign.
    const Index first = first_of_operand(c, t - 3), last = trap == Trap::Index ? t + 1 : t;
    const u32 begin = c.token_start[first == kNone ? t - 3 : first];
    // A tuple with brackets is an error already.
    const bool is_wrong = trap == Trap::Index && std::ranges::any_of(out, [&](const Diagnostic& d) {
                            return diagnostic_row(d.code()).severity == Severity::Error &&
                                   d.begin >= c.token_start[t - 3] && d.begin <= end_of(c, t);
                          });
    if (is_wrong) continue;
    found.push_back(make_diagnostic(DiagnosticCode::NegativeTraps, begin, end_of(c, last) - begin,
                                    static_cast<u32>(trap), c.token_start[t]));
  }
  note_equal_names(c, end, found);
  note_hidden_builtins(c, end, found);
  // In a program with errors, patterns may be unknown.
  for (Index i = 0; i < c.nodes && !has_errors; ++i)
    if (node_kind(c, i) == Node::Match && is_sum(c, c.type[i]))
      note_lower_patterns(c, i, end, found);
  std::ranges::stable_sort(found, {}, &Diagnostic::begin);
  found.resize(std::min<size_t>(found.size(), ErrorLimits().in_all));
  out.insert(out.end(), found.begin(), found.end());
}

void refine_commented(const Columns& c, std::vector<Finding>& findings) {
  const auto first = std::ranges::find_if(
      findings, [](const Finding& f) { return is_of_brackets(f.diagnostic.code()); });
  if (first == findings.end()) return;
  const std::vector<CommentedOperand> operands = FindCommented(c, c.bytes)();
  const auto operand =
      std::ranges::find_if(operands, [](const CommentedOperand& o) { return o.closer != 0; });
  if (operand == operands.end()) return;
  const Index item = first->item;
  std::erase_if(findings, [](const Finding& f) { return is_of_brackets(f.diagnostic.code()); });
  findings.push_back(
      {make_diagnostic(DiagnosticCode::CommentedBracket, operand->mark, 2, operand->closer, 1),
       item, kNone});
}

}  // namespace komuz::frontend
