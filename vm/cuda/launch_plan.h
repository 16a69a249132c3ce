// SPDX-License-Identifier: Apache-2.0
// Which programs of a batch go into which launch: those whose frames fit the same share of a multiprocessor's shared
// memory go together, so that small programs have many warps on it; what fits none goes to the device's memory.
//
// Of programs that lie on the device the host has no list: each is put into the class of its frame there.
#pragma once
#include <vector>

#include "vm/cuda/lower_warp.h"

namespace komuz::vm {

// By how much memory a warp needs. Class k is for so many blocks on a multiprocessor less k; of the last one frames lie in
// the device's memory.
struct LaunchClasses {
  static constexpr u32 kMost = 6;
  u64 limits[kMost];  // bytes of a warp's memory, rising; but for the last one, which has none
  u32 count;

  [[nodiscard]] HD u32 of(const WarpProgram& program) const {
    const u64 bytes = warp_bytes(program.cells, program.words);
    u32 number = 0;
    while (number + 1 < count && bytes > limits[number]) ++number;
    return number;
  }
};

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

[[nodiscard]] LaunchClasses launch_classes(const SharedMemory& shared, u32 most_blocks,
                                           u32 warps_of_a_block);
// Within a group programs keep their order.
void plan_launches(const WarpBatch& batch, const SharedMemory& shared, u32 most_blocks,
                   u32 warps_of_a_block, LaunchPlan& plan);

// What the threads of a device are given to do that.
struct LaunchSort {
  const WarpProgram* programs;
  u32 count;
  LaunchClasses classes;
  u32*
      order;  // `count` places for each class, of which the first are taken, by programs in any order
  // By class, zeros before:
  u64* programs_of;
  u64* bytes_of;  // the most that a program of it needs
};
template <class Machine>
HD void sort_program(const LaunchSort& sort, u32 number, const Machine& machine) {
  const WarpProgram& program = sort.programs[number];
  const u32 own = sort.classes.of(program);
  sort.order[u64{own} * sort.count + machine.fetch_add(sort.programs_of[own], 1)] = number;
  machine.max_into(sort.bytes_of[own], warp_bytes(program.cells, program.words));
}
// The groups of what has been sorted; `plan.order` is left as it is.
void plan_launches(const LaunchSort& sort, const u64* programs_of, const u64* bytes_of,
                   LaunchPlan& plan);

}  // namespace komuz::vm
