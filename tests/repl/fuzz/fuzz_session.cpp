// SPDX-License-Identifier: Apache-2.0
// Runs the fuzzers of the session endlessly, or for a while:
// fuzz_session [--seconds N] [--seeds N] [--seed S] [--only STEP]
// Prints the seed of the first step that fails, and ends with 1.
#include "tests/fuzz_loop.h"
#include "tests/repl/session_fuzzers.h"

namespace {

using komuz::test::SessionFuzzers;

constexpr komuz::test::FuzzStep<SessionFuzzers> kSteps[] = {{"inputs", &SessionFuzzers::inputs},
                                                            {"saved", &SessionFuzzers::saved},
                                                            {"values", &SessionFuzzers::values}};

}  // namespace

int main(int count, char** words) {
  SessionFuzzers fuzzers;
  if (!komuz::test::fuzz<SessionFuzzers>(fuzzers, kSteps, {count, words}, [](komuz::u64) {}))
    return 1;
  std::printf("%llu inputs, %llu of them with errors\n",
              static_cast<unsigned long long>(fuzzers.evaluated),
              static_cast<unsigned long long>(fuzzers.failed));
  return 0;
}
