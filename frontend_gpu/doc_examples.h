// SPDX-License-Identifier: Apache-2.0
// Doc examples: a line `/// >>> e` above an item is a test of the item. To the passes it is the item `NUL assert e`, where
// NUL, a byte that no source has, is a token of its own. Both spellings have seven bytes: every place in the text stays
// where it is, and what is said of an example is said of the comment.
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
  std::vector<Diagnostic> lost;  // those that stand above no item, and lines that are meant as some
};
// `c`: what the passes left of the source as it is.
[[nodiscard]] OpenedExamples open_examples(const Columns& c, std::string_view source);

}  // namespace komuz::frontend
