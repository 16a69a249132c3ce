// SPDX-License-Identifier: Apache-2.0
// Conversion of decimal text to the nearest float, against the standard library: random digits, the middles between
// neighbouring floats with all their digits and their neighbours in the last digit, subnormal numbers, the limits of
// the range.
#include "frontend_gpu/text/decimal.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace komuz::test {
namespace {

template <class F>
frontend::NearestFloat nearest_float(std::string_view text) {
  const auto* const bytes = reinterpret_cast<const u8*>(text.data());
  const u32 length = static_cast<u32>(text.size());
  return frontend::nearest_float<F>(frontend::read_decimal(bytes, length), bytes, length);
}

template <class F>
u64 bits_of(F value) {
  u64 bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

// The language's rule: a nonzero number that rounds to zero or to infinity is out of range.
template <class F>
void expect_as_library(const std::string& text) {
  F value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  ASSERT_EQ(end, text.data() + text.size()) << text;
  const frontend::NearestFloat found = nearest_float<F>(text);
  const bool is_zero = text.find_first_of("123456789") >= text.find_first_of("eE");
  const bool fits = error == std::errc() && std::isfinite(value) && (value != 0 || is_zero);
  EXPECT_EQ(found.is_in_range, fits) << text;
  if (fits) {
    EXPECT_EQ(found.bits, bits_of(value)) << text;
  }
}
void expect_as_library_both(const std::string& text) {
  expect_as_library<f64>(text);
  expect_as_library<f32>(text);
}

// All digits of a number, as digits, a point and an exponent, without zeros at the end.
std::string all_digits(long double value) {
  char text[1200];
  std::snprintf(text, sizeof text, "%.1100Le", value);
  const std::string whole(text);
  const size_t e = whole.find('e');
  size_t last = whole.find_last_not_of('0', e - 1);
  if (whole[last] == '.') ++last;
  return whole.substr(0, last + 1) + whole.substr(e);
}
// The text with its last digit one larger or smaller, or with a digit behind it.
std::vector<std::string> neighbours(const std::string& text) {
  const size_t e = text.find('e');
  std::vector<std::string> out{text, text.substr(0, e) + "1" + text.substr(e),
                               text.substr(0, e) + "00000000000000000000001" + text.substr(e)};
  std::string below = text;
  for (size_t k = e - 1; k > 0; --k) {  // borrows to the left
    if (below[k] == '.') continue;
    const bool borrows = below[k] == '0';
    below[k] = borrows ? '9' : static_cast<char>(below[k] - 1);
    if (!borrows) break;
  }
  out.push_back(below);
  return out;
}
u32 digits_of(const std::string& text) {
  u32 n = 0;
  for (const char c : text.substr(0, text.find('e'))) n += c != '.';
  return n;
}

template <class F, class Bits>
u32 check_middles(u64 seed, u32 count) {
  std::mt19937_64 random(seed);
  u32 checked = 0;
  for (u32 k = 0; k < count; ++k) {
    Bits bits = static_cast<Bits>(random()) & static_cast<Bits>(~Bits{0} >> 1);
    if (k % 5 == 0) bits >>= sizeof(F) == 8 ? 11 : 8;                        // subnormal
    if (k % 7 == 0) bits &= static_cast<Bits>(~Bits{0} << (sizeof(F) * 4));  // few digits
    F low;
    std::memcpy(&low, &bits, sizeof low);
    const F high = std::nextafter(low, std::numeric_limits<F>::infinity());
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const long double middle = static_cast<long double>(low) +
                               (static_cast<long double>(high) - static_cast<long double>(low)) / 2;
    for (const std::string& text : neighbours(all_digits(middle))) {
      if (digits_of(text) > frontend::kMaxFloatDigits) continue;
      expect_as_library<F>(text);
      ++checked;
    }
  }
  return checked;
}

TEST(Decimal, MiddlesBetweenNeighbours) {
  EXPECT_GT((check_middles<f64, u64>(1, 4000)), 4000u);
  EXPECT_GT((check_middles<f32, u32>(2, 4000)), 12000u);
}

TEST(Decimal, RandomDigits) {
  std::mt19937_64 random(3);
  const auto random_digit = [&random] { return static_cast<char>('0' + random() % 10); };
  for (u32 k = 0; k < 100'000; ++k) {
    const u64 whole = 1 + random() % 24, part = random() % (k % 50 == 0 ? 480 : 24);
    std::string text;
    for (u64 d = 0; d < whole; ++d) text += random_digit();
    if (part != 0) text += '.';
    for (u64 d = 0; d < part; ++d) text += random_digit();
    const u32 range = k % 3 == 0 ? 20 : k % 3 == 1 ? 60 : 370;
    if (k % 4 != 0)
      text += (k % 2 == 0 ? "e" : "E") +
              std::to_string(static_cast<i64>(random() % (2 * range)) - range);
    expect_as_library_both(text);
  }
}

TEST(Decimal, EdgesOfTheRange) {
  for (const char* const text :
       {"0",
        "0.0",
        "0e999999",
        "0.000000000000000000000000000000000000000000000000e-99999",
        "1e308",
        "1e309",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017"
        "977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273"
        "8"
        "5484508149753184407588400775450800499000199061996165765013568190016e-40",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "2.225073858507201e-308",
        "5e-324",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2e-324",
        "1e-400",
        "1e99999",
        "1e-99999",
        "9007199254740993",
        "9007199254740992.999999999999999999",
        "9007199254740993.000000000000000000000000000000000000000001",
        "3.4028235e38",
        "3.4028236e38",
        "3.4028234663852886e38",
        "3.4028235677973366e38",
        "1.17549435e-38",
        "1.1754942e-38",
        "1e-45",
        "7.006492321624085e-46",
        "7.0064923216240854e-46",
        "7e-46",
        "16777217",
        "16777217.0000000000000000000000000001",
        "16777219",
        "8.98846567431158e307"})
    expect_as_library_both(text);
}

TEST(Decimal, ReadsOverUnderscores) {
  const auto bits = [](std::string_view text) { return nearest_float<f64>(text).bits; };
  EXPECT_EQ(bits("1_234_567_890_123_456_789.000_1e-0_3"), bits_of(1234567890123456.7890001));
  EXPECT_EQ(bits("00000000000000000000000000000000012.5E+1"), bits_of(125.0));
}

}  // namespace
}  // namespace komuz::test
