// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "lang/sketch.h"

namespace komuz::engine {

// An item with the comments that speak of it: lines of comments right above it, lines of documentation above those,
// what stands behind it in its last line if that is a comment, and the line end.
[[nodiscard]] SketchSpan with_comments(std::string_view source, SketchSpan item);

}  // namespace komuz::engine
