// SPDX-License-Identifier: Apache-2.0
// A variant that is shown, without what only other variants need of the modules whose spaces the sketch uses.
#pragma once
#include <span>
#include <string>

#include "engine/sketch/fill.h"

namespace komuz::engine {

// `text`: what `fill` has written last, of a sketch with these copies behind the first `own_size` bytes of its text.
void drop_unused_copies(std::span<const SketchCopy> copies, u32 own_size, const Fill& fill,
                        std::string& text);

}  // namespace komuz::engine
