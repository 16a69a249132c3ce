// SPDX-License-Identifier: Apache-2.0
// Random keys: no sequence of them crashes the editor, and after each one the screen equals a screen that is painted
// from scratch.
#pragma once
#include <string>

#include "base/ints.h"

namespace komuz::test {

class EditorFuzzers {
 public:
  // Each returns the fault for the seed.
  std::string keys(u64 seed);     // an editor alone, its screen looked at
  std::string session(u64 seed);  // with a session's answers about inputs
  std::string bytes(u64 seed);    // from a terminal that sends nonsense

  u64 pressed = 0, sequences = 0;
};

}  // namespace komuz::test
