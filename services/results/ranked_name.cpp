// SPDX-License-Identifier: Apache-2.0
#include "services/results/ranked_name.h"

#include <algorithm>
#include <charconv>

#include "base/characters.h"

namespace komuz::services {

Result<u64> read_rank(std::string_view text) {
  u64 rank = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + std::min<size_t>(1, text.size()), end, rank);
  if (!is_rank(text) || read.ec != std::errc() || read.ptr != end || rank == 0)
    return input_problem("`" + bounded(text) + "` is no rank; write `@1` for the best");
  return rank;
}

Result<u32> ranked_row(const engine::Results& results, std::string_view text) {
  const Result<u64> rank = read_rank(text);
  if (rank.problem()) return rank.problem();
  const auto has_rank = [&](u32 row) { return results.rows[row].rank == rank.value(); };
  const auto found = std::ranges::find_if(results.ranking, has_rank);
  if (found != results.ranking.end()) return *found;
  u64 last = 0, below = 0, above = ~u64{0};
  for (const u32 row : results.ranking) {
    const u64 there = results.rows[row].rank;
    last = std::max(last, there);
    if (there != 0 && there < rank.value()) below = std::max(below, there);
    if (there > rank.value()) above = std::min(above, there);
  }
  const std::string nobody = "nobody has the rank `" + std::string(text) + "`: ";
  if (last == 0) return input_problem(nobody + "nothing is ranked");
  if (below == 0 || above == ~u64{0})
    return input_problem(nobody + "the last one of the ranking is @" + std::to_string(last));
  return input_problem(nobody + "the column `rank` counts copies, too, and between @" +
                       std::to_string(below) + " and @" + std::to_string(above) +
                       " are copies of those before");
}

Result<std::string> ranked_name(const engine::Results& results, std::string_view text) {
  const Result<u32> row = ranked_row(results, text);
  if (row.problem()) return row.problem();
  return std::string(results.id(row.value()));
}

}  // namespace komuz::services
