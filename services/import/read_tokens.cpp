// SPDX-License-Identifier: Apache-2.0
#include "services/import/read_tokens.h"

#include <algorithm>

#include "mend/source_text.h"
#include "services/display_text.h"

namespace komuz::services {
namespace {

using Kind = FormulaTokenKind;

constexpr std::string_view kBlanks = " \t\r";

// A letter of any alphabet: names of other tools have them.
[[nodiscard]] bool is_letter(char c) { return is_word(c) || static_cast<unsigned char>(c) >= 0x80; }
[[nodiscard]] bool is_prefix_form(FormulaFormat format) {
  return format_row(format).side == PowerSide::None;
}

class TokenReader {
 public:
  TokenReader(const TokenOptions& options, const FormulaLine& line)
      : options_(options), row_(format_row(options.format)), line_(line), text_(line.text) {}

  [[nodiscard]] Result<FormulaTokens> read() {
    out_.end = end_of_formula();
    at_ = 0;
    skip_blanks();
    if (Problem problem = skip_head()) return problem;
    while (skip_blanks(), at_ < out_.end)
      if (Problem problem = read_one()) return problem;
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_, out_.end - at_); }
  [[nodiscard]] char peek() const { return at_ < out_.end ? text_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < out_.end && kBlanks.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  [[nodiscard]] Problem fault(std::string message, std::string remedy) const {
    return input_problem(line_.place(at_), std::move(message), std::move(remedy));
  }

  // Without a comment, and without a `;` that ends a statement.
  [[nodiscard]] u32 end_of_formula() const {
    size_t end = text_.size();
    for (const char c : row_.comments) {
      const std::string mark(c == '/' ? "//" : std::string(1, c));
      end = std::min(end, text_.find(mark));
    }
    std::string_view formula = trimmed_end(text_.substr(0, end));
    if (options_.format == FormulaFormat::Octave || options_.format == FormulaFormat::Exprtk)
      while (formula.ends_with(';')) formula = trimmed_end(formula.substr(0, formula.size() - 1));
    return static_cast<u32>(formula.size());
  }

  // The names between here and the mark, parted by commas.
  Problem read_parameters(char mark) {
    out_.has_parameters = true;
    for (;;) {
      skip_blanks();
      const std::string_view name = word_at(text_, at_);
      if (name.empty() && peek() == mark && out_.parameters.empty()) break;
      if (!is_name(name) || at_ + name.size() > out_.end)
        return fault("expected the name of a parameter", "write them as `x, y`");
      out_.parameters.emplace_back(name);
      at_ += static_cast<u32>(name.size());
      skip_blanks();
      if (peek() == mark) break;
      if (peek() != ',') return fault("expected a comma between parameters", "write `x, y`");
      ++at_;
    }
    ++at_;
    return {};
  }

  [[nodiscard]] bool skip_word(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    if (is_word(word.back()) && rest().size() > word.size() && is_word(rest()[word.size()]))
      return false;
    at_ += static_cast<u32>(word.size());
    skip_blanks();
    return true;
  }

  // `y =`, but no comparison; where names may stand in front of formulas.
  void skip_assignment() {
    const u32 begin = at_;
    const std::string_view name = word_at(text_, at_);
    if (!is_name(name)) return;
    at_ += static_cast<u32>(name.size());
    skip_blanks();
    const std::string_view mark = options_.format == FormulaFormat::Exprtk ? ":=" : "=";
    const bool assigns = rest().starts_with(mark) && !rest().substr(mark.size()).starts_with('=');
    if (assigns) {
      at_ += static_cast<u32>(mark.size());
      skip_blanks();
    } else {
      at_ = begin;
    }
  }

  Problem skip_head() {
    switch (options_.format) {
      case FormulaFormat::Excel: (void)skip_word("="); return {};
      case FormulaFormat::Python:
        if (skip_word("def")) return skip_definition();
        skip_assignment();
        return skip_word("lambda") ? read_parameters(':') : Problem{};
      case FormulaFormat::Octave:
        skip_assignment();
        if (!skip_word("@")) return {};
        if (!skip_word("(")) return fault("expected `(` behind `@`", "write `@(x, y) x + y`");
        return read_parameters(')');
      case FormulaFormat::Sympy:
      case FormulaFormat::Pysr:
      case FormulaFormat::Operon:
      case FormulaFormat::Exprtk: skip_assignment(); return {};
      default: return {};
    }
  }

  // `def f(x, y): return …`, on one line.
  Problem skip_definition() {
    at_ += static_cast<u32>(word_at(text_, at_).size());
    skip_blanks();
    if (!skip_word("(")) return fault("expected `(` behind the name", "write `def f(x): return x`");
    if (Problem problem = read_parameters(')')) return problem;
    skip_blanks();
    if (!skip_word(":") || !skip_word("return"))
      return fault("expected `: return` and the formula on the same line",
                   "write `def f(x): return x`, or the formula alone");
    return {};
  }

  [[nodiscard]] bool wants_operand() const {
    if (out_.tokens.empty()) return true;
    const FormulaToken& last = out_.tokens.back();
    return last.kind == Kind::Open || last.kind == Kind::Comma ||
           (last.kind == Kind::Operator && last.postfix == nullptr);
  }
  FormulaToken& add(Kind kind, size_t length) {
    FormulaToken& token = out_.tokens.emplace_back();
    token.kind = kind;
    token.at = at_;
    token.text = text_.substr(at_, length);
    at_ += static_cast<u32>(length);
    return token;
  }

  Problem read_one() {
    const char c = peek();
    const bool has_sign = row_.minus == MinusOfPower::OfNumber && c == '-' && wants_operand();
    std::string number = has_sign ? "-" : "";
    if (const size_t length = read_number(has_sign ? 1 : 0, number); length != 0) {
      add(Kind::Number, length).text = std::move(number);
      return {};
    }
    if (c == '(' || is_other_bracket(c, "[{")) return add(Kind::Open, 1), Problem{};
    if (c == ')' || is_other_bracket(c, "]}")) return add(Kind::Close, 1), Problem{};
    if (c == (options_.has_decimal_comma ? ';' : ',')) return add(Kind::Comma, 1), Problem{};
    if (is_prefix_form(options_.format)) return read_leaf();
    if (rest().starts_with("**") && !has_stars())
      return fault("`**` is no operator of " + std::string(row_.title), "write a power as `^`");
    if (c == '^' && options_.format == FormulaFormat::Python)
      return fault("`^` is no power in Python but an exclusive or", "write a power as `**`");
    FormulaToken token{Kind::Operator, at_, {}, nullptr, nullptr, nullptr, false};
    if (const size_t length = set_operators(options_.format, rest(), token)) {
      token.text = text_.substr(at_, length);
      at_ += static_cast<u32>(length);
      out_.tokens.push_back(std::move(token));
      return {};
    }
    if (is_letter(c) || (c == '$' && options_.format == FormulaFormat::Excel)) return read_name();
    return unknown_character();
  }

  // The number behind a sign of so many bytes, and its length with the sign. Where names may begin with a digit, it is one only if
  // nothing else follows.
  [[nodiscard]] size_t read_number(size_t sign, std::string& number) const {
    std::string digits;
    const size_t length = read_decimal(options_, rest().substr(sign), digits);
    if (length == 0) return 0;
    const std::string_view behind = trimmed(rest().substr(sign + length));
    if (is_prefix_form(options_.format) && !behind.empty() && behind[0] != ',' && behind[0] != ')')
      return 0;
    number += digits;
    return sign + length;
  }

  [[nodiscard]] bool has_stars() const {
    return find_operator(options_.format, OperatorPlace::Infix, "**")->spelling == "**";
  }
  // ExprTk takes any brackets, and PySR puts shared parts into braces.
  [[nodiscard]] bool is_other_bracket(char c, std::string_view brackets) const {
    const bool is_one = brackets.find(c) != std::string_view::npos;
    return is_one && (options_.format == FormulaFormat::Exprtk ||
                      (options_.format == FormulaFormat::Pysr && (c == '{' || c == '}')));
  }

  [[nodiscard]] Problem unknown_character() const {
    const char c = peek();
    if (c == '"' || c == '\'')
      return fault("a text is no number", "import reads formulas of numbers");
    if (c == '[' || c == ']')
      return fault("import reads no elements of lists or arrays",
                   "give each value a name of its own");
    if (c == ';' && options_.format != FormulaFormat::Excel)
      return fault("`;` parts statements", "import reads one formula a line");
    if (c == ',' || c == ';')
      return fault("`" + std::string(1, c) + "` has no meaning in a formula with `" +
                       (c == ',' ? ";" : ",") + "` between arguments",
                   "with decimal commas, give `--decimal ,`");
    const std::string_view shown = text_.substr(at_, cell_at(text_, at_, 0).bytes);
    return fault(
        "`" + printable(shown) + "` is nothing that import knows of " + std::string(row_.title),
        "docs/import.md lists what it reads");
  }

  // A name or number of a format that writes all operations as functions. Names of columns may have blanks, and brackets behind a
  // blank: `petal width (cm)`.
  Problem read_leaf() {
    size_t length = std::min(rest().find_first_of("(),"), rest().size());
    std::string_view name = trimmed_end(rest().substr(0, length));
    const bool has_bracket = length < rest().size() && rest()[length] == '(';
    if (has_bracket && name.size() < length && !is_function(options_.format, name)) {
      const size_t close = rest().find(')', length);
      if (close == std::string_view::npos)
        return fault("`(` is not closed", "each bracket needs its other half");
      name = rest().substr(0, close + 1);
    }
    if (std::ranges::none_of(name, is_letter) ||
        name.find_first_of("*/+^") != std::string_view::npos)
      return fault("expected a number, an input or a function of " + std::string(row_.title),
                   "it writes `add(a, b)`, and has no operators");
    add(Kind::Name, name.size());
    return {};
  }

  Problem read_name() {
    size_t length = 0;
    const bool has_dots =
        options_.format == FormulaFormat::Python || options_.format == FormulaFormat::Sympy;
    const bool has_dollars = options_.format == FormulaFormat::Excel;
    const auto is_part = [&](char c) {
      return is_letter(c) || (has_dots && c == '.') || (has_dollars && c == '$');
    };
    while (length < rest().size() && is_part(rest()[length])) ++length;
    const std::string_view word = rest().substr(0, length);
    if (has_dollars && length < rest().size() && (rest()[length] == ':' || rest()[length] == '!'))
      return fault("import reads single cells of the sheet itself",
                   "write each cell as `A2`, and a sum of a range as `A2+A3`");
    const u32 begin = at_;
    FormulaToken& token = add(Kind::Name, length);
    if (has_dollars) std::erase(token.text, '$');
    if (has_dollars && is_cell(token.text))
      std::ranges::transform(token.text, token.text.begin(), upper);
    const size_t dot = word.rfind('.');
    if (!has_dots || dot == std::string_view::npos) return {};
    at_ = begin;
    if (!is_among(word.substr(0, dot), {"math", "np", "numpy", "sympy", "sp"}))
      return fault("`" + printable(word) + "` is part of a value, which import does not read",
                   "write the name alone");
    at_ = begin + static_cast<u32>(length);
    token.text = word.substr(dot + 1);
    return {};
  }
  [[nodiscard]] static char upper(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  }
  // Letters, then digits.
  [[nodiscard]] static bool is_cell(std::string_view name) {
    const size_t digits = name.find_first_of("0123456789");
    return digits != std::string_view::npos && digits != 0 && are_digits(name.substr(digits));
  }

  const TokenOptions& options_;
  const FormatRow& row_;
  const FormulaLine& line_;
  std::string_view text_;
  FormulaTokens out_;
  u32 at_ = 0;
};

}  // namespace

size_t set_operators(FormulaFormat format, std::string_view text, FormulaToken& token) {
  token.kind = Kind::Operator;
  const OperatorRow* const found[] = {find_operator(format, OperatorPlace::Infix, text),
                                      find_operator(format, OperatorPlace::Prefix, text),
                                      find_operator(format, OperatorPlace::Postfix, text)};
  size_t length = 0;
  for (const OperatorRow* row : found)
    if (row != nullptr) length = std::max(length, row->spelling.size());
  const auto of_length = [length](const OperatorRow* row) {
    return row != nullptr && row->spelling.size() == length ? row : nullptr;
  };
  token.infix = of_length(found[0]);
  token.prefix = of_length(found[1]);
  token.postfix = of_length(found[2]);
  return length;
}

size_t read_decimal(const TokenOptions& options, std::string_view text, std::string& out) {
  const bool is_octave = options.format == FormulaFormat::Octave;
  const bool has_gaps = is_octave || options.format == FormulaFormat::Python;
  const char point = options.has_decimal_comma ? ',' : '.';
  const auto digit_at = [&](size_t k) { return k < text.size() && is_digit(text[k]); };
  out.clear();
  size_t k = 0;
  const auto take_digits = [&] {
    for (; digit_at(k) || (has_gaps && k > 0 && k < text.size() && text[k] == '_' &&
                           is_digit(text[k - 1]) && digit_at(k + 1));
         ++k)
      if (text[k] != '_') out += text[k];
  };
  take_digits();
  const bool has_digits = k > 0;
  // In Octave the point of `2.^x` and its like belongs to the operator.
  const bool has_point = k < text.size() && text[k] == point && (has_digits || digit_at(k + 1)) &&
                         !(is_octave && k + 1 < text.size() &&
                           std::string_view("*/^\\'").find(text[k + 1]) != std::string_view::npos);
  if (has_point) {
    ++k;
    out += '.';
    take_digits();
  }
  if (k == 0) return 0;
  const auto is_exponent = [&](char c) {
    return c == 'e' || c == 'E' || (is_octave && (c == 'd' || c == 'D'));
  };
  if (k < text.size() && is_exponent(text[k])) {
    const size_t sign = k + 1 < text.size() && (text[k + 1] == '+' || text[k + 1] == '-') ? 1 : 0;
    if (digit_at(k + 1 + sign)) {
      out += 'e';
      if (sign == 1) out += text[k + 1];
      k += 1 + sign;
      take_digits();
    }
  }
  return k;
}

Result<FormulaTokens> read_tokens(const TokenOptions& options, const FormulaLine& line) {
  return TokenReader(options, line).read();
}

}  // namespace komuz::services
