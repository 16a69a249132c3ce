// SPDX-License-Identifier: Apache-2.0
// Values of failures: nearly every candidate may have some, so a long one is kept as how its JSON begins, and how it
// goes on where it differs first from what was expected.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz::engine {

// What is longer than this as JSON is neither kept nor written as a whole.
inline constexpr size_t kMostValueBytes = 4096;
[[nodiscard]] std::string_view beginning_of(std::string_view text);

// Where two values differ first, as JSON: at the beginning of an element, or in a text.
struct Difference {
  u64 at = 0;           // the byte in both
  std::string element;  // which it is: "[812]", ".xs[3]"; empty: the value itself
};
// None: they are the same text.
[[nodiscard]] std::optional<Difference> first_difference(std::string_view a, std::string_view b);
// The same of one of them, where it is known at which byte.
[[nodiscard]] Difference difference_at(std::string_view json, u64 at);
// How a value goes on there; of a text, behind a quote.
[[nodiscard]] std::string part_at(std::string_view json, u64 at);

struct KeptValue {
  std::string cells = {};  // packed (packed_cells.h); empty where it is too long
  u64 bytes = 0;           // of JSON that is too long; 0: the cells are it
  std::string begin = {};  // of that
  // Of a result that is too long, where a value was expected: the byte of the first difference, and how it goes on
  // there.
  static constexpr u64 kNoDifference = ~u64{0};
  u64 differs_at = kNoDifference;
  std::string there = {};

  bool operator==(const KeptValue&) const = default;
  [[nodiscard]] bool is_cut() const { return bytes != 0; }
  void clear();
  // `type`: of the cells. `expected`: of the same type, what they are compared with; empty: nothing.
  void keep(std::string_view type, std::span<const u64> cells, std::span<const u64> expected = {});
};
// As text for people: how it begins, or where it differs, "… at [812]: 3, 4, 5…". `element`: of the difference, if
// there is one.
[[nodiscard]] std::string cut_text(const KeptValue& value, std::string_view element);
// A value that is whole, but too long to be shown beside one of which only a part is: as a part, too.
[[nodiscard]] bool is_shown_as_part(std::string_view json);
[[nodiscard]] KeptValue part_of(std::string_view json, const std::optional<Difference>& difference);

}  // namespace komuz::engine
