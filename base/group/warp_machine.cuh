// SPDX-License-Identifier: Apache-2.0
// The Machine of base/group/coop.h as a warp. Shuffles and ballots order no memory; __syncwarp does.
#pragma once
#include "base/group/column_extent.h"
#include "base/group/site.h"

namespace komuz {

class WarpMachine {
 public:
  static constexpr u32 kWarps = 1;

  __device__ __forceinline__ u32 lane() const { return threadIdx.x % 32; }
  __device__ __forceinline__ void barrier(const Site&) const { __syncwarp(); }

  template <class T>
  __device__ __forceinline__ T shfl(const T& value, u32 from, const Site&) const {
    return by_words(value, [from](u32 word) { return __shfl_sync(kAll, word, from); });
  }
  template <class T>
  __device__ __forceinline__ T shfl_up(const T& value, u32 distance, const Site&) const {
    return by_words(value, [distance](u32 word) { return __shfl_up_sync(kAll, word, distance); });
  }
  __device__ __forceinline__ u32 ballot(bool vote, const Site&) const {
    return __ballot_sync(kAll, vote);
  }

  __device__ __forceinline__ void note_column(const ColumnExtent&) const {}

  // Volatile, so that each round reads anew what other lanes have done.
  template <class T>
  __device__ __forceinline__ T load(const T& cell) const {
    return *static_cast<const volatile T*>(&cell);
  }
  template <class T>
  __device__ __forceinline__ void store(T& cell, T value) const {
    *static_cast<volatile T*>(&cell) = value;
  }
  __device__ __forceinline__ u32 exchange(u32& cell, u32 value) const {
    return atomicExch(&cell, value);
  }
  // Every lane that raises a flag stores the same value.
  template <class T>
  __device__ __forceinline__ void raise(T& cell) const {
    *static_cast<volatile T*>(&cell) = 1;
  }
  __device__ __forceinline__ void add_into(u32& cell, u32 value) const { atomicAdd(&cell, value); }
  __device__ __forceinline__ u64 fetch_add(u64& cell, u64 value) const {
    return atomicAdd(reinterpret_cast<unsigned long long*>(&cell), value);
  }
  __device__ __forceinline__ void or_into(u64& cell, u64 bits) const {
    atomicOr(reinterpret_cast<unsigned long long*>(&cell), bits);
  }
  __device__ __forceinline__ void max_into(u32& cell, u32 value) const { atomicMax(&cell, value); }
  __device__ __forceinline__ void max_into(u64& cell, u64 value) const {
    atomicMax(reinterpret_cast<unsigned long long*>(&cell), value);
  }
  __device__ __forceinline__ void min_into(u32& cell, u32 value) const { atomicMin(&cell, value); }
  __device__ __forceinline__ void min_into(u64& cell, u64 value) const {
    atomicMin(reinterpret_cast<unsigned long long*>(&cell), value);
  }
  // Returns the old value. The cell becomes `value` if it was `expected`.
  __device__ __forceinline__ u64 compare_exchange(u64& cell, u64 expected, u64 value) const {
    return atomicCAS(reinterpret_cast<unsigned long long*>(&cell), expected, value);
  }

 private:
  static constexpr u32 kAll = 0xFFFF'FFFFu;

  // Registers are exchanged one by one.
  template <class T, class Exchange>
  __device__ __forceinline__ static T by_words(const T& value, const Exchange& exchange) {
    static_assert(sizeof(T) % 4 == 0);
    constexpr u32 kWords = sizeof(T) / 4;
    u32 words[kWords];
    memcpy(words, &value, sizeof value);
#pragma unroll
    for (u32 k = 0; k < kWords; ++k) words[k] = exchange(words[k]);
    T result;
    memcpy(&result, words, sizeof result);
    return result;
  }
};

}  // namespace komuz
