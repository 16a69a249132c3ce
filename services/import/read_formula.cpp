// SPDX-License-Identifier: Apache-2.0
#include "services/import/read_formula.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/counts.h"
#include "services/display_text.h"
#include "services/import/write_operation.h"

namespace komuz::services {
namespace {

using Kind = FormulaTokenKind;

// Something that is open: an operator that waits for its operand behind, brackets, a call, or one of the pairs of a Piecewise.
struct Open {
  enum class What : u8 { Operator, Group, Call, Pair } what = What::Operator;
  const FormulaToken* token = nullptr;
  const OperatorRow* row = nullptr;
  u8 precedence = 0;
  size_t values = 0;       // that stood there before
  bool has_other = false;  // of a choice: its second word has come
};

class FormulaReader {
 public:
  explicit FormulaReader(const FormulaQuestion& question)
      : question_(question), row_(format_row(question.format)), tokens_(question.tokens.tokens) {}

  [[nodiscard]] Result<Written> read() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      Problem problem = wants_operand_ ? read_operand() : read_behind();
      if (!problem && open_.size() > kMostFormulaDepth) problem = too_deep(tokens_[at_].at);
      if (!problem && !values_.empty() && values_.back().depth > kMostFormulaDepth)
        problem = too_deep(tokens_[at_].at);
      if (problem) return problem;
    }
    if (wants_operand_)
      return fault(question_.tokens.end, "the formula ends where an operand is missing",
                   "complete it");
    if (Problem problem = apply_above(0)) return problem;
    if (!open_.empty())
      return fault(open_.back().token->at, "`" + spelling(*open_.back().token) + "` is not closed",
                   "each bracket needs its other half");
    if (values_.size() != 1)
      return fault(question_.tokens.end, "a formula has one value, and this has several",
                   "write each on a line of its own");
    if (values_[0].type == WrittenType::Truth && row_.truth == TruthForm::Apart)
      return fault(0, "the formula is a truth value", "import makes functions that give numbers");
    return as_number(std::move(values_[0]));
  }

 private:
  [[nodiscard]] Problem fault(size_t at, std::string message, std::string remedy) const {
    return input_problem(question_.line.place(at), std::move(message), std::move(remedy));
  }
  [[nodiscard]] Problem too_deep(size_t at) const {
    return fault(at,
                 "more than " + std::to_string(kMostFormulaDepth) +
                     " brackets, calls and operators stand in each other here",
                 "split the formula");
  }
  [[nodiscard]] static std::string spelling(const FormulaToken& token) {
    return printable(token.text, 40);
  }

  // Where an operand may begin.
  Problem read_operand() {
    const FormulaToken& token = tokens_[at_];
    switch (token.kind) {
      case Kind::Number: return read_number(token);
      case Kind::Name: return token.is_call ? read_call(token) : read_name(token);
      case Kind::Open: {
        const bool is_pair = !open_.empty() && open_.back().what == Open::What::Call &&
                             takes_pairs(*open_.back().token);
        open_.push_back({is_pair ? Open::What::Pair : Open::What::Group, &token, nullptr, 0,
                         values_.size(), false});
        return {};
      }
      case Kind::Operator:
        if (token.prefix == nullptr) break;
        open_.push_back({Open::What::Operator, &token, token.prefix, prefix_precedence(token),
                         values_.size(), false});
        return {};
      case Kind::Close:
      case Kind::Comma: break;
    }
    return fault(token.at, "expected an operand, found `" + spelling(token) + "`",
                 "an operand is missing before it, or it is too much");
  }

  [[nodiscard]] bool takes_pairs(const FormulaToken& call) const {
    if (find_defined(question_.defined, question_.format, call.text) != nullptr) return false;
    const FunctionRow* row = find_function(question_.format, call.text, 1);
    return row != nullptr && row->arguments == "p*";
  }
  // A sign behind a power of Octave is done before the next power: 2^-1^2 is (2^-1)^2.
  [[nodiscard]] u8 prefix_precedence(const FormulaToken& token) const {
    constexpr u8 kTightest = 95;
    if (token.prefix->operation == FormulaOperation::Not) return token.prefix->precedence;
    if (row_.minus == MinusOfPower::Tighter) return kTightest;
    const bool is_exponent = at_ > 0 && tokens_[at_ - 1].infix != nullptr &&
                             tokens_[at_ - 1].infix->operation == FormulaOperation::Power;
    return is_exponent && row_.side == PowerSide::Left ? kTightest : token.prefix->precedence;
  }

