// SPDX-License-Identifier: Apache-2.0
// A thread for each element; where proposals are made and individuals ranked, as many as have lists, which take elements until none is
// left. What a proposal is made by are walks over tables, no two of which are alike, as in variant_kernel.cu.
#include "base/group/warp_machine.cuh"
#include "engine/cuda/search_element.h"
#include "engine/cuda/search_kernels.h"

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

cudaError_t launch_search(SearchStep step, const SearchTask& task, u64 elements,
                          cudaStream_t stream) {
  switch (step) {
    case SearchStep::ClearFirst: return launch<SearchStep::ClearFirst>(task, elements, stream);
    case SearchStep::MoveFirst: return launch<SearchStep::MoveFirst>(task, elements, stream);
    case SearchStep::ClearAll: return launch<SearchStep::ClearAll>(task, elements, stream);
    case SearchStep::ClearClimbers:
      return launch<SearchStep::ClearClimbers>(task, elements, stream);
    case SearchStep::ClearStaleness:
      return launch<SearchStep::ClearStaleness>(task, elements, stream);
    case SearchStep::Begin: return launch<SearchStep::Begin>(task, elements, stream);
    case SearchStep::BeginTurn: return launch<SearchStep::BeginTurn>(task, elements, stream);
    case SearchStep::Make: return launch(make_proposals, task, elements, stream);
    case SearchStep::Claim: return launch<SearchStep::Claim>(task, elements, stream);
    case SearchStep::Settle: return launch<SearchStep::Settle>(task, elements, stream);
    case SearchStep::Look: return launch<SearchStep::Look>(task, elements, stream);
    case SearchStep::LookAtCases: return launch<SearchStep::LookAtCases>(task, elements, stream);
    case SearchStep::Climb: return launch<SearchStep::Climb>(task, elements, stream);
    case SearchStep::BeginLayers: return launch<SearchStep::BeginLayers>(task, elements, stream);
    case SearchStep::SortBlocks: return launch<SearchStep::SortBlocks>(task, elements, stream);
    case SearchStep::MergeRuns: return launch<SearchStep::MergeRuns>(task, elements, stream);
    case SearchStep::Gather: return launch<SearchStep::Gather>(task, elements, stream);
    case SearchStep::GatherCases: return launch<SearchStep::GatherCases>(task, elements, stream);
    case SearchStep::Enter: return launch<SearchStep::Enter>(task, elements, stream);
    case SearchStep::Place: return launch<SearchStep::Place>(task, elements, stream);
    case SearchStep::FindFirst: return launch<SearchStep::FindFirst>(task, elements, stream);
    case SearchStep::FindDifferent:
      return launch<SearchStep::FindDifferent>(task, elements, stream);
    case SearchStep::RankInSize: return launch<SearchStep::RankInSize>(task, elements, stream);
    case SearchStep::Stay: return launch<SearchStep::Stay>(task, elements, stream);
    case SearchStep::Keep: return launch<SearchStep::Keep>(task, elements, stream);
    case SearchStep::EnterCases: return launch<SearchStep::EnterCases>(task, elements, stream);
    case SearchStep::FindUnlike: return launch<SearchStep::FindUnlike>(task, elements, stream);
    case SearchStep::BeginOwners: return launch<SearchStep::BeginOwners>(task, elements, stream);
    case SearchStep::TakePool: return launch<SearchStep::TakePool>(task, elements, stream);
    case SearchStep::Gauge: return launch<SearchStep::Gauge>(task, elements, stream);
    case SearchStep::Rank: return launch(rank_individuals, task, elements, stream);
    case SearchStep::Ask: return launch<SearchStep::Ask>(task, elements, stream);
    case SearchStep::FindOwned: return launch<SearchStep::FindOwned>(task, elements, stream);
    case SearchStep::GrowStale: return launch<SearchStep::GrowStale>(task, elements, stream);
    case SearchStep::TakePeople: return launch<SearchStep::TakePeople>(task, elements, stream);
  }
  return cudaErrorInvalidValue;
}

}  // namespace komuz::engine
