// SPDX-License-Identifier: Apache-2.0
#include "tests/vm/function_errors.h"

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "lang/ops/eval_cells.h"

namespace komuz::test {
namespace {

template <class F>
class Samples {
 public:
  Samples(Op op, u64 seed) : op_(op), random_(seed) {}

  struct Arguments {
    F x, y;
  };
  Arguments next() {
    if (op_ == Op::Pow) return of_pow();
    const F x = one();
    // Of two arguments either is free, or they are about as large.
    if (random_.below(2) == 0) return {x, one()};
    return {x, x * std::ldexp(fraction() + F(0.5), static_cast<int>(random_.below(12)) - 6)};
  }

 private:
  using Limits = std::numeric_limits<F>;
  using Bits = UnsignedLanes<F>;

  F fraction() { return static_cast<F>(static_cast<f64>(random_.next() >> 11) * 0x1p-53); }
  F signed_fraction() { return fraction() * F(2) - F(1); }

  F one() {
    switch (random_.below(5)) {
      case 0: return std::bit_cast<F>(static_cast<Bits>(random_.next()));
      case 1: return signed_fraction() * span();
      case 2: return std::ldexp(signed_fraction(), static_cast<int>(random_.below(48)) - 36);
      case 3: return next_to_turn();
      default: return next_to_point();
    }
  }

  // What arguments up to here give is neither constant nor out of range.
  [[nodiscard]] F span() const {
    constexpr bool is_double = sizeof(F) == 8;
    switch (op_) {
      case Op::Exp:
      case Op::Sinh:
      case Op::Cosh: return is_double ? F(746) : F(105);
      case Op::Exp2: return is_double ? F(1076) : F(151);
      case Op::Asin:
      case Op::Acos: return F(1);
      case Op::Tanh: return F(22);
      case Op::Erf: return F(6);
      default: return F(8);
    }
  }

  // Quarter turns: the sums that cancel.
  F next_to_turn() {
    const u64 count = random_.next() >> random_.below(64);
    const long double angle = static_cast<long double>(count) * (acosl(-1.0L) / 2);
    const F turned = std::ldexp(static_cast<F>(angle), static_cast<int>(random_.below(3)) - 1);
    return random_.below(2) == 0 ? turned : -turned;
  }

  // Where pieces of polynomials, exponents and results begin and end.
  F next_to_point() {
    const F points[] = {F(0.125),
                        F(0.34657359),
                        F(0.41421356),
                        F(0.5),
                        F(0.70710678),
                        F(0.875),
                        F(1),
                        F(1.41421356),
                        F(1.75),
                        F(2),
                        F(2.41421356),
                        F(2.75),
                        F(4),
                        F(6),
                        F(20),
                        F(0x1p20),
                        std::log(Limits::max()),
                        std::log(Limits::denorm_min()),
                        F(Limits::max_exponent),
                        F(Limits::min_exponent - Limits::digits)};
    const F away = std::ldexp(signed_fraction(), -static_cast<int>(random_.below(Limits::digits)));
    const F near = random_.pick(points) * (F(1) + away);
    return random_.below(4) == 0 ? -near : near;
  }

  // Bases near 1, of ordinary size and of all exponents; results all over the range.
  Arguments of_pow() {
    F x = 0;
    switch (random_.below(4)) {
      case 0: x = F(1) + signed_fraction() * F(0.005); break;
      case 1: x = F(0.5) + fraction() * F(1.5); break;
      case 2: x = fraction() * F(100); break;
      default: {
        const int exponents = Limits::max_exponent - Limits::min_exponent + Limits::digits;
        x = std::ldexp(F(1) + fraction(),
                       static_cast<int>(random_.below(static_cast<u32>(exponents))) +
                           Limits::min_exponent - Limits::digits);
      }
    }
    const f64 lowest = Limits::min_exponent - Limits::digits, highest = Limits::max_exponent;
    const f64 wanted = lowest + static_cast<f64>(fraction()) * (highest - lowest);
    const f64 logarithm = std::log2(static_cast<f64>(x));
    const bool is_small = random_.below(4) == 0 || logarithm == 0 || !std::isfinite(logarithm);
    return {x, is_small ? signed_fraction() * F(4) : static_cast<F>(wanted / logarithm)};
  }

  Op op_;
  Random random_;
};

EvaluatedCell evaluate(Instruction i, const u64* operands) { return eval_cells(i, operands); }

template <class F>
FunctionErrors measure(Op op, Scalar type, u64 samples, u64 seed) {
  Samples<F> arguments(op, seed);
  ExactFunction exact(op);
  FunctionErrors errors;
  for (u64 k = 0; k < samples; ++k) {
    const auto [x, y] = arguments.next();
    const u64 cells[3] = {cell_of_value(x), cell_of_value(y), 0};
    const F value = value_of_cell<F>(evaluate({op, type, 0, 0}, cells).value);
    const bool is_subnormal = std::fabs(value) < std::numeric_limits<F>::min();
    LargestError& largest = is_subnormal ? errors.subnormal : errors.normal;
    largest.add(exact.error(x, y, value), static_cast<f64>(x), static_cast<f64>(y));
  }
  return errors;
}

}  // namespace

FunctionErrors measure_errors(Op op, Scalar type, u64 samples, u64 seed) {
  return type == Scalar::F32 ? measure<f32>(op, type, samples, seed)
                             : measure<f64>(op, type, samples, seed);
}

}  // namespace komuz::test
