// SPDX-License-Identifier: Apache-2.0
// What is known of a candidate of the present epoch before it is a row. Not part of the engine's door.
#pragma once
#include <string>

#include "engine/results/candidate_result.h"
#include "engine/results/identity_table.h"

namespace komuz::engine {

struct EpochSlot {
  // Null: not known, or the text is refused and has no identity.
  SharedIdentities::Place identity = nullptr;
  frontend::TextHash program;  // the program's identity; zeros: as above
  // Its number among the sources that the device compiled, or among the variants that it made.
  u32 on_device = kNone;
  std::string text;  // text of a variant that the device compiles
  CandidateResult result;

  void clear() {
    identity = nullptr;
    program = {};
    on_device = kNone;
    result.clear();
  }
};

}  // namespace komuz::engine
