// SPDX-License-Identifier: Apache-2.0
// The stretches around a place of a text, each larger than the one before: the word, the expression around it, the
// statement, what stands between brackets, the brackets, the item, the item with its comments, the text.
#pragma once
#include <vector>

#include "services/analysis.h"

namespace komuz::services {

struct SelectionRange {
  u32 begin = 0, end = 0;  // bytes of the text
  bool operator==(const SelectionRange&) const = default;
};
// The smallest first; each holds the place, and the last is the text: at most 100, of which those in the middle
// are left out where brackets are nested deeper. In broken items only brackets and lines are
// known.
[[nodiscard]] std::vector<SelectionRange> selections_around(const Analysis& analysis, u32 place);

}  // namespace komuz::services
