// SPDX-License-Identifier: Apache-2.0
// The serial group on a processor with vectors of 64 bytes. A pass over source order may have a second form for it,
// which takes 8 to 64 elements at a time (frontend_gpu/wide/). All other passes run as on the serial group.
#pragma once
// gcc 12 warns of the undefined values with which some intrinsics begin (its bug 105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop

#include "base/group/serial.h"
#include "base/simd_level.h"

// Marks a function that may use AVX-512 as of Ice Lake and Zen 4, in a file that is compiled for any x86-64.
// Functions that it calls are inlined, or compiled for any x86-64, too. So no other code depends on the processor.
#define KOMUZ_WIDE \
  __attribute__((  \
      target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))

namespace komuz {

// True if the processor has the vectors that KOMUZ_WIDE names, and base/simd_level.h allows them.
[[nodiscard]] inline bool has_wide_vectors() {
  return best_simd_level() == SimdLevel::Avx512 && __builtin_cpu_supports("avx512vbmi") != 0 &&
         __builtin_cpu_supports("avx512vbmi2") != 0;
}

class WideGroup : public SerialGroup {
 public:
  explicit WideGroup(bool wide) : wide_(wide) {}
  [[nodiscard]] bool wide() const { return wide_; }

 private:
  bool wide_;
};

}  // namespace komuz
