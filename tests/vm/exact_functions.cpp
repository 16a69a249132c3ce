// SPDX-License-Identifier: Apache-2.0
#include "tests/vm/exact_functions.h"

#include <cmath>
#include <limits>

namespace komuz::test {
namespace {

using OfOne = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
using OfTwo = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

struct Row {
  Op op;
  std::string_view name;
  OfOne of_one;
  OfTwo of_two;
};
constexpr Row kRows[] = {
    {Op::Exp, "exp", mpfr_exp, nullptr},       {Op::Exp2, "exp2", mpfr_exp2, nullptr},
    {Op::Log, "log", mpfr_log, nullptr},       {Op::Log2, "log2", mpfr_log2, nullptr},
    {Op::Log10, "log10", mpfr_log10, nullptr}, {Op::Sin, "sin", mpfr_sin, nullptr},
    {Op::Cos, "cos", mpfr_cos, nullptr},       {Op::Tan, "tan", mpfr_tan, nullptr},
    {Op::Asin, "asin", mpfr_asin, nullptr},    {Op::Acos, "acos", mpfr_acos, nullptr},
    {Op::Atan, "atan", mpfr_atan, nullptr},    {Op::Sinh, "sinh", mpfr_sinh, nullptr},
    {Op::Cosh, "cosh", mpfr_cosh, nullptr},    {Op::Tanh, "tanh", mpfr_tanh, nullptr},
    {Op::Cbrt, "cbrt", mpfr_cbrt, nullptr},    {Op::Erf, "erf", mpfr_erf, nullptr},
    {Op::Pow, "pow", nullptr, mpfr_pow},       {Op::Atan2, "atan2", nullptr, mpfr_atan2},
    {Op::Hypot, "hypot", nullptr, mpfr_hypot}, {Op::Fmod, "fmod", nullptr, mpfr_fmod},
};

const Row& row_of(Op op) {
  const Row* found = kRows;
  for (const Row& row : kRows)
    if (row.op == op) found = &row;
  return *found;
}

constexpr mpfr_prec_t kOperandBits = 53, kExactBits = 180;

}  // namespace

std::vector<Op> exact_functions() {
  std::vector<Op> ops;
  for (const Row& row : kRows) ops.push_back(row.op);
  return ops;
}
std::string_view function_name(Op op) { return row_of(op).name; }

ExactFunction::ExactFunction(Op op) : op_(op) {
  mpfr_init2(x_, kOperandBits);
  mpfr_init2(y_, kOperandBits);
  mpfr_init2(exact_, kExactBits);
  mpfr_init2(off_, kExactBits);
}
ExactFunction::~ExactFunction() {
  mpfr_clears(x_, y_, exact_, off_, static_cast<mpfr_ptr>(nullptr));
}

void ExactFunction::compute(f64 x, f64 y) {
  const Row& row = row_of(op_);
  mpfr_set_d(x_, x, MPFR_RNDN);
  if (row.of_one != nullptr) {
    row.of_one(exact_, x_, MPFR_RNDN);
  } else {
    mpfr_set_d(y_, y, MPFR_RNDN);
    row.of_two(exact_, x_, y_, MPFR_RNDN);
  }
}

f64 ExactFunction::distance(f64 value, long digits, long lowest, long highest) {
  const f64 missed = std::numeric_limits<f64>::infinity();
  if (mpfr_nan_p(exact_)) return std::isnan(value) ? 0 : missed;
  if (mpfr_zero_p(exact_)) return value == 0 ? 0 : missed;
  const f64 sign = mpfr_signbit(exact_) != 0 ? -1 : 1;
  if (mpfr_inf_p(exact_)) return value == sign * missed ? 0 : missed;
  if (std::isnan(value)) return missed;
  // |exact| lies in [2^(exponent − 1), 2^exponent).
  const long exponent = mpfr_get_exp(exact_);
  if (exponent > highest && std::isinf(value)) return value * sign > 0 ? 0 : missed;
  const long binade = exponent > highest ? highest : exponent;
  const long unit = binade - digits < lowest ? lowest : binade - digits;
  if (std::isinf(value)) {  // stands for the float that would come next
    mpfr_set_d(off_, value > 0 ? 1 : -1, MPFR_RNDN);
    mpfr_mul_2si(off_, off_, highest, MPFR_RNDN);
  } else {
    mpfr_set_d(off_, value, MPFR_RNDN);
  }
  mpfr_sub(off_, off_, exact_, MPFR_RNDN);
  mpfr_mul_2si(off_, off_, -unit, MPFR_RNDN);
  return std::fabs(mpfr_get_d(off_, MPFR_RNDN));
}

f64 ExactFunction::error(f32 x, f32 y, f32 value) {
  compute(x, y);
  return distance(value, 24, -149, 128);
}
f64 ExactFunction::error(f64 x, f64 y, f64 value) {
  compute(x, y);
  return distance(value, 53, -1074, 1024);
}

}  // namespace komuz::test
