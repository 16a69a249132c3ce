// SPDX-License-Identifier: Apache-2.0
#include "base/gpu/nvml.h"

#include <dlfcn.h>

namespace komuz::gpu {
namespace {

using Status = int;  // 0: success
constexpr Status kSuccess = 0;
constexpr u32 kTextBytes = 96;

template <class Call>
std::string text_of(const Call& call) {
  std::array<char, kTextBytes> text{};
  return call(text.data(), static_cast<unsigned>(text.size() - 1)) == kSuccess ? text.data() : "";
}

Problem too_old() { return device_problem("the driver's library NVML is too old"); }

Problem unknown(Status result, const std::string& gpu) {
  if (result == kSuccess) return {};
  return device_problem("NVML does not know GPU " + gpu + ": error " + std::to_string(result));
}

}  // namespace

// A function of the library by its name, because older drivers do not have all of them.
template <class Function>
Function Nvml::find(const char* function) const {
  return library_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library_, function));
}

Nvml::~Nvml() {
  // NVML counts those who have started it.
  if (is_started_)
    if (const auto shutdown = find<Status (*)()>("nvmlShutdown")) (void)shutdown();
  if (library_ != nullptr) dlclose(library_);
}

Problem Nvml::start() {
  if (is_started_) return {};
  if (library_ == nullptr) library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return device_problem("the driver's library NVML is not there");
  const auto init = find<Status (*)()>("nvmlInit_v2");
  if (init == nullptr) return too_old();
  const Status result = init();
  if (result != kSuccess)
    return device_problem("NVML does not start: error " + std::to_string(result));
  is_started_ = true;
  return {};
}

Problem Nvml::open(u32 number) {
  if (Problem problem = start()) return problem;
  const auto by_number = find<Status (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
  if (by_number == nullptr) return too_old();
  return unknown(by_number(number, &gpu_), std::to_string(number));
}

Problem Nvml::open_at(const std::string& bus) {
  if (Problem problem = start()) return problem;
  const auto by_bus = find<Status (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (by_bus == nullptr) return too_old();
  return unknown(by_bus(bus.c_str(), &gpu_), bus);
}

std::string Nvml::driver() const {
  const auto function = find<Status (*)(char*, unsigned)>("nvmlSystemGetDriverVersion");
  return function == nullptr ? std::string() : text_of(function);
}

std::string Nvml::name() const {
  const auto function = find<Status (*)(void*, char*, unsigned)>("nvmlDeviceGetName");
  if (function == nullptr) return {};
  return text_of([&](char* text, unsigned size) { return function(gpu_, text, size); });
}

i64 Nvml::ask(const char* function) const {
  unsigned value = 0;
  const auto found = find<Status (*)(void*, unsigned*)>(function);
  return found != nullptr && found(gpu_, &value) == kSuccess ? i64{value} : -1;
}

i64 Nvml::ask(const char* function, Clock clock) const {
  unsigned value = 0;
  const auto found = find<Status (*)(void*, unsigned, unsigned*)>(function);
  const bool is_told =
      found != nullptr && found(gpu_, static_cast<unsigned>(clock), &value) == kSuccess;
  return is_told ? i64{value} : -1;
}

i64 Nvml::millijoules() const {
  unsigned long long value = 0;
  const auto found =
      find<Status (*)(void*, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption");
  return found != nullptr && found(gpu_, &value) == kSuccess ? static_cast<i64>(value) : -1;
}

i64 Nvml::used_bytes() const {
  struct Memory {
    unsigned long long total, free, used;
  } memory{};
  const auto found = find<Status (*)(void*, Memory*)>("nvmlDeviceGetMemoryInfo");
  return found != nullptr && found(gpu_, &memory) == kSuccess ? static_cast<i64>(memory.used) : -1;
}

i64 Nvml::degrees() const {
  constexpr unsigned kOfTheChip = 0;
  unsigned value = 0;
  const auto found = find<Status (*)(void*, unsigned, unsigned*)>("nvmlDeviceGetTemperature");
  return found != nullptr && found(gpu_, kOfTheChip, &value) == kSuccess ? i64{value} : -1;
}

}  // namespace komuz::gpu
