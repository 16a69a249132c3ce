// SPDX-License-Identifier: Apache-2.0
#include "neural/proof/terms/pure_terms.h"

#include "neural/proof/terms/bits.h"
//
#include "lang/ops/eval_cells.h"

namespace komuz::neural {
namespace {

thread_local Terms* terms_of_thread = nullptr;

// Operands of one type; a bool comes as a byte.
template <Scalar type, class T>
Bits<T> operand(Term term) {
  if constexpr (type == Scalar::Bool)
    return Bits<T>::of(resized(term, false, 8));
  else
    return Bits<T>::of(term);
}

Term mask_term(Bits<bool> mask) {
  const Term t = mask.term;
  return t == kNoTerm || TermWriter::terms().is_false(t) ? kNoTerm : t;
}

// The term of a result as a value of type Result.
template <class Result, bool is_bool = false, class E>
EvaluatedTerm settled(const E& evaluated) {
  using From = Element<decltype(evaluated.value)>;
  Term value = term_of(evaluated.value);
  if constexpr (is_bool)
    value = resized(value, false, 1);
  else if constexpr (std::is_floating_point_v<Result>)
    value = canonical_float(value);
  else if constexpr (!std::is_same_v<From, Result>)
    value = resized(value, std::is_signed_v<From>, term_width<Result>());
  return {value, mask_term(evaluated.first), mask_term(evaluated.second), E::kFirst, E::kSecond};
}
EvaluatedTerm settled_mask(Bits<bool> mask) {
  return {term_of(mask), kNoTerm, kNoTerm, Trap::None, Trap::None};
}

template <Op op, Scalar type, class T>
EvaluatedTerm shift(Scalar amount_type, const Term* x) {
  switch (amount_type) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, Amount, bytes, cls)                                      \
  case Scalar::Name:                                                                    \
    if constexpr (is_integer(Scalar::Name))                                             \
      return settled<T>(evaluate_shift<op>(Bits<T>::of(x[0]), Bits<Amount>::of(x[1]))); \
    break;
#include "lang/types.def"
  }
  return {};
}
template <Op op, class T>
EvaluatedTerm convert_from(Scalar from, Term x) {
  switch (from) {
    case Scalar::None: break;
#define SCALAR(Name, spelling, From, bytes, cls)                                        \
  case Scalar::Name:                                                                    \
    if constexpr (converts_from<op, T>(Scalar::Name))                                   \
      return settled<T>(evaluate_convert<op, Bits<T>>(operand<Scalar::Name, From>(x))); \
    break;
#include "lang/types.def"
  }
  return {};
}

template <Op op, OpForm form, Scalar type, class T>
EvaluatedTerm typed(Instruction i, const Term* x) {
  const auto at = [x](u32 n) { return operand<type, T>(x[n]); };
  constexpr bool is_bool = type == Scalar::Bool;
  if constexpr (is_mathematical(op) && std::is_floating_point_v<T>) {
    if constexpr (form == OpForm::Unary)
      return {float_operation(op, type, Scalar::None, {x[0]})};
    else
      return {float_operation(op, type, Scalar::None, {x[0], x[1]})};
  } else if constexpr (form == OpForm::Unary) {
    if constexpr (is_bool)
      return settled<T, true>(evaluate_not_bool(at(0)));
    else
      return settled<T>(evaluate_unary<op>(at(0)));
  } else if constexpr (form == OpForm::Binary) {
    return settled<T, is_bool>(evaluate_binary<op>(at(0), at(1)));
  } else if constexpr (form == OpForm::Ternary) {
    return settled<T>(evaluate_ternary<op>(at(0), at(1), at(2)));
  } else if constexpr (form == OpForm::Shift) {
    return shift<op, type, T>(static_cast<Scalar>(i.a), x);
  } else if constexpr (form == OpForm::Compare) {
    return settled_mask(evaluate_compare<op>(at(0), at(1)));
  } else if constexpr (form == OpForm::Order) {
    return settled<i64>(evaluate_order(at(0), at(1)));
  } else if constexpr (form == OpForm::Predicate) {
    return settled_mask(evaluate_predicate<op>(at(0)));
  } else if constexpr (form == OpForm::Count) {
    return settled<i64>(evaluate_count<op>(at(0)));
  } else if constexpr (form == OpForm::Near) {
    return settled_mask(evaluate_near(at(0), at(1), at(2)));
  } else {
    static_assert(form == OpForm::Convert);
    return convert_from<op, T>(static_cast<Scalar>(i.a), x[0]);
  }
}

template <Op op, OpForm form, TypeSet types>
EvaluatedTerm of_type(Instruction i, const Term* x) {
  if constexpr (is_pure_form(form)) {
    switch (i.type) {
      case Scalar::None: break;
#define SCALAR(Name, spelling, T, bytes, cls)            \
  case Scalar::Name:                                     \
    if constexpr ((types & type_bit(Scalar::Name)) != 0) \
      return typed<op, form, Scalar::Name, T>(i, x);     \
    break;
#include "lang/types.def"
    }
  }
  return {};
}

// The bits of a float without its sign.
Term size_of(Term x) {
  Terms& terms = TermWriter::terms();
  const u32 width = terms.row(x).width;
  return terms.make(TermOp::And, width, x, terms.constant(width, low_bits(width) >> 1));
}
Term is_zero(Term x) {
  Terms& terms = TermWriter::terms();
  return terms.equal(size_of(x), terms.constant(terms.row(x).width, 0));
}

}  // namespace

