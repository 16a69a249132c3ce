// SPDX-License-Identifier: Apache-2.0
#include "engine/values/decimal_commas.h"

#include <algorithm>

#include "engine/support/shown.h"
#include "mend/source_text.h"

namespace komuz::engine {
namespace {

constexpr size_t kGroup = 3;  // digits

// True for `1.234.567`: digits in groups, the first of which may be shorter.
bool has_groups(std::string_view digits) {
  const size_t first = std::min(digits.find('.'), digits.size());
  if (first == 0 || first > kGroup) return false;
  for (size_t at = first; at < digits.size(); at += 1 + kGroup) {
    const std::string_view group = digits.substr(at + 1, kGroup);
    if (digits[at] != '.' || group.size() != kGroup || !are_digits(group)) return false;
  }
  return true;
}

// `e-3`, or nothing.
bool is_exponent(std::string_view text) {
  if (text.empty()) return true;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && are_digits(text);
}

}  // namespace

std::optional<ValueError> with_decimal_point(std::string_view text, std::string& out) {
  out = text;
  std::string_view number = text;
  const size_t sign = number.starts_with('-') || number.starts_with('+') ? 1 : 0;
  number.remove_prefix(sign);
  const size_t end = std::min(number.find_first_of("eE"), number.size());
  const std::string_view exponent = number.substr(end);
  const std::string_view digits = number.substr(0, end);
  const size_t comma = digits.find(',');
  const bool has_comma = comma != std::string_view::npos;
  const std::string_view whole = digits.substr(0, comma);
  const std::string_view fraction = has_comma ? digits.substr(comma + 1) : std::string_view();
  const bool is_number = digits.find_first_of("0123456789") != std::string_view::npos &&
                         whole.find_first_not_of("0123456789.") == std::string_view::npos &&
                         fraction.find_first_not_of("0123456789") == std::string_view::npos &&
                         is_exponent(exponent);
  const auto points = static_cast<size_t>(std::ranges::count(whole, '.'));
  if (!is_number || (points == 0 && !has_comma)) return std::nullopt;
  const bool is_grouped = points != 0 && has_groups(whole);
  std::string plain(whole);
  std::erase(plain, '.');
  const std::string before(text.substr(0, sign)), behind(exponent);
  if (points != 0 && !has_comma && !(is_grouped && points > 1 && exponent.empty())) {
    std::string commas(digits);
    std::ranges::replace(commas, '.', ',');
    const std::string with_comma = before + commas + behind;
    if (points == 1 && is_grouped && exponent.empty())
      return ValueError{0,
                        shown(text) + " may be " + before + plain + " or " + with_comma +
                            " where commas are decimal",
                        "write it without a point"};
    return ValueError{
        0, shown(text) + " has a point, and commas are decimal",
        points == 1 ? "write " + with_comma + ", or leave `--decimal ,` out" : "write one comma"};
  }
  if (points != 0 && !is_grouped)
    return ValueError{0, shown(text) + " has points that part no groups of three digits",
                      "write " + before + plain + "," + std::string(fraction) + behind};
  out = before + plain;
  if (has_comma) out += "." + std::string(fraction);
  out += behind;
  return std::nullopt;
}

}  // namespace komuz::engine
