// SPDX-License-Identifier: Apache-2.0
#include "base/simd_level.h"

#include <cstdlib>

namespace komuz {

std::string_view simd_level_name(SimdLevel level) {
  switch (level) {
    case SimdLevel::Portable: return "portable";
    case SimdLevel::Avx2: return "avx2";
    case SimdLevel::Avx512: return "avx512";
  }
  return "portable";
}

bool simd_level_supported(SimdLevel level) {
  switch (level) {
    case SimdLevel::Portable: return true;
    case SimdLevel::Avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
             __builtin_cpu_supports("popcnt");
    case SimdLevel::Avx512:
      return simd_level_supported(SimdLevel::Avx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
  }
  return false;
}

SimdLevel best_simd_level() {
  SimdLevel best = SimdLevel::Portable;
  const char* forced = std::getenv("KOMUZ_SIMD");
  for (const SimdLevel level : kSimdLevels) {
    if (simd_level_supported(level)) best = level;
    if (forced != nullptr && simd_level_name(level) == forced) break;
  }
  return best;
}

}  // namespace komuz
