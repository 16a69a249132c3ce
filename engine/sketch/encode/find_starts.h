// SPDX-License-Identifier: Apache-2.0
// Programs from elsewhere as the variants with which a search begins.
#pragma once
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/sketch/encode/encode.h"

namespace komuz::engine {

struct GivenProgram {
  std::string id;
  std::string program;
};

struct Starts {
  std::vector<Decisions> variants;
  // Programs that the sketch does not hold. The first of them, and why.
  u32 not_held = 0;
  std::string not_held_id, not_held_why;
  u32 without_room = 0;  // programs behind the last that had room
};

// The variants of the first `most` programs that the sketch holds.
[[nodiscard]] Starts find_starts(const SketchProgram& sketch, std::span<const GivenProgram> given,
                                 size_t most, const EncodeOptions& options,
                                 const std::stop_token& stop);

}  // namespace komuz::engine
