// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/sketch/decimal_oracle.h"

#include <gmp.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace komuz::engine::test {
namespace {

class Rational {
 public:
  Rational() { mpq_init(value_); }
  explicit Rational(u64 value) : Rational() { mpz_set_ui(mpq_numref(value_), value); }
  Rational(const Rational& other) : Rational() { mpq_set(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    mpq_set(value_, other.value_);
    return *this;
  }
  ~Rational() { mpq_clear(value_); }

  // As `-123e-7`.
  static Rational of(const std::string& text) {
    const size_t e = text.find('e');
    Rational out;
    mpq_set_str(out.value_, text.substr(0, e).c_str(), 10);
    return out * power(10, std::atoi(text.c_str() + e + 1));
  }
  static Rational of(const mpfr_t value) {
    Rational out;
    mpfr_get_q(out.value_, value);
    return out;
  }
  static Rational power(unsigned base, i64 exponent) {
    Rational out(1);
    mpz_ui_pow_ui(mpq_numref(out.value_), base, static_cast<unsigned long>(std::abs(exponent)));
    if (exponent < 0) mpq_inv(out.value_, out.value_);
    return out;
  }

  friend Rational operator+(const Rational& a, const Rational& b) { return a.with(b, mpq_add); }
  friend Rational operator-(const Rational& a, const Rational& b) { return a.with(b, mpq_sub); }
  friend Rational operator*(const Rational& a, const Rational& b) { return a.with(b, mpq_mul); }
  friend Rational operator/(const Rational& a, const Rational& b) { return a.with(b, mpq_div); }
  friend bool operator<(const Rational& a, const Rational& b) {
    return mpq_cmp(a.value_, b.value_) < 0;
  }
  [[nodiscard]] int sign() const { return mpq_sgn(value_); }
  [[nodiscard]] Rational size() const {
    Rational out;
    mpq_abs(out.value_, value_);
    return out;
  }
  // The nearest whole number of a positive one, ties to even.
  [[nodiscard]] std::string nearest() const {
    mpz_t whole, rest;
    mpz_inits(whole, rest, nullptr);
    mpz_fdiv_qr(whole, rest, mpq_numref(value_), mpq_denref(value_));
    mpz_mul_2exp(rest, rest, 1);
    const int order = mpz_cmp(rest, mpq_denref(value_));
    if (order > 0 || (order == 0 && mpz_odd_p(whole) != 0)) mpz_add_ui(whole, whole, 1);
    char text[64];
    mpz_get_str(text, 10, whole);
    mpz_clears(whole, rest, nullptr);
    return text;
  }
  void set(mpfr_t out) const { mpfr_set_q(out, value_, MPFR_RNDN); }

 private:
  using Operation = void (*)(mpq_t, const mpq_t, const mpq_t);
  [[nodiscard]] Rational with(const Rational& other, Operation operation) const {
    Rational out;
    operation(out.value_, value_, other.value_);
    return out;
  }

  mpq_t value_;
};

// The largest n with base^n ≤ value.
i64 floor_log(const Rational& value, unsigned base) {
  i64 n = 0;
  while (value < Rational::power(base, n)) n -= 16;
  while (!(value < Rational::power(base, n + 1))) ++n;
  return n;
}

// The float nearest to the decimal, too, is nearer to the point than half a step.
std::string shortest_near(Scalar type, const Rational& exact, const Rational& half_step) {
  if (exact.sign() == 0) return "0e0";
  const Rational size = exact.size();
  const i64 bits = type == Scalar::F64 ? 53 : 24, least = type == Scalar::F64 ? -1022 : -126;
  const Rational two_units =
      Rational::power(2, std::max(floor_log(size, 2), least) - (bits - 1) + 1);
  const i64 power = floor_log(size, 10);
  for (i64 digits = 1;; ++digits) {
    const Rational unit = Rational::power(10, power + 1 - digits);
    const std::string text = (size / unit).nearest() + "e" + std::to_string(power + 1 - digits);
    const Rational distance = (Rational::of(text) - size).size();
    const bool is_near = !(two_units < distance) && distance + two_units / Rational(4) < half_step;
    if (is_near || digits == 19) return (exact.sign() < 0 ? "-" : "") + text;
  }
}

}  // namespace

std::string linear_point_text(Scalar type, const std::string& low, const std::string& high,
                              u64 point, u32 parts) {
  const Rational a = Rational::of(low), b = Rational::of(high);
  const Rational step = (b - a) / Rational(parts);
  return shortest_near(type, a + step * Rational(point), step.size() / Rational(2));
}

std::string log_point_text(Scalar type, const std::string& low, const std::string& high, u64 point,
                           u32 parts) {
  mpfr_t ratio, step, exact;
  mpfr_inits2(400, ratio, step, exact, nullptr);
  const Rational a = Rational::of(low), b = Rational::of(high);
  (b / a).set(ratio);
  mpfr_rootn_ui(step, ratio, parts, MPFR_RNDN);  // from a point to the next one
  mpfr_pow_ui(exact, step, point, MPFR_RNDN);
  const Rational value = a * Rational::of(exact);
  const Rational half = value * (Rational::of(step) - Rational(1)).size() / Rational(2);
  mpfr_clears(ratio, step, exact, nullptr);
  return shortest_near(type, value, half);
}

u64 nearest_cell_of(Scalar type, const std::string& text) {
  return type == Scalar::F64 ? std::bit_cast<u64>(std::strtod(text.c_str(), nullptr))
                             : std::bit_cast<u32>(std::strtof(text.c_str(), nullptr));
}

}  // namespace komuz::engine::test
