// SPDX-License-Identifier: Apache-2.0
#include "vm/cuda/launch_plan.h"

#include <algorithm>

namespace komuz::vm {
namespace {

// Shared memory of a warp if so many blocks are on a multiprocessor.
u64 bytes_of_a_warp(const SharedMemory& shared, u32 blocks, u32 warps_of_a_block) {
  if (shared.bytes / blocks <= shared.reserved) return 0;
  const u32 of_a_block = std::min(shared.bytes / blocks - shared.reserved, shared.bytes_of_a_block);
  return of_a_block / warps_of_a_block / sizeof(WarpOp) * sizeof(WarpOp);
}

}  // namespace

void plan_launches(const WarpBatch& batch, const SharedMemory& shared, u32 most_blocks,
                   u32 warps_of_a_block, LaunchPlan& plan) {
  plan.order.clear();
  plan.groups.clear();
  const auto bytes_of = [&batch](u32 number) {
    const WarpProgram& program = batch.programs[number];
    return warp_bytes(program.cells, program.words);
  };
  // The most blocks first; what is left when not even one block fits goes last.
  u64 above = 0;
  for (u32 blocks = most_blocks + 1; blocks-- > 0;) {
    const bool is_last = blocks == 0;
    const u64 limit = is_last ? ~u64{0} : bytes_of_a_warp(shared, blocks, warps_of_a_block);
    LaunchGroup group;
    group.begin = static_cast<u32>(plan.order.size());
    group.blocks_each = blocks;
    for (u32 number = 0; number < batch.programs.size(); ++number) {
      const u64 bytes = bytes_of(number);
      if (bytes <= above || bytes > limit) continue;
      plan.order.push_back(number);
      group.bytes = std::max(group.bytes, bytes);
    }
    above = std::max(above, limit);
    group.end = static_cast<u32>(plan.order.size());
    if (group.end != group.begin) plan.groups.push_back(group);
  }
}

}  // namespace komuz::vm
