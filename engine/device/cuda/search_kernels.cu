// SPDX-License-Identifier: Apache-2.0
// A step has a thread for each element. The steps that make proposals and rank individuals need lists; they have a
// thread for each list, which takes elements until none is left. Making a proposal is a walk over tables, and no two
// walks are alike, as in variant_kernel.cu.
#include "base/group/warp_machine.cuh"
#include "engine/device/cuda/search_kernels.h"
#include "engine/device/search_element.h"

namespace komuz::engine {

constexpr u32 kThreads = 128;  // of a block

template <SearchStep step>
__global__ void __launch_bounds__(kThreads)
    search_variants(const __grid_constant__ SearchTask task, u64 elements) {
  const u64 number = u64{blockIdx.x} * kThreads + threadIdx.x;
  if (number < elements) SearchElement<WarpMachine>(task, number, WarpMachine{}, nullptr).run(step);
}

template <SearchStep step>
__device__ void run_with_lists(const SearchTask& task, u64 elements) {
  const u32 thread = blockIdx.x * kThreads + threadIdx.x;
  if (thread >= task.threads) return;
  u8* const scratch = task.scratch + thread * task.scratch_bytes;
  for (u64 number = thread; number < elements; number += task.threads)
    SearchElement<WarpMachine>(task, number, WarpMachine{}, scratch).run(step);
}
__global__ void __launch_bounds__(kThreads)
    make_proposals(const __grid_constant__ SearchTask task, u64 elements) {
  run_with_lists<SearchStep::Make>(task, elements);
}
__global__ void __launch_bounds__(kThreads)
    rank_individuals(const __grid_constant__ SearchTask task, u64 elements) {
  run_with_lists<SearchStep::Rank>(task, elements);
}

u32 blocks_for(u64 threads) { return static_cast<u32>((threads + kThreads - 1) / kThreads); }

template <SearchStep step>
cudaError_t launch(const SearchTask& task, u64 elements, cudaStream_t stream) {
  const u32 blocks = blocks_for(elements);
  if (blocks != 0) search_variants<step><<<blocks, kThreads, 0, stream>>>(task, elements);
  return cudaGetLastError();
}
using WithLists = void (*)(SearchTask, u64);
cudaError_t launch(WithLists kernel, const SearchTask& task, u64 elements, cudaStream_t stream) {
  const u32 blocks = blocks_for(elements < task.threads ? elements : task.threads);
  if (blocks != 0) kernel<<<blocks, kThreads, 0, stream>>>(task, elements);
  return cudaGetLastError();
}

// clang-format off
cudaError_t launch_search(SearchStep step, const SearchTask& task, u64 elements,
                          cudaStream_t stream) {
  switch (step) {
#define SEARCH_STEP(Name, action) \
  case SearchStep::Name: return launch<SearchStep::Name>(task, elements, stream);
#define LIST_STEP(Name, kernel, action) \
  case SearchStep::Name: return launch(kernel, task, elements, stream);
#include "engine/device/search_steps.def"
  }
  return cudaErrorInvalidValue;
}
// clang-format on

}  // namespace komuz::engine
