// SPDX-License-Identifier: Apache-2.0
#include "vm/cuda/launch_plan.h"

#include <algorithm>

namespace komuz::vm {
namespace {

// Shared memory of a warp if a multiprocessor has so many blocks.
u64 bytes_of_a_warp(const SharedMemory& shared, u32 blocks, u32 warps_of_a_block) {
  if (shared.bytes / blocks <= shared.reserved) return 0;
  const u32 of_a_block = std::min(shared.bytes / blocks - shared.reserved, shared.bytes_of_a_block);
  return of_a_block / warps_of_a_block / sizeof(WarpOp) * sizeof(WarpOp);
}

}  // namespace

LaunchClasses launch_classes(const SharedMemory& shared, u32 most_blocks, u32 warps_of_a_block) {
  LaunchClasses classes{};
  for (u32 blocks = most_blocks; blocks > 0; --blocks)
    classes.limits[classes.count++] = bytes_of_a_warp(shared, blocks, warps_of_a_block);
  ++classes.count;
  return classes;
}

void plan_launches(const WarpBatch& batch, const SharedMemory& shared, u32 most_blocks,
                   u32 warps_of_a_block, LaunchPlan& plan) {
  plan.order.clear();
  plan.groups.clear();
  const LaunchClasses classes = launch_classes(shared, most_blocks, warps_of_a_block);
  for (u32 number = 0; number < classes.count; ++number) {
    LaunchGroup group;
    group.begin = static_cast<u32>(plan.order.size());
    group.blocks_each = classes.count - 1 - number;
    for (u32 k = 0; k < batch.programs.size(); ++k) {
      const WarpProgram& program = batch.programs[k];
      if (classes.of(program) != number) continue;
      plan.order.push_back(k);
      group.bytes = std::max(group.bytes, warp_bytes(program.cells, program.words));
    }
    group.end = static_cast<u32>(plan.order.size());
    if (group.end != group.begin) plan.groups.push_back(group);
  }
}

void plan_launches(const LaunchSort& sort, const u64* programs_of, const u64* bytes_of,
                   LaunchPlan& plan) {
  plan.groups.clear();
  for (u32 number = 0; number < sort.classes.count; ++number) {
    const u32 begin = number * sort.count;
    const auto programs = static_cast<u32>(programs_of[number]);
    if (programs != 0)
      plan.groups.push_back(
          {begin, begin + programs, sort.classes.count - 1 - number, bytes_of[number]});
  }
}

}  // namespace komuz::vm
