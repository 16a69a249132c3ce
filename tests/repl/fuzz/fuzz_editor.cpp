// SPDX-License-Identifier: Apache-2.0
// Runs the fuzzers of the line editor endlessly, or for a while:
// fuzz_editor [--seconds N] [--seeds N] [--seed S] [--only STEP]
// A seed is three sequences, so `fuzz_editor --seed 1 --seeds 333334` is a million.
// Prints the seed of the first step that fails, and ends with 1.
#include "tests/fuzz_loop.h"
#include "tests/repl/editor_fuzzers.h"

namespace {

using komuz::test::EditorFuzzers;

constexpr komuz::test::FuzzStep<EditorFuzzers> kSteps[] = {{"keys", &EditorFuzzers::keys},
                                                           {"session", &EditorFuzzers::session},
                                                           {"bytes", &EditorFuzzers::bytes}};

}  // namespace

int main(int count, char** words) {
  EditorFuzzers fuzzers;
  if (!komuz::test::fuzz<EditorFuzzers>(fuzzers, kSteps, {count, words}, [](komuz::u64) {}))
    return 1;
  std::printf("%llu sequences, %llu keys\n", static_cast<unsigned long long>(fuzzers.sequences),
              static_cast<unsigned long long>(fuzzers.pressed));
  return 0;
}
