// SPDX-License-Identifier: Apache-2.0
// Terms: values of bits that depend on variables, as what they are made of (term_ops.def). Equal terms are one row: terms are made
// bottom up, are looked up by what they are made of, and are simplified as they are made. So two computations that
// come down to the same have the same number, and what depends on no variable is a constant.
//
// A function (FunctionRow) stands for what solvers know too little of, such as a product of floats.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "lang/code.h"

namespace komuz::neural {

enum class TermOp : u8 {
#define TERM(Name, operands, meaning) Name,
#include "neural/proof/terms/term_ops.def"
};
inline constexpr u8 kTermOperands[] = {
#define TERM(Name, operands, meaning) operands,
#include "neural/proof/terms/term_ops.def"
};

// The number of a row. Zero is no term.
using Term = u32;
inline constexpr Term kNoTerm = 0;

struct TermRow {
  TermOp op = TermOp::None;
  u8 width = 0;  // bits, from 1 to 64
  // As a float it is no NaN but the canonical one (lang/cases.h).
  bool is_canonical = false;
  u8 reserved = 0;
  u32 number = 0;  // of a variable or a function
  Term a = kNoTerm, b = 0,
       c = kNoTerm;  // operands; of a function: b arguments from number a of `arguments` on
  u64 value = 0;     // of a constant
};
static_assert(sizeof(TermRow) == 32);

struct FunctionRow {
  // A pure operation whose cells are its arguments and its value; without one, nothing is known.
  Instruction meaning = {Op::TrapNow, Scalar::None, 0, 0};
  u8 width = 0;                     // of its value
  u64 name_low = 0, name_high = 0;  // what tells those without a meaning apart
  bool is_canonical = false;        // its value, as a float
  [[nodiscard]] bool has_meaning() const { return meaning.op != Op::TrapNow; }
  bool operator==(const FunctionRow&) const = default;
};

// The low bits that a width has.
[[nodiscard]] inline u64 low_bits(u32 width) {
  return width >= 64 ? ~u64{0} : (u64{1} << width) - 1;
}
// A number of that many bits, extended by its sign.
[[nodiscard]] inline i64 signed_bits(u64 value, u32 width) {
  return static_cast<i64>(value << (64 - width)) >> (64 - width);
}

class Terms {
 public:
  Terms();

  [[nodiscard]] Term constant(u32 width, u64 value);
  [[nodiscard]] Term variable(u32 width, bool is_canonical);
  [[nodiscard]] Term make(TermOp op, u32 width, Term a, Term b = kNoTerm, Term c = kNoTerm);
  [[nodiscard]] Term function(const FunctionRow& row, std::span<const Term> arguments);
  // A term that is known to be canonical.
  [[nodiscard]] Term as_canonical(Term t);

  // The float whose negative this is; no term: it is not seen to be one.
  [[nodiscard]] Term negated_float(Term t) const;

  // Bools.
  [[nodiscard]] Term truth(bool value) { return value ? true_ : false_; }
  [[nodiscard]] Term no(Term x) { return make(TermOp::Not, 1, x); }
  [[nodiscard]] Term both(Term a, Term b) { return make(TermOp::And, 1, a, b); }
  [[nodiscard]] Term either(Term a, Term b) { return make(TermOp::Or, 1, a, b); }
  [[nodiscard]] Term equal(Term a, Term b) { return make(TermOp::Equal, 1, a, b); }
  [[nodiscard]] Term select(Term when, Term a, Term b) {
    return make(TermOp::Select, row(a).width, when, a, b);
  }

  [[nodiscard]] const TermRow& row(Term t) const { return rows_[t]; }
  [[nodiscard]] std::span<const TermRow> rows() const { return rows_; }
  [[nodiscard]] std::span<const Term> arguments() const { return arguments_; }
  [[nodiscard]] std::span<const FunctionRow> functions() const { return functions_; }
  [[nodiscard]] u32 variables() const { return static_cast<u32>(variables_.size()); }
  [[nodiscard]] Term variable_term(u32 number) const { return variables_[number]; }
  [[nodiscard]] bool is_constant(Term t) const { return rows_[t].op == TermOp::Constant; }
  [[nodiscard]] bool is_true(Term t) const { return t == true_; }
  [[nodiscard]] bool is_false(Term t) const { return t == false_; }

 private:
  [[nodiscard]] Term row_of(const TermRow& row);
  [[nodiscard]] Term find(const TermRow& row, std::span<const Term> arguments);
  [[nodiscard]] Term simplified(TermOp op, u32 width, Term a, Term b, Term c);
  [[nodiscard]] Term simplified_bool(TermOp op, Term a, Term b);
  [[nodiscard]] Term simplified_bits(TermOp op, u32 width, Term a, Term b);
  [[nodiscard]] Term simplified_equal(Term a, Term b);
  [[nodiscard]] Term simplified_order(TermOp op, Term a, Term b);
  [[nodiscard]] Term simplified_select(u32 width, Term when, Term a, Term b);
  [[nodiscard]] Term simplified_sum(TermOp op, u32 width, Term a, Term b);
  [[nodiscard]] Term simplified_product(u32 width, Term a, Term b);
  [[nodiscard]] Term simplified_quotient(u32 width, Term a, Term b);
  [[nodiscard]] Term simplified_overflow(TermOp op, Term a, Term b);
  [[nodiscard]] Term simplified_resize(TermOp op, u32 width, Term a);
  [[nodiscard]] Term simplified_float(const FunctionRow& meant, std::span<const Term> arguments);
  [[nodiscard]] bool is_opposite(Term a, Term b) const;
  // Is `part` one of those that `op` joins, as far as `depth` operands down?
  [[nodiscard]] bool has_part(TermOp op, Term whole, Term part, u32 depth) const;
  [[nodiscard]] bool is_known(Term t, u64& value) const;
  void grow();

  std::vector<TermRow> rows_;
  std::vector<Term> arguments_;
  std::vector<FunctionRow> functions_;
  std::vector<Term> variables_;
  std::vector<Term> table_;  // by hash; open addressing
  Term false_ = kNoTerm, true_ = kNoTerm;
};

// The value of an operation on operands that are known, of `operand_width` bits each.
[[nodiscard]] u64 term_value(TermOp op, u32 width, u32 operand_width, u64 a, u64 b);
// The value of a function that has a meaning.
[[nodiscard]] u64 function_value(const FunctionRow& row, std::span<const u64> arguments);
// The values of terms where each variable has the value that `variables` says, in order. Functions without a meaning
// are 0.
[[nodiscard]] std::vector<u64> term_values(const Terms& terms, std::span<const u64> variables,
                                           std::span<const Term> wanted);

}  // namespace komuz::neural
