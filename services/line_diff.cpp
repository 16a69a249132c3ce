// SPDX-License-Identifier: Apache-2.0
#include "services/line_diff.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/ints.h"

namespace komuz::services {

namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string range_of(size_t first, size_t count) {
  return std::to_string(count == 0 ? first : first + 1) + "," + std::to_string(count);
}
void put(std::string& out, char mark, std::string_view line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// Lines that differ, or that only one of the texts has.
struct Hunk {
  size_t old_first, olds, new_first, news;
};
void print(std::string& out, const Lines& a, const Lines& b, const Hunk& hunk) {
  out += "@@ -" + range_of(hunk.old_first, hunk.olds) + " +" + range_of(hunk.new_first, hunk.news) +
         " @@\n";
  for (size_t k = 0; k < hunk.olds; ++k) put(out, '-', a[hunk.old_first + k]);
  for (size_t k = 0; k < hunk.news; ++k) put(out, '+', b[hunk.new_first + k]);
}

// A line that both texts have.
struct Kept {
  size_t old_line, new_line;
};

// The greedy algorithm of Myers ("An O(ND) difference algorithm and its variations", 1986). A path goes from the
// start of both texts to their ends, line by line. Dropping a line of the old text is a step along x, adding one of
// the new text a step along y, and keeping a line a step along both, which costs nothing. `reached_[d]` holds how far
// along x a path with d edits gets, for each diagonal k = x - y from -d to d that d edits reach.
class KeptLines {
 public:
  KeptLines(std::span<const std::string_view> a, std::span<const std::string_view> b)
      : a_(a), b_(b) {}

  // In order; nothing if the texts are more edits apart than that.
  std::optional<std::vector<Kept>> find(i64 most_edits) {
    const auto olds = static_cast<i64>(a_.size()), news = static_cast<i64>(b_.size());
    for (i64 d = 0; d <= most_edits; ++d) {
      reached_.emplace_back(static_cast<size_t>(2 * d + 1));
      for (i64 k = -d; k <= d; k += 2) {
        i64 x = d == 0 ? 0 : start_of(d, k);
        while (x < olds && x - k < news && old_line(x) == new_line(x - k)) ++x;
        reached(d, k) = x;
        if (x >= olds && x - k >= news) return path_to(d, olds, news);
      }
    }
    return std::nullopt;
  }

 private:
  std::string_view old_line(i64 x) const { return a_[static_cast<size_t>(x)]; }
  std::string_view new_line(i64 y) const { return b_[static_cast<size_t>(y)]; }
  i64& reached(i64 d, i64 k) {
    return reached_[static_cast<size_t>(d)][static_cast<size_t>(k + d)];
  }
  // Whether the d-th edit on the way to a diagonal adds a line; otherwise it drops one.
  bool adds(i64 d, i64 k) {
    return k == -d || (k != d && reached(d - 1, k - 1) < reached(d - 1, k + 1));
  }
  // Where the d-th edit reaches the diagonal.
  i64 start_of(i64 d, i64 k) {
    return adds(d, k) ? reached(d - 1, k + 1) : reached(d - 1, k - 1) + 1;
  }
  std::vector<Kept> path_to(i64 d, i64 x, i64 y) {
    std::vector<Kept> kept;
    for (; x > 0 || y > 0; --d) {
      const i64 k = x - y, start = d == 0 ? 0 : start_of(d, k);
      for (; x > start; --x, --y)
        kept.push_back({static_cast<size_t>(x - 1), static_cast<size_t>(y - 1)});
      if (d == 0) break;
      if (adds(d, k))
        --y;
      else
        --x;
    }
    std::ranges::reverse(kept);
    return kept;
  }

  std::span<const std::string_view> a_, b_;
  std::vector<std::vector<i64>> reached_;
};

// For texts that are far apart: lines at the same place, if the texts have equally many.
std::vector<Kept> lines_in_place(std::span<const std::string_view> a,
                                 std::span<const std::string_view> b) {
  std::vector<Kept> kept;
  for (size_t k = 0; a.size() == b.size() && k < a.size(); ++k)
    if (a[k] == b[k]) kept.push_back({k, k});
  return kept;
}

}  // namespace

std::string line_diff(const NamedText& before, const NamedText& after) {
  constexpr i64 kMostEdits = 1000;  // a million diagonals
  if (before.text == after.text) return {};
  const Lines a = lines_of(before.text), b = lines_of(after.text);
  std::string out = "--- " + std::string(before.name) + "\n+++ " + std::string(after.name) + "\n";
  const size_t most = std::min(a.size(), b.size());
  size_t first = 0, rest = 0;
  while (first < most && a[first] == b[first]) ++first;
  while (rest < most - first && a[a.size() - 1 - rest] == b[b.size() - 1 - rest]) ++rest;
  const auto olds = std::span(a).subspan(first, a.size() - first - rest);
  const auto news = std::span(b).subspan(first, b.size() - first - rest);
  std::optional<std::vector<Kept>> kept = KeptLines(olds, news).find(kMostEdits);
  if (!kept) kept = lines_in_place(olds, news);
  kept->push_back({olds.size(), news.size()});
  size_t old_line = 0, new_line = 0;
  for (const Kept& next : *kept) {
    const Hunk hunk = {first + old_line, next.old_line - old_line, first + new_line,
                       next.new_line - new_line};
    if (hunk.olds + hunk.news > 0) print(out, a, b, hunk);
    old_line = next.old_line + 1;
    new_line = next.new_line + 1;
  }
  return out;
}

}  // namespace komuz::services
