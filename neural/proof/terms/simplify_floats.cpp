// SPDX-License-Identifier: Apache-2.0
// The few identities that hold for floats to the bit, NaNs, infinities and zeros of both signs included.
#include <bit>

#include "lang/cases.h"
#include "neural/proof/terms/terms.h"

namespace komuz::neural {
namespace {

f64 float_of(u32 width, u64 bits) {
  return width == 32 ? static_cast<f64>(std::bit_cast<f32>(static_cast<u32>(bits)))
                     : std::bit_cast<f64>(bits);
}

// The bits of 1 / x, where x is a power of two and 1 / x is a float; else 0. Both are normal numbers.
u64 exact_inverse(u32 width, u64 bits) {
  const u32 places = width == 32 ? 23 : 52, biases = width == 32 ? 254 : 2046;
  const u64 exponent = bits >> places & (width == 32 ? 0xFF : 0x7FF);
  if ((bits & low_bits(places)) != 0 || exponent == 0 || exponent >= biases) return 0;
  return (bits >> (width - 1) << (width - 1)) | (biases - exponent) << places;
}

}  // namespace

// A canonical NaN stays what it is.
Term Terms::negated_float(Term t) const {
  const TermRow& choice = rows_[t];
  if (choice.op != TermOp::Select || rows_[choice.a].op != TermOp::Equal) return kNoTerm;
  const TermRow &is_nan = rows_[choice.a], &turned = rows_[choice.c];
  const u64 nan = choice.width == 64 ? kCanonicalNan64 : kCanonicalNan32;
  const auto is = [&](Term x, u64 value) { return is_constant(x) && rows_[x].value == value; };
  if (turned.op != TermOp::Xor || !is(choice.b, nan) || !is(turned.b, u64{1} << (choice.width - 1)))
    return kNoTerm;
  const Term y = turned.a;
  return rows_[y].is_canonical && is_nan.a == y && is(is_nan.b, nan) ? y : kNoTerm;
}

Term Terms::simplified_float(const FunctionRow& meant, std::span<const Term> arguments) {
  if (arguments.size() != 2 || !is_float(meant.meaning.type)) return kNoTerm;
  Term x = arguments[0], number = arguments[1];
  const Op op = meant.meaning.op;
  const u32 width = meant.width;
  const u64 sign = u64{1} << (width - 1);
  if (op == Op::Add && x == number) {
    const u64 two = width == 32 ? std::bit_cast<u32>(2.0f) : std::bit_cast<u64>(2.0);
    FunctionRow product = meant;
    product.meaning.op = Op::Mul;
    const Term operands[] = {x, constant(width, two)};
    return function(product, operands);
  }
  // x - (-y) is x + y, and x + (-y) is x - y.
  for (u32 side = 0; side < (op == Op::Add ? 2 : 1) && (op == Op::Add || op == Op::Sub); ++side) {
    const Term y = negated_float(arguments[1 - side]);
    if (y == kNoTerm) continue;
    FunctionRow other = meant;
    other.meaning.op = op == Op::Add ? Op::Sub : Op::Add;
    const Term operands[] = {arguments[side], y};
    return function(other, operands);
  }
  const bool commutes = op == Op::Add || op == Op::Mul;
  if (commutes && is_constant(x)) std::swap(x, number);
  if (!is_constant(number) || !rows_[x].is_canonical) return kNoTerm;
  const u64 bits = rows_[number].value;
  const f64 value = float_of(width, bits);
  switch (op) {
    case Op::Add: return bits == sign ? x : kNoTerm;  // -0.0
    case Op::Sub: {
      if (value != value) return kNoTerm;
      FunctionRow sum = meant;
      sum.meaning.op = Op::Add;
      const Term operands[] = {x, constant(width, bits ^ sign)};
      return function(sum, operands);
    }
    case Op::Mul: return value == 1 ? x : kNoTerm;
    case Op::Div: {
      const u64 inverse = exact_inverse(width, bits);
      if (inverse == 0) return kNoTerm;
      FunctionRow product = meant;
      product.meaning.op = Op::Mul;
      const Term operands[] = {x, constant(width, inverse)};
      return function(product, operands);
    }
    default: return kNoTerm;
  }
}

}  // namespace komuz::neural
