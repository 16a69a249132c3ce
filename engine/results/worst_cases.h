// SPDX-License-Identifier: Apache-2.0
// The cases that bring a score the most loss.
#pragma once
#include <span>
#include <vector>

#include "engine/scores/score_kinds.h"

namespace komuz::engine {

[[nodiscard]] constexpr bool has_worst_cases(ScoreKind kind) { return adds_errors(kind); }
// So many at most of those that are not perfect, the worst first; a bad case, which is a NaN, is worse than all. Cases that are as bad
// are in their order.
[[nodiscard]] std::vector<u32> worst_cases(ScoreKind kind, std::span<const f64> scores, u32 most);

}  // namespace komuz::engine
