// SPDX-License-Identifier: Apache-2.0
// The integer names used everywhere, and the marks of functions that also run on a device:
//   HD        such a function
//   HD_COLD   one that is not inlined: rare instructions must not stand between common ones
//   HD_CALL   a large one, which the compiler may inline or not
//   HD_TABLE  a constant in which such functions look things up. nvcc gives a plain `constexpr` array no memory on the
//             device, and code that indexes it there becomes a trap, without a warning
#pragma once
#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#define HD __host__ __device__ __forceinline__
#define HD_COLD inline __host__ __device__ __noinline__
#define HD_CALL __host__ __device__
#define HD_TABLE static __device__ constexpr
#else
#define HD inline __attribute__((always_inline))
#define HD_COLD inline __attribute__((noinline))
#define HD_CALL
#define HD_TABLE inline constexpr
#endif

namespace komuz {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using f32 = float;
using f64 = double;

static_assert(sizeof(f32) == 4 && sizeof(f64) == 8);

}  // namespace komuz
