// SPDX-License-Identifier: Apache-2.0
// Questions to NVML, the library of NVIDIA's driver that knows power and clocks. It comes with the driver, and is
// loaded if it is there. Its header comes with the toolkit, which a machine that only runs this does not need.
#pragma once
#include <array>
#include <string>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::gpu {

class Nvml {
 public:
  Nvml() = default;
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // Opens GPU `number` in the order of buses, or the one at this place of a bus, such as "0000:17:00.0". Returns why it
  // cannot be asked, if so.
  Problem open(u32 number);
  Problem open_at(const std::string& bus);

  // Kinds of clocks, by their numbers in NVML.
  enum class Clock : u32 { Multiprocessor = 1, Memory = 2 };

  // Values that it does not know are -1, or empty.
  [[nodiscard]] std::string driver() const;
  [[nodiscard]] std::string name() const;
  [[nodiscard]] i64 milliwatts() const { return ask("nvmlDeviceGetPowerUsage"); }
  [[nodiscard]] i64 milliwatts_limit() const { return ask("nvmlDeviceGetEnforcedPowerLimit"); }
  [[nodiscard]] i64 millijoules() const;  // since the driver was loaded
  [[nodiscard]] i64 used_bytes() const;   // of the GPU's memory, by all that run there
  [[nodiscard]] i64 megahertz(Clock clock) const { return ask("nvmlDeviceGetClockInfo", clock); }
  [[nodiscard]] i64 most_megahertz(Clock clock) const {
    return ask("nvmlDeviceGetMaxClockInfo", clock);
  }
  [[nodiscard]] i64 degrees() const;  // Celsius
  [[nodiscard]] i64 bus_generation() const { return ask("nvmlDeviceGetCurrPcieLinkGeneration"); }
  [[nodiscard]] i64 bus_lanes() const { return ask("nvmlDeviceGetCurrPcieLinkWidth"); }

 private:
  Problem start();
  template <class Function>
  [[nodiscard]] Function find(const char* function) const;
  [[nodiscard]] i64 ask(const char* function) const;
  [[nodiscard]] i64 ask(const char* function, Clock clock) const;

  void* library_ = nullptr;
  bool is_started_ = false;
  void* gpu_ = nullptr;
};

}  // namespace komuz::gpu
