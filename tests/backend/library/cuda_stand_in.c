/* SPDX-License-Identifier: Apache-2.0
   What examples/native/gpu.py calls of CUDA's driver, on the host: memory of the GPU is memory, and the one kernel is share() in C.
   A call out of order, or with what the driver would not take, gives an error. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int is_ready, has_context, has_module, blocks, is_launched;

int cuInit(unsigned flags) { return is_ready = 1, flags == 0 ? 0 : 1; }
int cuDeviceGet(int* device, int number) { return *device = number, is_ready && number == 0 ? 0 : 100; }
int cuDevicePrimaryCtxRetain(void** context, int device) { return *context = &has_context, device == 0 ? 0 : 101; }
int cuCtxSetCurrent(void* context) { return has_context = context == &has_context, has_context ? 0 : 201; }
int cuModuleLoadData(void** module, const char* text) {
  has_module = has_context && strstr(text, ".visible .entry share_kernel(") != NULL;
  return *module = &has_module, has_module ? 0 : 218;
}
int cuModuleGetFunction(void** kernel, void* module, const char* name) {
  return *kernel = &is_launched, module == &has_module && strcmp(name, "share_kernel") == 0 ? 0 : 500;
}
int cuMemAlloc_v2(uint64_t* address, size_t size) {
  ++blocks;
  return *address = (uintptr_t)malloc(size), has_context ? 0 : 201;
}
int cuMemFree_v2(uint64_t address) { return free((void*)(uintptr_t)address), --blocks, 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t size) { return memcpy((void*)(uintptr_t)to, from, size), 0; }
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t size) {
  return is_launched == 2 ? (memcpy(to, (void*)(uintptr_t)from, size), 0) : 700;
}
int cuLaunchKernel(void* kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void* stream, void** given, void** extra) {
  const uint64_t* const p[9] = {given[0], given[1], given[2], given[3], given[4], given[5], given[6], given[7], given[8]};
  const int64_t* const* const columns = (const int64_t* const*)(uintptr_t)*p[0];
  if (kernel != &is_launched || gy != 1 || gz != 1 || by != 1 || bz != 1 || shared != 0 || stream || extra || *p[7] < *p[6] ||
      (uint64_t)gx * bx < *p[6] || *p[8] == 0)
    return 1;
  for (uint64_t row = 0; row < *p[6]; ++row) {
    const int is_trap = columns[1][row] == 0;
    ((int64_t*)(uintptr_t)*p[1])[row] = is_trap ? 0 : columns[0][row] / columns[1][row];
    ((uint8_t*)(uintptr_t)*p[2])[row] = is_trap ? 2 : 0;
    ((uint32_t*)(uintptr_t)*p[3])[row] = 0;
    ((uint32_t*)(uintptr_t)*p[4])[row] = is_trap ? 1 : 0;
    ((uint64_t*)(uintptr_t)*p[5])[row] = 1;
  }
  return is_launched = 1, 0;
}
int cuCtxSynchronize(void) { return is_launched = is_launched == 1 ? 2 : is_launched, 0; }
int cuGetErrorString(int code, const char** text) { return *text = code == 218 ? "a PTX JIT compilation failed" : "stand-in", 0; }
int cuModuleUnload(void* module) { return module == &has_module ? 0 : 500; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device == 0 && blocks == 0 ? 0 : 1; }
