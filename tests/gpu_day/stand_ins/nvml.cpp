// SPDX-License-Identifier: Apache-2.0
// Stands in for the driver's library NVML on machines without a GPU: a card that takes 300 W, with changing clocks.
// Some functions are missing, as in older drivers.
#include <cstdio>
#include <cstring>

namespace {
unsigned asked = 0;
int tell(unsigned* value, unsigned what) {
  *value = what;
  return 0;
}
}  // namespace

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned number, void** gpu) {
  *gpu = &asked;
  return number == 0 ? 0 : 2;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** gpu) {
  *gpu = &asked;
  return std::strcmp(bus, "0000:17:00.0") == 0 ? 0 : 6;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* total_free_used) {
  total_free_used[0] = 100ull << 30;
  total_free_used[1] = 98ull << 30;
  total_free_used[2] = 2ull << 30;
  return 0;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::snprintf(text, size, "stand-in 1.0");
  return 0;
}
int nvmlDeviceGetName(void*, char* text, unsigned size) {
  std::snprintf(text, size, "stand-in GPU");
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* value) { return tell(value, 300'000); }
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* value) { return tell(value, 700'000); }
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* value) {
  *value = 15'000ull * asked;
  return 0;
}
// 1: of the multiprocessors; 2: of the memory.
int nvmlDeviceGetClockInfo(void*, unsigned clock, unsigned* value) {
  return tell(value, clock == 1 ? 1'900 + ++asked % 2 * 80 : 2'600);
}
int nvmlDeviceGetMaxClockInfo(void*, unsigned clock, unsigned* value) {
  return tell(value, clock == 1 ? 1'980 : 2'619);
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* value) { return tell(value, 45); }
}
