// SPDX-License-Identifier: Apache-2.0
// Runs the fuzzers of values endlessly, or for a while: fuzz_values [--seconds N] [--seed S] [--only STEP]
// Prints the seed of the first step that fails, and ends with 1.
#include "tests/engine/value_fuzzers.h"
#include "tests/fuzz_loop.h"

namespace {

using komuz::engine::ValueFuzzers;

constexpr komuz::test::FuzzStep<ValueFuzzers> kSteps[] = {
    {"agrees", &ValueFuzzers::agrees},
    {"damaged_value", &ValueFuzzers::damaged_value},
    {"damaged_type", &ValueFuzzers::damaged_type},
    {"damaged_cases", &ValueFuzzers::damaged_cases},
    {"slices", &ValueFuzzers::slices}};

}  // namespace

int main(int count, char** words) {
  ValueFuzzers fuzzers;
  if (!komuz::test::fuzz<ValueFuzzers>(fuzzers, kSteps, {count, words}, [](komuz::u64) {}))
    return 1;
  std::printf("%llu damaged texts refused, %llu read, %llu compound values\n",
              static_cast<unsigned long long>(fuzzers.refused),
              static_cast<unsigned long long>(fuzzers.read),
              static_cast<unsigned long long>(fuzzers.compound));
  return 0;
}
