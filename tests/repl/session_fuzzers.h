// SPDX-License-Identifier: Apache-2.0
// Random inputs, valid and damaged, including commands and lines with holes: a session answers every input, and goes
// on.
#pragma once
#include <map>
#include <string>

#include "base/ints.h"

namespace komuz::test {

class SessionFuzzers {
 public:
  // Each returns what went wrong with the seed.
  // Two sessions get the same inputs, some of them interrupted, one as JSON: its objects are what the documentation says,
  // both fail at the same inputs, and both know afterwards what they knew before.
  std::string inputs(u64 seed);
  // A session that was saved is made again by what was written.
  std::string saved(u64 seed);
  // An expression is worth what a `let`, a function and an assignment of it are: a value of the same bits, or the same trap.
  std::string values(u64 seed);

  u64 evaluated = 0, failed = 0;  // inputs; so that a run is seen of which none succeeds
};

}  // namespace komuz::test
