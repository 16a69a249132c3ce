// SPDX-License-Identifier: Apache-2.0
// A candidate of the epoch that is evaluated: what is known of it before it is a row. Not part of the engine's door.
#pragma once
#include <string>

#include "engine/results/candidate_result.h"
#include "engine/results/identity_table.h"

namespace komuz::engine {

struct EpochSlot {
  // Null: not known, or the text is refused and has none.
  SharedIdentities::Place identity = nullptr;
  frontend::TextHash program;  // what it is known by; zeros: as above
  // Its number among the sources that the device compiled, or the variants that it made.
  u32 on_device = kNone;
  std::string text;  // of a variant that the device compiles
  CandidateResult result;

  void clear() {
    identity = nullptr;
    program = {};
    on_device = kNone;
    result.clear();
  }
};

}  // namespace komuz::engine
