// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "lang/sketch.h"

namespace komuz::engine {

// An item with its comments: lines of comments right above it, lines of documentation above those, a comment behind
// it in its last line, and the line end.
[[nodiscard]] SketchSpan with_comments(std::string_view source, SketchSpan item);

}  // namespace komuz::engine
