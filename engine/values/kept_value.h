// SPDX-License-Identifier: Apache-2.0
// Values of failures. Nearly every candidate may have some, so a long value is kept as the beginning of its JSON, and
// its text from the first difference from the expected value on.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

// A value with longer JSON is neither kept nor written as a whole.
inline constexpr size_t kMostValueBytes = 4096;
[[nodiscard]] std::string_view beginning_of(std::string_view text);

// The first difference of two values, as JSON: at the beginning of an element, or within a text.
struct Difference {
  u64 at = 0;           // the byte in both
  std::string element;  // its path: "[812]", ".xs[3]"; empty: the value itself
};
// None: the texts are equal.
[[nodiscard]] std::optional<Difference> first_difference(std::string_view a, std::string_view b);
// The same for one of them, if the byte is known.
[[nodiscard]] Difference difference_at(std::string_view json, u64 at);
// The text of a value from there on; within a text, after a quote.
[[nodiscard]] std::string part_at(std::string_view json, u64 at);

struct KeptValue {
  std::string cells = {};  // packed (packed_cells.h); empty if the value is too long
  u64 bytes = 0;           // of JSON that is too long; 0: the cells are kept
  std::string begin = {};  // of that JSON
  // For a result that is too long, where a value was expected: the byte of the first difference, and the text from
  // there on.
  static constexpr u64 kNoDifference = ~u64{0};
  u64 differs_at = kNoDifference;
  std::string there = {};

  bool operator==(const KeptValue&) const = default;
  [[nodiscard]] bool is_cut() const { return bytes != 0; }
  void clear();
  // `type`: that of the cells. `expected`: the value that they are compared with, of the same type; empty: none.
  void keep(std::string_view type, std::span<const u64> cells, std::span<const u64> expected = {});
};
// Text for people: the beginning, or the place of the difference, "… at [812]: 3, 4, 5…". `element`: of the
// difference, if there is one.
[[nodiscard]] std::string cut_text(const KeptValue& value, std::string_view element);
// True for a whole value that is too long to be shown beside one of which only a part is kept: it is shown as a part,
// too.
[[nodiscard]] bool is_shown_as_part(std::string_view json);
[[nodiscard]] KeptValue part_of(std::string_view json, const std::optional<Difference>& difference);

}  // namespace komuz::engine
