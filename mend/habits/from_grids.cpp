// SPDX-License-Identifier: Apache-2.0
#include "mend/habits/from_grids.h"

#include <algorithm>
#include <vector>

#include "mend/source_text.h"

namespace komuz {
namespace {

constexpr u32 kMostDigits = 9;

// Reads a number small enough to count with. False: it is none.
bool read_number(std::string_view text, i64& number) {
  const bool is_negative = text.starts_with('-');
  const std::string_view digits = text.substr(is_negative ? 1 : 0);
  if (!are_digits(digits) || digits.size() > kMostDigits) return false;
  number = std::stoll(std::string(digits)) * (is_negative ? -1 : 1);
  return true;
}

// 0.25 is 25 with two places.
struct FixedPoint {
  i64 digits = 0;
  u32 places = 0;
  [[nodiscard]] i64 scaled(u32 wanted) const {
    i64 number = digits;
    for (u32 k = places; k < wanted; ++k) number *= 10;
    return number;
  }
};
// Reads a number with so few digits that three of them can be brought to the same places. False: it is none.
bool read_fixed_point(std::string_view text, FixedPoint& number) {
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
bool is_grid_word(std::string_view word) {
  return std::ranges::find(kGridWords, word) != std::end(kGridWords);
}

// `0.0` and `1.0` of `0.0..1.0`; empty if it is no range.
struct Ends {
  std::string_view low, high;
  bool is_inclusive = false;
};
Ends ends_of(std::string_view range) {
  const size_t dots = find_outside(range, "..");
  if (dots == std::string_view::npos) return {};
  const bool is_inclusive = range.substr(dots).starts_with("..=");
  return {trimmed(range.substr(0, dots)), trimmed(range.substr(dots + (is_inclusive ? 3 : 2))),
          is_inclusive};
}

// `0.0..1.0`, `step` and `0.1` of `(0.0..1.0, step: 0.1)`, whose word starts at `begin`.
struct GridParts {
  std::string_view range, word, value;
  bool has_colon;
  GridParts(u32 open, u32 begin, u32 close, std::string_view source)
      : range(trimmed(between(source, open, begin))),
        word(word_at(source, begin)),
        value(trimmed(between(source, begin + static_cast<u32>(word.size()), close))),
        has_colon(value.starts_with(':')) {
    if (range.ends_with(',')) range = trimmed(range.substr(0, range.size() - 1));
    if (has_colon) value = trimmed(value.substr(1));
  }
};

// `?k` of `?k(…)`, whose parenthesis ends at a place.
std::string_view hole_before(u32 open, std::string_view source) {
  u32 begin = open - 1;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  if (begin > 0 && source[begin - 1] == '?') --begin;
  return between(source, begin, open - 1);
}

}  // namespace

std::optional<Edit> float_ends_edit(u32 begin, u32 end, std::string_view source) {
  const std::string_view inside = between(source, begin, end);
  const std::string_view range = trimmed_end(inside.substr(0, inside.find(',')));
  const Ends ends = ends_of(range);
  i64 first = 0, last = 0;
  if (range.size() == inside.size() || !read_number(ends.low, first) ||
      !read_number(ends.high, last))
    return std::nullopt;
  return Edit{begin, begin + static_cast<u32>(range.size()),
              std::string(ends.low) + ".0" + (ends.is_inclusive ? "..=" : "..") +
                  std::string(ends.high) + ".0"};
}

std::string float_grid(std::string_view range) {
  const Ends ends = ends_of(range);
  i64 first = 0, last = 0;
  if (!read_number(ends.low, first) || !read_number(ends.high, last) || first >= last) return "";
  return std::string(ends.low) + ".0" + (ends.is_inclusive ? "..=" : "..") +
         std::string(ends.high) +
         ".0, steps: " + std::to_string(last - first + (ends.is_inclusive ? 1 : 0));
}

std::optional<Edit> grid_edit(u32 open, u32 begin, u32 close, std::string_view source) {
  const GridParts grid(open, begin, close, source);
  if (find_outside(grid.range, "..") == std::string_view::npos) return std::nullopt;
  const u32 range_end = static_cast<u32>(grid.range.data() + grid.range.size() - source.data());
  const u32 word_end = begin + static_cast<u32>(grid.word.size());
  if (grid.word == "steps" || grid.word == "log") {
    const bool is_true =
        grid.word == "log" && !grid.value.starts_with("true") && !grid.value.starts_with("false");
    return Edit{range_end, word_end,
                ", " + std::string(grid.word) +
                    (grid.has_colon ? ""
                     : is_true      ? ": true"
                                    : ":")};
  }
  const Ends ends = ends_of(grid.range);
  FixedPoint first, last, width;
  if (!read_fixed_point(ends.low, first) || !read_fixed_point(ends.high, last) ||
      !read_fixed_point(grid.value, width))
    return std::nullopt;
  // A grid of integers has all integers between its ends.
  const u32 places = std::max({first.places, last.places, width.places});
  if (first.places == 0 || last.places == 0) return std::nullopt;
  const i64 length = last.scaled(places) - first.scaled(places), part = width.scaled(places);
  if (part <= 0 || length <= 0 || length % part != 0) return std::nullopt;
  return Edit{range_end, close,
              ", steps: " + std::to_string(length / part + (ends.is_inclusive ? 1 : 0))};
}

bool has_integer_ends(std::string_view grid) {
  const auto is_integer = [](std::string_view end) {
    const std::string_view word = end.substr(0, end.find_first_of(" \t"));
    return word.starts_with('\'') || are_digits(word.substr(word.starts_with('-') ? 1 : 0));
  };
  const Ends ends = ends_of(grid.substr(0, grid.find(',')));
  return is_integer(ends.low) && is_integer(ends.high);
}

std::string integer_grid_advice(u32 open, u32 begin, u32 close, std::string_view source) {
  constexpr i64 kMostShown = 6, kFewShown = 3;
  const GridParts grid(open, begin, close, source);
  const Ends ends = ends_of(grid.range);
  i64 first = 0, last = 0, step = 0;
  if (!read_number(ends.low, first) || !read_number(ends.high, last) ||
      !read_number(grid.value, step) || grid.word == "log" || step <= 0 || last <= first)
    return "";
  const i64 length = last - first;
  if (grid.word == "steps") {  // how many there are to be
    const i64 gaps = step - (ends.is_inclusive ? 1 : 0);
    if (gaps <= 0 || length % gaps != 0) return "";
    step = length / gaps;
  }
  const i64 count = (length - (ends.is_inclusive ? 0 : 1)) / step + 1;
  const std::string hole(trimmed(hole_before(open, source)));
  std::string choice = hole + "[";
  for (i64 k = 0; k < count && (count <= kMostShown || k < kFewShown); ++k)
    choice += (k == 0 ? "" : ", ") + std::to_string(first + k * step);
  choice += count <= kMostShown ? "]" : ", …]";
  if (step == 1) return "; write `" + hole + "(" + std::string(grid.range) + ")`";
  const i64 rest = first % step, least = (first - rest) / step;
  return "; write `" + (rest == 0 ? "" : std::to_string(rest) + " + ") + std::to_string(step) +
         " * " + hole + "(" + std::to_string(least) + "..=" + std::to_string(least + count - 1) +
         ")`, or a choice: `" + choice + "`";
}

std::optional<Edit> choice_of_braces(u32 begin, u32 end, std::string_view source) {
  const u32 first = begin + 1, close = end - 1;
  const std::string_view inside = between(source, first, close);
  std::string_view listed = trimmed(inside);
  if (listed.ends_with(',')) listed.remove_suffix(1);
  const std::vector<std::string_view> parts = parts_of(listed);
  const auto has_range = [](std::string_view part) {
    return find_outside(part, "..") != std::string_view::npos;
  };
  const bool is_torn = inside.find("//") != std::string_view::npos ||
                       find_outside(inside, ";") != std::string_view::npos;
  if (parts.empty() || is_torn) return std::nullopt;
  if (std::ranges::none_of(parts, has_range))
    return Edit{begin, end, "[" + std::string(trimmed(inside)) + "]"};
  // A grid: its ends, and the description of its points.
  const bool is_grid = find_outside(parts[0], "..") != 0 && has_range(parts[0]) &&
                       std::all_of(parts.begin() + 1, parts.end(), [](std::string_view part) {
                         return is_grid_word(word_at(part, 0));
                       });
  if (!is_grid) return std::nullopt;
  std::string grid(trimmed(inside));
  for (const std::string_view word : kGridWords)
    if (const size_t at = inside.find(" " + std::string(word)); at != std::string_view::npos) {
      const std::optional<Edit> edit =
          grid_edit(first, first + static_cast<u32>(at) + 1, close, source);
      if (!edit) return std::nullopt;
      grid = trimmed(std::string(between(source, first, edit->begin)) + edit->text +
                     std::string(between(source, edit->end, close)));
    }
  return Edit{begin, end, "(" + grid + ")"};
}

}  // namespace komuz
