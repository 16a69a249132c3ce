// SPDX-License-Identifier: Apache-2.0
// Runs the fuzzers endlessly, or for a while:
// fuzz_komuz [--seconds N] [--seed S] [--only differential|mutated|contained|optimised|sketched|device]
// Prints the seed of the first step that fails with its source, and ends with 1.
#include "tests/fuzz_loop.h"
#include "tests/gen/fuzzers.h"

namespace {

using komuz::test::Fuzzers;

constexpr komuz::test::FuzzStep<Fuzzers> kSteps[] = {
    {"differential", &Fuzzers::differential}, {"mutated", &Fuzzers::mutated},
    {"contained", &Fuzzers::contained},       {"optimised", &Fuzzers::optimised},
    {"sketched", &Fuzzers::sketched},         {"device", &Fuzzers::on_device}};

}  // namespace

int main(int count, char** words) {
  Fuzzers fuzzers;
  komuz::u64 seeds = 0;
  const bool agree =
      komuz::test::fuzz<Fuzzers>(fuzzers, kSteps, {count, words}, [&](komuz::u64 seed) {
        ++seeds;
        if (seed % 2000 == 0)
          std::printf("%llu seeds, %llu cases, %llu of them trapped\n",
                      static_cast<unsigned long long>(seeds),
                      static_cast<unsigned long long>(fuzzers.ran),
                      static_cast<unsigned long long>(fuzzers.trapped));
      });
  if (!agree) return 1;
  std::printf("%llu seeds without a difference\n", static_cast<unsigned long long>(seeds));
  return 0;
}
