// SPDX-License-Identifier: Apache-2.0
// Sorts the programs of a batch into launches. Programs whose frames fit the same share of a multiprocessor's shared
// memory go together, so that small programs have many warps there. Frames that fit no share go to the device's
// memory.
//
// The host has no list of programs that lie on the device: there, each program is put into the class of its frame.
#pragma once
#include <vector>

#include "vm/cuda/lower_warp.h"

namespace komuz::vm {

// Classes by a warp's memory. Class k has k blocks less on a multiprocessor than class 0; frames of the last class
// lie in the device's memory.
struct LaunchClasses {
  static constexpr u32 kMost = 6;
  u64 limits[kMost];  // bytes of a warp's memory, rising; the last class has no limit
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
  u64 bytes = 0;           // of a warp's memory: the most that a program of the group needs
};

struct LaunchPlan {
  std::vector<u32> order;  // numbers of the programs
  std::vector<LaunchGroup> groups;
};

// The shared memory of a multiprocessor, and the most that a block may have; each block costs `reserved` bytes more.
struct SharedMemory {
  u32 bytes = 0, bytes_of_a_block = 0, reserved = 0;
};

[[nodiscard]] LaunchClasses launch_classes(const SharedMemory& shared, u32 most_blocks,
                                           u32 warps_of_a_block);
// Programs keep their order within a group.
void plan_launches(const WarpBatch& batch, const SharedMemory& shared, u32 most_blocks,
                   u32 warps_of_a_block, LaunchPlan& plan);

// The input and output of device threads that sort programs.
struct LaunchSort {
  const WarpProgram* programs;
  u32 count;
  LaunchClasses classes;
  u32* order;  // `count` places for each class; the first are used, by programs in any order
  // By class; zeros before:
  u64* programs_of;
  u64* bytes_of;  // the most that a program of the class needs
};
template <class Machine>
HD void sort_program(const LaunchSort& sort, u32 number, const Machine& machine) {
  const WarpProgram& program = sort.programs[number];
  const u32 own = sort.classes.of(program);
  sort.order[u64{own} * sort.count + machine.fetch_add(sort.programs_of[own], 1)] = number;
  machine.max_into(sort.bytes_of[own], warp_bytes(program.cells, program.words));
}
// The groups of sorted programs; `plan.order` is unchanged.
void plan_launches(const LaunchSort& sort, const u64* programs_of, const u64* bytes_of,
                   LaunchPlan& plan);

}  // namespace komuz::vm
