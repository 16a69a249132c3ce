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
  // Each returns the fault for the seed.
  //
  // Two sessions get the same inputs, some of them interrupted; one answers in JSON. Its objects are as documented,
  // both fail at the same inputs, and both know the same afterwards. Now and then all that one runs is native code.
  std::string inputs(u64 seed);
  // A saved session can be built again from its text.
  std::string saved(u64 seed);
  // The value of an expression equals that of a `let`, a function and an assignment of it: the same bits, or the same
  // trap.
  std::string values(u64 seed);

  u64 evaluated = 0, failed = 0;  // inputs; so that a run without successes is noticed
  u64 native_cases = 0;
};

}  // namespace komuz::test
