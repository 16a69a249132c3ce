// SPDX-License-Identifier: Apache-2.0
// Random keys: no sequence of them crashes the editor, and after each one the screen equals a screen that is painted
// from scratch.
#pragma once
#include <string>

#include "base/ints.h"

namespace komuz::test {

class EditorFuzzers {
 public:
  // Each returns what went wrong with the seed.
  std::string keys(u64 seed);     // an editor alone, its screen looked at
  std::string session(u64 seed);  // with what a session says of inputs
  std::string bytes(u64 seed);    // of a terminal that has gone mad

  u64 pressed = 0, sequences = 0;
};

}  // namespace komuz::test
