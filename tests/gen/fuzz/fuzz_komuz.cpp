// SPDX-License-Identifier: Apache-2.0
// The fuzzers without end, or for a while: fuzz_komuz [--seconds N] [--seed S] [--only differential|mutated|contained|device]
// Prints the seed of the first step that fails with its source, and ends with 1.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/gen/fuzzers.h"

namespace {

using komuz::test::Fuzzers;

struct Step {
  const char* name;
  std::string (Fuzzers::*run)(komuz::u64 seed);
};
constexpr Step kSteps[] = {{"differential", &Fuzzers::differential},
                           {"mutated", &Fuzzers::mutated},
                           {"contained", &Fuzzers::contained},
                           {"device", &Fuzzers::on_device}};

}  // namespace

int main(int count, char** words) {
  komuz::u64 seed =
      static_cast<komuz::u64>(std::chrono::system_clock::now().time_since_epoch().count());
  double seconds = 0;  // 0: without end
  std::string only;
  for (int k = 1; k + 1 < count; k += 2) {
    if (std::strcmp(words[k], "--seconds") == 0) seconds = std::stod(words[k + 1]);
    if (std::strcmp(words[k], "--seed") == 0) seed = std::stoull(words[k + 1]);
    if (std::strcmp(words[k], "--only") == 0) only = words[k + 1];
  }
  Fuzzers fuzzers;
  const auto begin = std::chrono::steady_clock::now();
  komuz::u64 steps = 0;
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (; seconds == 0 || elapsed() < seconds; ++seed) {
    for (const Step& step : kSteps) {
      if (!only.empty() && only != step.name) continue;
      const std::string failure = (fuzzers.*step.run)(seed);
      ++steps;
      if (failure.empty()) continue;
      std::printf("%s, seed %llu: %s\n", step.name, static_cast<unsigned long long>(seed),
                  failure.c_str());
      return 1;
    }
    if (seed % 2000 == 0)
      std::printf("%llu steps, %llu cases, %llu of them trapped\n",
                  static_cast<unsigned long long>(steps),
                  static_cast<unsigned long long>(fuzzers.ran),
                  static_cast<unsigned long long>(fuzzers.trapped));
  }
  std::printf("%llu steps without a difference\n", static_cast<unsigned long long>(steps));
  return 0;
}