TermWriter::TermWriter(Terms& terms) : before_(terms_of_thread) { terms_of_thread = &terms; }
TermWriter::~TermWriter() { terms_of_thread = before_; }
Terms& TermWriter::terms() { return *terms_of_thread; }

Term float_operation(Op op, Scalar type, Scalar other, std::initializer_list<Term> operands) {
  FunctionRow row;
  row.meaning = {op, type, static_cast<u16>(other), 0};
  row.width = static_cast<u8>(scalar_bits(type));
  row.is_canonical = is_float(type);
  return TermWriter::terms().function(row, {operands.begin(), operands.size()});
}

Term float_is_nan(Term x) {
  Terms& terms = TermWriter::terms();
  const TermRow& row = terms.row(x);
  const u32 width = row.width;
  if (row.is_canonical)
    return terms.equal(x, terms.constant(width, width == 64 ? kCanonicalNan64 : kCanonicalNan32));
  const u64 infinity = width == 64 ? 0x7FF0'0000'0000'0000u : 0x7F80'0000u;
  return terms.make(TermOp::LessUnsigned, 1, terms.constant(width, infinity), size_of(x));
}

Term canonical_float(Term x) {
  Terms& terms = TermWriter::terms();
  const TermRow row = terms.row(x);
  if (row.is_canonical) return x;
  // With another sign a float is a NaN as it is without.
  const bool is_turned = row.op == TermOp::Xor && terms.is_constant(row.b) &&
                         terms.row(row.b).value == u64{1} << (row.width - 1);
  if (is_turned)
    if (const Term twice = terms.negated_float(row.a); twice != kNoTerm) return twice;
  const Term number = is_turned ? row.a : x;
  const Term nan = terms.constant(row.width, row.width == 64 ? kCanonicalNan64 : kCanonicalNan32);
  return terms.as_canonical(terms.select(float_is_nan(number), nan, x));
}

// The same bits, or both zeros; and no NaN.
Term float_equal(Term a, Term b) {
  Terms& terms = TermWriter::terms();
  const Term number = terms.no(float_is_nan(a));
  if (a == b) return number;
  const Term zeros = terms.both(is_zero(a), is_zero(b));
  const Term same = terms.either(terms.equal(a, b), zeros);
  return terms.both(same, terms.both(number, terms.no(float_is_nan(b))));
}

// Negative floats are ordered backwards. Zeros are equal.
Term float_less(Term a, Term b, bool or_equal) {
  Terms& terms = TermWriter::terms();
  const u32 width = terms.row(a).width;
  const auto key = [&](Term x) {
    const Term sign =
        terms.make(TermOp::ShiftRightSigned, width, x, terms.constant(width, width - 1));
    return terms.make(
        TermOp::Xor, width, x,
        terms.make(TermOp::And, width, sign, terms.constant(width, low_bits(width) >> 1)));
  };
  const Term numbers = terms.no(terms.either(float_is_nan(a), float_is_nan(b)));
  if (a == b) return or_equal ? numbers : terms.truth(false);
  const Term zeros = terms.both(is_zero(a), is_zero(b));
  if (or_equal) {
    const Term more = terms.make(TermOp::LessSigned, 1, key(b), key(a));
    return terms.both(terms.either(terms.no(more), zeros), numbers);
  }
  const Term less = terms.make(TermOp::LessSigned, 1, key(a), key(b));
  return terms.both(terms.both(less, terms.no(zeros)), numbers);
}

Term resized(Term x, bool is_signed, u32 width) {
  Terms& terms = TermWriter::terms();
  const u32 from = terms.row(x).width;
  if (from == width) return x;
  if (width == 1) return terms.no(terms.equal(x, terms.constant(from, 0)));
  if (from == 1) return terms.select(x, terms.constant(width, 1), terms.constant(width, 0));
  if (width < from) return terms.make(TermOp::Truncate, width, x);
  return terms.make(is_signed ? TermOp::ExtendSign : TermOp::ExtendZero, width, x);
}

EvaluatedTerm evaluate(Instruction i, const Term* operands) {
  using namespace type_set;
  switch (i.op) {
// clang-format would join the #include to the macro.
// clang-format off
#define OP(Name, mnemonic, form, types, traps, meaning) \
  case Op::Name: return of_type<Op::Name, OpForm::form, types>(i, operands);
#include "lang/ops.def"
    // clang-format on
  }
  return {};
}

EvaluatedTerm refer(Term count, u64 slots, u64 address) {
  return settled<u64>(evaluate_reference(Bits<u64>::of(count), slots, address));
}
EvaluatedTerm part_of(Term whole, Term low, Term high) {
  return settled<u64>(evaluate_part(Bits<u64>::of(whole), Bits<u64>::of(low), Bits<u64>::of(high)));
}
EvaluatedTerm rest_of(Term whole, Term offset, u64 least) {
  return settled<u64>(evaluate_rest(Bits<u64>::of(whole), Bits<u64>::of(offset), least));
}

u32 cell_bits(Scalar type) {
  if (is_reference(type)) return 64;
  return type == Scalar::Bool ? 1 : scalar_bits(type);
}
Term cell_term(Terms& terms, Scalar type, u64 cell) {
  return terms.constant(cell_bits(type), is_reference(type) ? cell : canonical_cell(type, cell));
}
u64 cell_of_bits(Scalar type, u64 bits) {
  return is_signed(type) ? static_cast<u64>(signed_bits(bits, scalar_bits(type))) : bits;
}

}  // namespace komuz::neural
