// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "engine/support/shown.h"

namespace komuz::engine {
namespace {

struct NamedUnit {
  std::string_view symbol, meaning;
};
constexpr NamedUnit kNamed[] = {
#define UNIT(symbol, meaning) {symbol, meaning},
#include "engine/fit/si_units.def"
};

struct Factor {
  std::string_view symbol;
  i32 exponent = 1;
};

Problem bad_unit(std::string_view text, std::string_view at) {
  return option_problem(shown(text) + " is no unit: it is not clear what " + shown(at) + " means",
                        "write it like `m/s`, `kg*m^2/s^2` or `1`");
}

// Factors with their exponents. Named units stay as they are.
Problem read_factors(std::string_view text, std::vector<Factor>& out) {
  constexpr i32 kMostExponent = 12;
  const std::string_view whole = text;
  i32 sign = 1;
  bool needs_factor = false;
  while (!text.empty()) {
    if (text.starts_with("·")) {
      if (needs_factor) return bad_unit(whole, whole);
      text.remove_prefix(std::string_view("·").size());
      needs_factor = true;
      continue;
    }
    const char c = text[0];
    if (c == ' ' || c == '*' || c == '/') {
      if (c != ' ' && needs_factor) return bad_unit(whole, whole);
      if (c == '/') sign = -1;
      if (c != ' ') needs_factor = true;
      text.remove_prefix(1);
      continue;
    }
    const size_t end = std::min(text.find_first_of(" */^"), text.size());
    const size_t length = std::min(end, std::min(text.find("·"), text.size()));
    Factor factor{text.substr(0, length), sign};
    const bool is_name = std::ranges::all_of(factor.symbol, [](unsigned char one) {
      return std::isalpha(one) != 0 || one == '_' || one == '%' || one >= 0x80;
    });
    if (!is_name && factor.symbol != "1") return bad_unit(whole, factor.symbol);
    text.remove_prefix(length);
    if (text.starts_with('^')) {
      text.remove_prefix(1);
      if (text.starts_with('+')) text.remove_prefix(1);
      i32 exponent = 0;
      const auto [behind, error] =
          std::from_chars(text.data(), text.data() + text.size(), exponent);
      if (error != std::errc() || exponent < -kMostExponent || exponent > kMostExponent)
        return bad_unit(whole, text);
      text.remove_prefix(static_cast<size_t>(behind - text.data()));
      factor.exponent *= exponent;
    }
    out.push_back(factor);
    sign = 1;
    needs_factor = false;
  }
  return out.empty() || needs_factor ? bad_unit(whole, whole) : Problem();
}

}  // namespace

void Unit::multiply(const std::string& base, i32 quarters) {
  i32& exponent = exponents_[base];
  exponent += quarters;
  if (exponent == 0) exponents_.erase(base);
}

Unit Unit::with(const Unit& other, i32 sign) const {
  Unit out = *this;
  for (const auto& [base, exponent] : other.exponents_) out.multiply(base, sign * exponent);
  return out;
}

bool Unit::root(Unit& out) const {
  out = {};
  for (const auto& [base, exponent] : exponents_) {
    if (exponent % 2 != 0) return false;
    out.exponents_[base] = exponent / 2;
  }
  return true;
}

i32 Unit::weight() const {
  i32 sum = 0;
  for (const auto& [base, exponent] : exponents_) sum += std::abs(exponent);
  return sum;
}

std::string Unit::text() const {
  if (exponents_.empty()) return "1";
  std::string out;
  for (const auto& [base, exponent] : exponents_) {
    out += (out.empty() ? "" : " ") + base;
    if (exponent == kOne) continue;
    const bool is_whole = exponent % kOne == 0, is_half = exponent % 2 == 0;
    out += is_whole  ? "^" + std::to_string(exponent / kOne)
           : is_half ? "^(" + std::to_string(exponent / 2) + "/2)"
                     : "^(" + std::to_string(exponent) + "/4)";
  }
  return out;
}

Result<Unit> read_unit(std::string_view text) {
  std::vector<Factor> factors;
  if (Problem problem = read_factors(text, factors)) return problem;
  Unit out;
  for (const Factor& factor : factors) {
    const auto named = std::ranges::find(kNamed, factor.symbol, &NamedUnit::symbol);
    if (named == std::end(kNamed)) {
      out.multiply(std::string(factor.symbol), factor.exponent * Unit::kOne);
      continue;
    }
    std::vector<Factor> meaning;
    if (!named->meaning.empty())
      if (Problem problem = read_factors(named->meaning, meaning)) return problem;
    for (const Factor& part : meaning)
      out.multiply(std::string(part.symbol), factor.exponent * part.exponent * Unit::kOne);
  }
  return out;
}

}  // namespace komuz::engine
