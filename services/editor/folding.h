// SPDX-License-Identifier: Apache-2.0
// What of a text an editor can fold: what stands between brackets on several lines, lines of comments, `use` items.
#pragma once
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

enum class FoldKind : u8 { Code, Comment, Uses };
struct Fold {
  // Code goes from the opening bracket to the closing one, the others from their first byte to their last.
  u32 begin = 0, end = 0;
  FoldKind kind = FoldKind::Code;
};
// In the order in which they begin; some may stand on one line.
[[nodiscard]] std::vector<Fold> list_folds(const Analysis& analysis);

}  // namespace komuz::services
