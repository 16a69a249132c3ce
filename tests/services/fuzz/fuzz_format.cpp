// SPDX-License-Identifier: Apache-2.0
// Runs the fuzzers of the formatter endlessly, or for a while: fuzz_format [--seconds N] [--seed S] [--only STEP]
// Prints the seed of the first step that fails with its source, and ends with 1.
#include "tests/fuzz_loop.h"
#include "tests/services/format_fuzzers.h"

namespace {

using komuz::test::FormatFuzzers;

constexpr komuz::test::FuzzStep<FormatFuzzers> kSteps[] = {
    {"generated", &FormatFuzzers::generated},
    {"block heads", &FormatFuzzers::block_heads},
    {"blanks", &FormatFuzzers::blanks},
    {"comments", &FormatFuzzers::comments},
    {"damaged", &FormatFuzzers::damaged}};

}  // namespace

int main(int count, char** words) {
  FormatFuzzers fuzzers;
  if (!komuz::test::fuzz<FormatFuzzers>(fuzzers, kSteps, {count, words}, [](komuz::u64) {}))
    return 1;
  std::printf("%llu programs formatted, of which %llu compile\n",
              static_cast<unsigned long long>(fuzzers.checker.formatted),
              static_cast<unsigned long long>(fuzzers.checker.compiled));
  return 0;
}
