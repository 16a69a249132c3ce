// SPDX-License-Identifier: Apache-2.0
// Doc examples: a line `/// >>> e` above an item is a test of the item. The passes see it as the item
// `NUL assert e`, where NUL, a byte that no source has, is a token of its own. Both spellings have seven bytes. So
// every position in the text stays as it is, and a diagnostic of the item points into the comment.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "frontend_gpu/columns/columns.h"
#include "frontend_gpu/text/example_mark.h"
#include "lang/diagnostics.h"

namespace komuz::frontend {

struct OpenedExamples {
  std::string text;              // the source with its examples as items; empty if it has none
  std::vector<Diagnostic> lost;  // examples above no item, and lines that are meant as examples
};
// `c`: what the passes made of the source before its examples became items.
[[nodiscard]] OpenedExamples open_examples(const Columns& c, std::string_view source);

}  // namespace komuz::frontend
