// SPDX-License-Identifier: Apache-2.0
// Power, clocks and temperature of a GPU, from its driver.
//   gpu_power --machine     what it is, as one JSON object
//   gpu_power               CSV, a line every 50 ms until it is ended: times in ms since 1970; unknown values are -1
// Exit code 3: the driver does not say.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/gpu/nvml.h"

namespace komuz::bench {
namespace {

using gpu::Nvml;
using Clock = Nvml::Clock;
constexpr int kNotTold = 3;
constexpr std::chrono::milliseconds kEvery{50};

// The GPU that programs see as their first one, if they number GPUs in the order of buses (CUDA_DEVICE_ORDER).
u32 first_visible() {
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible == nullptr ? 0 : static_cast<u32>(std::strtoul(visible, nullptr, 10));
}

void print_machine(const Nvml& nvml) {
  const nlohmann::ordered_json object = {
      {"driver", nvml.driver()},
      {"gpu", nvml.name()},
      {"milliwatts_limit", nvml.milliwatts_limit()},
      {"sm_mhz", nvml.megahertz(Clock::Multiprocessor)},
      {"sm_mhz_most", nvml.most_megahertz(Clock::Multiprocessor)},
      {"memory_mhz", nvml.megahertz(Clock::Memory)},
      {"memory_mhz_most", nvml.most_megahertz(Clock::Memory)},
      {"bus_generation", nvml.bus_generation()},
      {"bus_lanes", nvml.bus_lanes()},
  };
  std::printf("%s\n", object.dump(2).c_str());
}

[[noreturn]] void print_samples(const Nvml& nvml) {
  std::printf("ms,milliwatts,millijoules,sm_mhz,memory_mhz,degrees,mib\n");
  for (auto next = std::chrono::steady_clock::now();; next += kEvery) {
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::system_clock::now().time_since_epoch());
    const i64 bytes = nvml.used_bytes();
    std::printf("%lld,%lld,%lld,%lld,%lld,%lld,%lld\n", static_cast<long long>(now.count()),
                static_cast<long long>(nvml.milliwatts()),
                static_cast<long long>(nvml.millijoules()),
                static_cast<long long>(nvml.megahertz(Clock::Multiprocessor)),
                static_cast<long long>(nvml.megahertz(Clock::Memory)),
                static_cast<long long>(nvml.degrees()),
                static_cast<long long>(bytes < 0 ? bytes : bytes >> 20));
    std::fflush(stdout);  // the program may be ended at any moment
    std::this_thread::sleep_until(next + kEvery);
  }
}

int run(int count, char** words) {
  const bool is_machine = count == 2 && std::strcmp(words[1], "--machine") == 0;
  if (count > 1 && !is_machine) {
    std::fprintf(stderr, "usage: gpu_power [--machine]\n");
    return 2;
  }
  Nvml nvml;
  if (const Problem problem = nvml.open(first_visible())) {
    std::fprintf(stderr, "gpu_power: %s\n", problem.text().c_str());
    return kNotTold;
  }
  if (!is_machine) print_samples(nvml);
  print_machine(nvml);
  return 0;
}

}  // namespace
}  // namespace komuz::bench

int main(int count, char** words) { return komuz::bench::run(count, words); }
