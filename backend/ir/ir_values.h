// SPDX-License-Identifier: Apache-2.0
// Staged lanes (lang/ops/lanes.h): Ir<T> stands for a value of type T that code will have, or for a vector of such
// values where the writer's code is for many cases at a time. Its operators write that code. So op_eval.h, over
// Ir<T>, is the lowering of every pure operation to LLVM's intermediate representation.
//
// Code is written where the IrWriter of this thread (ir_writer.h) stands. All that knows LLVM is behind the functions
// of ir_code.h: a source that includes this header sees none of its headers.
//
// Some functions of op_eval.h have a second form here, found by overload resolution, where one instruction says what
// the first one says in many. What each means is said there, and tests/backend compares both.
#pragma once
#include "backend/ir/ir_code.h"
// Behind it: there HD is what it is here, too.
#include "lang/ops/op_eval.h"

namespace komuz {
inline namespace KOMUZ_ISA_NAMESPACE {

// Without code, until it is assigned to: the zero of T.
template <class T>
struct Ir {
  llvm::Value* code = nullptr;

  Ir() = default;
  explicit Ir(T x)
      : code(backend::ir::constant(backend::ir::type_of<T>(), backend::ir::bits_of(x))) {}
  explicit Ir(llvm::Value* c) : code(c) {}
};

template <class T>
inline constexpr bool is_staged<Ir<T>> = true;
template <class T>
struct LaneShape<Ir<T>, false> {
  using Element = T;
  static constexpr u32 count = 1;
  template <class S>
  struct As {
    using Type = Ir<S>;
  };
  using Mask = Ir<bool>;
};

template <class T>
llvm::Value* code_of(Ir<T> x) {
  return x.code != nullptr ? x.code : backend::ir::constant(backend::ir::type_of<T>(), 0);
}
template <class T>
Ir<T> binary_code(backend::ir::Binary op, Ir<T> a, Ir<T> b) {
  return Ir<T>(backend::ir::binary(op, code_of(a), code_of(b)));
}

template <class T>
Ir<T> operator+(Ir<T> a, Ir<T> b) {
  using enum backend::ir::Binary;
  return binary_code(std::is_floating_point_v<T> ? AddFloat : Add, a, b);
}
template <class T>
Ir<T> operator-(Ir<T> a, Ir<T> b) {
  using enum backend::ir::Binary;
  return binary_code(std::is_floating_point_v<T> ? SubtractFloat : Subtract, a, b);
}
template <class T>
Ir<T> operator*(Ir<T> a, Ir<T> b) {
  using enum backend::ir::Binary;
  return binary_code(std::is_floating_point_v<T> ? MultiplyFloat : Multiply, a, b);
}
template <class T>
Ir<T> operator/(Ir<T> a, Ir<T> b) {
  using enum backend::ir::Binary;
  constexpr auto integers = std::is_signed_v<T> ? DivideSigned : DivideUnsigned;
  return binary_code(std::is_floating_point_v<T> ? DivideFloat : integers, a, b);
}
template <class T>
Ir<T> operator-(Ir<T> x) {
  if constexpr (std::is_floating_point_v<T>)
    return Ir<T>(backend::ir::negative(code_of(x)));
  else
    return Ir<T>{} - x;
}
template <class T>
Ir<T> operator&(Ir<T> a, Ir<T> b) {
  return binary_code(backend::ir::Binary::And, a, b);
}
// Masks mostly have no code: no lane traps.
template <class T>
Ir<T> operator|(Ir<T> a, Ir<T> b) {
  if (a.code == nullptr) return b;
  if (b.code == nullptr) return a;
  return binary_code(backend::ir::Binary::Or, a, b);
}
template <class T>
Ir<T> operator^(Ir<T> a, Ir<T> b) {
  return binary_code(backend::ir::Binary::Xor, a, b);
}
template <class T>
Ir<T> operator~(Ir<T> x) {
  return x ^ Ir<T>(static_cast<T>(~T{}));
}
inline Ir<bool> operator!(Ir<bool> x) { return x ^ Ir<bool>(true); }
template <class T>
Ir<T> operator<<(Ir<T> x, Ir<T> places) {
  return binary_code(backend::ir::Binary::ShiftLeft, x, places);
}
template <class T>
Ir<T> operator>>(Ir<T> x, Ir<T> places) {
  using enum backend::ir::Binary;
  return binary_code(std::is_signed_v<T> ? ShiftRightSigned : ShiftRightUnsigned, x, places);
}
template <class T>
Ir<T> operator<<(Ir<T> x, u32 places) {
  return x << Ir<T>(static_cast<T>(places));
}
template <class T>
Ir<T> operator>>(Ir<T> x, u32 places) {
  return x >> Ir<T>(static_cast<T>(places));
}

template <class T>
Ir<bool> relation_code(backend::ir::Relation r, Ir<T> a, Ir<T> b) {
  return Ir<bool>(backend::ir::relation(r, std::is_signed_v<T>, code_of(a), code_of(b)));
}
template <class T>
Ir<bool> operator==(Ir<T> a, Ir<T> b) {
  return relation_code(backend::ir::Relation::Equal, a, b);
}
template <class T>
Ir<bool> operator!=(Ir<T> a, Ir<T> b) {
  return relation_code(backend::ir::Relation::Unequal, a, b);
}
template <class T>
Ir<bool> operator<(Ir<T> a, Ir<T> b) {
  return relation_code(backend::ir::Relation::Less, a, b);
}
template <class T>
Ir<bool> operator<=(Ir<T> a, Ir<T> b) {
  return relation_code(backend::ir::Relation::LessOrEqual, a, b);
}
template <class T>
Ir<bool> operator>(Ir<T> a, Ir<T> b) {
  return relation_code(backend::ir::Relation::Greater, a, b);
}
template <class T>
Ir<bool> operator>=(Ir<T> a, Ir<T> b) {
  return relation_code(backend::ir::Relation::GreaterOrEqual, a, b);
}

// The vocabulary of lanes.h and lanes_x86.h.

template <class V>
requires is_staged<V> V select(Mask<V> mask, V if_true, V if_false) {
  return V(backend::ir::select(code_of(mask), code_of(if_true), code_of(if_false)));
}
template <class To, class T>
To bits_as(Ir<T> x) {
  using E = Element<To>;
  static_assert(sizeof(E) == sizeof(T));
  return To(backend::ir::same_bits(code_of(x), backend::ir::type_of<E>()));
}
template <class To, class T>
To convert_lanes(Ir<T> x) {
  using E = Element<To>;
  constexpr bool is_wide = sizeof(T) == 8 && std::is_integral_v<T> && std::is_same_v<E, f64>;
  if constexpr (std::is_same_v<E, T>) return x;
  if constexpr (is_wide)
    if (backend::ir::in_lanes() && !backend::ir::target_converts()) return f64_of_integers<To>(x);
  if constexpr (!std::is_same_v<E, T>)
    return To(backend::ir::converted(code_of(x), std::is_signed_v<T>, backend::ir::type_of<E>(),
                                     std::is_signed_v<E>));
}
template <size_t rows>
Ir<u64> look_up(const u64 (&table)[rows], Ir<u64> index) {
  return Ir<u64>(backend::ir::look_up(table, code_of(index)));
}
template <class S, class... T>
void if_any(Ir<bool> mask, S step, Ir<T>&... changed) {
  static_assert(sizeof...(T) <= backend::ir::kMostChanged);
  ((changed.code = code_of(changed)), ...);
  llvm::Value** const values[] = {&changed.code...};
  backend::ir::Step branch(code_of(mask), values);
  step();
  branch.close();
}
template <class Condition, class S, class... T>
void while_any(Condition mask, S step, Ir<T>&... changed) {
  static_assert(sizeof...(T) <= backend::ir::kMostChanged);
  ((changed.code = code_of(changed)), ...);
  llvm::Value** const values[] = {&changed.code...};
  backend::ir::Loop loop(values);
  loop.test(code_of(mask()));
  step();
  loop.close();
}
template <class T>
Ir<T> sqrt_lanes(Ir<T> x) {
  return Ir<T>(backend::ir::square_root(code_of(x)));
}
template <class T>
Ir<T> fma_lanes(Ir<T> a, Ir<T> b, Ir<T> c) {
  if (!backend::ir::target_fuses()) return soft_fma(a, b, c);
  return Ir<T>(backend::ir::fused(code_of(a), code_of(b), code_of(c)));
}
inline Ir<u64> multiply_low_halves(Ir<u64> a, Ir<u64> b) {
  const Ir<u64> low(0xFFFF'FFFFu);
  return (a & low) * (b & low);
}
// For a single case the instruction; there is none for many. 32 bits divide as floats, which is exact. LLVM knows
// better for constants.
template <class T>
Ir<T> divide_lanes(Ir<T> a, Ir<T> b) {
  using namespace backend::ir;
  if (is_constant(code_of(b))) return a / b;
  if constexpr (sizeof(T) == 4) {
    if (in_lanes()) return divide_within_52_bits(a, b);
  } else if constexpr (std::is_same_v<T, u64>) {
    if (in_lanes() && target_converts()) return divide_in_two_steps(a, b);
  } else if constexpr (std::is_same_v<T, i64>) {
    if (in_lanes() && target_converts()) {
      const auto magnitude = [](Ir<i64> x) {
        const Ir<u64> bits = bits_as<Ir<u64>>(x);
        return select<Ir<u64>>(x < Ir<i64>(), Ir<u64>() - bits, bits);
      };
      const Ir<u64> quotient = divide_in_two_steps(magnitude(a), magnitude(b));
      return bits_as<Ir<i64>>(select<Ir<u64>>((a ^ b) < Ir<i64>(), Ir<u64>() - quotient, quotient));
    }
  }
  return a / b;
}

// Second forms of what op_eval.h and its kernels do in steps.

template <class T>
Pair<Ir<T>> two_product(Ir<T> a, Ir<T> b) {
  return backend::ir::target_fuses() ? two_product_fused(a, b) : two_product_in_parts(a, b);
}
template <class T>
Ir<T> exact_difference(Ir<T> x, Ir<T> a, Ir<T> b) {
  return backend::ir::target_fuses() ? fma_lanes(-a, b, x) : exact_difference_in_parts(x, a, b);
}
template <Rounding rounding, class T>
Evaluated<Ir<T>> round_to_integral(Ir<T> x) {
  if (!backend::ir::target_rounds()) return {round_by_arithmetic<rounding>(x)};
  return {Ir<T>(backend::ir::rounded(rounding, code_of(x)))};
}

template <class T>
Evaluated<Ir<T>, Trap::Overflow> checked_code(backend::ir::Checked op, Ir<T> a, Ir<T> b) {
  const backend::ir::CheckedValue made =
      backend::ir::checked(op, std::is_signed_v<T>, code_of(a), code_of(b));
  return {Ir<T>(made.value), Ir<bool>(made.overflow)};
}
template <class T>
Evaluated<Ir<T>, Trap::Overflow> add_int(Ir<T> a, Ir<T> b) {
  if (backend::ir::in_lanes()) return add_int<Ir<T>>(a, b);
  return checked_code(backend::ir::Checked::Add, a, b);
}
template <class T>
Evaluated<Ir<T>, Trap::Overflow> subtract_int(Ir<T> a, Ir<T> b) {
  if (backend::ir::in_lanes()) return subtract_int<Ir<T>>(a, b);
  return checked_code(backend::ir::Checked::Subtract, a, b);
}
// By a known factor, whose product overflows beyond two bounds.
template <class T>
Evaluated<Ir<T>, Trap::Overflow> multiply_by(Ir<T> x, Ir<T> by, i64 factor) {
  constexpr T least = lane_min<Ir<T>>, largest = lane_max<Ir<T>>;
  const Ir<T> product = x * by;
  if (factor == 0 || factor == 1) return {product, Ir<bool>{}};
  if (factor == -1) return {product, x == Ir<T>(least)};
  const T a = static_cast<T>(largest / factor), b = static_cast<T>(least / factor);
  return {product, (x > Ir<T>(factor > 0 ? a : b)) | (x < Ir<T>(factor > 0 ? b : a))};
}
template <class T>
Evaluated<Ir<T>, Trap::Overflow> multiply_int(Ir<T> a, Ir<T> b) {
  if (backend::ir::in_lanes()) {
    i64 factor = 0;
    if constexpr (std::is_signed_v<T>) {
      if (backend::ir::known_integer(code_of(b), factor)) return multiply_by(a, b, factor);
      if (backend::ir::known_integer(code_of(a), factor)) return multiply_by(b, a, factor);
    }
    return multiply_int<Ir<T>>(a, b);
  }
  return checked_code(backend::ir::Checked::Multiply, a, b);
}

template <class T>
auto count_code(backend::ir::Count kind, Ir<T> x) {
  using I = SignedLanes<Ir<T>>;
  return Evaluated<I>{I(backend::ir::count(kind, code_of(x)))};
}
template <class T>
Evaluated<SignedLanes<Ir<T>>> population_count(Ir<T> x) {
  return count_code(backend::ir::Count::Ones, x);
}
template <class T>
Evaluated<SignedLanes<Ir<T>>> leading_zeros(Ir<T> x) {
  return count_code(backend::ir::Count::LeadingZeros, x);
}
template <class T>
Evaluated<SignedLanes<Ir<T>>> trailing_zeros(Ir<T> x) {
  return count_code(backend::ir::Count::TrailingZeros, x);
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz
