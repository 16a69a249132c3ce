// SPDX-License-Identifier: Apache-2.0
// The fuzzers of the formatter without end, or for a while: fuzz_format [--seconds N] [--seed S]
// Prints the seed of the first step that fails with its source, and ends with 1.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tests/services/format_fuzzers.h"

namespace {

using komuz::test::FormatFuzzers;

struct Step {
  const char* name;
  std::string (FormatFuzzers::*run)(komuz::u64 seed);
};
constexpr Step kSteps[] = {{"generated", &FormatFuzzers::generated},
                           {"blanks", &FormatFuzzers::blanks},
                           {"comments", &FormatFuzzers::comments},
                           {"damaged", &FormatFuzzers::damaged}};

}  // namespace

int main(int count, char** words) {
  const auto begin = std::chrono::steady_clock::now();
  auto seed = static_cast<komuz::u64>(std::chrono::system_clock::now().time_since_epoch().count());
  double seconds = 0;  // 0: without end
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(words[k], "--seconds") == 0) seconds = std::stod(words[k + 1]);
    if (std::strcmp(words[k], "--seed") == 0) seed = std::stoull(words[k + 1]);
  }
  FormatFuzzers fuzzers;
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (; seconds == 0 || elapsed() < seconds; ++seed) {
    for (const Step& step : kSteps) {
      const std::string failure = (fuzzers.*step.run)(seed);
      if (failure.empty()) continue;
      std::printf("%s, seed %llu: %s\n", step.name, static_cast<unsigned long long>(seed),
                  failure.c_str());
      return 1;
    }
  }
  std::printf("%llu programs formatted, of which %llu compile\n",
              static_cast<unsigned long long>(fuzzers.checker.formatted),
              static_cast<unsigned long long>(fuzzers.checker.compiled));
  return 0;
}
