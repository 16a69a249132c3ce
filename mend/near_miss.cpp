// SPDX-License-Identifier: Apache-2.0
#include "mend/near_miss.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <vector>

#include "base/ints.h"
#include "mend/source_text.h"

namespace komuz {

namespace {

constexpr size_t kAny = std::numeric_limits<size_t>::max();

// Wagner and Fischer, 1974, with the swaps of neighbours of Lowrance and Wagner, 1975; three rows at a time. Results
// of `most` or more may be any such number.
size_t letters_apart(std::string_view a, std::string_view b, size_t most, std::span<size_t> rows) {
  const size_t width = b.size() + 1;
  std::span<size_t> before_last = rows.first(width), last = rows.subspan(width, width),
                    row = rows.subspan(2 * width, width);
  std::iota(row.begin(), row.end(), size_t{0});
  size_t least = 0;
  for (size_t i = 1; i <= a.size(); ++i) {
    const size_t least_before = least;
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, row[j - 1] + 1, last[j] + 1});
      const bool swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swaps) row[j] = std::min(row[j], before_last[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    // All that follows comes from these two rows.
    if (least >= most && least_before >= most) return most;
  }
  return row.back();
}

// The set of letters; two may share a bit.
u64 letters_of(std::string_view text) {
  u64 letters = 0;
  for (const char c : text) letters |= u64{1} << (static_cast<u8>(c) & 63);
  return letters;
}

// A lower bound on the distance: a letter that only one of them has takes a change of its own.
size_t least_apart(std::string_view a, u64 letters_a, std::string_view b) {
  const u64 letters_b = letters_of(b);
  const auto longer = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  return std::max({longer, static_cast<size_t>(std::popcount(letters_a & ~letters_b)),
                   static_cast<size_t>(std::popcount(letters_b & ~letters_a))});
}

}  // namespace

size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<size_t> rows(3 * (b.size() + 1));
  return letters_apart(a, b, kAny, rows);
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> choices) {
  for (const std::string_view choice : choices)
    if (choice != word && is_same_but_for_case(choice, word)) return choice;
  constexpr size_t kLongest = 40;
  if (word.size() > kLongest) return {};
  std::string_view best;
  size_t least = word.size() < 4 ? 2 : word.size() / 3 + 2;
  const u64 letters = letters_of(word);
  std::vector<size_t> rows;
  for (const std::string_view choice : choices) {
    if (choice == word) continue;
    const bool begins = word.size() >= 2 && choice.starts_with(word);
    if (!begins && least_apart(word, letters, choice) >= least) continue;
    rows.resize(std::max(rows.size(), 3 * (choice.size() + 1)));
    const size_t distance = begins ? 1 : letters_apart(word, choice, least, rows);
    if (distance < least && distance < std::max(word.size(), choice.size())) {
      least = distance;
      best = choice;
    }
  }
  return best;
}

}  // namespace komuz
