// SPDX-License-Identifier: Apache-2.0
// Short names of variants: `@3` is the third in a ranking, where copies of a program have ranks, too.
#pragma once
#include <string>
#include <string_view>

#include "base/problem.h"
#include "engine/results/results.h"

namespace komuz::services {

inline constexpr std::string_view kBestRank = "@1";

// True if the text is meant as a rank.
[[nodiscard]] inline bool is_rank(std::string_view text) { return text.starts_with('@'); }
// The rank, from 1; a problem: the text is none.
[[nodiscard]] Result<u64> read_rank(std::string_view text);
// The row with this rank among all, and its name. A problem: the text is no rank, or nobody has it. A rank behind those in the
// ranking is of nobody.
[[nodiscard]] Result<u32> ranked_row(const engine::Results& results, std::string_view text);
[[nodiscard]] Result<std::string> ranked_name(const engine::Results& results,
                                              std::string_view text);

}  // namespace komuz::services
