// SPDX-License-Identifier: Apache-2.0
// The Machine of base/group/coop.h as a block of several warps. Shuffles and ballots are those of the lane's warp.
// Warps exchange values through boxes in shared memory.
#pragma once
#include "base/group/warp_machine.cuh"

namespace komuz {

template <u32 warps>
class BlockMachine : public WarpMachine {
 public:
  static constexpr u32 kWarps = warps;
  static constexpr u32 kBoxBytes = 64;
  struct Boxes {
    alignas(16) u8 of[2][warps][kBoxBytes];
  };

  __device__ __forceinline__ explicit BlockMachine(Boxes* boxes) : boxes_(boxes) {}

  __device__ __forceinline__ u32 lane() const { return threadIdx.x; }
  __device__ __forceinline__ void barrier(const Site&) const { __syncthreads(); }

  template <class T>
  __device__ __forceinline__ void post(u32 parity, const T& value) const {
    static_assert(sizeof(T) <= kBoxBytes);
    memcpy(boxes_->of[parity][threadIdx.x / 32], &value, sizeof value);
  }
  template <class T>
  __device__ __forceinline__ T posted(u32 parity, u32 warp) const {
    T value;
    memcpy(&value, boxes_->of[parity][warp], sizeof value);
    return value;
  }

 private:
  Boxes* boxes_;
};

}  // namespace komuz
