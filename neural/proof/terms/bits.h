// SPDX-License-Identifier: Apache-2.0
// Staged lanes (lang/ops/lanes.h): Bits<T> stands for a value of type T that depends on variables. Its operators make
// terms. So op_eval.h, over Bits<T>, says what every operation on integers and bools is as a term, and what it does with the bits of
// floats. What floats compute (a sum, a rounding, a conversion) is a function of terms that stands for the operation.
//
// Terms are made where the TermWriter of this thread says. Some functions of op_eval.h have a second form here, found
// by overload resolution, where terms have a shorter one; tests compare both with the first one.
#pragma once
#include <initializer_list>

#include "neural/proof/terms/terms.h"
// Code that makes terms gains nothing from being inlined.
#undef HD
#define HD inline
#include "lang/ops/op_eval.h"

namespace komuz {
namespace neural {

// While one exists, the terms of its thread are made in `terms`.
class TermWriter {
 public:
  explicit TermWriter(Terms& terms);
  ~TermWriter();
  TermWriter(const TermWriter&) = delete;
  TermWriter& operator=(const TermWriter&) = delete;
  [[nodiscard]] static Terms& terms();

 private:
  Terms* before_;
};

// As a function of terms: an operation on floats.
[[nodiscard]] Term float_operation(Op op, Scalar type, Scalar other,
                                   std::initializer_list<Term> operands);
[[nodiscard]] Term float_equal(Term a, Term b);
[[nodiscard]] Term float_less(Term a, Term b, bool or_equal);
[[nodiscard]] Term float_is_nan(Term x);
// The canonical NaN for every NaN.
[[nodiscard]] Term canonical_float(Term x);
// As by static_cast between integers; a bool is 0 or 1, and true where a number is not 0.
[[nodiscard]] Term resized(Term x, bool is_signed, u32 width);

template <class T>
consteval u32 term_width() {
  return std::is_same_v<T, bool> ? 1 : sizeof(T) * 8;
}
template <class T>
consteval Scalar scalar_of() {
  if (std::is_same_v<T, bool>) return Scalar::Bool;
  if (std::is_same_v<T, f32>) return Scalar::F32;
  if (std::is_same_v<T, f64>) return Scalar::F64;
  if (sizeof(T) == 1) return Scalar::U8;
  if (std::is_signed_v<T>) return sizeof(T) == 4 ? Scalar::I32 : Scalar::I64;
  return sizeof(T) == 4 ? Scalar::U32 : Scalar::U64;
}
template <class T>
u64 term_bits(T x) {
  if constexpr (std::is_same_v<T, f32>)
    return __builtin_bit_cast(u32, x);
  else if constexpr (std::is_same_v<T, f64>)
    return __builtin_bit_cast(u64, x);
  else
    return static_cast<u64>(x);
}

}  // namespace neural

inline namespace KOMUZ_ISA_NAMESPACE {

// Without a term, until it is assigned to: the zero of T.
template <class T>
struct Bits {
  neural::Term term = neural::kNoTerm;

  Bits() = default;
  explicit Bits(T x)
      : term(neural::TermWriter::terms().constant(neural::term_width<T>(), neural::term_bits(x))) {}
  // Not of a number: a term is one, too.
  [[nodiscard]] static Bits of(neural::Term t) {
    Bits found;
    found.term = t;
    return found;
  }
};

template <class T>
inline constexpr bool is_staged<Bits<T>> = true;
template <class T>
struct LaneShape<Bits<T>, false> {
  using Element = T;
  static constexpr u32 count = 1;
  template <class S>
  struct As {
    using Type = Bits<S>;
  };
  using Mask = Bits<bool>;
};

template <class T>
neural::Term term_of(Bits<T> x) {
  return x.term != neural::kNoTerm
             ? x.term
             : neural::TermWriter::terms().constant(neural::term_width<T>(), 0);
}
template <class T>
Bits<T> made(neural::TermOp op, Bits<T> a, Bits<T> b) {
  return Bits<T>::of(
      neural::TermWriter::terms().make(op, neural::term_width<T>(), term_of(a), term_of(b)));
}
template <class T>
Bits<bool> asked(neural::TermOp op, Bits<T> a, Bits<T> b) {
  return Bits<bool>::of(neural::TermWriter::terms().make(op, 1, term_of(a), term_of(b)));
}
template <class T>
Bits<T> floats(Op op, std::initializer_list<neural::Term> operands) {
  constexpr Scalar type = neural::scalar_of<T>();
  return Bits<T>::of(neural::float_operation(op, type, Scalar::None, operands));
}

template <class T>
Bits<T> operator+(Bits<T> a, Bits<T> b) {
  if constexpr (std::is_floating_point_v<T>)
    return floats<T>(Op::Add, {term_of(a), term_of(b)});
  else
    return made(neural::TermOp::Add, a, b);
}
template <class T>
Bits<T> operator-(Bits<T> a, Bits<T> b) {
  if constexpr (std::is_floating_point_v<T>)
    return floats<T>(Op::Sub, {term_of(a), term_of(b)});
  else
    return made(neural::TermOp::Subtract, a, b);
}
template <class T>
Bits<T> operator*(Bits<T> a, Bits<T> b) {
  if constexpr (std::is_floating_point_v<T>)
    return floats<T>(Op::Mul, {term_of(a), term_of(b)});
  else
    return made(neural::TermOp::Multiply, a, b);
}
template <class T>
Bits<T> operator/(Bits<T> a, Bits<T> b) {
  using enum neural::TermOp;
  if constexpr (std::is_floating_point_v<T>)
    return floats<T>(Op::Div, {term_of(a), term_of(b)});
  else
    return made(std::is_signed_v<T> ? DivideSigned : DivideUnsigned, a, b);
}
template <class T>
Bits<T> operator&(Bits<T> a, Bits<T> b) {
  return made(neural::TermOp::And, a, b);
}
template <class T>
Bits<T> operator|(Bits<T> a, Bits<T> b) {
  return made(neural::TermOp::Or, a, b);
}
template <class T>
Bits<T> operator^(Bits<T> a, Bits<T> b) {
  return made(neural::TermOp::Xor, a, b);
}
template <class T>
Bits<T> operator~(Bits<T> x) {
  return Bits<T>::of(
      neural::TermWriter::terms().make(neural::TermOp::Not, neural::term_width<T>(), term_of(x)));
}
inline Bits<bool> operator!(Bits<bool> x) { return ~x; }
template <class T>
Bits<T> operator-(Bits<T> x) {
  using U = typename IntegersOf<sizeof(T)>::Unsigned;
  if constexpr (std::is_floating_point_v<T>)
    return Bits<T>::of((Bits<U>::of(term_of(x)) ^ Bits<U>(U{1} << (sizeof(T) * 8 - 1))).term);
  else
    return Bits<T>{} - x;
}
template <class T>
Bits<T> operator<<(Bits<T> x, Bits<T> places) {
  return made(neural::TermOp::ShiftLeft, x, places);
}
template <class T>
Bits<T> operator>>(Bits<T> x, Bits<T> places) {
  using enum neural::TermOp;
  return made(std::is_signed_v<T> ? ShiftRightSigned : ShiftRight, x, places);
}
template <class T>
Bits<T> operator<<(Bits<T> x, u32 places) {
  return x << Bits<T>(static_cast<T>(places));
}
template <class T>
Bits<T> operator>>(Bits<T> x, u32 places) {
  return x >> Bits<T>(static_cast<T>(places));
}

template <class T>
Bits<bool> operator==(Bits<T> a, Bits<T> b) {
  if constexpr (std::is_floating_point_v<T>)
    return Bits<bool>::of(neural::float_equal(term_of(a), term_of(b)));
  else
    return asked(neural::TermOp::Equal, a, b);
}
template <class T>
Bits<bool> operator<(Bits<T> a, Bits<T> b) {
  using enum neural::TermOp;
  if constexpr (std::is_floating_point_v<T>)
    return Bits<bool>::of(neural::float_less(term_of(a), term_of(b), false));
  else
    return asked(std::is_signed_v<T> ? LessSigned : LessUnsigned, a, b);
}
template <class T>
Bits<bool> operator<=(Bits<T> a, Bits<T> b) {
  if constexpr (std::is_floating_point_v<T>)
    return Bits<bool>::of(neural::float_less(term_of(a), term_of(b), true));
  else
    return !(b < a);
}
template <class T>
Bits<bool> operator!=(Bits<T> a, Bits<T> b) {
  return !(a == b);
}
template <class T>
Bits<bool> operator>(Bits<T> a, Bits<T> b) {
  return b < a;
}
template <class T>
Bits<bool> operator>=(Bits<T> a, Bits<T> b) {
  return b <= a;
}

// The vocabulary of lanes.h and lanes_x86.h.

template <class V>
requires is_staged<V> V select(Mask<V> mask, V if_true, V if_false) {
  return V::of(
      neural::TermWriter::terms().select(term_of(mask), term_of(if_true), term_of(if_false)));
}
template <class To, class T>
To bits_as(Bits<T> x) {
  static_assert(sizeof(Element<To>) == sizeof(T));
  return To::of(term_of(x));
}
template <class To, class T>
To convert_lanes(Bits<T> x) {
  using E = Element<To>;
  using neural::scalar_of;
  if constexpr (std::is_same_v<E, T>) {
    return x;
  } else if constexpr (std::is_floating_point_v<E> || std::is_floating_point_v<T>) {
    return To::of(
        neural::float_operation(Op::Convert, scalar_of<E>(), scalar_of<T>(), {term_of(x)}));
  } else {
    return To::of(neural::resized(term_of(x), std::is_signed_v<T>, neural::term_width<E>()));
  }
}
template <class T>
Bits<T> sqrt_lanes(Bits<T> x) {
  return floats<T>(Op::Sqrt, {term_of(x)});
}
template <class T>
Bits<T> fma_lanes(Bits<T> a, Bits<T> b, Bits<T> c) {
  return floats<T>(Op::Fma, {term_of(a), term_of(b), term_of(c)});
}
// Not infinite, and no NaN: the exponent is not all ones.
template <class T>
Bits<bool> is_finite_lanes(Bits<T> x) {
  using U = typename IntegersOf<sizeof(T)>::Unsigned;
  const Bits<U> infinity(sizeof(T) == 8 ? static_cast<U>(0x7FF0'0000'0000'0000u)
                                        : static_cast<U>(0x7F80'0000u));
  return (Bits<U>::of(term_of(x)) & infinity) != infinity;
}

// Second forms of what op_eval.h does in steps.

template <Rounding rounding, class T>
Evaluated<Bits<T>> round_to_integral(Bits<T> x) {
  constexpr Op op = rounding == Rounding::Down   ? Op::Floor
                    : rounding == Rounding::Up   ? Op::Ceil
                    : rounding == Rounding::Zero ? Op::Trunc
                                                 : Op::Round;
  return {floats<T>(op, {term_of(x)})};
}
template <class To, class T>
Evaluated<To> convert_float_to_int(Bits<T> x) {
  return {convert_lanes<To>(x)};
}
template <class T>
Bits<typename IntegersOf<sizeof(T)>::Unsigned> canonical_bits(Bits<T> x) {
  return Bits<typename IntegersOf<sizeof(T)>::Unsigned>::of(neural::canonical_float(term_of(x)));
}
inline Evaluated<Bits<u64>> random_bits(Bits<u64> seed, Bits<u64> counter) {
  return {Bits<u64>::of(neural::float_operation(Op::Rand, Scalar::U64, Scalar::None,
                                                {term_of(seed), term_of(counter)}))};
}

template <class T>
Evaluated<Bits<T>, Trap::Overflow> multiply_int(Bits<T> a, Bits<T> b) {
  using enum neural::TermOp;
  return {a * b, asked(std::is_signed_v<T> ? OverflowsSigned : OverflowsUnsigned, a, b)};
}
// With a known operand, an overflow is a comparison with a bound.
template <class T>
Bits<bool> sum_overflows(Bits<T> x, T number) {
  if constexpr (std::is_signed_v<T>) {
    if (number < 0) return x < Bits<T>(static_cast<T>(lane_min<Bits<T>> - number));
    return x > Bits<T>(static_cast<T>(lane_max<Bits<T>> - number));
  } else {
    return x > Bits<T>(static_cast<T>(lane_max<Bits<T>> - number));
  }
}
template <class T>
bool is_number(Bits<T> x, T& number) {
  const neural::TermRow& row = neural::TermWriter::terms().row(term_of(x));
  number = static_cast<T>(row.value);
  return row.op == neural::TermOp::Constant;
}
template <class T>
Evaluated<Bits<T>, Trap::Overflow> add_int(Bits<T> a, Bits<T> b) {
  T number{};
  if (is_number(b, number)) return {a + b, sum_overflows(a, number)};
  if (is_number(a, number)) return {a + b, sum_overflows(b, number)};
  // Twice x, as a product says it.
  if (a.term == b.term) return multiply_int(a, Bits<T>(T{2}));
  // One order of the operands, so that both orders are one term.
  if (a.term > b.term) std::swap(a, b);
  return add_int<Bits<T>>(a, b);
}
template <class T>
Evaluated<Bits<T>, Trap::Overflow> subtract_int(Bits<T> a, Bits<T> b) {
  T number{};
  if constexpr (std::is_signed_v<T>) {
    if (is_number(b, number) && number != lane_min<Bits<T>>)
      return {a - b, sum_overflows(a, static_cast<T>(-number))};
    if (is_number(a, number)) {
      constexpr T largest = lane_max<Bits<T>>, least = lane_min<Bits<T>>;
      if (number < 0) return {a - b, b > Bits<T>(static_cast<T>(number - least))};
      return {a - b, b < Bits<T>(static_cast<T>(number - largest))};
    }
  }
  return subtract_int<Bits<T>>(a, b);
}
// A divisor of 0 or -1 does no harm to a term.
template <class T>
Quotient<Bits<T>> divide_truncating(Bits<T> a, Bits<T> b) {
  const Bits<T> value = a / b, zero(T{0});
  Bits<bool> overflow(false);
  if constexpr (std::is_signed_v<T>)
    overflow = (b == Bits<T>(static_cast<T>(-1))) & (a == Bits<T>(lane_min<Bits<T>>));
  return {value, a - value * b, b == zero, overflow};
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
