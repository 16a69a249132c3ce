// SPDX-License-Identifier: Apache-2.0
#include "lang/foreign_grids.h"

#include <algorithm>

#include "lang/words.h"

namespace komuz {
namespace {

constexpr u32 kMostDigits = 9;

// A number that is small enough to be counted with; false: it is none.
bool read_number(std::string_view text, i64& number) {
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  if (!are_digits(digits) || digits.size() > kMostDigits) return false;
  number = std::stoll(std::string(digits)) * (is_negative ? -1 : 1);
  return true;
}

// 0.25 is 25 with two places.
struct Decimal {
  i64 digits = 0;
  u32 places = 0;
  [[nodiscard]] i64 scaled(u32 wanted) const {
    i64 number = digits;
    for (u32 k = places; k < wanted; ++k) number *= 10;
    return number;
  }
};
// Of so few digits that three of them are brought to the same places; false: it is none.
bool read_decimal(std::string_view text, Decimal& number) {
  const size_t point = text.find('.');
  std::string digits(text);
  number.places = 0;
  if (point != std::string_view::npos) {
    digits.erase(point, 1);
    number.places = static_cast<u32>(text.size() - point - 1);
    if (number.places == 0) return false;
  }
  return read_number(digits, number.digits);
}

}  // namespace

std::string float_grid(std::string_view range) {
  const size_t dots = range.find("..");
  if (dots == std::string_view::npos) return "";
  const bool is_inclusive = range.substr(dots).starts_with("..=");
  const std::string_view low = trimmed(range.substr(0, dots)),
                         high = trimmed(range.substr(dots + (is_inclusive ? 3 : 2)));
  i64 first = 0, last = 0;
  if (!read_number(low, first) || !read_number(high, last) || first >= last) return "";
  return std::string(low) + ".0" + (is_inclusive ? "..=" : "..") + std::string(high) +
         ".0, steps: " + std::to_string(last - first + (is_inclusive ? 1 : 0));
}

std::optional<Edit> grid_edit(u32 open, u32 begin, u32 close, std::string_view source) {
  const std::string_view word = word_at(source, begin);
  std::string_view range = trimmed(between(source, open, begin));
  if (range.ends_with(',')) range = trimmed(range.substr(0, range.size() - 1));
  const u32 range_end = static_cast<u32>(range.data() + range.size() - source.data());
  if (word == "steps" || word == "log")
    return Edit{range_end, begin + static_cast<u32>(word.size()), ", " + std::string(word)};
  const size_t dots = range.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const bool is_inclusive = range.substr(dots).starts_with("..=");
  std::string_view step = trimmed(between(source, begin + static_cast<u32>(word.size()), close));
  if (step.starts_with(':')) step = trimmed(step.substr(1));
  Decimal first, last, width;
  if (!read_decimal(trimmed(range.substr(0, dots)), first) ||
      !read_decimal(trimmed(range.substr(dots + (is_inclusive ? 3 : 2))), last) ||
      !read_decimal(step, width))
    return std::nullopt;
  // A grid of integers has all of them.
  const u32 places = std::max({first.places, last.places, width.places});
  if (first.places == 0 || last.places == 0) return std::nullopt;
  const i64 length = last.scaled(places) - first.scaled(places), part = width.scaled(places);
  if (part <= 0 || length <= 0 || length % part != 0) return std::nullopt;
  return Edit{range_end, close,
              ", steps: " + std::to_string(length / part + (is_inclusive ? 1 : 0))};
}

Edit choice_of_braces(u32 begin, u32 end, std::string_view source) {
  const u32 first = begin + 1, close = end - 1;
  const std::string_view inside = between(source, first, close);
  if (inside.find("..") == std::string_view::npos)
    return {begin, end, "[" + std::string(trimmed(inside)) + "]"};
  std::string grid(trimmed(inside));
  for (const std::string_view word : {" by ", " step ", " steps"})
    if (const size_t at = inside.find(word); at != std::string_view::npos)
      if (const std::optional<Edit> edit =
              grid_edit(first, first + static_cast<u32>(at) + 1, close, source))
        grid = trimmed(std::string(between(source, first, edit->begin)) + edit->text +
                       std::string(between(source, edit->end, close)));
  return {begin, end, "(" + grid + ")"};
}

}  // namespace komuz
