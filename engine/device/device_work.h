// SPDX-License-Identifier: Apache-2.0
// What is done to rows in the memory of a device, step by step, as far as it is the same wherever they lie: memory by parts, and
// copies from and to the host. Who does such work says which parts and steps there are (variant_sweep.h, variant_search.h).
#pragma once
#include <string>

#include "base/ints.h"
#include "base/problem.h"

namespace komuz::engine {

class DeviceWork {
 public:
  DeviceWork() = default;
  virtual ~DeviceWork() = default;
  DeviceWork(const DeviceWork&) = delete;
  DeviceWork& operator=(const DeviceWork&) = delete;

  // True if the last request found no memory, which its problem reports as well. Earlier work is unharmed.
  [[nodiscard]] bool is_full() const { return is_full_; }

 protected:
  // The part has at least so many bytes; what was in it is gone where it had less. Sets is_full_.
  virtual Problem reserve(u32 part, size_t bytes, u8*& out) = 0;
  // From and to the host.
  virtual Problem fetch(void* to, const void* from, size_t bytes) = 0;
  virtual Problem send(void* to, const void* from, size_t bytes) = 0;

  template <class Part, class T>
  Problem reserve_rows(Part part, u64 rows, T*& out) {
    u8* bytes = nullptr;
    Problem problem = reserve(static_cast<u32>(part), rows * sizeof(T), bytes);
    out = reinterpret_cast<T*>(bytes);
    return problem;
  }

  bool is_full_ = false;
};

}  // namespace komuz::engine
