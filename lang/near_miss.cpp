// SPDX-License-Identifier: Apache-2.0
#include "lang/near_miss.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "lang/words.h"

namespace komuz {

// Wagner and Fischer, 1974, with the swaps of Lowrance and Wagner, 1975, of neighbours; three rows at a time.
size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({change, row[j - 1] + 1, last[j] + 1});
      const bool swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swaps) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> choices) {
  for (const std::string_view choice : choices)
    if (choice != word && is_same_but_for_case(choice, word)) return choice;
  constexpr size_t kLongest = 40;
  if (word.size() > kLongest) return {};
  std::string_view best;
  size_t least = word.size() < 4 ? 2 : word.size() / 3 + 2;
  for (const std::string_view choice : choices) {
    if (choice == word) continue;
    const bool begins = word.size() >= 2 && choice.starts_with(word);
    const size_t longer =
        std::max(word.size(), choice.size()) - std::min(word.size(), choice.size());
    if (!begins && longer >= least) continue;  // so many letters are apart at least
    const size_t distance = begins ? 1 : letters_apart(word, choice);
    if (distance < least && distance < std::max(word.size(), choice.size())) {
      least = distance;
      best = choice;
    }
  }
  return best;
}

}  // namespace komuz
