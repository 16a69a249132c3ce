// SPDX-License-Identifier: Apache-2.0
// The instruction sets for which there is vector code.
#pragma once
#include <string_view>

#include "base/ints.h"

namespace komuz {

enum class SimdLevel : u8 { Portable, Avx2, Avx512 };
inline constexpr SimdLevel kSimdLevels[] = {SimdLevel::Portable, SimdLevel::Avx2,
                                            SimdLevel::Avx512};

[[nodiscard]] std::string_view simd_level_name(SimdLevel level);
[[nodiscard]] bool simd_level_supported(SimdLevel level);
// The best level of this processor. The environment variable KOMUZ_SIMD (portable, avx2, avx512) lowers it.
[[nodiscard]] SimdLevel best_simd_level();

}  // namespace komuz
