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

Result<std::string> ranked_name(const engine::Results& results, std::string_view text) {
  const Result<u64> rank = read_rank(text);
  if (rank.problem()) return rank.problem();
  const auto has_rank = [&](u32 row) { return results.rows[row].rank == rank.value(); };
  const auto found = std::ranges::find_if(results.ranking, has_rank);
  if (found != results.ranking.end()) return std::string(results.id(*found));
  const auto ranked =
      std::ranges::count_if(results.ranking, [&](u32 row) { return results.rows[row].rank != 0; });
  return input_problem("nobody has the rank `" + std::string(text) + "`: " +
                       (ranked == 0 ? "nothing is ranked"
                                    : "the last one of the ranking is @" + std::to_string(ranked)));
}

}  // namespace komuz::services
