// SPDX-License-Identifier: Apache-2.0
#include "services/charts/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/counts.h"

namespace komuz::services {
namespace {

using Buffer = std::array<char, 40>;

// Zero has no sign. `format`: further arguments of std::to_chars.
std::string number_text(f64 value, auto... format) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  Buffer buffer;
  char* const begin = buffer.data();
  return {begin,
          std::to_chars(begin, begin + buffer.size(), value == 0 ? 0 : value, format...).ptr};
}

}  // namespace

std::string shortest_text(f64 value) { return number_text(value); }

std::string short_text(f64 value) {
  constexpr int kDigits = 6;
  return number_text(value, std::chars_format::general, kDigits);
}

std::string place_text(f64 value) {
  const i64 tenths = static_cast<i64>(std::floor(value * 10 + 0.5));
  std::string text = tenths < 0 ? "-" : "";
  const i64 size = tenths < 0 ? -tenths : tenths;
  text += std::to_string(size / 10);
  if (size % 10 != 0) text += "." + std::to_string(size % 10);
  return text;
}

std::string decimal_text(Decimal value, bool is_plain) {
  if (value.multiple == 0) return "0";
  const std::string sign = value.multiple < 0 ? "−" : "";
  u64 size = static_cast<u64>(value.multiple < 0 ? -value.multiple : value.multiple);
  if (is_plain && value.exponent >= 0) {
    for (i32 k = 0; k < value.exponent; ++k) size *= 10;
    return sign + grouped(size);
  }
  std::string digits = std::to_string(size);
  if (is_plain) {
    const size_t places = static_cast<size_t>(-value.exponent);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    return sign + digits.insert(digits.size() - places, ".");
  }
  const i32 exponent = value.exponent + static_cast<i32>(digits.size()) - 1;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > 1) digits.insert(1, ".");
  return sign + digits + "e" + std::to_string(exponent);
}

f64 decimal_value(Decimal value) {
  // Converts through text, which is exact on every machine.
  const std::string text = std::to_string(value.multiple) + "e" + std::to_string(value.exponent);
  f64 result = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), result);
  if (read.ec == std::errc::result_out_of_range)
    return value.exponent < 0 ? 0 : std::numeric_limits<f64>::max();
  return result;
}

std::string power_text(i32 exponent, bool is_plain) {
  if (is_plain) return decimal_text({1, exponent}, true);
  static constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char c : std::to_string(exponent < 0 ? -exponent : exponent)) text += kRaised[c - '0'];
  return text;
}

i32 floor_log10(f64 value) {
  // The exponent as it is written.
  Buffer buffer;
  const char* end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                  std::chars_format::scientific)
                        .ptr;
  const char* e = end;
  while (*(e - 1) != 'e') --e;
  i32 exponent = 0;
  std::from_chars(*e == '+' ? e + 1 : e, end, exponent);
  return exponent;
}

}  // namespace komuz::services