  Problem read_number(const FormulaToken& token) {
    f64 value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error == std::errc::result_out_of_range) {
      // What is too small for a number is 0 everywhere; what is too large is infinite, or an error.
      const bool is_small = token.text.find("e-") != std::string::npos;
      if (!is_small)
        return fault(token.at, "`" + spelling(token) + "` is no f64: it is above 1.8e308",
                     "write a smaller number");
      value = 0;
    }
    push(written_number(value));
    return {};
  }

  Problem read_name(const FormulaToken& token) {
    Written written;
    written.text = question_.parameter(token.text);
    if (written.text.empty()) {
      written.text = find_constant(question_.format, token.text);
      if (written.text == "true" || written.text == "false") written.type = WrittenType::Truth;
      written.is_euler = written.text.starts_with("2.71828");
      written.is_literal = false;
    }
    push(std::move(written));
    return {};
  }

  // The name, its bracket and, where nothing is between the brackets, the other one.
  Problem read_call(const FormulaToken& name) {
    ++at_;
    const bool is_empty = at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == Kind::Close;
    open_.push_back({Open::What::Call, &name, nullptr, 0, values_.size(), false});
    if (!is_empty) return {};
    ++at_;
    return close(tokens_[at_]);
  }

  void push(Written&& written) {
    values_.push_back(std::move(written));
    wants_operand_ = false;
  }

  // Behind an operand.
  Problem read_behind() {
    const FormulaToken& token = tokens_[at_];
    switch (token.kind) {
      case Kind::Close: return close(token);
      case Kind::Comma: return next_argument(token);
      case Kind::Operator:
        if (token.postfix != nullptr) return read_postfix(token);
        if (token.infix != nullptr) return read_infix(token, *token.infix);
        return fault(token.at, "expected an operator, found `" + spelling(token) + "`",
                     "it stands before an operand");
      case Kind::Number:
      case Kind::Name:
      case Kind::Open: break;
    }
    if (row_.joined == Joined::Refused)
      return fault(token.at,
                   "expected an operator, found `" + spelling(token) + "`: in " +
                       std::string(row_.title) + " operands side by side do not multiply",
                   "write `*` between them");
    if (Problem problem = read_infix(token, joined_product())) return problem;
    return read_operand();
  }

  Problem read_postfix(const FormulaToken& token) {
    if (Problem problem = apply_above(token.postfix->precedence)) return problem;
    return apply(token, *token.postfix);
  }

  Problem read_infix(const FormulaToken& token, const OperatorRow& row) {
    if (row.operation == FormulaOperation::Otherwise) return read_otherwise(token);
    const bool is_right = row.precedence == 10 || (row.operation == FormulaOperation::Power &&
                                                   row_.side == PowerSide::Right);
    if (Problem problem = apply_above(is_right ? row.precedence + 1 : row.precedence))
      return problem;
    if (Problem problem = check_neighbours(token, row)) return problem;
    open_.push_back({Open::What::Operator, &token, &row, row.precedence, values_.size(), false});
    wants_operand_ = true;
    return {};
  }

  // Where two readings of a formula are in use, neither is taken.
  [[nodiscard]] Problem check_neighbours(const FormulaToken& token, const OperatorRow& row) const {
    if (row_.joined != Joined::Letters || last_applied_ == nullptr) return {};
    const bool follows = last_applied_end_ == at_;
    if (follows && row.spelling.empty() && last_applied_->spelling == "/")
      return fault(token.at, "a product without a sign behind `/` may belong to its divisor or not",
                   "write \\frac{…}{…}, or \\cdot");
    if (follows && row.operation == FormulaOperation::Power &&
        last_applied_->operation == FormulaOperation::Power)
      return fault(token.at, "a power has two exponents", "write {x^{2}}^{3} or x^{2^{3}}");
    return {};
  }

  Problem read_otherwise(const FormulaToken& token) {
    while (!open_.empty() && open_.back().what == Open::What::Operator &&
           !is_open_choice(open_.back()))
      if (Problem problem = apply_last()) return problem;
    if (open_.empty() || !is_open_choice(open_.back()))
      return fault(token.at, "`" + spelling(token) + "` without the condition of a choice",
                   "write `c ? a : b`, in Python `a if c else b`");
    open_.back().has_other = true;
    wants_operand_ = true;
    return {};
  }
  [[nodiscard]] static bool is_open_choice(const Open& open) {
    return open.what == Open::What::Operator && !open.has_other &&
           (open.row->operation == FormulaOperation::Choose ||
            open.row->operation == FormulaOperation::ChooseBefore);
  }

  // All operators above the last bracket that bind at least so tightly.
  Problem apply_above(u32 precedence) {
    while (!open_.empty() && open_.back().what == Open::What::Operator &&
           open_.back().precedence >= precedence)
      if (Problem problem = apply_last()) return problem;
    return {};
  }
  Problem apply_last() {
    const Open open = open_.back();
    open_.pop_back();
    if (is_open_choice(open))
      return fault(open.token->at, "a choice has no other value",
                   "write `c ? a : b`, in Python `a if c else b`");
    return apply(*open.token, *open.row);
  }

  Problem apply(const FormulaToken& token, const OperatorRow& row) {
    const size_t count = row.place != OperatorPlace::Infix                 ? 1
                         : row.operation == FormulaOperation::Choose       ? 3
                         : row.operation == FormulaOperation::ChooseBefore ? 3
                                                                           : 2;
    const std::span<Written> operands(values_.data() + values_.size() - count, count);
    Result<Written> made =
        write_operation(row.operation, operands, question_.format, question_.line.place(token.at));
    if (made.problem()) return std::move(made).problem();
    values_.resize(values_.size() - count);
    values_.push_back(std::move(made).value());
    last_applied_ = &row;
    last_applied_end_ = at_;
    return {};
  }

  Problem next_argument(const FormulaToken& token) {
    if (Problem problem = apply_above(0)) return problem;
    if (open_.empty() || open_.back().what == Open::What::Group)
      return fault(token.at, "`" + spelling(token) + "` stands in no call",
                   row_.format == FormulaFormat::Excel
                       ? "with decimal commas, give `--decimal ,`"
                       : "arguments stand in brackets behind the name of a function");
    if (open_.back().what == Open::What::Pair && values_.size() != open_.back().values + 1)
      return fault(token.at, "expected `)` behind the second part of the pair",
                   "write `(value, condition)`");
    wants_operand_ = true;
    return {};
  }

  Problem close(const FormulaToken& token) {
    if (Problem problem = apply_above(0)) return problem;
    if (open_.empty())
      return fault(token.at, "`" + spelling(token) + "` closes no bracket", "leave it out");
    const Open open = open_.back();
    open_.pop_back();
    wants_operand_ = false;
    switch (open.what) {
      case Open::What::Group:
        values_.back().is_comparison = false;
        values_.back().is_euler = false;
        return {};
      case Open::What::Pair:
        if (values_.size() == open.values + 2) return {};
        return fault(open.token->at, "expected a pair of a value and its condition",
                     "write `(value, condition)`");
      case Open::What::Call: return call(*open.token, open.values);
      case Open::What::Operator: break;
    }
    return {};
  }

  Problem call(const FormulaToken& name, size_t first) {
    const std::span<Written> arguments(values_.data() + first, values_.size() - first);
    const DefinedFunction* own = find_defined(question_.defined, question_.format, name.text);
    if (own != nullptr) return call_defined(name, *own, arguments, first);
    const FunctionRow* row = find_function(question_.format, name.text, arguments.size());
    if (row == nullptr)
      return fault(name.at,
                   "`" + spelling(name) + "` takes " +
                       argument_counts(question_.format, name.text) + ", found " +
                       std::to_string(arguments.size()),
                   "docs/import.md says what it means");
    return apply_call(name, *row, arguments, first);
  }
  Problem call_defined(const FormulaToken& name, const DefinedFunction& own,
                       std::span<Written> arguments, size_t first) {
    const FunctionRow row = own.row();
    if (!row.takes(arguments.size()))
      return fault(name.at,
                   "`" + spelling(name) + "` takes " + counted(row.arguments.size(), "argument") +
                       " as `--define` has it, found " + std::to_string(arguments.size()),
                   "give it as many");
    return apply_call(name, row, arguments, first);
  }
  Problem apply_call(const FormulaToken& name, const FunctionRow& row, std::span<Written> arguments,
                     size_t first) {
    Result<Written> made =
        write_call(row, arguments, question_.format, question_.line.place(name.at));
    if (made.problem()) return std::move(made).problem();
    values_.resize(first);
    values_.push_back(std::move(made).value());
    return {};
  }

  const FormulaQuestion& question_;
  const FormatRow& row_;
  const std::vector<FormulaToken>& tokens_;
  std::vector<Open> open_;
  std::vector<Written> values_;
  size_t at_ = 0;
  bool wants_operand_ = true;
  const OperatorRow* last_applied_ = nullptr;
  size_t last_applied_end_ = 0;
};

}  // namespace

Result<Written> read_formula(const FormulaQuestion& question) {
  return FormulaReader(question).read();
}

}  // namespace komuz::services
