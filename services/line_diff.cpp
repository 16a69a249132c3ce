// SPDX-License-Identifier: Apache-2.0
#include "services/line_diff.h"

#include <algorithm>
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

// Lines [first, first + …) of both, which differ.
struct Hunk {
  size_t first, olds, news;
};
void print(std::string& out, const Lines& a, const Lines& b, const Hunk& hunk) {
  out +=
      "@@ -" + range_of(hunk.first, hunk.olds) + " +" + range_of(hunk.first, hunk.news) + " @@\n";
  for (size_t k = 0; k < hunk.olds; ++k) put(out, '-', a[hunk.first + k]);
  for (size_t k = 0; k < hunk.news; ++k) put(out, '+', b[hunk.first + k]);
}

}  // namespace

std::string line_diff(const NamedText& before, const NamedText& after) {
  if (before.text == after.text) return {};
  const Lines a = lines_of(before.text), b = lines_of(after.text);
  std::string out = "--- " + std::string(before.name) + "\n+++ " + std::string(after.name) + "\n";
  size_t first = 0, rest = 0;
  while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
  while (rest < std::min(a.size(), b.size()) - first &&
         a[a.size() - 1 - rest] == b[b.size() - 1 - rest])
    ++rest;
  if (a.size() != b.size()) {
    print(out, a, b, {first, a.size() - first - rest, b.size() - first - rest});
    return out;
  }
  for (size_t k = first; k < a.size() - rest;) {
    size_t end = k;
    while (end < a.size() - rest && a[end] != b[end]) ++end;
    if (end > k) print(out, a, b, {k, end - k, end - k});
    k = end + 1;
  }
  return out;
}

}  // namespace komuz::services
