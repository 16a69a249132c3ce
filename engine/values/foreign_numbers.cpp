// SPDX-License-Identifier: Apache-2.0
#include "engine/values/foreign_numbers.h"

#include <algorithm>
#include <string>

#include "engine/support/shown.h"
#include "mend/source_text.h"

namespace komuz::engine {
namespace {

// Unicode's blanks have messages of their own (odd_characters.h).
constexpr std::string_view kThousands[] = {",", ".", " ", "'", "\u2019"};
constexpr std::string_view kCurrencies[] = {"$", "€", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF"};

// The length of a separator of thousands, which groups of three digits follow.
size_t separator_length(std::string_view text) {
  for (const std::string_view separator : kThousands)
    if (text.starts_with(separator)) return separator.size();
  return 0;
}

struct Plain {
  std::string digits;  // in a program's form; empty: it is no number
  bool has_groups = false, has_comma = false;
};
// `1,000.5`, `1.000,5`, `1,5`. If there is one mark only, three digits behind it are thousands.
Plain plain_number(std::string_view text) {
  Plain out;
  const auto take_digits = [&] {
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    out.digits += text.substr(0, count);
    text.remove_prefix(count);
    return count;
  };
  const size_t leading = take_digits();
  const size_t length = separator_length(text);
  const std::string separator(text.substr(0, length));
  while (length != 0 && leading != 0 && leading <= 3 && text.starts_with(separator)) {
    const std::string_view group = text.substr(length, 3),
                           behind = text.substr(length + group.size());
    if (group.size() != 3 || !are_digits(group) || (!behind.empty() && is_digit(behind[0]))) break;
    out.has_groups = true;
    out.digits += group;
    text = behind;
  }
  const bool has_mark = !text.empty() && (text[0] == '.' || text[0] == ',');
  if (has_mark && !(out.has_groups && text.starts_with(separator))) {
    out.has_comma = text[0] == ',';
    out.digits += '.';
    text.remove_prefix(1);
    if (take_digits() == 0) return {};
  }
  // `1.000` alone has a decimal point.
  const bool is_fraction =
      out.has_groups && separator == "." && !out.has_comma && out.digits.size() <= 6;
  return text.empty() && !is_fraction ? out : Plain{};
}

// Removes a currency's sign, or its letters, before or behind the number.
std::string_view without_currency(std::string_view text) {
  for (const std::string_view mark : kCurrencies) {
    if (text.starts_with(mark)) return trimmed(text.substr(mark.size()));
    if (text.ends_with(mark)) return trimmed(text.substr(0, text.size() - mark.size()));
  }
  return text;
}

}  // namespace

bool are_thousands(std::string_view before, std::string_view behind) {
  if (before.starts_with('-')) before.remove_prefix(1);
  const std::string_view group = behind.substr(0, 3);
  const bool ends = behind.size() == 3 || (behind.size() > 4 && behind[3] == '.');
  return !before.empty() && before.size() <= 3 && are_digits(before) && before[0] != '0' && ends &&
         are_digits(group);
}

std::optional<ValueError> foreign_number_error(std::string_view text, ValueStyle style) {
  std::string_view number = trimmed(text);
  const bool is_negative = number.starts_with('-');
  if (is_negative) number = trimmed(number.substr(1));
  const std::string_view amount = without_currency(number);
  const bool has_currency = amount.size() != number.size();
  number = amount;
  const bool is_percentage = number.ends_with('%');
  if (is_percentage) number = trimmed(number.substr(0, number.size() - 1));
  const Plain plain = plain_number(number);
  if (plain.digits.empty()) return std::nullopt;
  const bool has_commas = style == ValueStyle::CommaText;
  std::string written = (is_negative ? "-" : "") + plain.digits;
  if (has_commas) std::ranges::replace(written, '.', ',');
  std::string marks;
  const auto add = [&marks](bool is_there, std::string_view mark) {
    if (is_there) (marks += marks.empty() ? "" : " and ") += mark;
  };
  add(has_currency, "a currency");
  add(plain.has_groups, "separators of thousands");
  add(plain.has_comma && !has_commas, "a comma for the point");
  add(is_percentage, "a percent sign");
  if (marks.empty()) return std::nullopt;
  return ValueError{
      0, shown(text) + " is a number with " + marks,
      "write " + written + (is_percentage ? ", or what the programs take in its place" : ""),
      plain.has_comma && !has_commas};
}

}  // namespace komuz::engine
