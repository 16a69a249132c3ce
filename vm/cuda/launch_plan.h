// SPDX-License-Identifier: Apache-2.0
// Which programs of a batch go into which launch: those whose frames fit the same share of a multiprocessor's shared
// memory go together, so that small programs have many warps on it; what fits none goes to the device's memory.
#pragma once
#include <vector>

#include "vm/cuda/lower_warp.h"

namespace komuz::vm {

struct LaunchGroup {
  u32 begin = 0, end = 0;  // of LaunchPlan::order
  u32 blocks_each = 0;     // on a multiprocessor at a time; 0: frames lie in the device's memory
  u64 bytes = 0;           // of a warp's memory, the most that a program of the group needs
};

struct LaunchPlan {
  std::vector<u32> order;  // numbers of the programs
  std::vector<LaunchGroup> groups;
};

// What a multiprocessor has of shared memory, and a block may have of it; each block costs `reserved` bytes more.
struct SharedMemory {
  u32 bytes = 0, bytes_of_a_block = 0, reserved = 0;
};

// Within a group programs keep their order.
void plan_launches(const WarpBatch& batch, const SharedMemory& shared, u32 most_blocks,
                   u32 warps_of_a_block, LaunchPlan& plan);

}  // namespace komuz::vm
