// SPDX-License-Identifier: Apache-2.0
// The fuzzers of values without end, or for a while: fuzz_values [--seconds N] [--seed S]
// Prints the seed of the first step that fails, and ends with 1.
#include <chrono>
#include <cstdio>
#include <cstring>

#include "tests/engine/value_fuzzers.h"

namespace {

using komuz::engine::ValueFuzzers;

struct Step {
  const char* name;
  std::string (ValueFuzzers::*run)(komuz::u64 seed);
};
constexpr Step kSteps[] = {{"agrees", &ValueFuzzers::agrees},
                           {"damaged_value", &ValueFuzzers::damaged_value},
                           {"damaged_type", &ValueFuzzers::damaged_type},
                           {"damaged_cases", &ValueFuzzers::damaged_cases},
                           {"slices", &ValueFuzzers::slices}};

}  // namespace

int main(int count, char** words) {
  const auto begin = std::chrono::steady_clock::now();
  auto seed = static_cast<komuz::u64>(std::chrono::system_clock::now().time_since_epoch().count());
  double seconds = 0;  // 0: without end
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(words[k], "--seconds") == 0) seconds = std::stod(words[k + 1]);
    if (std::strcmp(words[k], "--seed") == 0) seed = std::stoull(words[k + 1]);
  }
  ValueFuzzers fuzzers;
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
  std::printf("%llu damaged texts refused, %llu read, %llu compound values\n",
              static_cast<unsigned long long>(fuzzers.refused),
              static_cast<unsigned long long>(fuzzers.read),
              static_cast<unsigned long long>(fuzzers.compound));
  return 0;
}
